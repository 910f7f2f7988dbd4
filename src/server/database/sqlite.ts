/** SQLite in this process, through Node's own binding: durable commits in a write-ahead log. */
import { once } from 'node:events'
import { dirname } from 'node:path'
import { statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { newestBackup } from './backups.ts'
import { type Database, type DatabaseLog, StorageError } from './database.ts'
import { runPreparedBy } from './prepared.ts'
import type { Queries, Schema } from './schema.ts'

/** How long a write waits for its turn here, and for another process that holds the file, in milliseconds. */
const WAIT_MS = 20_000
const BUSY_POLL_MS = 5
/** Prepared statements kept per connection; lists of different lengths are different statements. */
const STATEMENTS_KEPT = 500

/**
 * Up to this size the file is looked over before anybody is served; that takes a tenth of a second. A gigabyte takes
 * seconds, so a larger one is looked over beside the running server.
 */
const CHECKED_BEFORE_START_BYTES = 64 * 2 ** 20

/** A larger file would keep writers waiting for longer than they wait; its operator finds the time (docs/OPERATIONS.md). */
const VACUUMED_BYTES = 256 * 2 ** 20

/** Primary result codes of SQLite that tell the operator different things. */
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/**
 * Opens the file. Two connections: one for transactions and writes, one that only reads, so that a page does not
 * wait for somebody's sync.
 * @throws StorageError when the file cannot be opened or is not a sound SQLite database
 */
export async function openSqlite(file: string, log?: DatabaseLog): Promise<Database> {
  let checker: Worker | undefined
  const opened: DatabaseSync[] = []
  // FULL: a commit that was acknowledged survives the loss of power (DATA-4).
  const connect = (settings: string) => {
    const connection = new DatabaseSync(file)
    opened.push(connection)
    return whenFree(() => {
      connection.exec(`PRAGMA journal_mode = WAL; PRAGMA cache_size = -65536; ${settings}`)
      return connection
    })
  }
  let connections: Connections
  try {
    const writer = await connect(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
    )
    if (statSync(file).size <= CHECKED_BEFORE_START_BYTES) {
      const finding = await whenFree(() => quickCheck(writer))
      if (finding !== 'ok') throw new StorageError(damaged(file, finding))
    } else checker = checkBeside(file, log)
    connections = { writer, reader: await connect('PRAGMA query_only = ON') }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error instanceof StorageError ? error : openingError(file, error as Error)
  }

  const onReader = statementRunner(connections.reader)
  const queries: Queries = new Kysely<Schema>({ dialect: sqliteDialect(connections, onReader) })
  runPreparedBy(queries, (query) => whenFree(() => onReader(query).rows))
  // Counts what every other connection, the writer of this process included, has committed.
  const dataVersion = connections.reader.prepare('PRAGMA data_version')
  dataVersion.setReturnArrays(true)
  return {
    engine: 'sqlite',
    queries,
    transaction: (work) => queries.transaction().execute(work),
    lock: async () => {},
    // secure_delete overwrites what was deleted, in the log first: this brings it into the file and empties the log.
    // Where somebody is reading just now it does less, and the next time does the rest.
    scrub: async (how) => {
      await queries.executeQuery(CompiledQuery.raw('PRAGMA wal_checkpoint(TRUNCATE)'))
      if (how === 'thoroughly' && statSync(file).size <= VACUUMED_BYTES) await vacuumBeside(file)
    },
    state: () => {
      try {
        return (dataVersion.get() as unknown as [number])[0]
      } catch (error) {
        // Held by another process for a moment, as no read ever waits for long.
        if (resultCode(error) !== BUSY) throw error
        return whenFree(() => (dataVersion.get() as unknown as [number])[0])
      }
    },
    ready: async () => {
      // Not a constant: that would never look into the file.
      connections.reader.prepare('SELECT count(*) FROM schema_steps').get()
    },
    close: async () => {
      await checker?.terminate()
      await queries.destroy()
    },
  }
}

/** What SQLite finds wrong with a database first; 'ok' when nothing is. */
export function quickCheck(connection: DatabaseSync): string {
  return String(connection.prepare('PRAGMA quick_check(1)').get()?.quick_check).replaceAll('\n', ' ')
}

/** Looks a file over in a thread of its own; damage is logged in the words that a start would refuse it with. */
function checkBeside(file: string, log?: DatabaseLog): Worker {
  const worker = new Worker(new URL('./sqlite-check.ts', import.meta.url), { workerData: file })
  worker.unref()
  worker.on('message', (finding: string) => {
    if (finding !== 'ok') log?.error({ finding }, damaged(file, finding))
  })
  worker.on('error', (error: unknown) => log?.error({ err: error }, 'the database could not be looked over'))
  return worker
}

/**
 * Pages that were split or joined keep copies of rows in parts that are not used any more, which secure_delete does not
 * know of. A thread of its own, because it takes seconds; readers go on meanwhile, writers wait.
 */
async function vacuumBeside(file: string): Promise<void> {
  const worker = new Worker(new URL('./sqlite-vacuum.ts', import.meta.url), { workerData: file })
  await once(worker, 'exit')
}

function openingError(file: string, error: Error): StorageError {
  const code = resultCode(error)
  const sentence =
    code === CORRUPT || code === NOT_A_DATABASE
      ? damaged(file, error.message)
      : code === BUSY
        ? `The database ${file} is held by another process; stop that one first.`
        : `The database ${file} cannot be opened (${error.message}); DATA_DIR must be a folder this user may write to, on a disk with room.`
  return new StorageError(sentence, { cause: error })
}

function damaged(file: string, finding: string): string {
  const backup = newestBackup(dirname(file))
  const remedy = backup
    ? `put it aside and restore the last backup, ${backup}`
    : 'put it aside and restore your last backup; there is none in its folder'
  return `The database ${file} is damaged or not a database (${finding}); ${remedy} (docs/OPERATIONS.md).`
}

/** SQLite's primary result code of a failure; undefined when it is none of SQLite's. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}

/**
 * Runs `attempt` again while another process, or another server in this one, holds the file. The binding's own
 * timeout would stop everything else in this process meanwhile.
 */
async function whenFree<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (resultCode(error) !== BUSY || Date.now() > deadline) throw error
    }
    await pause(BUSY_POLL_MS)
  }
}

