/** Restores a backup (OPS-29, OPS-53), or a copy that Litestream made (OPS-51). What was there before is kept aside. */
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkOfSchema } from '../database/migrations.ts'
import { type DatabaseOptions, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { isBusy } from '../database/sqlite.ts'
import { readBackupFile } from './backup-file.ts'
import type { BackupKey } from './key.ts'
import { asideName, restorePostgres } from './postgres-programs.ts'
import { connect, countOthers, isEmpty, nameOf } from './postgres-rows.ts'
import { checkContent, flushFolder, renameOnDisk, withWorkFolder } from './work-folder.ts'

/** Where a backup was restored to, and where that is now which was there before, if there was something. */
export type Restored = { target: string; aside: string | undefined }

/**
 * Restores the backup `file`. It is unpacked and checked first, so that nothing is changed before it is known to be good;
 * interrupted at any moment, it has changed everything or nothing.
 * @throws StorageError when the backup is damaged, of the other engine, or needs another key, or the database is in use
 */
export async function restoreBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  file: string,
  { key, at }: { key: BackupKey | undefined; at: Date },
): Promise<Restored> {
  if (!existsSync(file)) throw new StorageError(`There is no backup ${file}.`)
  if (key?.identities.length === 0)
    throw new StorageError(`${key.file} has a public key only; a restore needs the secret one.`)
  prepareDataDir(dataDir)
  return withWorkFolder(dataDir, async (work) => {
    const content = sqliteFileIn(work)
    const kind = await readBackupFile(file, content, key)
    if (kind === 'sqlite') {
      await checkContent(content, `The backup ${file}`)
      if (databaseUrl !== undefined)
        throw new StorageError(
          `${file} is a backup of SQLite: restore it without DATABASE_URL, then move it with npm run migrate-to-postgres.`,
        )
      return replaceSqlite(content, sqliteFileIn(dataDir), at)
    }
    if (databaseUrl === undefined)
      throw new StorageError(
        `${file} is a backup of PostgreSQL; set DATABASE_URL to the database to restore it to.`,
      )
    return replacePostgres(content, databaseUrl, at)
  })
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

async function replacePostgres(archive: string, databaseUrl: string, at: Date): Promise<Restored> {
  const target = nameOf(databaseUrl)
  const client = await connect(databaseUrl)
  try {
    const others = await countOthers(client)
    if (others > 0)
      throw new StorageError(
        `The database ${target} is in use (${others} connections), and nothing was changed; stop the servers first.`,
      )
    const aside = (await isEmpty(client)) ? undefined : asideName(at)
    const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema')
    const schema = rows[0]!.schema
    await restorePostgres(archive, databaseUrl, {
      before:
        aside === undefined ? '' : `ALTER SCHEMA ${schema} RENAME TO ${aside}; CREATE SCHEMA ${schema};`,
      after: checkOfSchema(schema),
    })
    // Without it the first requests would be planned as if the tables were empty.
    await client.query('ANALYZE')
    return { target, aside: aside && `the schema ${aside}` }
  } finally {
    await client.end()
  }
}
