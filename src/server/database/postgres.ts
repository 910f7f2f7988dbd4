/** PostgreSQL through a connection pool. */
import {
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
  MIGRATIONS_LOCK,
  StorageError,
} from './database.ts'
import { createOutageLog, type OutageLog } from './outages.ts'
import { STEPS } from './migrations.ts'
import { CHANGES_KEPT_MINUTES, createChangesReader } from './postgres-changes.ts'
import { runPreparedBy } from './prepared.ts'
import { markDistributed } from './several/machines.ts'
import type { Schema, Tx } from './schema.ts'
import { EVERYTHING, storeChanges, storingChanges } from './cache-tags.ts'

const CONNECTIONS = 20
/** Queries that wait for a connection; more are refused (LIM-44). */
const WAITING_MAX = 1000
const STATEMENT_TIMEOUT_MS = 20_000
/** Ends waiting for a machine that has died without closing its connections. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000
const CONNECT_TIMEOUT_MS = 10_000
/** How long the connection for long transactions is open after the last one. */
const PATIENT_IDLE_MS = 1000
/** Ends the transaction of a server that was suspended, so that others wait for its locks for seconds only (OPS-35). */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
/** The same for long transactions, such as migrations. */
const PATIENT_IDLE_TRANSACTION_TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 5
/**
 * Codes after which a transaction is run again: serialization failure, deadlock, and foreign key violation, where a row
 * was deleted after the transaction had read it.
 */
const RETRIED_CODES = new Set(['40001', '40P01', '23503'])
/** Newest migration of the database. */
const LAST_STEP = 'SELECT max(name) AS last FROM kysely_migration'
/**
 * Begins a transaction and reads the newest migration in one round trip. The lock holds off a migration until the
 * transaction has ended, so that it writes nothing to tables that a newer version has changed (OPS-38).
 */
const BEGIN = `begin; SELECT pg_advisory_xact_lock_shared(hashtextextended('${MIGRATIONS_LOCK}', 0)); ${LAST_STEP}`

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

type Options = {
  log?: DatabaseLog | undefined
  /** Called once, when a newer version has migrated the database; from then on every use of it fails. */
  onMoved?: ((error: StorageError) => void) | undefined
}

/**
 * Opens a connection pool.
 * @throws StorageError when the server cannot be reached or refuses the connection
 */
export async function openPostgres(
  connectionString: string,
  { log, onMoved }: Options = {},
): Promise<Database> {
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
  const checkSchema = createSchemaCheck(onMoved)
  let [isDistributed, isPooled] = [false, false]

  /** Runs a read outside transactions. */
  const read = async <Row extends pg.QueryResultRow>({ name, ...query }: pg.QueryConfig) => {
    checkSchema()
    // Through a pooler statements have no names, because it may not know which of its connections has which.
    const named = name === undefined || isPooled ? query : { ...query, name }
    const result = await fromPool(pool, outages, () => pool.query<Row>(named))
    outages.succeeded()
    return result
  }
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
    const client = await pool.connect()
    const { rows } = await client.query<{ citus: boolean; pid: number }>(
      `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus, pg_backend_pid() AS pid`,
    )
    isDistributed = rows[0]!.citus
    // OPS-56: a pooler such as PgBouncer gives its clients numbers of its own.
    isPooled = rows[0]!.pid !== (client as { processID?: number }).processID
    client.release()
  } catch (error) {
    await pool.end()
    const { message } = error as Error
    const remedy = message.includes('unsupported startup parameter')
      ? '; let the pooler ignore it (docs/operate/several-servers.md)'
      : ''
    throw new StorageError(
      `DATABASE_URL cannot be used: ${message || 'the server cannot be reached'}${remedy}.`,
      { cause: error },
    )
  }

  const kysely = new Kysely<Schema>({ dialect: dialectOf(limited(pool, outages, checkSchema)) })
  const patient = new Kysely<Schema>({ dialect: dialectOf(limited(patientPool, outages)) })
  // PostgreSQL parses and plans a named statement once per connection.
  const names = new Map<string, string>()
  runPreparedBy(kysely, async ({ sql: text, parameters }) => {
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `read${names.size}`))
    return (await read({ name, text, values: [...parameters] })).rows
  })
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    isDistributed,
    queries: kysely,
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
          const { code = '' } = error as { code?: string }
          if (attempt === MAX_ATTEMPTS || !RETRIED_CODES.has(code)) throw error
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
    changesSince: async (position) => {
      const found = await changesReader.changesSince(position)
      // A migration changes everything, so no read comes after one without seeing it.
      if (found.changes.includes(EVERYTHING))
        checkSchema((await read<{ last: string }>({ text: LAST_STEP })).rows[0]!.last)
      return found
    },
    deleteOldChanges: async () => {
      await sql`DELETE FROM changes WHERE at < now() - make_interval(mins => ${CHANGES_KEPT_MINUTES})`.execute(
        kysely,
      )
    },
    time: async () => {
      const { rows } = await read<{ ms: string; last: string }>({
        text: `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms, (${LAST_STEP})`,
      })
      checkSchema(rows[0]!.last)
      return Number(rows[0]!.ms)
    },
    ready: () => read({ text: 'SELECT 1' }).then(() => {}),
    close: () => (closed ??= Promise.all([pool.end(), patientPool.end()]).then(() => {})),
  }
}

