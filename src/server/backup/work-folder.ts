/**
 * Files that are not complete yet: where they are until then, how they are checked, and how they get their final name.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkDone } from '../database/migrations.ts'
import { doneIn } from './sqlite-rows.ts'

const PREFIX = 'unfinished-'
/** What is older was left by a process that was killed. */
const LEFT_AFTER_MS = 24 * 3600 * 1000

/** Runs `work` with a new folder in the data folder, on the same disk as the database, and removes it afterwards. */
export async function withWorkFolder<Result>(
  dataDir: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  removeLeftovers(dataDir, (name) => name.startsWith(PREFIX))
  const folder = mkdtempSync(join(dataDir, PREFIX))
  return removingAfterwards(folder, () => work(folder))
}

/** Runs `work` and removes the file or folder, also when the process ends before that. */
export async function removingAfterwards<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    return await work()
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Removes those files and folders of these names that are a day old. */
export function removeLeftovers(folder: string, isUnfinished: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isUnfinished)) {
    const path = join(folder, name)
    // Another backup may have removed it.
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Checks a SQLite file that nobody else uses, and leaves it as a single file without a write-ahead log.
 * @throws StorageError when it is damaged, not a database of Shelfmates, or of a newer version
 */
export async function checkContent(file: string, subject: string): Promise<void> {
  const connection = new DatabaseSync(file)
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
    const finding = String(connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    if (finding !== 'ok') throw new StorageError(`${subject} is damaged (${finding.replaceAll('\n', ' ')}).`)
    const orphan = connection.prepare('PRAGMA foreign_key_check').get()
    if (orphan)
      throw new StorageError(
        `${subject} is damaged (a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}).`,
      )
    const done = await doneIn(connection)
    if (done.isNew) throw new StorageError(`${subject} is not a database of Shelfmates.`)
    checkDone(done, 'backup')
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(`${subject} is damaged or not a database (${(error as Error).message}).`, {
      cause: error,
    })
  } finally {
    connection.close()
  }
}

/** Renames a file whose content is on the disk already, so that the new name survives a power cut. */
export function renameOnDisk(from: string, to: string): void {
  renameSync(from, to)
  flushFolder(dirname(to))
}

/** Flushes the names in a folder to the disk. */
export function flushFolder(path: string): void {
  // Windows has no folders that can be flushed.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
