/** Reads and writes rows of PostgreSQL in slices, on one connection without the time limits of requests. */
import pg from 'pg'
import { StorageError } from '../database/database.ts'
import { type Done, doneBy, UNFINISHED_COPY } from '../database/migrations.ts'
import { RUNNING_MS } from '../database/several/rolling-upgrade.ts'
import { type Column, listOf, quoted, type Table } from './layout.ts'
import { bytesOf, type Row, type Slice, SLICE_BYTES, SLICE_ROWS } from './rows.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Few, until their size is known. */
const FIRST_ROWS = 10

const INTEGERS = new Set<number>([pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.INT8])
/** All integers as bigint, which is exact. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    INTEGERS.has(oid)
      ? BigInt
      : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
}

/** Host and name of a PostgreSQL database, without user and password. */
export function nameOf(connectionString: string): string {
  const { host, pathname } = new URL(connectionString)
  return `${host}${pathname}`
}

/**
 * Connects for a copy; the caller ends the connection.
 * @throws StorageError when the server cannot be reached or refuses the connection
 */
export async function connect(connectionString: string): Promise<pg.Client> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, types })
    // Without a listener a broken connection would end the process; the query that runs fails anyway.
    client.on('error', () => {})
    await client.connect()
    // A role may have limits that fit requests.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    return client
  } catch (error) {
    await client?.end().catch(() => {})
    const { message } = error as Error
    throw new StorageError(
      `The database ${nameOf(connectionString)} cannot be used: ${message || 'the server cannot be reached'}.`,
      { cause: error },
    )
  }
}

/** Whether the connection's schema has no tables, views or sequences, except in extensions. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    LIMIT 1`)
  return rowCount === 0
}

/** The mark of an unfinished copy (`migrations.ts`); undefined when the database is none. */
export async function unfinishedMark(client: pg.Client): Promise<string | undefined> {
  const { rows: known } = await client.query<{ table: string | null }>(
    `SELECT to_regclass('installation') AS table`,
  )
  if (known[0]?.table === null) return undefined
  const { rows } = await client.query<{ value: string }>('SELECT value FROM installation WHERE name = $1', [
    UNFINISHED_COPY,
  ])
  return rows[0]?.value
}

/** How many other connections use the database, without those that Citus keeps between its machines. */
export async function countOthers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'`,
  )
  return Number(rows[0]!.count)
}

/** Whether other connections use the database, or servers that have none at this moment. */
export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM servers WHERE stopped_at IS NULL AND seen_at > $1', [
    Date.now() - RUNNING_MS,
  ])
  return rowCount! > 0 || (await countOthers(client)) > 0
}

/** Whether the rows of the database are on several machines (Citus). */
export async function isOnSeveralMachines(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`)
  return rowCount === 1
}

/** The migrations that the database has had. */
export function doneAt(client: pg.Client): Promise<Done> {
  return doneBy(async (statement) => (await client.query<{ name: string }>(statement)).rows, 'postgres')
}

/** The columns of all tables, in their order. */
export async function columnsAt(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column & { table: string }>(
    `SELECT table_name AS table, column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY ordinal_position`,
  )
  return Map.groupBy(rows, ({ table }) => table)
}

/** Number of rows of a table. */
export async function countRowsAt(client: pg.Client, { name }: Table): Promise<number> {
  const { rows } = await client.query<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${quoted(name)}`)
  return Number(rows[0]!.rows)
}

/** The rows of a table in no particular order; only in a transaction, because it uses a cursor. */
export async function* readRowsAt(client: pg.Client, { name, columns }: Table): AsyncGenerator<Slice> {
  const list = listOf(columns.map((column) => column.name))
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(name)}`)
  for (let count = FIRST_ROWS; ;) {
    const { rows } = await client.query<Row & unknown[]>({
      text: `FETCH ${count} FROM copied`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
    yield { rows, bytes }
    // As many as fit, going by these, but no more than twice as many, because the next ones may be larger.
    const fitting = Math.floor(SLICE_BYTES / Math.max(1, bytes / rows.length))
    count = Math.max(1, Math.min(2 * count, fitting, SLICE_ROWS))
  }
  await client.query('CLOSE copied')
}

/** Appends rows to a table. */
export async function insertRowsAt(client: pg.Client, { name, columns }: Table, rows: Row[]): Promise<void> {
  // An array per column, because a statement has no more than 65,535 parameters.
  const arrays = columns.map((_, index) => rows.map((row) => row[index]))
  const parameters = columns.map(({ type }, index) => `$${index + 1}::${type}[]`)
  await client.query({
    text: `INSERT INTO ${quoted(name)} (${listOf(columns.map((column) => column.name))})
      SELECT * FROM unnest(${parameters.join(', ')})`,
    values: arrays,
  })
}

/** Sets the highest number that a table's serial column ever had; 0 when none was given. */
export async function setLastNumberAt(
  client: pg.Client,
  { name, serial }: Table,
  last: bigint,
): Promise<void> {
  // A sequence begins at 1, so 'none given' is said with is_called.
  await client.query(
    'SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)',
    [quoted(name), serial, last],
  )
}
