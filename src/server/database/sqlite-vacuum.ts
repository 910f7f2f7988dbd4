/** A thread that writes a database anew, so that pages hold nothing but what is stored (sqlite.ts 'scrub'). */
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

/** Writers wait as long for each other at most. */
const connection = new DatabaseSync(workerData as string, { timeout: 20_000 })
try {
  connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
} finally {
  connection.close()
}
