/** Backups of the embedded database: made while the server runs, and found again when they are needed (docs/OPERATIONS.md). */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StorageError } from './database.ts'

const FOLDER = 'backups'
/** Every page in one step: a copy of one moment, which writers do not make start again. */
const ALL_PAGES = 2 ** 31 - 1
/** `2026-11-21T08-45-00-000Z.sqlite`: by name is by age. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z\.sqlite$/

/**
 * Copies the database `file` to a new file in the folder `backups` of `dataDir`, looks the copy over, and keeps the
 * newest `keep` copies. Returns the copy's path.
 * @throws StorageError when there is no database, or the copy is not sound
 */
export async function makeBackup(
  dataDir: string,
  { file, keep, at }: { file: string; keep: number; at: Date },
): Promise<string> {
  if (!existsSync(file))
    throw new StorageError(`There is no database ${file}; DATA_DIR must be the server's.`)
  const folder = backupsFolderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, `${at.toISOString().replaceAll(/[:.]/g, '-')}.sqlite`)
  // Under another name until it is whole, so that a backup that was cut off is never taken for one.
  const unfinished = `${target}.part`
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, unfinished, { rate: ALL_PAGES })
    const finding = findingOf(unfinished)
    if (finding !== 'ok') throw new StorageError(`The copy of ${file} is not sound (${finding}).`)
    renameSync(unfinished, target)
  } finally {
    source.close()
    rmSync(unfinished, { force: true })
  }
  for (const old of backupsIn(dataDir).slice(keep)) rmSync(join(folder, old))
  return target
}

/** Where the backups of a data folder are. */
export function backupsFolderIn(dataDir: string): string {
  return join(dataDir, FOLDER)
}

/** The newest backup in a data folder, by its path; undefined when there is none. */
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

/** What is wrong with a copy, 'ok' when nothing is. The copy becomes one file, without a log beside it. */
function findingOf(file: string): string {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
    return String(copy.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
  } finally {
    copy.close()
  }
}
