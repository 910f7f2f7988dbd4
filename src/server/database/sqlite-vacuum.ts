/** Worker thread that rewrites a database file, so that no deleted data is left in it (`scrub` in sqlite.ts). */
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

// The same timeout as for writes (WAIT_MS in sqlite.ts).
const connection = new DatabaseSync(workerData as string, { timeout: 20_000 })
try {
  connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
} finally {
  connection.close()
}
