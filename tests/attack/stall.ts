/** A database that is busy, for as long as a test likes. */
import type { Database } from '../../src/server/database/database.ts'

/** As many as the pool has (`database/postgres.ts`). */
const CONNECTIONS = 20

/**
 * Has a PostgreSQL database answer nobody until it is released: every connection to it is taken. SQLite reads at once
 * whatever else happens, so there is nothing to hold up.
 */
export async function stallDatabase(database: Database): Promise<() => Promise<unknown>> {
  if (database.engine === 'sqlite') return async () => {}
  const end = Promise.withResolvers<void>()
  const taken = Array.from({ length: CONNECTIONS }, () => Promise.withResolvers<void>())
  const held = taken.map(({ resolve }) =>
    database.transaction(async () => {
      resolve()
      await end.promise
    }),
  )
  await Promise.all(taken.map(({ promise }) => promise))
  return () => {
    end.resolve()
    return Promise.all(held)
  }
}