/** @throws DatabaseUnavailableError when the newest migration, now or at an earlier call, is not this version's */
type SchemaCheck = (last?: string) => void

function createSchemaCheck(onMoved: Options['onMoved']): SchemaCheck {
  const known = STEPS.at(-1)
  let moved: StorageError | undefined
  return (last = known) => {
    if (last !== known && !moved) {
      moved = new StorageError(
        `A newer version of Shelfmates has migrated the database (migration ${last}), so this server of an older version ` +
          'ends; start the newer one in its place (docs/operate/upgrade.md).',
      )
      onMoved?.(moved)
    }
    if (moved) throw new DatabaseUnavailableError({ cause: moved })
  }
}

/**
 * The query builder's pool: refuses what would wait for long (LIM-44), and names outages. With `checkSchema`, no
 * transaction begins on a database that a newer version has migrated.
 */
function limited(pool: pg.Pool, outages: OutageLog, checkSchema?: SchemaCheck): PostgresPool {
  return {
    connect: async () => {
      checkSchema?.()
      return watched(await fromPool(pool, outages, () => pool.connect()), outages, checkSchema)
    },
    // `close` ends the pools itself: Kysely does not end the pool of an instance that has made no query.
    end: async () => {},
    options: pool.options,
  }
}

/**
 * A connection whose errors are named; it is closed on release when it broke, or leads to a server that is read-only.
 */
function watched(client: pg.PoolClient, outages: OutageLog, checkSchema?: SchemaCheck): PostgresPoolClient {
  let isBroken = false
  let isOutcomeUnknown = false
  const begin = async (check: SchemaCheck) => {
    // Several statements have several results.
    const results = (await client.query(BEGIN)) as unknown as pg.QueryResult<{ last: string }>[]
    const [result] = results.slice(-1)
    check(result!.rows[0]!.last)
    return result
  }
  const query = async (text: string, values: unknown[]) => {
    try {
      if (text === 'begin' && checkSchema) return await begin(checkSchema)
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

/** @throws DatabaseBusyError, DatabaseUnavailableError */
async function fromPool<Result>(
  pool: pg.Pool,
  outages: OutageLog,
  run: () => Promise<Result>,
): Promise<Result> {
  if (pool.waitingCount >= WAITING_MAX) throw new DatabaseBusyError()
  try {
    return await run()
  } catch (error) {
    // The pool has no other sign of having waited for CONNECT_TIMEOUT_MS.
    if ((error as Error).message !== 'timeout exceeded when trying to connect') throw outages.failed(error)
    throw new DatabaseBusyError({ cause: error })
  }
}
