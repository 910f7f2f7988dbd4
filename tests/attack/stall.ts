/** Makes a database unresponsive during a test. */
import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'

/** Size of the connection pool (`database/postgres.ts`). */
const CONNECTIONS = 20

/**
 * Takes every connection to a PostgreSQL database until the returned function is called. Does nothing for SQLite, whose
 * reads never wait.
 */
export async function stallDatabase(database: Database): Promise<() => Promise<unknown>> {
  if (database.engine === 'sqlite') return async () => {}
  const end = Promise.withResolvers<void>()
  const taken = Array.from({ length: CONNECTIONS }, () => Promise.withResolvers<void>())
  const held = taken.map(({ resolve }) =>
    database.transaction(async (tx) => {
      // Otherwise PostgreSQL would end it after a few seconds (OPS-35).
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
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
