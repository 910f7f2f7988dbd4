/** Checks of SQLite files of Shelfmates. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkDone, doneBy } from '../database/migrations.ts'
import { refuseCutOff } from '../database/sqlite.ts'

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
