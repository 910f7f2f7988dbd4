/** Makes a backup while servers run, on both engines (OPS-26 to OPS-28). */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { backupName, backupsFolderIn, backupsIn } from '../database/backups.ts'
import { type DatabaseOptions, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { writeBackupFile } from './backup-file.ts'
import { copyFromPostgres } from './copy-from-postgres.ts'
import type { BackupKey } from './key.ts'
import type { Progress } from './progress.ts'
import { requireSource } from './sqlite-rows.ts'
import {
  checkContent,
  removeLeftovers,
  removingAfterwards,
  renameOnDisk,
  withWorkFolder,
} from './work-folder.ts'

/** Copies every page in one step; a copy in several steps starts over after each write. */
const ALL_PAGES = 2 ** 31 - 1
const UNFINISHED = '.part'

/**
 * Makes a backup in the folder `backups` of the data folder, reads it again, and deletes all but the newest `keep`.
 * Returns its path.
 * @throws StorageError when there is no database, or the copy fails a check
 */
export async function makeBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  options: { keep: number; at: Date; key: BackupKey | undefined; progress: Progress },
): Promise<string> {
  const { keep, at, key, progress } = options
  const file = sqliteFileIn(dataDir)
  if (databaseUrl === undefined) requireSource(file)
  prepareDataDir(dataDir)
  const folder = backupsFolderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, backupName(at))
  // Renamed when complete, so that an interrupted backup is never mistaken for a good one.
  const unfinished = target + UNFINISHED
  removeLeftovers(folder, (name) => name.endsWith(UNFINISHED))
  await removingAfterwards(unfinished, () =>
    withWorkFolder(dataDir, async (work) => {
      const copy =
        databaseUrl === undefined
          ? await copySqlite(file, sqliteFileIn(work))
          : await copyFromPostgres(databaseUrl, work, progress)
      checkContent(copy, `The copy of the database`)
      await writeBackupFile(copy, unfinished, { key, at })
      renameOnDisk(unfinished, target)
    }),
  )
  // Never the one just made, although others may have later names when the clock was wrong.
  const others = backupsIn(dataDir).filter((path) => path !== target)
  for (const old of others.slice(keep - 1)) rmSync(old)
  return target
}

async function copySqlite(file: string, target: string): Promise<string> {
  // Not opened read-only: such a connection would leave its -wal and -shm files behind.
  const source = new DatabaseSync(file)
  try {
    source.exec('PRAGMA query_only = ON')
    await backup(source, target, { rate: ALL_PAGES })
    return target
  } finally {
    source.close()
  }
}
