/** Temporary folders for tests, in memory if possible, because most of the time is spent waiting for fsync. */
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** More than twice what a whole run needs. */
const NEEDED_BYTES = 2 * 2 ** 30

/**
 * Creates an empty folder; the caller removes it.
 * @param onDisk for tests that need a real disk
 */
export function temporaryFolder(name: string, { onDisk = false } = {}): string {
  return mkdtempSync(join(onDisk ? tmpdir() : fastest(), `shelfmates-${name}-`))
}

let found: string | undefined
function fastest(): string {
  return (found ??= hasRoom(MEMORY) ? MEMORY : tmpdir())
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
