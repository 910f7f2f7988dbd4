/** PostgreSQL through a connection pool. */
import {
  type BinaryOperationNode,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import pg from 'pg'
import {
  type Changes,
  type Database,
  DatabaseBusyError,
  type DatabaseLog,
  DatabaseUnavailableError,
  MIGRATIONS_LOCK,
  StorageError,
} from './database.ts'
import { EVERYTHING, storeChanges, storingChanges } from './cache-tags.ts'
import { listIn } from './chunks.ts'
import { STEPS } from './migrations.ts'
import type { Queries, Schema, Tx } from './schema.ts'
import { markDistributed, readUnfinished, type Unfinished } from './several/machines.ts'

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
  let [isDistributed, isPooled, breaks] = [false, false, 0]
  // The pool replaces broken connections, but an 'error' event without a listener would end the process. Each client
  // needs one too: during a transaction the pool does not listen to it.
  for (const each of [pool, patientPool]) {
    each.on('error', () => {})
    each.on('connect', (client) =>
      client.on('error', (error) => {
        breaks++
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

  const queriesOf = (from: pg.Pool, check?: SchemaCheck) =>
    new Kysely<Schema>({ dialect: dialectOf(limited(from, { outages, isPooled, checkSchema: check })) })
  const [queries, patient] = [queriesOf(pool, checkSchema), queriesOf(patientPool)]
  const lastStep = async () =>
    (await sql<{ last: string }>`${sql.raw(LAST_STEP)}`.execute(queries)).rows[0]!.last
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    isDistributed,
    queries,
    transaction: async (work, { takesLong } = { takesLong: false }) => {
      const connections = takesLong ? patient : queries
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
            await queries.transaction().execute((tx) => storeChanges(tx, changes))
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
      const found = await readChanges(queries, position, { isDistributed, breaks: () => breaks })
      // A migration changes everything, so no read comes after one without seeing it.
      if (found.changes.includes(EVERYTHING)) checkSchema(await lastStep())
      return found
    },
    deleteOldChanges: async () => {
      await sql`DELETE FROM changes WHERE at < now() - make_interval(mins => ${CHANGES_KEPT_MINUTES})`.execute(
        queries,
      )
    },
    time: async () => {
      const { rows } = await sql<{ ms: string; last: string }>`
        SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms, (${sql.raw(LAST_STEP)}) AS last`.execute(
        queries,
      )
      checkSchema(rows[0]!.last)
      return Number(rows[0]!.ms)
    },
    ready: async () => void (await sql`SELECT 1`.execute(queries)),
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

type Watch = {
  outages: ReturnType<typeof createOutageLog>
  isPooled: boolean
  checkSchema?: SchemaCheck | undefined
}

/**
 * The query builder's pool: refuses what would wait for long (LIM-44), and names outages. With `checkSchema`, no
 * transaction begins on a database that a newer version has migrated.
 */
function limited(pool: pg.Pool, watch: Watch): PostgresPool {
  return {
    connect: async () => {
      watch.checkSchema?.()
      if (pool.waitingCount >= WAITING_MAX) throw new DatabaseBusyError()
      try {
        return watched(await pool.connect(), watch)
      } catch (error) {
        // The pool has no other sign of having waited for CONNECT_TIMEOUT_MS.
        if ((error as Error).message !== 'timeout exceeded when trying to connect')
          throw watch.outages.failed(error)
        throw new DatabaseBusyError({ cause: error })
      }
    },
    // `close` ends the pools itself: Kysely does not end the pool of an instance that has made no query.
    end: async () => {},
    options: pool.options,
  }
}

/**
 * Names of reads: PostgreSQL parses and plans a named statement once per connection. There are none through a pooler, because
 * it may not know which of its connections has which. Long lists, and reads in transactions, have none either: their plan
 * could be of a time when the table was small, and go through all of it for each list.
 */
const names = new Map<string, string>()
const LONG_LIST = 64

const isLong = (value: unknown) => Array.isArray(value) && value.length > LONG_LIST

function namedRead(text: string, values: unknown[]): pg.QueryConfig {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `read${names.size}`))
  return { name, text, values }
}

/**
 * A connection whose errors are named; it is closed on release when it broke, or leads to a server that is read-only.
 */
function watched(client: pg.PoolClient, { outages, isPooled, checkSchema }: Watch): PostgresPoolClient {
  let isBroken = false
  let isOutcomeUnknown = false
  let isNamed = !isPooled
  const begin = async (check: SchemaCheck) => {
    // Several statements have several results.
    const results = (await client.query(BEGIN)) as unknown as pg.QueryResult<{ last: string }>[]
    const [result] = results.slice(-1)
    check(result!.rows[0]!.last)
    return result
  }
  const query = async (text: string, values: unknown[]) => {
    try {
      if (text === 'begin') isNamed = false
      if (text === 'begin' && checkSchema) return await begin(checkSchema)
      const result = await (isNamed && /^\s*select/i.test(text) && !values.some(isLong)
        ? client.query(namedRead(text, values))
        : client.query(text, values))
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

class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const list = listIn(node)
    if (!list) return super.visitBinaryOperation(node)
    this.visitNode(node.leftOperand)
    this.append(list.isNot ? ' <> all(' : ' = any(')
    this.appendValue(list.values)
    this.append(')')
  }
}

function dialectOf(pool: PostgresPool): Dialect {
  // `migrations.ts` has a lock of its own, which ends with the transaction; Kysely's would outlive one that fails.
  const adapter = Object.assign(new PostgresAdapter(), {
    acquireMigrationLock: async () => {},
    releaseMigrationLock: async () => {},
  })
  return Object.assign(new PostgresDialect({ pool }), {
    createAdapter: () => adapter,
    createQueryCompiler: () => new Compiler(),
  })
}

/**
 * A server that has not polled for longer starts over, long before changes are deleted, which allows for transactions
 * that take long to commit.
 */
const CHANGES_READ_WITHIN_MS = 5 * 60_000
const CHANGES_KEPT_MINUTES = 15
/** A server that missed more changes than this starts over. */
const CHANGES_MAX = 10_000

type Position = {
  snapshot: string
  at: number
  /** Number of connections that had broken. */
  breaks: number
  unfinished: Unfinished | undefined
}

/** Polls the table `changes` (docs/develop/caching.md). */
async function readChanges(
  queries: Queries,
  position: Changes['position'] | undefined,
  { isDistributed, breaks }: { isDistributed: boolean; breaks: () => number },
): Promise<Changes> {
  const last = position?.opaque as Position | undefined
  const at = performance.now()
  const breaksBefore = breaks()
  const most = CHANGES_MAX + 1
  const finished = isDistributed
    ? await readUnfinished(queries, last?.unfinished, { now: at, most })
    : undefined
  const before = last?.snapshot ?? null
  // The tags of transactions that the snapshot of the last poll did not see. The whole statement uses one snapshot: a
  // commit is either in it or found by the next poll.
  const { rows } = await sql<{ snapshot: string; tags: string[] }>`
    SELECT pg_current_snapshot()::text AS snapshot, ARRAY(
      SELECT subject FROM changes WHERE transaction_id >= pg_snapshot_xmin(${before}::pg_snapshot)
      AND NOT pg_visible_in_snapshot(transaction_id, ${before}::pg_snapshot) LIMIT ${most}) AS tags`.execute(
    queries,
  )
  const { snapshot, tags: found } = rows[0]!
  const tags = [...(finished?.tags ?? []), ...found]
  const isComplete =
    last !== undefined &&
    at - last.at < CHANGES_READ_WITHIN_MS &&
    tags.length <= CHANGES_MAX &&
    // When the coordinator fails, a worker may have committed what the coordinator has not stored.
    !(isDistributed && last.breaks !== breaksBefore)
  const opaque: Position = { snapshot, at, breaks: breaksBefore, unfinished: finished?.unfinished }
  return { position: { opaque }, changes: isComplete ? tags : [EVERYTHING] }
}

/**
 * Codes of a server that is starting, stopping or full, or of a former primary that has become read-only after a
 * failover, and of one that has ended a transaction because this server did not go on with it; class 08 is lost
 * connections.
 */
const SERVER_CODES = /^(?:08...|57P0[1235]|53300|25006|25P03)$/
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** The driver reports broken and silent connections without a code. */
const DRIVER_TEXTS = /^(?:Connection terminated|Client has encountered a connection error|Query read timeout)/

/** Whether an error says that the database or the connection is gone, rather than that a statement was wrong. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return SERVER_CODES.test(code)
  return SOCKET_CODES.has(code) || DRIVER_TEXTS.test(error.message)
}

/** Logs one line when an outage begins and one when it ends (OPS-31), however many requests fail in between. */
function createOutageLog(log: DatabaseLog | undefined) {
  let isOut = false
  return {
    /** The error to throw for `error`: a {@link DatabaseUnavailableError} for an outage, otherwise itself. */
    failed(error: unknown, options?: { isOutcomeUnknown: boolean }): unknown {
      if (!isOutage(error)) return error
      if (!isOut) log?.error({ err: error }, 'the database is unavailable')
      isOut = true
      return new DatabaseUnavailableError({ cause: error, ...options })
    },
    /** A statement has succeeded. */
    succeeded() {
      if (!isOut) return
      isOut = false
      log?.info('the database is available again')
    },
  }
}
