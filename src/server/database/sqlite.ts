/**
 * SQLite in this process, through Node's own binding, with durable commits in a write-ahead log.
 * Requirements: DATA-3, OPS-30.
 */
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  type BinaryOperationNode,
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
  sql,
} from 'kysely'
import { backupsFolderIn, newestBackup } from './backups.ts'
import { type Changes, type Database, StorageError } from './database.ts'
import { LRUCache } from 'lru-cache'
import { listIn } from './chunks.ts'
import type { Schema } from './schema.ts'
import { EVERYTHING, storingChanges } from './cache-tags.ts'

/** How long a statement waits for a lock of another process, in milliseconds. */
const WAIT_MS = 20_000
const BUSY_POLL_MS = 5

/** Up to this size the file is checked at the start, which takes a tenth of a second; a backup checks any. */
const CHECKED_BEFORE_START_BYTES = 64 * 2 ** 20

/** Vacuuming a larger file would make writes time out; the operator runs it instead (docs/operate/backup.md). */
const VACUUM_MAX_BYTES = 256 * 2 ** 20

/** Changes that are kept for servers that have not polled for a while. */
const CHANGES_KEPT = 10_000

/** Primary result codes of SQLite. */
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/**
 * Opens the file with two connections: one for transactions and writes, and a read-only one, so that reads never wait
 * for a write.
 * @throws StorageError when the file cannot be opened, is damaged, or is not a SQLite database
 */
export async function openSqlite(file: string): Promise<Database> {
  refuseCutOff(file)
  const opened: DatabaseSync[] = []
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
    // NORMAL does not flush commits; the flusher does, before they are acknowledged (DATA-3).
    const writer = await connect(
      'PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
    )
    if (statSync(file).size <= CHECKED_BEFORE_START_BYTES) {
      const finding = await whenFree(() => quickCheck(writer))
      if (finding !== 'ok') throw new StorageError(damaged(file, finding))
    }
    const reader = await connect('PRAGMA query_only = ON')
    connections = { writer, reader, flusher: createLogFlusher(`${file}-wal`) }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error instanceof StorageError ? error : openingError(file, error as Error)
  }

  const queries = new Kysely<Schema>({ dialect: sqliteDialect(connections) })
  const pollChanges = changesReader(connections.reader)
  return {
    engine: 'sqlite',
    isDistributed: false,
    queries,
    transaction: async (work) =>
      (await queries.transaction().execute((tx) => storingChanges(tx, work))).result,
    lock: async () => {},
    // secure_delete overwrites deleted rows, in the write-ahead log first; a checkpoint copies that into the file and
    // empties the log. Open reads can make it incomplete; the next checkpoint does the rest.
    scrub: async (how) => {
      await queries.executeQuery(CompiledQuery.raw('PRAGMA wal_checkpoint(TRUNCATE)'))
      if (how === 'thoroughly' && statSync(file).size <= VACUUM_MAX_BYTES) await vacuumInBackground(file)
    },
    changesSince: (position) => {
      try {
        return pollChanges(position)
      } catch (error) {
        // Another process holds the file for a moment.
        if (!isBusy(error)) throw error
        return whenFree(() => pollChanges(position))
      }
    },
    deleteOldChanges: async () => {
      await sql`DELETE FROM changes WHERE change_id <= (SELECT max(change_id) FROM changes) - ${CHANGES_KEPT}`.execute(
        queries,
      )
    },
    ready: async () => {
      // Reads a table, since SELECT 1 would not touch the file; flushes, since after a flush that failed nothing can be
      // written until a restart.
      connections.reader.prepare('SELECT count(*) FROM installation').get()
      await connections.flusher.flush()
    },
    close: () => queries.destroy(),
  }
}

/**
 * Reads changes on the read-only connection. Their numbers have no gaps, because transactions come one after another,
 * so a gap means that some were deleted.
 */
function changesReader(reader: DatabaseSync): (position: Changes['position'] | undefined) => Changes {
  // Differs after every commit of another connection, including this process's own writer.
  const dataVersion = reader.prepare('PRAGMA data_version')
  let statement: StatementSync | undefined

  return (position) => {
    const { version, last } = (position?.opaque ?? {}) as { version?: number; last?: number }
    const current = dataVersion.get()!.data_version as number
    if (position && version === current) return { position, changes: [] }
    // Not before the first poll, because migrations create the table.
    statement ??= reader.prepare(
      'SELECT change_id, subject FROM changes WHERE change_id > ? ORDER BY change_id',
    )
    const rows = statement.all(last ?? 0) as { change_id: number; subject: string }[]
    const isComplete = last !== undefined && (rows.length === 0 || rows[0]!.change_id === last + 1)
    return {
      position: { opaque: { version: current, last: rows.at(-1)?.change_id ?? last ?? 0 } },
      changes: isComplete ? rows.map((row) => row.subject) : [EVERYTHING],
    }
  }
}

