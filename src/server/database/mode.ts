/**
 * Whether a database holds the demo's invented players or players from Steam (OPS-13). The first start stores
 * the mode; a start in the other mode is refused, because it would mix the two.
 */
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from './database.ts'
import type { Tx } from './schema.ts'

export type Mode = 'demo' | 'platform'

/**
 * Stores the mode, unless the database has one already. In the transaction of the migrations, so that a start that is
 * refused changes nothing.
 * @param where the database is, for the error
 * @throws StorageError when the database is of the other mode
 */
export async function claimMode(tx: Tx, mode: Mode, where: string): Promise<void> {
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
  refuseOther(value, mode, where)
}

/**
 * Refuses a file of the other mode before a server takes the lock of its folder, whose file would change. Ignores one that
 * cannot be read: opening it reports that.
 * @throws StorageError
 */
export function refuseFileOfOtherMode(file: string, mode: Mode, where: string): void {
  let connection: DatabaseSync | undefined
  let value: unknown
  try {
    // Not opened read-only: a read-only connection leaves its -wal and -shm files behind.
    connection = new DatabaseSync(file)
    connection.exec('PRAGMA query_only = ON')
    value = connection.prepare(`SELECT value FROM installation WHERE name = 'mode'`).get()?.value
  } catch {
    return
  } finally {
    connection?.close()
  }
  if (value !== undefined) refuseOther(value, mode, where)
}

function refuseOther(value: unknown, mode: Mode, where: string): void {
  if (value === mode) return
  throw new StorageError(
    mode === 'demo'
      ? `STEAM_API_KEY is not set, but the database ${where} holds players from Steam; ` +
          'set the key, or use another DATA_DIR for the demo.'
      : `STEAM_API_KEY is set, but the database ${where} holds the invented players of the demo; ` +
          'use another DATA_DIR or DATABASE_URL, or unset the key.',
  )
}
