/** A thread that looks a database over while the server runs (sqlite.ts); its message is what it found. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { quickCheck } from './sqlite.ts'

const connection = new DatabaseSync(workerData as string, { readOnly: true })
parentPort?.postMessage(quickCheck(connection))
connection.close()