type Connections = { writer: DatabaseSync; reader: DatabaseSync }
type Runner = (query: CompiledQuery) => QueryResult<unknown>

/** A transaction that writes has the file to itself, so a row needs no lock of its own and SQLite has none. */
class CompilerWithoutRowLocks extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node)
  }
}

function sqliteDialect(connections: Connections, onReader: Runner): Dialect {
  return {
    // Without this Kysely would let a page's read wait for somebody's transaction.
    createAdapter: () =>
      Object.defineProperty(new SqliteAdapter(), 'supportsMultipleConnections', { value: true }),
    createDriver: () => sqliteDriver(connections, onReader),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new CompilerWithoutRowLocks(),
  }
}

/**
 * Plain statements run at once: the binding is synchronous, so each is whole by itself. A transaction has the
 * writer to itself; plain writes queue behind it, plain reads use the reader and see what was committed.
 */
function sqliteDriver({ writer, reader }: Connections, onReader: Runner): Driver {
  const onWriter = statementRunner(writer)
  const takeTurn = createTurns()
  /** Connections with a transaction, and how each gives the writer back. */
  const transactions = new WeakMap<DatabaseConnection, () => void>()

  async function runPlain(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (query.query.kind === 'SelectQueryNode') return whenFree(() => onReader(query))
    const release = await takeTurn()
    try {
      return await whenFree(() => onWriter(query))
    } finally {
      release()
    }
  }

  function endTransaction(connection: DatabaseConnection): void {
    transactions.get(connection)?.()
    transactions.delete(connection)
  }

  return {
    init: async () => {},
    // Kysely asks for a connection before it says whether a transaction begins, so each is a new face of both.
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: async <Row>(query: CompiledQuery) =>
          (transactions.has(connection) ? onWriter(query) : await runPlain(query)) as QueryResult<Row>,
        streamQuery: () => {
          throw new Error('answers are small; they are not streamed')
        },
      }
      return connection
    },
    releaseConnection: async () => {},
    beginTransaction: async (connection) => {
      const release = await takeTurn()
      try {
        // IMMEDIATE: the write lock is taken now, not in the middle, where another process could refuse it.
        await whenFree(() => writer.exec('BEGIN IMMEDIATE'))
      } catch (error) {
        release()
        throw error
      }
      transactions.set(connection, release)
    },
    commitTransaction: async (connection) => {
      writer.exec('COMMIT')
      endTransaction(connection)
    },
    rollbackTransaction: async (connection) => {
      try {
        // A failed COMMIT (a full disk) may have rolled back by itself.
        if (writer.isTransaction) writer.exec('ROLLBACK')
      } finally {
        endTransaction(connection)
      }
    },
    destroy: async () => {
      await takeTurn()
      reader.close()
      writer.close()
    },
  }
}

/**
 * A queue for the writer: `take` resolves, in order of asking, with what gives the turn back. Waiting ends after
 * {@link WAIT_MS}, so that a transaction which never ends fails those behind it instead of holding them for good.
 */
function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve()
  let asked = 0
  return async function take() {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    const release = () => {
      asked--
      resolve()
    }
    last = promise
    if (asked++ === 0) return release
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('the database was busy for too long')), WAIT_MS)
    try {
      await Promise.race([before, late])
      return release
    } catch (error) {
      void before.then(release)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Runs compiled queries on one connection; keeps the statements that were used last prepared. */
function statementRunner(database: DatabaseSync): Runner {
  type Prepared = { statement: StatementSync; returnsRows: boolean }
  const kept = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const known = kept.get(sql)
    if (known) {
      kept.delete(sql)
      kept.set(sql, known)
      return known
    }
    const statement = database.prepare(sql)
    const fresh = { statement, returnsRows: statement.columns().length > 0 }
    const [oldest] = kept.keys()
    if (kept.size >= STATEMENTS_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(sql, fresh)
    return fresh
  }

  return ({ sql, parameters }) => {
    const { statement, returnsRows } = prepared(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}
