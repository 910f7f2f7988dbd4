/** Files that are not complete yet: where they are until then, and how they get their final name. */
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

const PREFIX = 'unfinished-'
/** What is older was left by a process that was killed. */
const LEFT_AFTER_MS = 24 * 3600 * 1000

/** Runs `work` with a new folder in `parent`, on the same disk, and removes it afterwards, also when the process exits. */
export async function withWorkFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(PREFIX))) {
    // Another backup may have removed it.
    const found = lstatSync(join(parent, name), { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - LEFT_AFTER_MS)
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, PREFIX))
  // A program that was just ended may still be writing its last file.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.once('exit', remove)
  try {
    return await work(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Renames a file whose content is on the disk already, so that the new name survives a power cut. */
export function renameOnDisk(from: string, to: string): void {
  renameSync(from, to)
  flushFolder(dirname(to))
}

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
