/** Worker thread that checks a database while the server runs (sqlite.ts); posts the result of `quickCheck`. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { quickCheck } from './sqlite.ts'

const connection = new DatabaseSync(workerData as string, { readOnly: true })
parentPort?.postMessage(quickCheck(connection))
connection.close()
