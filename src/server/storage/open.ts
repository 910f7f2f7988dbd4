/** Opens the database that the configuration names, and brings its tables up to date. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type DatabaseLog, StorageError } from './database.ts'
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type Place = {
  /** Folder of the embedded database; made when it is missing, for its owner alone. */
  dataDir: string
  /** A PostgreSQL address; without it SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  log?: DatabaseLog | undefined
}

/** Name of the embedded database in the data folder. */
export const SQLITE_FILE = 'shelfmates.sqlite'

/**
 * Opens and migrates.
 * @throws StorageError with one sentence for the operator: no access, damaged, or newer than this code
 */
export async function openDatabase({ dataDir, databaseUrl, log }: Place): Promise<Database> {
  const database =
    databaseUrl === undefined ? await openSqlite(fileIn(dataDir), log) : await openPostgres(databaseUrl, log)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function fileIn(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StorageError(`DATA_DIR is "${dataDir}", but it must be a folder this user may write to.`, {
      cause: error,
    })
  }
  return join(dataDir, SQLITE_FILE)
}
