/** Makes a backup while servers run, on both engines (OPS-26 to OPS-28), but not on several machines (OPS-49). */
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { backupName, backupsFolderIn, backupsIn } from '../database/backups.ts'
import { type DatabaseOptions, prepareDataDir, sqliteFileIn } from '../database/open.ts'
import { writeBackupFile } from './backup-file.ts'
import type { BackupKey } from './key.ts'
import { dumpPostgres } from './postgres-programs.ts'
import { connect, doneAt, isInUse, isOnSeveralMachines, nameOf, unfinishedMark } from './postgres-rows.ts'
import { checkVersion, requireSource } from './sqlite-rows.ts'
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
 * @throws StorageError when there is no database, a program is missing, or the copy fails a check
 */
export async function makeBackup(
  { dataDir, databaseUrl }: DatabaseOptions,
  { keep, at, key }: { keep: number; at: Date; key: BackupKey | undefined },
): Promise<string> {
  const file = sqliteFileIn(dataDir)
  if (databaseUrl === undefined) requireSource(file)
  else await requireDatabase(databaseUrl)
  prepareDataDir(dataDir)
  const folder = backupsFolderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(
    folder,
    backupName(at, databaseUrl === undefined ? 'sqlite' : 'postgres', key !== undefined),
  )
  // Renamed when complete, so that an interrupted backup is never mistaken for a good one.
  const unfinished = target + UNFINISHED
  removeLeftovers(folder, (name) => name.endsWith(UNFINISHED))
  await removingAfterwards(unfinished, async () => {
    if (databaseUrl === undefined)
      await withWorkFolder(dataDir, async (work) => {
        const copy = await copySqlite(file, sqliteFileIn(work))
        await checkContent(copy, `The copy of the database`)
        await writeBackupFile(createReadStream(copy), unfinished, key)
      })
    else await writeBackupFile(dumpPostgres(databaseUrl), unfinished, key)
    renameOnDisk(unfinished, target)
  })
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

/** @throws StorageError when it cannot be reached, is of another version, an unfinished copy, or distributed and in use */
async function requireDatabase(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl)
  try {
    const tag = `The database ${nameOf(databaseUrl)}`
    checkVersion(await doneAt(client), tag)
    if ((await unfinishedMark(client)) !== undefined)
      throw new StorageError(
        `${tag} is an unfinished copy of another one, so there is nothing to back up yet.`,
      )
    // Each machine has its own snapshots, so that pg_dump reads tables of different moments.
    if ((await isOnSeveralMachines(client)) && (await isInUse(client)))
      throw new StorageError(
        `${tag} is on several machines and in use, so a backup would not be of one moment; stop the servers first, or ` +
          'archive the log of each machine (docs/operate/several-servers.md).',
      )
  } finally {
    await client.end()
  }
}
