/** Copies a PostgreSQL database, while servers use it, into a new SQLite file: the content of a backup (OPS-26). */
import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import { StorageError } from '../database/database.ts'
import { openDatabase, sqliteFileIn } from '../database/open.ts'
import { checkSum } from './copy-to-postgres.ts'
import { listOf, readLayout, type Table } from './layout.ts'
import {
  connect,
  countRowsAt,
  lastNumberAt,
  nameOf,
  readRowsAt,
  stepsAt,
  unfinishedMark,
} from './postgres-rows.ts'
import type { Progress } from './progress.ts'
import { Summing, type TableSum } from './rows.ts'
import { checkVersion, insertRows, readRows, setLastNumber } from './sqlite-rows.ts'

/**
 * Copies the database as it is at one moment into a new file in `folder`; returns the file's path.
 * @throws StorageError when it cannot be reached, is of another version, or the copy differs
 */
export async function copyFromPostgres(
  connectionString: string,
  folder: string,
  progress: Progress,
): Promise<string> {
  const tables = await readLayout()
  const client = await connect(connectionString)
  const file = sqliteFileIn(folder)
  try {
    // One snapshot for all tables. The lock keeps a migration from changing tables that have not been read yet.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const subject = `The database ${nameOf(connectionString)}`
    checkVersion(await stepsAt(client), subject)
    if ((await unfinishedMark(client)) !== undefined)
      throw new StorageError(
        `${subject} is an unfinished copy of another one, so there is nothing to back up yet.`,
      )
    await client.query(`LOCK TABLE ${listOf(tables.map(({ name }) => name))} IN ACCESS SHARE MODE`)
    await (await openDatabase({ dataDir: folder })).close()
    const copy = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    try {
      await copyTables(client, copy, tables, progress)
    } finally {
      copy.close()
    }
    return file
  } finally {
    await client.end()
  }
}

async function copyTables(
  client: pg.Client,
  copy: DatabaseSync,
  tables: Table[],
  progress: Progress,
): Promise<void> {
  let total = 0
  for (const table of tables) total += await countRowsAt(client, table)
  progress.begin('Reading', total)
  const sums = new Map<Table, TableSum>()
  // The file is thrown away unless it is complete.
  copy.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -16384; BEGIN')
  for (const table of tables) {
    // The migrations have stored a secret of their own.
    copy.exec(`DELETE FROM ${listOf([table.name])}`)
    const summing = new Summing()
    for await (const slice of readRowsAt(client, table)) {
      insertRows(copy, table, slice.rows)
      summing.add(slice)
      progress.advance(slice.rows.length, slice.rows.length, table.name)
    }
    if (table.serial !== undefined) setLastNumber(copy, table, await lastNumberAt(client, table))
    sums.set(table, summing.sum)
  }
  copy.exec('COMMIT')
  progress.end()
  for (const [table, expected] of sums) {
    const summing = new Summing()
    for (const slice of readRows(copy, table)) summing.add(slice)
    checkSum(table, expected, summing.sum)
  }
}
