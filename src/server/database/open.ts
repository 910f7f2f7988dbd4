/** Opens the configured database and migrates it. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Database, type DatabaseLog, StorageError } from './database.ts'
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import type { Tx } from './schema.ts'
import { isBusy, openSqlite, refuseCutOff } from './sqlite.ts'

type Mode = 'demo' | 'platform'

export type DatabaseOptions = {
  /** Folder of the embedded database; created when missing, accessible to its owner only. */
  dataDir: string
  /** Connection string of PostgreSQL; when unset, SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  log?: DatabaseLog | undefined
  /** Called when a newer version has migrated the database, which then cannot be used any more (OPS-38). */
  onMoved?: (error: StorageError) => void
  /**
   * The mode of the server that opens it; unset for programs, which open databases of both modes. On SQLite no second
   * server may use the folder until the database is closed (OPS-43).
   */
  mode?: Mode
}

export const SQLITE_FILE = 'shelfmates.sqlite'

export function sqliteFileIn(dataDir: string): string {
  return join(dataDir, SQLITE_FILE)
}

/**
 * Opens and migrates the database.
 * @throws StorageError when it cannot be accessed, is damaged, or is of a newer version or of the other mode
 */
export async function openDatabase({
  dataDir,
  databaseUrl,
  log,
  onMoved,
  mode,
}: DatabaseOptions): Promise<Database> {
  const where = databaseUrl === undefined ? `in ${dataDir}` : 'at DATABASE_URL'
  const database =
    databaseUrl === undefined
      ? await openFolder(dataDir, mode)
      : await openPostgres(databaseUrl, { log, onMoved })
  try {
    const afterwards = mode && ((tx: Tx) => claimMode(tx, mode, where))
    await migrate(database, { ...(afterwards && { afterwards }) })
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function openFolder(dataDir: string, mode: Mode | undefined): Promise<Database> {
  prepareDataDir(dataDir)
  const file = sqliteFileIn(dataDir)
  // Before the lock, which would create a file in a folder that must not change.
  refuseCutOff(file)
  const unlock = mode ? lockFolder(dataDir) : () => {}
  try {
    const database = await openSqlite(file)
    return { ...database, close: () => database.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Stores whether a database holds the demo's invented players or players from Steam, unless it has said so before: a start in
 * the other mode would mix the two (OPS-13). In the transaction of the migrations, so that a start that is refused changes
 * nothing.
 * @throws StorageError when the database is of the other mode
 */
async function claimMode(tx: Tx, mode: Mode, where: string): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ name: 'mode', value: mode })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'mode')
    .executeTakeFirstOrThrow()
  if (value === mode) return
  throw new StorageError(
    mode === 'demo'
      ? `STEAM_API_KEY is not set, but the database ${where} holds players from Steam; ` +
          'set the key, or use another DATA_DIR for the demo.'
      : `STEAM_API_KEY is set, but the database ${where} holds the invented players of the demo; ` +
          'use another DATA_DIR or DATABASE_URL, or unset the key.',
  )
}

/**
 * Creates the data folder if it is missing, accessible to its owner only.
 * @throws StorageError when it cannot be created or written to
 */
export function prepareDataDir(dataDir: string): void {
  try {
    createFolder(resolve(dataDir))
    accessSync(dataDir, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new StorageError(
      `DATA_DIR is "${dataDir}", but it must be a folder that this user may write to (${(error as Error).message}).`,
      { cause: error },
    )
  }
}

/**
 * Creates a folder and those above it. One by one: where none can be created, as below /proc, the recursive mode of
 * `mkdirSync` never ends (OPS-12).
 */
function createFolder(path: string): void {
  if (existsSync(path)) {
    // As the recursive mode does: what exists must be a folder.
    readdirSync(path)
    return
  }
  if (dirname(path) !== path) createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another server that starts at the same moment may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** File name of the lock in the data folder. It is never deleted: another server may be waiting for it. */
export const LOCK_FILE = 'shelfmates.lock'

/** How long to wait for a server that is just ending. */
const UNLOCKED_WITHIN_MS = 2000

/**
 * Makes this process the only server of a SQLite folder (OPS-43), until the returned function is called or the process ends. The
 * lock is an open transaction of an empty SQLite file beside the database: the system drops it with the process, also after
 * `kill -9` or a power cut. Backups and copies do not take it.
 * @throws StorageError when there is one already
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, LOCK_FILE)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: UNLOCKED_WITHIN_MS })
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
