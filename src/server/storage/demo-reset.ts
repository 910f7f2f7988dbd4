/** Deletes what players have done in a public demo (DEMO-10). */
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { changedEverything } from '../database/cache-tags.ts'
import { EMPTIED_BY_RESET } from '../database/tables.ts'
import { readValue, writeValue } from './installation.ts'

/**
 * Resets a demo in one transaction, unless a server has done so in this period already.
 * @param period when the current period began, in milliseconds since 1970
 * @param refill writes what a new demo begins with
 * @returns whether this call did it
 */
export function resetDemo(
  database: Database,
  period: number,
  refill: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await database.lock(tx, 'demo reset')
    if ((await lastReset(tx)) === period) return false
    for (const table of EMPTIED_BY_RESET) await tx.deleteFrom(table).execute()
    // Returns stay used; daily limits begin again.
    await tx.deleteFrom('used_once').where('kind', 'not in', ['nonce', 'state']).execute()
    await refill(tx)
    await writeValue(tx, 'demo_reset_at', String(period))
    changedEverything(tx)
    return true
  })
}

/** Writes what a demo begins with, unless it has players from an earlier run or another server. */
export function fillNewDemo(database: Database, fill: (tx: Tx) => Promise<void>): Promise<void> {
  return database.transaction(async (tx) => {
    await database.lock(tx, 'demo reset')
    const player = await tx.selectFrom('people').select('steam_id').limit(1).executeTakeFirst()
    if (!player) await fill(tx)
  })
}

/** When the period of the last reset began; undefined when there was none. */
export async function lastReset(db: Database['queries'] | Tx): Promise<number | undefined> {
  const value = await readValue(db, 'demo_reset_at')
  return value === undefined ? undefined : Number(value)
}
