/** PostgreSQL through a connection pool. */
import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely'
import pg from 'pg'
import {
  type Database,
  DatabaseBusyError,
  type DatabaseLog,
  DatabaseUnavailableError,
  StorageError,
} from './database.ts'
import { createOutageLog, type OutageLog } from './outages.ts'
import { CHANGES_KEPT_MINUTES, createChangesReader } from './postgres-changes.ts'
import { runPreparedBy } from './prepared.ts'
import { markDistributed } from './several/machines.ts'
import type { Queries, Schema, Tx } from './schema.ts'
import { storeChanges, storingChanges, watchQueries } from './cache-tags.ts'

const CONNECTIONS = 20
/** Queries that wait for a connection; more are refused (LIM-44). */
const WAITING_MAX = 1000
const STATEMENT_TIMEOUT_MS = 20_000
/** Ends waiting for a machine that has died without closing its connections. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000
const CONNECT_TIMEOUT_MS = 10_000
/** How long the connection for long transactions is open after the last one. */
const PATIENT_IDLE_MS = 1000
/** Ends the transaction of a server that was suspended, so that others wait for its locks for seconds only (OPS-36). */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
/** The same for long transactions, such as migrations. */
const PATIENT_IDLE_TRANSACTION_TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 5
/**
 * Codes after which a transaction is run again: serialization failure, deadlock, and foreign key violation, where a row
 * was deleted after the transaction had read it.
 */
