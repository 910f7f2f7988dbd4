/** PostgreSQL through a pool of connections. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Database, type DatabaseLog, StorageError } from './database.ts'
import type { Queries, Schema, Tx } from './schema.ts'

const CONNECTIONS = 20
const STATEMENT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
/** A transaction whose server hangs must not hold its locks for good. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000
const TRIES = 5
/**
 * Serialization failure and deadlock: PostgreSQL asks for the transaction to be run again. A foreign key that does not
 * hold: what it names was there when it was looked up, and went away; run again, the work sees that itself.
 */
const RUN_AGAIN = new Set(['40001', '40P01', '23503'])

const SNAPSHOT = { name: 'state', text: 'SELECT pg_current_snapshot()::text AS state' }

const INT8 = 20
const BYTEA = 17
/** Counts and times come as bigint, which fits a number here; bytes as SQLite gives them; the rest as it is. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    const parse = pg.types.getTypeParser(oid, format) as (value: unknown) => unknown
    if (format === 'binary') return parse
    if (oid === INT8) return Number
    return oid === BYTEA ? (value: unknown) => new Uint8Array(parse(value) as Buffer) : parse
  }) as typeof pg.types.getTypeParser,
}

/**
 * Opens a pool on a PostgreSQL address.
 * @throws StorageError when the server cannot be reached or refuses
 */
export async function openPostgres(address: string, log?: DatabaseLog): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: address,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    types,
  })
  // The pool replaces a connection that breaks; without a listener its failure would end the process, also
  // between two statements of a transaction, where the pool itself does not listen.
  pool.on('error', () => {})
  pool.on('connect', (client) =>
    client.on('error', (error) => log?.error({ err: error }, 'a database connection broke')),
  )
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    const { message } = error as Error
    throw new StorageError(`DATABASE_URL cannot be used: ${message || 'the server cannot be reached'}.`, {
      cause: error,
    })
  }

  const queries: Queries = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    queries,
    transaction: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await queries.transaction().execute(work)
        } catch (error) {
          if (attempt === TRIES || !RUN_AGAIN.has((error as { code?: string }).code ?? '')) throw error
        }
      }
    },
    lock: async (tx: Tx, name, how) => {
      const key = sql`hashtextextended(${name}, 0)`
      await (
        how === 'shared'
          ? sql`SELECT pg_advisory_xact_lock_shared(${key})`
          : sql`SELECT pg_advisory_xact_lock(${key})`
      ).execute(tx)
    },
    scrub: async () => {},
    // A snapshot is which transactions are seen: the same ones, the same data.
    state: async () => (await pool.query<{ state: string }>(SNAPSHOT)).rows[0]!.state,
    ready: () => pool.query('SELECT 1').then(() => {}),
    close: () => queries.destroy(),
  }
}
