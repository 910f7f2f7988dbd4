/** Restores a backup into an empty place, on either engine whichever it was made on (OPS-29). */
import { existsSync } from 'node:fs'
import { StorageError } from '../database/database.ts'
import { type DatabaseOptions, openDatabase, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { readBackupFile } from './backup-file.ts'
import { copyToPostgres, refuseUsedTarget } from './copy-to-postgres.ts'
import type { BackupKey } from './key.ts'
import { nameOf } from './postgres-rows.ts'
import type { Progress } from './progress.ts'
import { checkContent, renameOnDisk, withWorkFolder } from './work-folder.ts'

/**
 * Restores the backup `file`; returns what it was restored to. The backup is unpacked beside the target and checked
 * first, so the target is not touched before the backup is known to be good.
 * @throws StorageError when the target is not empty, or the backup is damaged or needs another key
 */
export async function restoreBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  file: string,
  { key, progress }: { key: BackupKey | undefined; progress: Progress },
): Promise<string> {
  if (!existsSync(file)) throw new StorageError(`There is no backup ${file}.`)
  const target = sqliteFileIn(dataDir)
  const refuse = () => (databaseUrl === undefined ? refuseUsedFile(target) : refuseUsedTarget(databaseUrl))
  await refuse()
  prepareDataDir(dataDir)
  return withWorkFolder(dataDir, async (work) => {
    const content = sqliteFileIn(work)
    await readBackupFile(file, content, key)
    checkContent(content, `The backup ${file}`)
    if (databaseUrl === undefined) {
      await refuse()
      renameOnDisk(content, target)
      return target
    }
    // A backup made by an earlier version is migrated first; the server does that when it starts on SQLite.
    await (await openDatabase({ dataDir: work })).close()
    await copyToPostgres(content, databaseUrl, { snapshot: false, progress })
    return nameOf(databaseUrl)
  })
}

/** A log without its database is refused too: it would be applied to the restored one. */
async function refuseUsedFile(target: string): Promise<void> {
  const used = ['', '-wal', '-shm', '-journal']
    .map((ending) => target + ending)
    .find((path) => existsSync(path))
  if (used !== undefined)
    throw new StorageError(
      `${used} exists, and nothing was changed; stop the server and move it away first, together with the files ` +
        'beside it whose names begin in the same way.',
    )
}
