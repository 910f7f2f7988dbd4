/** Minutes played by month (SYNC-22). */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import type { PlaytimeMonthsTable, Queries, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'

export type PlaytimeMonth = Selectable<PlaytimeMonthsTable>

/** The months of a player from `since`, such as 202611, oldest first. */
export function readPlaytimeMonths(
  db: Queries | Tx,
  steamId: SteamId,
  since: number,
): Promise<PlaytimeMonth[]> {
  return db
    .selectFrom('playtime_months')
    .selectAll()
    .where('steam_id', '=', steamId)
    .where('month', '>=', since)
    .orderBy('month')
    .execute()
}

/** Replaces the minutes of a month; the transaction must have locked the player. */
export async function writePlaytimeMonth(tx: Tx, row: PlaytimeMonth): Promise<void> {
  await tx
    .insertInto('playtime_months')
    .values(row)
    .onConflict((conflict) => conflict.columns(['steam_id', 'month']).doUpdateSet({ packed: row.packed }))
    .execute()
}

/** Records when minutes of a player began to be counted by month, unless that is known. */
export async function startTracking(tx: Tx, steamId: SteamId, since: number): Promise<void> {
  changed(tx, 'person', [steamId])
  await tx
    .updateTable('libraries')
    .set({ tracked_since: since })
    .where('steam_id', '=', steamId)
    .where('tracked_since', 'is', null)
    .execute()
}
