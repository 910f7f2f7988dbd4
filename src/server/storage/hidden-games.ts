/** Games that only their owner sees (VIS-6). */
import type { SteamId } from '#shared/entities.ts'
import type { Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'

/** The appids in `people.hidden_appids`, ascending. */
export function hiddenAppids(column: string | null | undefined): readonly number[] {
  return column ? column.split(',').map(Number) : []
}

/** Replaces the games that a player hides; the transaction must have locked the player. */
export async function setHiddenGames(tx: Tx, steamId: SteamId, appids: readonly number[]): Promise<void> {
  changed(tx, 'person', [steamId])
  changed(tx, 'library', [steamId])
  const hidden_appids = appids.length === 0 ? null : appids.toSorted((a, b) => a - b).join(',')
  await tx.updateTable('people').set({ hidden_appids }).where('steam_id', '=', steamId).execute()
}