/** A file that is not empty begins with a header of so many bytes. */
const HEADER_BYTES = 100

/**
 * Refuses a file that has lost its content, before anything opens it: SQLite would take an empty one for a new
 * database, and delete the write-ahead log beside it, in which the last writes may still be (DATA-6).
 * @throws StorageError
 */
export function refuseCutOff(file: string): void {
  // Before the size: another server that starts at this moment fills the file first and then creates the log.
  const hasLog = existsSync(`${file}-wal`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size >= HEADER_BYTES) return
  if (found.size > 0) throw new StorageError(damaged(file, 'it is shorter than its header'))
  const backups = backupsFolderIn(dirname(file))
  const hasBackups = existsSync(backups) && readdirSync(backups).length > 0
  if (hasLog || hasBackups)
    throw new StorageError(
      damaged(file, hasLog ? 'it is empty, but has a log' : 'it is empty, but there are backups'),
    )
}

/** SQLite's quick check of a database: 'ok', or its first finding on one line. */
function quickCheck(connection: DatabaseSync): string {
  return String(connection.prepare('PRAGMA quick_check(1)').get()?.quick_check).replaceAll('\n', ' ')
}

/**
 * Rewrites the file: pages that were split or merged keep copies of deleted rows in unused parts, which secure_delete
 * does not overwrite. In a worker thread, because it takes seconds, during which reads go on and writes wait.
 */
async function vacuumInBackground(file: string): Promise<void> {
  const worker = new Worker(new URL('./sqlite-vacuum.ts', import.meta.url), { workerData: file })
  await once(worker, 'exit')
}

function openingError(file: string, error: Error): StorageError {
  const sentence = isDamage(error)
    ? damaged(file, error.message)
    : isBusy(error)
      ? `The database ${file} is locked by another process; stop that process first.`
      : `The database ${file} cannot be opened (${error.message}); DATA_DIR must be a folder that this user may ` +
        'write to, on a disk with free space.'
  return new StorageError(sentence, { cause: error })
}

function damaged(file: string, finding: string): string {
  const backup = newestBackup(dirname(file))
  const remedy = backup
    ? `restore the last backup with npm run restore -- ${backup}`
    : 'restore a backup of your own (the folder of backups has none)'
  return (
    `The database ${file} is damaged or not a database (${finding}); stop the server and ${remedy}, which keeps the ` +
    'damaged files aside (docs/operate/backup.md).'
  )
}

/** Primary result code of a SQLite error; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}

export function isDamage(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(resultCode(error)!)
}

/** Whether another process, or another server in this process, has locked the file. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY
}

/**
 * Retries `attempt` while another process, or another server in this process, has locked the file. The binding's own
 * timeout would block the event loop instead.
 */
async function whenFree<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
    }
    await pause(BUSY_POLL_MS)
  }
}

/** Statements that a connection keeps prepared. */
const STATEMENTS_MAX = 500

type Row = Record<string, unknown>

/**
 * Runs compiled queries on one connection. The binding's own rows are dictionaries, which take twice as long to create and
 * to read as copies of an object that has all columns: of a library of 30,000 games that holds up everybody.
 */