const RETRIED_CODES = new Set(['40001', '40P01', '23503'])
/** "cached plan must not change result type". */
const COLUMNS_CHANGED_CODE = '0A000'

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
  const common: pg.PoolConfig = {
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    types,
  }
  const pool = new pg.Pool({
    ...common,
    max: CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
  })
  const patientPool = new pg.Pool({
    ...common,
    max: 1,
    idleTimeoutMillis: PATIENT_IDLE_MS,
    idle_in_transaction_session_timeout: PATIENT_IDLE_TRANSACTION_TIMEOUT_MS,
  })
  const outages = createOutageLog(log)
  const read = createReader(pool, outages)
  let isDistributed = false
  const changesReader = createChangesReader(read, () => isDistributed)
  // The pool replaces broken connections, but an 'error' event without a listener would end the process. Each client
  // needs one too: during a transaction the pool does not listen to it.
  for (const each of [pool, patientPool]) {
    each.on('error', () => {})
    each.on('connect', (client) =>
      client.on('error', (error) => {
        changesReader.connectionBroke()
        outages.failed(error)
      }),
    )
  }
  try {
    const citus = await pool.query(`SELECT FROM pg_extension WHERE extname = 'citus'`)
    isDistributed = citus.rows.length > 0
  } catch (error) {
    await pool.end()
    const { message } = error as Error
    throw new StorageError(`DATABASE_URL cannot be used: ${message || 'the server cannot be reached'}.`, {
      cause: error,
    })
  }

  const kysely = new Kysely<Schema>({ dialect: dialectOf(limited(pool, outages)) })
  const patient = new Kysely<Schema>({ dialect: dialectOf(limited(patientPool, outages)) })
  const queries: Queries = kysely.withPlugin(watchQueries)
  runPreparedBy(queries, createNamedRunner(read))
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    isDistributed,
    queries,
    transaction: async (work, { takesLong } = { takesLong: false }) => {
      const connections = takesLong ? patient : kysely
      for (let attempt = 1; ; attempt++) {
        try {
          const { result, changes } = await connections.transaction().execute((tx) =>
            storingChanges(tx, (inner) => {
              if (isDistributed) markDistributed(inner)
              return work(inner)
            }),
          )
          // There the coordinator's rows may be visible before the workers' rows, so what is cached in between must
          // be invalid again before the write is acknowledged.
          if (isDistributed && changes.length > 0)
            await kysely.transaction().execute((tx) => storeChanges(tx, changes))
          return result
        } catch (error) {
          if (!mayRunAgain(error, attempt)) throw error
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
    changesSince: changesReader.changesSince,
    deleteOldChanges: async () => {
      await sql`DELETE FROM changes WHERE at < now() - make_interval(mins => ${CHANGES_KEPT_MINUTES})`.execute(
        queries,
      )
    },
    time: async () => {
      const { rows } = await read<{ ms: string }>({
        text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
      })
      return Number(rows[0]!.ms)
    },
    ready: () => read({ text: 'SELECT 1' }).then(() => {}),
    close: () => (closed ??= Promise.all([pool.end(), patientPool.end()]).then(() => {})),
  }
}

/**
 * Whether a transaction that failed is run again. After an outage once, on a new connection, because the
 * pool's connections break when PostgreSQL is restarted. Never when it may have been committed.
 */
function mayRunAgain(error: unknown, attempt: number): boolean {
  if (error instanceof DatabaseUnavailableError) return attempt === 1 && !error.isOutcomeUnknown
  return attempt < MAX_ATTEMPTS && RETRIED_CODES.has((error as { code?: string }).code ?? '')
}

/** The query builder's pool: refuses what would wait for long (LIM-44), and names outages. */
function limited(pool: pg.Pool, outages: OutageLog): PostgresPool {
  return {
    connect: async () => watched(await connection(pool, outages), outages),
    // `close` ends the pools itself: Kysely does not end the pool of an instance that has made no query.
    end: async () => {},
    options: pool.options,
  }
}

async function connection(pool: pg.Pool, outages: OutageLog): Promise<pg.PoolClient> {
  try {
    return await unlessBusy(pool, () => pool.connect())
  } catch (error) {
    throw outages.failed(error)
  }
}

/**
 * A connection whose errors are named; it is closed on release when it broke, or leads to a server that is read-only.
 */
function watched(client: pg.PoolClient, outages: OutageLog): PostgresPoolClient {
  let isBroken = false
  let isOutcomeUnknown = false
  const query = async (text: string, values: unknown[]) => {
    try {
      const result = await client.query(text, values)
      outages.succeeded()
      return result
    } catch (error) {
      // Also for the rollback after it, whose failure is the one that the query builder throws.
      isOutcomeUnknown ||= text === 'commit'
      const failure = outages.failed(error, { isOutcomeUnknown })
      isBroken ||= failure !== error
      throw failure
    }
  }
  return { query, release: () => client.release(isBroken) } as unknown as PostgresPoolClient
}

type Read = <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>

function dialectOf(pool: PostgresPool): Dialect {
  const dialect = new PostgresDialect({ pool })
  // `migrations.ts` has a lock of its own, which ends with the transaction; Kysely's would outlive one that fails.
  const adapter = Object.assign(new PostgresAdapter(), {
    acquireMigrationLock: async () => {},
    releaseMigrationLock: async () => {},
  })
  dialect.createAdapter = () => adapter
  return dialect
}

/** Runs reads outside transactions; after an outage once more, on a new connection. */
function createReader(pool: pg.Pool, outages: OutageLog): Read {
  return async (query) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await unlessBusy(pool, () => pool.query(query))
        outages.succeeded()
        return result as never
      } catch (error) {
        const failure = outages.failed(error)
        if (failure === error || attempt === 2) throw failure
      }
    }
  }
}

async function unlessBusy<Result>(pool: pg.Pool, run: () => Promise<Result>): Promise<Result> {
  if (pool.waitingCount >= WAITING_MAX) throw new DatabaseBusyError()
  try {
    return await run()
  } catch (error) {
    // The pool has no other sign of having waited for CONNECT_TIMEOUT_MS.
    if ((error as Error).message !== 'timeout exceeded when trying to connect') throw error
    throw new DatabaseBusyError({ cause: error })
  }
}

/**
 * Runs prepared reads as named statements, which PostgreSQL parses and plans once per connection. When the server of a
 * newer version has added a column to a table, connections refuse statements that name all columns, so they get a new
 * name (OPS-39).
 */
function createNamedRunner(read: Read): (query: CompiledQuery) => Promise<unknown[]> {
  const names = new Map<string, string>()
  let count = 0
  const nameOf = (text: string) => {
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `read${count++}`))
    return name
  }
  return async ({ sql: text, parameters }) => {
    const run = async (name: string) => (await read({ name, text, values: [...parameters] })).rows
    const name = nameOf(text)
    try {
      return await run(name)
    } catch (error) {
      if ((error as { code?: string }).code !== COLUMNS_CHANGED_CODE) throw error
      if (names.get(text) === name) names.delete(text)
      return run(nameOf(text))
    }
  }
}
