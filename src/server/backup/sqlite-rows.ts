/** Opens a SQLite database for copying, reads its rows in slices, and writes rows into a new one. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkDone, type Done, doneBy, STEPS } from '../database/migrations.ts'
import { isBusy, quickCheck, refuseCutOff } from '../database/sqlite.ts'
import { listOf, quoted, type Table } from './layout.ts'
import { type Row, type Slice, slicesOf } from './rows.ts'

/**
 * Opens a database of this version to copy from. Until it is closed, nobody else can write to it; with `snapshot` others
 * may, and what is read stays as it was when this returned.
 * @throws StorageError when the file is missing, in use (without `snapshot`), or of another version
 */
export async function openSource(file: string, { snapshot }: { snapshot: boolean }): Promise<DatabaseSync> {
  requireSource(file)
  const connection = new DatabaseSync(file)
  try {
    if (!snapshot) connection.exec('PRAGMA locking_mode = EXCLUSIVE')
    connection.exec('PRAGMA query_only = ON; PRAGMA cache_size = -16384; BEGIN')
    checkVersion(await doneIn(connection), `The database ${file}`)
    return connection
  } catch (error) {
    connection.close()
    throw error instanceof StorageError ? error : openingError(file, error as Error)
  }
}

/**
 * Reads the whole database to check it, which takes seconds when it is large.
 * @throws StorageError when it is damaged
 */
export function checkSource(connection: DatabaseSync): void {
  const damaged = (finding: string) =>
    new StorageError(`The database ${connection.location()} is damaged (${finding}).`)
  const finding = quickCheck(connection)
  if (finding !== 'ok') throw damaged(finding)
  const orphan = connection.prepare('PRAGMA foreign_key_check').get()
  if (orphan)
    throw damaged(`a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}`)
}

/**
 * Checks, without opening it, that a file can be a database to copy.
 * @throws StorageError
 */
export function requireSource(file: string): void {
  refuseCutOff(file)
  if (!statSync(file, { throwIfNoEntry: false })?.size)
    throw new StorageError(`There is no database ${file}; set DATA_DIR to the server's data folder.`)
}

/** The migrations that a SQLite database has had. */
export function doneIn(connection: DatabaseSync): Promise<Done> {
  return doneBy((statement) => connection.prepare(statement).all(), 'sqlite')
}

/** @throws StorageError unless a database has had exactly the migrations of this version */
export function checkVersion(done: Done, subject: string): void {
  if (done.isNew) throw new StorageError(`${subject} is not one of Shelfmates.`)
  checkDone(done, 'database')
  const missing = STEPS.find((name) => !done.names.includes(name))
  if (missing !== undefined)
    throw new StorageError(
      `${subject} is of an older version of Shelfmates (without migration ${missing}); ` +
        'start this version with it once, which migrates it.',
    )
}

function openingError(file: string, error: Error): StorageError {
  return new StorageError(
    isBusy(error)
      ? `The database ${file} is in use: first stop the server and other programs that have it open. With ` +
          '--snapshot it is copied as it is at this moment while they run, without what is written later.'
      : `The database ${file} cannot be read (${error.message}).`,
    { cause: error },
  )
}

/** Number of rows of a table. */
export function countRows(connection: DatabaseSync, { name }: Table): number {
  return Number(connection.prepare(`SELECT count(*) AS rows FROM ${quoted(name)}`).get()?.rows)
}

/** The rows of a table in the order of its key, without the first `skip`. */
export function readRows(connection: DatabaseSync, table: Table, skip = 0): Generator<Slice> {
  const columns = listOf(table.columns.map(({ name }) => name))
  const statement = connection.prepare(
    `SELECT ${columns} FROM ${quoted(table.name)} ORDER BY ${listOf(table.key)} LIMIT -1 OFFSET ?`,
  )
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return slicesOf(statement.iterate(skip) as unknown as Iterable<Row>)
}

/** The highest number that a table's serial column ever had; 0 when none was given. */
export function lastNumber(connection: DatabaseSync, { name }: Table): bigint {
  const statement = connection.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
  statement.setReadBigInts(true)
  return (statement.get(name)?.seq as bigint | undefined) ?? 0n
}
