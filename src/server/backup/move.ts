/** Moves a SQLite database to an empty PostgreSQL database, in one transaction (OPS-24). */
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { StorageError } from '../database/database.ts'
import { migrate, STEPS } from '../database/migrations.ts'
import { lockFolder, sqliteFileIn } from '../database/open.ts'
import { openPostgres } from '../database/postgres.ts'
import { TABLES, type Tx } from '../database/schema.ts'
import { isEmpty, nameOf, withClient } from './postgres-programs.ts'
import { checkDatabase, requireDatabaseFile } from './sqlite-file.ts'

/** Rows per statement, and bytes of rows in memory at a time. */
const SLICE_ROWS = 2000
const SLICE_BYTES = 2 ** 20

type Value = null | bigint | number | string | Uint8Array

/**
 * Moves every table but `changes`, which is about the servers of one database. The SQLite database stays as it is.
 * @param report called with the number of rows of each table that was copied
 * @throws StorageError when a server uses the source, it is damaged or of another version, the target is not empty, or
 *   PostgreSQL cannot store a value
 */
export async function moveToPostgres(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string },
  report: (table: string, rows: number) => void,
): Promise<void> {
  const file = sqliteFileIn(dataDir)
  requireDatabaseFile(file)
  const unlock = lockFolder(dataDir)
  const source = new DatabaseSync(file, { timeout: 20_000 })
  try {
    // Reads one snapshot, whatever other programs write.
    source.exec('PRAGMA query_only = ON; BEGIN')
    const done = await checkDatabase(source, `The database ${file}`, 'database')
    const missing = STEPS.find((name) => !done.includes(name))
    if (missing !== undefined)
      throw new StorageError(
        `The database ${file} is of an older version of Shelfmates (without migration ${missing}); start this version with ` +
          'it once, which migrates it.',
      )
    await withClient(databaseUrl, async (client) => {
      if (!(await isEmpty(client))) throw notEmpty(databaseUrl)
      await copyTo(databaseUrl, source, report)
      // Without it the first requests would be planned as if the tables were empty.
      await client.query('ANALYZE')
    })
  } finally {
    source.close()
    unlock()
  }
}

async function copyTo(
  databaseUrl: string,
  source: DatabaseSync,
  report: (table: string, rows: number) => void,
): Promise<void> {
  const target = await openPostgres(databaseUrl)
  try {
    await migrate(target, {
      afterwards: async (tx, isNew) => {
        // A server, or another move, may have been quicker.
        if (!isNew) throw notEmpty(databaseUrl)
        for (const table of TABLES) if (table !== 'changes') report(table, await copyTable(source, tx, table))
      },
    })
  } finally {
    await target.close()
  }
}

function notEmpty(databaseUrl: string): StorageError {
  return new StorageError(
    `The database ${nameOf(databaseUrl)} is not empty, and nothing in it was changed; create an empty one (createdb).`,
  )
}

/** Copies a table and returns its number of rows, which is the same on both sides. */
async function copyTable(source: DatabaseSync, tx: Tx, table: string): Promise<number> {
  const columns = (
    await sql<{ name: string; type: string; serial: string | null }>`
      SELECT column_name AS name, data_type AS type, pg_get_serial_sequence(quote_ident(table_name), column_name) AS serial
      FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${table} ORDER BY ordinal_position`.execute(tx)
  ).rows
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  // An array for each column, because a statement has no more than 65,535 parameters.
  const arrays = columns.map(({ type }, nth) => `$${nth + 1}::${type}[]`).join(', ')
  const insert = `INSERT INTO "${table}" (${names}) SELECT * FROM unnest(${arrays})`
  try {
    // Migrations have written some.
    await sql`DELETE FROM ${sql.table(table)}`.execute(tx)
    for (const rows of slicesOf(source, `SELECT ${names} FROM "${table}"`)) {
      const values = columns.map((_, nth) => rows.map((row) => row[nth]))
      await tx.executeQuery(CompiledQuery.raw(insert, values))
    }
    const { serial } = columns.find((column) => column.serial !== null) ?? {}
    if (serial) await continueNumbers(source, tx, table, serial)
  } catch (error) {
    throw explained(error as Error, table)
  }
  const count = sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`
  const found = (await count.execute(tx)).rows[0]!.count
  const expected = Number(source.prepare(`SELECT count(*) AS count FROM "${table}"`).get()!.count)
  if (found !== expected)
    throw new StorageError(
      `The copy of the table ${table} has ${found} rows instead of ${expected}; nothing was moved.`,
    )
  return found
}

/** Rows with their values in the order of the columns. Integers are bigints, which are exact. */
function* slicesOf(source: DatabaseSync, query: string): Generator<Value[][]> {
  const statement = source.prepare(query)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  let [rows, bytes] = [[] as Value[][], 0]
  for (const row of statement.iterate() as unknown as Iterable<Value[]>) {
    rows.push(row)
    for (const value of row)
      if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length
    if (rows.length < SLICE_ROWS && bytes < SLICE_BYTES) continue
    yield rows
    ;[rows, bytes] = [[], 0]
  }
  if (rows.length > 0) yield rows
}

/** The next number of the target is the one after the highest that the source ever gave a row. */
async function continueNumbers(source: DatabaseSync, tx: Tx, table: string, serial: string): Promise<void> {
  const statement = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
  statement.setReadBigInts(true)
  const last = (statement.get(table)?.seq as bigint | undefined) ?? 0n
  // A sequence begins at 1, so 'none given' is said with is_called.
  await sql`SELECT setval(${serial}, greatest(${last}::bigint, 1), ${last}::bigint > 0)`.execute(tx)
}

function explained(error: Error, table: string): Error {
  const isOfValue = error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
  if (isOfValue)
    return new StorageError(
      `PostgreSQL cannot store a row of the table ${table} (${error.message}). Nothing was moved; correct the row in the ` +
        'SQLite database first.',
      { cause: error },
    )
  if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR')
    return new StorageError(`The table ${table} of the SQLite database is damaged (${error.message}).`, {
      cause: error,
    })
  return error
}
