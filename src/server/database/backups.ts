/** Backups of the embedded database, made while the server runs, and where to find them (docs/OPERATIONS.md). */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StorageError } from './database.ts'

const FOLDER = 'backups'
/** Copies every page in one step; a copy in several steps starts over after each write. */
const ALL_PAGES = 2 ** 31 - 1
/** `2026-11-21T08-45-00-000Z.sqlite`: sorting by name sorts by age. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z\.sqlite$/

/**
 * Copies the database `file` to a new file in the folder `backups` of `dataDir`, checks the copy's integrity, and
 * deletes all but the newest `keep` copies. Returns the copy's path.
 * @throws StorageError when there is no database, or the copy fails the check
 */
export async function makeBackup(
  dataDir: string,
  { file, keep, at }: { file: string; keep: number; at: Date },
): Promise<string> {
  if (!existsSync(file))
    throw new StorageError(`There is no database ${file}; set DATA_DIR to the server's data folder.`)
  const folder = backupsFolderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, `${at.toISOString().replaceAll(/[:.]/g, '-')}.sqlite`)
  // Renamed when complete, so that an interrupted backup is never mistaken for a good one.
  const unfinished = `${target}.part`
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, unfinished, { rate: ALL_PAGES })
    const finding = checkCopy(unfinished)
    if (finding !== 'ok') throw new StorageError(`The copy of ${file} is damaged (${finding}).`)
    renameSync(unfinished, target)
  } finally {
    source.close()
    rmSync(unfinished, { force: true })
  }
  for (const old of backupsIn(dataDir).slice(keep)) rmSync(join(folder, old))
  return target
}

/** Path of the folder that holds the backups of a data folder. */
export function backupsFolderIn(dataDir: string): string {
  return join(dataDir, FOLDER)
}

/** Path of the newest backup in a data folder; undefined when there is none. */
export function newestBackup(dataDir: string): string | undefined {
  const [newest] = backupsIn(dataDir)
  return newest === undefined ? undefined : join(backupsFolderIn(dataDir), newest)
}

function backupsIn(dataDir: string): string[] {
  const folder = backupsFolderIn(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
}

/** SQLite's integrity check of a copy: 'ok', or its first finding. Leaves a single file without a write-ahead log. */
function checkCopy(file: string): string {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
    return String(copy.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
  } finally {
    copy.close()
  }
}
