/**
 * One server per SQLite folder (OPS-43). The lock is an open transaction of an empty SQLite file beside the database: the
 * system drops it with the process, also after `kill -9` or a power cut. Backups and copies do not take it.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from './database.ts'
import { isBusy } from './sqlite.ts'

/** File name of the lock in the data folder. It is never deleted: another server may be waiting for it. */
export const LOCK_FILE = 'shelfmates.lock'

/** How long to wait for a server that is just ending. */
const WAIT_MS = 2000

/**
 * Makes this process the only server of a folder, until the returned function is called or the process ends.
 * @throws StorageError when there is one already
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, LOCK_FILE)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: WAIT_MS })
    // With its journal in memory there is no second file.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    file?.close()
    const sentence = isBusy(error)
      ? `A server uses the database in ${dataDir}, and SQLite is for one server; stop it first, set another DATA_DIR, or ` +
        'move to PostgreSQL (docs/operate/move.md).'
      : `${path} cannot be written (${(error as Error).message}); DATA_DIR must be a folder that this user may write to, on a ` +
        'disk with free space.'
    throw new StorageError(sentence, { cause: error })
  }
  const held = file
  return () => {
    if (held.isOpen) held.close()
  }
}
