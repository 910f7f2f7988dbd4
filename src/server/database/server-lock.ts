/**
 * One server per SQLite folder (OPS-43). The lock is an open write transaction of a small SQLite file beside the database:
 * the system drops it with the process, also after `kill -9` or a power cut, and others can still read who holds it.
 * Backups, copies and moves do not take it.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
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
 * @throws StorageError that names the server that is there already
 */
export function lockFolder(dataDir: string): () => void {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: WAIT_MS })
    hold(file)
  } catch (error) {
    const refusal = isBusy(error) ? inUse(dataDir, holderIn(file!)) : unusable(dataDir, error as Error)
    file?.close()
    throw refusal
  }
  const held = file
  return () => {
    if (held.isOpen) held.close()
  }
}

function hold(file: DatabaseSync): void {
  const id = randomUUID()
  file.exec('BEGIN IMMEDIATE')
  // What is not committed cannot be read by others, so the lock is taken again, and another server may come in between.
  while (holderIn(file)?.id !== id) {
    file.exec(
      'CREATE TABLE IF NOT EXISTS holder (one integer PRIMARY KEY, id text, host text, pid integer, since text)',
    )
    file
      .prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?, ?)')
      .run(id, hostname(), process.pid, new Date().toISOString())
    file.exec('COMMIT; BEGIN IMMEDIATE')
  }
}

type Holder = { id: string; host: string; pid: number; since: string }

function holderIn(file: DatabaseSync): Holder | undefined {
  const isNew = file.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'holder'`).get() === undefined
  return isNew ? undefined : (file.prepare('SELECT id, host, pid, since FROM holder').get() as Holder)
}

function inUse(dataDir: string, holder: Holder | undefined): StorageError {
  const which = holder
    ? `The server on ${holder.host} (process ${holder.pid}, since ${holder.since})`
    : 'Another server'
  return new StorageError(
    `${which} uses the database in ${dataDir}, and SQLite is for one server; stop it first, set another DATA_DIR, or ` +
      'move to PostgreSQL (docs/operate/move.md).',
  )
}

function unusable(dataDir: string, cause: Error): StorageError {
  return new StorageError(
    `${join(dataDir, LOCK_FILE)} cannot be written (${cause.message}); DATA_DIR must be a folder that this user may write ` +
      'to, on a disk with free space.',
    { cause },
  )
}
