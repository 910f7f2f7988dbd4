/** How many games the player who started a sync may know of (VIS-8). */
import type { SteamId } from '#shared/entities.ts'
import { hiddenAppids, withoutGames } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibrary } from '../storage/libraries.ts'
import { findPlayer } from '../storage/players.ts'
import type { Queries, Tx } from '../database/schema.ts'

/**
 * The number of games that `viewer` sees in the stored library of `steamId`: in libraries of others the hidden ones do
 * not count.
 */
export async function countGamesShown(db: Queries | Tx, viewer: SteamId, steamId: SteamId): Promise<number> {
  const [player, row] = await Promise.all([findPlayer(db, steamId), readLibrary(db, steamId)])
  if (!row?.packed) return 0
  const library = unpackLibrary(row.packed)
  return withoutGames(library, viewer === steamId ? [] : hiddenAppids(player?.hidden_appids)).length
}
