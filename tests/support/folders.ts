/** Folders of tests: in memory where the machine offers that, since a disk's confirmations are most of the waiting. */
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A whole run takes less than half of it. */
const NEEDED_BYTES = 2 * 2 ** 30

/**
 * Makes an empty folder; who asks for it removes it.
 * @param onDisk for tests of what a disk does
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
