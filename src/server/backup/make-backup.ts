/** Makes a backup while servers run, on both engines (OPS-26 to OPS-28). */
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { backupName, backupsFolderIn, backupsIn } from '../database/backups.ts'
import { StorageError } from '../database/database.ts'
import { type DatabaseOptions, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { isDamage } from '../database/sqlite.ts'
import { type BackupKey, writeBackupFile } from './backup-file.ts'
import { dumpPostgres, requireDatabase } from './postgres-programs.ts'
import { checkDatabase, requireDatabaseFile } from './sqlite-file.ts'
import { renameOnDisk, withWorkFolder } from './work-folder.ts'

/** How long to wait while a server locks the file. */
const BUSY_MS = 20_000

/**
 * Makes a backup in the folder `backups` of the data folder, and deletes all but the newest `keep`. Returns its path.
 * @throws StorageError when there is no database, a program is missing, or the database is damaged
 */
export async function makeBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  { keep, at, key }: { keep: number; at: Date; key: BackupKey | undefined },
): Promise<string> {
  if (databaseUrl === undefined) requireDatabaseFile(sqliteFileIn(dataDir))
  else await requireDatabase(databaseUrl)
  prepareDataDir(dataDir)
  const folder = backupsFolderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres'
  const target = join(folder, backupName(at, engine, key !== undefined))
  await withWorkFolder(folder, async (work) => {
    const unfinished = join(work, basename(target))
    const content =
      databaseUrl === undefined
        ? createReadStream(await copySqlite(sqliteFileIn(dataDir), join(work, 'copy')))
        : dumpPostgres(databaseUrl)
    await writeBackupFile(content, unfinished, key)
    // Named when it is complete, so that an interrupted backup is never mistaken for a good one.
    renameOnDisk(unfinished, target)
  })
  // Keeps the new one even if a wrong clock gave others later names.
  const others = backupsIn(dataDir).filter((path) => path !== target)
  for (const old of others.slice(keep - 1)) rmSync(old)
  return target
}

/** Copies a database as it is at one moment, and checks the copy. */
async function copySqlite(file: string, target: string): Promise<string> {
  // Not opened read-only: such a connection would leave its -wal and -shm files behind.
  const source = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    source.prepare('VACUUM INTO ?').run(target)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new StorageError(`The database ${file} is damaged (${(error as Error).message}).`, { cause: error })
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(target)
  try {
    await checkDatabase(copy, 'The copy of the database', 'database')
  } finally {
    copy.close()
  }
  return target
}