function statementRunner(database: DatabaseSync): (query: CompiledQuery) => QueryResult<unknown> {
  const cache = new LRUCache<string, { statement: StatementSync; columns: string[]; empty: Row }>({
    max: STATEMENTS_MAX,
    memoMethod: (text) => {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      const columns = statement.columns().map(({ name }) => name)
      // Parsed, so that the object has room for all its fields, and its copies too.
      const empty = JSON.parse(`{${columns.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as Row
      return { statement, columns, empty }
    },
  })

  return ({ sql: text, parameters }) => {
    const { statement, columns, empty } = cache.memo(text)
    const values = parameters as SQLInputValue[]
    if (columns.length === 0) {
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    }
    const rows = (statement.all(...values) as unknown as unknown[][]).map((found) => {
      const row = { ...empty }
      for (let index = 0; index < columns.length; index++) row[columns[index]!] = found[index]
      return row
    })
    return { rows }
  }
}

type Connections = {
  writer: DatabaseSync
  reader: DatabaseSync
  flusher: ReturnType<typeof createLogFlusher>
}

class Compiler extends SqliteQueryCompiler {
  /** Omits row locks (FOR NO KEY UPDATE): SQLite has none and needs none, since only one transaction runs at a time. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node)
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const list = listIn(node)
    if (!list) return super.visitBinaryOperation(node)
    this.visitNode(node.leftOperand)
    this.append(list.isNot ? ' not in' : ' in')
    this.append(' (SELECT value FROM json_each(')
    this.appendValue(JSON.stringify(list.values))
    this.append('))')
  }
}

function sqliteDialect(connections: Connections): Dialect {
  return {
    createAdapter: () =>
      Object.defineProperties(new SqliteAdapter(), {
        // Otherwise Kysely would make reads wait for a transaction.
        supportsMultipleConnections: { value: true },
        // Otherwise its Migrator refuses to run in a transaction.
        supportsTransactionalDdl: { value: true },
      }),
    createDriver: () => sqliteDriver(connections),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  }
}

/**
 * A single read runs immediately on the read-only connection and sees committed data. Transactions and single writes
 * take turns on the writing connection.
 */
function sqliteDriver({ writer, reader, flusher }: Connections): Driver {
  const [onWriter, onReader] = [statementRunner(writer), statementRunner(reader)]
  const takeTurn = createWriteQueue()
  /** Connections with an open transaction, each with the function that releases the writer. */
  const transactions = new WeakMap<DatabaseConnection, () => void>()

  async function runPlain(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (query.query.kind === 'SelectQueryNode') return whenFree(() => onReader(query))
    const release = await takeTurn()
    let result: QueryResult<unknown>
    try {
      result = await whenFree(() => onWriter(query))
    } finally {
      release()
    }
    await flusher.flush()
    return result
  }

  function endTransaction(connection: DatabaseConnection): void {
    transactions.get(connection)?.()
    transactions.delete(connection)
  }

  return {
    init: async () => {},
    // Kysely acquires a connection before it says whether a transaction begins, so each can use both connections.
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: async <Row>(query: CompiledQuery) =>
          (transactions.has(connection) ? onWriter(query) : await runPlain(query)) as QueryResult<Row>,
        streamQuery: () => {
          throw new Error('streaming is not supported')
        },
      }
      return connection
    },
    releaseConnection: async () => {},
    beginTransaction: async (connection) => {
      const release = await takeTurn()
      try {
        // IMMEDIATE takes the write lock now; taken at the first write, it could fail with BUSY halfway.
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
      await flusher.flush()
    },
    rollbackTransaction: async (connection) => {
      // Committed, but its flush failed: the transaction under way is another one.
      if (!transactions.has(connection)) return
      try {
        // A COMMIT that failed, for example on a full disk, may already have rolled back.
        if (writer.isTransaction) writer.exec('ROLLBACK')
      } finally {
        endTransaction(connection)
      }
    },
    destroy: async () => {
      await takeTurn()
      await flusher.close()
      reader.close()
      writer.close()
    },
  }
}

/** First-in, first-out queue for the writing connection: resolves with the function that releases it. */
function createWriteQueue(): () => Promise<() => void> {
  let last = Promise.resolve()
  return async () => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }
}

/**
 * Flushes the write-ahead log at `path` to the disk without blocking the event loop (decision 018). It is opened with the first
 * flush.
 */
export function createLogFlusher(path: string) {
  let handle: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  async function start(): Promise<void> {
    handle ??= open(path, 'r+')
    await (await handle).datasync()
    if (!waiting) running = undefined
  }

  return {
    /**
     * Resolves when everything that was written to the log before the call is on the disk. Calls during a flush share the
     * one after it.
     * @throws the error of the first flush that failed, from then on always: the system may have dropped what it could not
     * write, and a later flush would succeed without it
     */
    flush: (): Promise<void> => {
      if (!running) return (running = start())
      waiting ??= running.then(() => {
        waiting = undefined
        return (running = start())
      })
      return waiting
    },
    /** Closes the log after the flushes that were asked for. */
    close: async () => {
      await (waiting ?? running)?.catch(() => {})
      await (await handle)?.close()
    },
  }
}
