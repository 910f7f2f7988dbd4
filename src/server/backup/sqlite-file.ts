/** SQLite files of Shelfmates that no server has open: their checks, and what migrations make in them. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkDone, doneBy, migrate } from '../database/migrations.ts'
import { allSteps } from '../database/steps.ts'
import { openSqlite, refuseCutOff } from '../database/sqlite.ts'

/**
 * Checks, without opening it, that a file can be a database.
 * @throws StorageError
 */
export function requireDatabaseFile(file: string): void {
  refuseCutOff(file)
  if (!statSync(file, { throwIfNoEntry: false })?.size)
    throw new StorageError(`There is no database ${file}; set DATA_DIR to the server's data folder.`)
}

/**
 * Reads a whole database to check it, which takes seconds when it is large. Returns the migrations that it has had.
 * @throws StorageError when it is damaged, not a database of Shelfmates, or of a newer version
 */
export async function checkDatabase(
  connection: DatabaseSync,
  subject: string,
  what: 'database' | 'backup',
): Promise<string[]> {
  try {
    const finding = String(connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    if (finding !== 'ok') throw new StorageError(`${subject} is damaged (${finding.replaceAll('\n', ' ')}).`)
    const orphan = connection.prepare('PRAGMA foreign_key_check').get()
    if (orphan)
      throw new StorageError(
        `${subject} is damaged (a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}).`,
      )
    const done = await doneBy((statement) => connection.prepare(statement).all(), 'sqlite')
    if (done.length === 0) throw new StorageError(`${subject} is not a database of Shelfmates.`)
    checkDone(done, what)
    return done
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(`${subject} is damaged or not a database (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

/** What a database of SQLite that this version makes does not have. */
const ALSO = [
  // On PostgreSQL only.
  'index changes_by_time',
  'index changes_by_transaction',
  'column changes.transaction_id',
  'column changes.at',
  // Versions before the named steps counted theirs.
  'table schema_steps',
  'table _litestream_lock',
  'table _litestream_seq',
]

/**
 * The tables, columns and indexes that migrations have ever made, such as 'column people.steam_id'; of both engines.
 * @param folder for a file that is removed with it
 */
export async function everMade(folder: string): Promise<string[]> {
  const file = join(folder, 'empty.sqlite')
  const database = await openSqlite(file)
  const connection = new DatabaseSync(file)
  const found = new Set(ALSO)
  try {
    const steps = Object.entries(allSteps)
    for (const nth of steps.keys()) {
      await migrate(database, { steps: Object.fromEntries(steps.slice(0, nth + 1)) })
      for (const name of objectsIn(connection)) found.add(name)
    }
  } finally {
    connection.close()
    await database.close()
  }
  return [...found]
}

/** What is in a database, but for what SQLite makes by itself, named as {@link everMade} does. */
export function objectsIn(connection: DatabaseSync): string[] {
  return connection
    .prepare(
      `SELECT type || ' ' || name AS name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'
        UNION ALL SELECT 'column ' || made.name || '.' || held.name
        FROM sqlite_schema AS made JOIN pragma_table_xinfo(made.name) AS held
        WHERE made.type = 'table' AND made.name NOT LIKE 'sqlite!_%' ESCAPE '!'
        AND made.name NOT IN ('schema_steps', '_litestream_lock', '_litestream_seq')`,
    )
    .all()
    .map(({ name }) => String(name))
}
