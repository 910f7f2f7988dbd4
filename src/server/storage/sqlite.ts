/** SQLite in this process, through Node's own binding: durable commits in a write-ahead log. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Database, StorageError } from './database.ts'
import type { Queries, Schema } from './schema.ts'

/** How long a statement waits for another process that holds the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000
/** Prepared statements kept per connection; the product has fewer than this. */
const STATEMENTS_KEPT = 500

/**
 * Opens the file. Two connections: one for transactions and writes, one that only reads, so that a page does not
 * wait for somebody's sync.
 * @throws StorageError when the file is not a sound SQLite database
 */
export function openSqlite(file: string): Database {
  const connect = () => {
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    // FULL: a commit that was acknowledged survives the loss of power (CONTRACT.md 'Data that is never lost').
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536',
    )
    return connection
  }
  let writer: DatabaseSync
  let reader: DatabaseSync
  try {
    writer = connect()
    const [check] = writer.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
    if (check?.quick_check !== 'ok') throw new Error(check?.quick_check ?? 'no answer')
    reader = connect()
  } catch (error) {
    throw new StorageError(
      `The database ${file} is damaged or not a database (${(error as Error).message}); put it aside and restore the last backup (docs/OPERATIONS.md).`,
      { cause: error },
    )
  }

  const queries: Queries = new Kysely<Schema>({ dialect: sqliteDialect({ writer, reader }) })
  return {
    engine: 'sqlite',
    queries,
    transaction: (work) => queries.transaction().execute(work),
    lock: async () => {},
    ready: async () => {
      reader.prepare('SELECT 1').get()
    },
    close: async () => {
      await queries.destroy()
    },
  }
}

type Connections = { writer: DatabaseSync; reader: DatabaseSync }

function sqliteDialect(connections: Connections): Dialect {
  return {
    createAdapter: () => new TwoConnectionsAdapter(),
    createDriver: () => new SqliteDriver(connections),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Without this Kysely would let a page's read wait for somebody's transaction. */
class TwoConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Plain statements run at once: the binding is synchronous, so each is whole by itself. A transaction has the
 * writer to itself; plain writes queue behind it, plain reads use the reader and see what was committed.
 */
class SqliteDriver implements Driver {
  readonly #connections: Connections
  readonly #plain: PlainConnection
  readonly #exclusive: SqliteConnection
  /** Resolves when the writer is free. */
  #turn: Promise<void> = Promise.resolve()
  readonly #release = new WeakMap<DatabaseConnection, () => void>()

  constructor(connections: Connections) {
    this.#connections = connections
    this.#exclusive = new SqliteConnection(connections.writer)
    this.#plain = new PlainConnection(new SqliteConnection(connections.reader), this.#exclusive, () =>
      this.#takeTurn(),
    )
  }

  async init(): Promise<void> {}

  // Kysely asks for a connection before it says whether a transaction begins, so the writer is taken in
  // beginTransaction and the connection handed out is a fresh face of it.
  async acquireConnection(): Promise<DatabaseConnection> {
    return new SwitchingConnection(this.#plain, this.#exclusive)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const release = await this.#takeTurn()
    this.#release.set(connection, release)
    try {
      // IMMEDIATE: the write lock is taken now, not in the middle, where another process could refuse it.
      this.#connections.writer.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#endTurn(connection)
      throw error
    }
    ;(connection as SwitchingConnection).enterTransaction()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#connections.writer.exec('COMMIT')
    this.#endTurn(connection)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A failed COMMIT (a full disk) may have rolled back by itself.
    if (this.#connections.writer.isTransaction) this.#connections.writer.exec('ROLLBACK')
    this.#endTurn(connection)
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#takeTurn()
    this.#connections.reader.close()
    this.#connections.writer.close()
  }

  #endTurn(connection: DatabaseConnection): void {
    ;(connection as SwitchingConnection).leaveTransaction()
    this.#release.get(connection)?.()
    this.#release.delete(connection)
  }

  async #takeTurn(): Promise<() => void> {
    let release!: () => void
    const mine = new Promise<void>((resolve) => (release = resolve))
    const before = this.#turn
    this.#turn = before.then(() => mine)
    await before
    return release
  }
}

type Prepared = { statement: StatementSync; returnsRows: boolean }

/** One open file, with its prepared statements. */
class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('answers are small; they are not streamed')
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    const [oldest] = this.#statements.keys()
    if (this.#statements.size >= STATEMENTS_KEPT && oldest !== undefined) this.#statements.delete(oldest)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** Outside of transactions: reads go to the reader, writes wait for the writer's turn. */
class PlainConnection {
  readonly #reader: SqliteConnection
  readonly #writer: SqliteConnection
  readonly #takeTurn: () => Promise<() => void>

  constructor(reader: SqliteConnection, writer: SqliteConnection, takeTurn: () => Promise<() => void>) {
    this.#reader = reader
    this.#writer = writer
    this.#takeTurn = takeTurn
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query.query.kind === 'SelectQueryNode') return this.#reader.executeQuery(query)
    const release = await this.#takeTurn()
    try {
      return await this.#writer.executeQuery(query)
    } finally {
      release()
    }
  }
}

/** What Kysely holds while it works: plain at first, the writer itself within a transaction. */
class SwitchingConnection implements DatabaseConnection {
  readonly #plain: PlainConnection
  readonly #exclusive: SqliteConnection
  #inTransaction = false

  constructor(plain: PlainConnection, exclusive: SqliteConnection) {
    this.#plain = plain
    this.#exclusive = exclusive
  }

  enterTransaction(): void {
    this.#inTransaction = true
  }

  leaveTransaction(): void {
    this.#inTransaction = false
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#inTransaction ? this.#exclusive.executeQuery(query) : this.#plain.executeQuery(query)
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#exclusive.streamQuery()
  }
}
