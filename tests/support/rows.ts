/** Rows for tests and benches. */
import type { Database } from '../../src/server/database/database.ts'
import type { Tx } from '../../src/server/database/schema.ts'
import { changedEverything } from '../../src/server/database/cache-tags.ts'

/** Writes rows without the functions of `storage`, and records that everything may have changed. */
export function writeRows<Result>(database: Database, write: (tx: Tx) => Promise<Result>): Promise<Result> {
  return database.transaction((tx) => {
    changedEverything(tx)
    return write(tx)
  })
}
