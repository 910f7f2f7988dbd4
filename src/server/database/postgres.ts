/** PostgreSQL through a connection pool. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Database, type DatabaseLog, StorageError } from './database.ts'
import type { Queries, Schema, Tx } from './schema.ts'

const CONNECTIONS = 20
const STATEMENT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
/** Ends the transaction of a server that hangs, so that its locks are released. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 5
/**
 * Codes after which a transaction is run again: serialization failure, deadlock, and foreign key violation, where a row
 * was deleted after the transaction had read it.
 */
const RETRIED_CODES = new Set(['40001', '40P01', '23503'])

const SNAPSHOT = { name: 'state', text: 'SELECT pg_current_snapshot()::text AS state' }

const INT8 = 20
const BYTEA = 17
/** int8 becomes a number, since every count and time fits one, and bytea a Uint8Array, as with SQLite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    const parse = pg.types.getTypeParser(oid, format) as (value: unknown) => unknown
    if (format === 'binary') return parse
    if (oid === INT8) return Number
    return oid === BYTEA ? (value: unknown) => new Uint8Array(parse(value) as Buffer) : parse
  }) as typeof pg.types.getTypeParser,
}

/**
 * Opens a connection pool.
 * @throws StorageError when the server cannot be reached or refuses the connection
 */
export async function openPostgres(connectionString: string, log?: DatabaseLog): Promise<Database> {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    types,
  })
  // The pool replaces broken connections, but an 'error' event without a listener would end the process. Each client
  // needs one too: during a transaction the pool does not listen to it.
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
          if (attempt === MAX_ATTEMPTS || !RETRIED_CODES.has((error as { code?: string }).code ?? ''))
            throw error
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
    // A snapshot lists the transactions that a read sees, so an equal snapshot means equal data.
    state: async () => (await pool.query<{ state: string }>(SNAPSHOT)).rows[0]!.state,
    ready: () => pool.query('SELECT 1').then(() => {}),
    close: () => queries.destroy(),
  }
}
