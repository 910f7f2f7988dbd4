/** Restores a backup (OPS-29), or a copy that Litestream made (OPS-30). What was there before is kept aside. */
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { type DatabaseOptions, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { isBusy } from '../database/sqlite.ts'
import { type BackupKey, type OpenBackup, readBackupFile } from './backup-file.ts'
import { asideName, type Restored, restorePostgres } from './postgres-programs.ts'
import { checkDatabase, MADE, objectsIn } from './sqlite-file.ts'
import { flushFolder, renameOnDisk, withWorkFolder } from './work-folder.ts'

/**
 * Restores a backup. It is unpacked and checked first, so that nothing is changed before it is known to be good;
 * interrupted at any moment, it has changed everything or nothing.
 * @throws StorageError when the backup is damaged, of the other engine, or needs another key, or the database is in use
 */
export async function restoreBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  backup: OpenBackup,
  { key, at }: { key: BackupKey | undefined; at: Date },
): Promise<Restored> {
  if (key?.identities.length === 0)
    throw new StorageError(`${key.file} has a public key only; a restore needs the secret one.`)
  prepareDataDir(dataDir)
  return withWorkFolder(dataDir, async (work) => {
    const content = join(work, 'content')
    const kind = await readBackupFile(backup, content, key)
    if (kind === 'sqlite') {
      await checkContent(content, `The backup ${backup.name}`)
      if (databaseUrl !== undefined)
        throw new StorageError(
          `${backup.name} is a backup of SQLite: restore it without DATABASE_URL, then move it with npm run migrate-to-postgres.`,
        )
      return replaceSqlite(content, sqliteFileIn(dataDir), at)
    }
    if (databaseUrl === undefined)
      throw new StorageError(
        `${backup.name} is a backup of PostgreSQL; set DATABASE_URL to the database to restore it to.`,
      )
    return restorePostgres(content, databaseUrl, { at, made: MADE })
  })
}

/** Checks a file that nobody else uses, and leaves it without a write-ahead log. */
async function checkContent(file: string, subject: string): Promise<void> {
  const connection = new DatabaseSync(file)
  try {
    await checkDatabase(connection, subject, 'backup')
    // A trigger would run in the server, and whoever can write a file to be restored need not be its author.
    const stranger = objectsIn(connection).find((name) => !MADE.includes(name))
    if (stranger !== undefined)
      throw new StorageError(
        `${subject} has the ${stranger}, which no migration of Shelfmates made; drop it in an unpacked copy, if you ` +
          'trust the rest, and restore that.',
      )
    connection.exec('PRAGMA journal_mode = DELETE')
  } finally {
    connection.close()
  }
}

function replaceSqlite(content: string, target: string, at: Date): Restored {
  const found = ['', '-wal', '-shm', '-journal'].filter((ending) => existsSync(target + ending))
  if (found.length === 0) {
    renameOnDisk(content, target)
    return { target, aside: undefined }
  }
  const aside = `${target}.${asideName(at)}`
  const asideOf = (ending: string) => join(aside, basename(target) + ending)
  mkdirSync(aside, { mode: 0o700 })
  // Links, so that at each moment everything is in its old place, or aside, or both.
  for (const ending of found) linkSync(target + ending, asideOf(ending))
  flushFolder(aside)
  try {
    // What is written into the database here is in the linked file too, which then needs no log.
    const isFolded = found[0] === '' && foldLog(target)
    for (const ending of found.filter((one) => one !== '')) {
      // It would be applied to the restored database.
      rmSync(target + ending, { force: true })
      if (isFolded) rmSync(asideOf(ending))
    }
  } catch (error) {
    rmSync(aside, { recursive: true })
    throw error
  }
  renameOnDisk(content, target)
  return { target, aside }
}

/**
 * Writes the log of a database into it; false when it is damaged, which may be why it is replaced.
 * @throws StorageError when another program uses it
 */
function foldLog(file: string): boolean {
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(file)
    connection.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; ROLLBACK')
    return true
  } catch (error) {
    if (isBusy(error))
      throw new StorageError(
        `The database ${file} is in use, and nothing was changed; stop the server first.`,
        { cause: error },
      )
    return false
  } finally {
    connection?.close()
  }
}
