/** Opens the database that the configuration names, and brings its tables up to date. */
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { backupsFolderIn } from './backups.ts'
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

/** Path of the embedded database. */
export function sqliteFileIn(dataDir: string): string {
  return join(dataDir, SQLITE_FILE)
}

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
  keepPrivate(dataDir)
  return sqliteFileIn(dataDir)
}

/**
 * What earlier versions made for everybody to read becomes its owner's alone: the database, the files beside it, and
 * backups. The data folder itself may have been there before, for other things too, and stays as it is.
 */
function keepPrivate(dataDir: string): void {
  const backups = backupsFolderIn(dataDir)
  for (const name of namesIn(dataDir))
    if (name.startsWith(SQLITE_FILE)) changeMode(join(dataDir, name), 0o600)
  for (const name of namesIn(backups)) changeMode(join(backups, name), 0o600)
  changeMode(backups, 0o700)
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Only the owner may change it; who set a file up for another user to write to has decided who reads it. */
function changeMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'ENOENT') throw error
  }
}
