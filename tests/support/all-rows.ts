/** Databases read without the product's code: every row as text, the same for both engines, or any statement. */
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFileIn } from '../../src/server/database/open.ts'

type Place = { dataDir: string; databaseUrl?: string | undefined }
/** Rows by table, each with its values by column, sorted. */
export type AllRows = Record<string, string[]>

const BYTEA = 17
/** Integers stay text, which is exact. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) =>
    oid === BYTEA ? (pg.types.getTypeParser(oid) as unknown) : String) as typeof pg.types.getTypeParser,
}

/** These belong to one database. */
const OWN = ['kysely_migration', 'kysely_migration_lock', 'schema_steps', 'changes']

export async function allRows(place: Place): Promise<AllRows> {
  return place.databaseUrl === undefined ? rowsInFile(place.dataDir) : rowsAt(place.databaseUrl)
}

/** Runs statements without opening the database as a server does. */
export async function run({ dataDir, databaseUrl }: Place, statements: string): Promise<unknown[]> {
  if (databaseUrl !== undefined)
    return withClient(databaseUrl, async (client) => (await client.query<object>(statements)).rows)
  return inFile(dataDir, (connection) => {
    if (statements.startsWith('SELECT')) return connection.prepare(statements).all()
    connection.exec(statements)
    return []
  })
}

/** The next number of each table that numbers its rows by itself. */
export async function nextNumbers(place: Place): Promise<Record<string, string>> {
  if (place.databaseUrl === undefined)
    return inFile(place.dataDir, (connection) => {
      const found = connection.prepare('SELECT name, seq + 1 AS next FROM sqlite_sequence').all()
      return Object.fromEntries(
        found
          .filter(({ name }) => !OWN.includes(String(name)))
          .map(({ name, next }) => [String(name), String(next)]),
      )
    })
  return withClient(place.databaseUrl, async (client) => {
    const columns = await client.query<{ name: string; sequence: string }>(
      `SELECT table_name AS name, pg_get_serial_sequence(table_name, column_name) AS sequence
        FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    )
    const numbers: Record<string, string> = {}
    for (const { name, sequence } of columns.rows) {
      const { rows } = await client.query<{ called: boolean; last: string }>(
        `SELECT is_called AS called, last_value AS last FROM ${sequence}`,
      )
      if (rows[0]!.called) numbers[name] = String(BigInt(rows[0]!.last) + 1n)
    }
    return numbers
  })
}

function inFile<Result>(dataDir: string, read: (connection: DatabaseSync) => Result): Result {
  const connection = new DatabaseSync(sqliteFileIn(dataDir))
  try {
    return read(connection)
  } finally {
    connection.close()
  }
}

async function withClient<Result>(
  url: string,
  read: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await read(client)
  } finally {
    await client.end()
  }
}

function rowsInFile(dataDir: string): AllRows {
  return inFile(dataDir, (connection) => {
    const tables = connection
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
      .all()
    return byTable(
      tables.map(({ name }) => {
        const statement = connection.prepare(`SELECT * FROM "${String(name)}"`)
        statement.setReadBigInts(true)
        return [String(name), statement.all()]
      }),
    )
  })
}

async function rowsAt(url: string): Promise<AllRows> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    )
    const found: [string, Record<string, unknown>[]][] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>({ text: `SELECT * FROM "${name}"`, types })
      found.push([name, rows])
    }
    return byTable(found)
  })
}

function byTable(tables: [string, Record<string, unknown>[]][]): AllRows {
  const kept = tables.filter(([name]) => !OWN.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(kept.map(([name, rows]) => [name, rows.map(textOf).sort()]))
}

function textOf(row: Record<string, unknown>): string {
  // What SQLite gives as a number or bigint is text here too.
  const values = Object.entries(row).map(([column, value]) => [
    column,
    value === null
      ? null
      : value instanceof Uint8Array
        ? textOfBytes(value)
        : `${value as string | number | bigint}`,
  ])
  return JSON.stringify(Object.fromEntries(values.sort(([a], [b]) => (a! < b! ? -1 : 1))))
}

/** A digest of long ones, which are compared faster. */
function textOfBytes(bytes: Uint8Array): string {
  return bytes.length > 1000 ? hash('sha256', bytes) : Buffer.from(bytes).toString('hex')
}
