/**
 * Libraries of several players, as far as one viewer may see them.
 * Requirements: VIS-1, VIS-8.
 */
import type { ElsewherePlace, Friend, LibraryStatus, OwnedElsewhere, SteamId } from '#shared/entities.ts'
import type { Deps } from '../../deps.ts'
import { hiddenAppids, indexOfGame, type Library, withGames } from '../../library/library.ts'
import {
  type ChangesAbout,
  type LibraryChange,
  recentLibraryChanges,
} from '../../storage/players/libraries.ts'
import { type CachedPlayer, elsewhereOf, gamesOf } from '../../cache/read-cache.ts'
import { visibility } from '../access.ts'

/** A player whose library is readable and visible to the viewer; the games that others hide are not in it (VIS-8). */
export type ReadableLibrary = { player: CachedPlayer; library: Library }

/**
 * Those of `owners` whose libraries are known, readable and visible, in the same order (API-27). A library that is
 * private now is left out, even if its games are still stored.
 */
export async function readVisibleLibraries(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<ReadableLibrary[]> {
  const players = await deps.readCache.players(owners)
  return visibleLibrariesOf(viewer, players, await visibility(deps.readCache, viewer, players))
}

/** Like {@link readVisibleLibraries}, for the viewer's friends. */
export async function readLibrariesOfFriends(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
): Promise<{ friends: readonly CachedPlayer[]; readable: ReadableLibrary[] }> {
  const friends = await deps.readCache.friends(viewer)
  const mayShow = await visibility(deps.readCache, viewer, friends, { areConnected: true })
  return { friends, readable: visibleLibrariesOf(viewer, friends, mayShow) }
}

/** Like {@link readVisibleLibraries}, for people already read. */
export function visibleLibrariesOf(
  viewer: SteamId,
  players: readonly (CachedPlayer | undefined)[],
  mayShow: (player: CachedPlayer) => boolean,
): ReadableLibrary[] {
  const found: ReadableLibrary[] = []
  for (const player of players) {
    if (player?.library_status !== 'ok' || !mayShow(player)) continue
    const library = gamesOf(player, player.steam_id === viewer ? 'owner' : 'others')
    if (library) found.push({ player, library })
  }
  return found
}

/** What has changed lately in these libraries, latest first, of the games that are in them as the viewer may see them. */
export async function visibleChanges(
  { database: { queries } }: Pick<Deps, 'database'>,
  readable: readonly ReadableLibrary[],
  about: ChangesAbout,
  since: number,
): Promise<LibraryChange[]> {
  const byId = new Map(readable.map(({ player, library }) => [player.steam_id, library]))
  const changes = await recentLibraryChanges(queries, [...byId.keys()], about, since)
  return changes.filter(({ steam_id, appid }) => indexOfGame(byId.get(steam_id)!, appid) !== -1)
}

/** Libraries with what their players own elsewhere (NIGHT-134). */
export function withElsewhere(
  viewer: SteamId,
  readable: readonly ReadableLibrary[],
): (ReadableLibrary & { elsewhere: ReadonlyMap<number, ElsewherePlace> })[] {
  return readable.map(({ player, library }) => {
    const elsewhere = elsewhereOf(player, library, player.steam_id === viewer ? 'owner' : 'others')
    return { player, library: withGames(library, elsewhere.keys()), elsewhere }
  })
}

/** Players with what they own elsewhere, for {@link ownersElsewhere}. */
export function elsewhereAmong(
  owners: readonly { player: CachedPlayer; elsewhere: ReadonlyMap<number, ElsewherePlace> }[],
) {
  return owners.map(({ player, elsewhere }) => [player.steam_id, elsewhere] as const)
}

/** Who of some players owns a game only elsewhere, and where. */
export function ownersElsewhere(
  players: Iterable<readonly [SteamId, ReadonlyMap<number, ElsewherePlace>]>,
  appid: number,
): OwnedElsewhere {
  const owners = [...players].flatMap(([steamId, games]) => {
    const where = games.get(appid)
    return where === undefined ? [] : [[steamId, where] as const]
  })
  return { elsewhere: owners.map(([steamId]) => steamId), elsewhere_places: Object.fromEntries(owners) }
}

/** Name and picture of a player, as far as they are known. */
export function profileOf(
  steam_id: SteamId,
  player: Pick<CachedPlayer, 'display_name' | 'avatar_url'> | undefined,
) {
  return { steam_id, display_name: player?.display_name ?? null, avatar_url: player?.avatar_url ?? null }
}

/** A player's library status as lists of players show it: 'hidden' from viewers who may not see the library. */
export function statusShown(
  row: { library_status: 'ok' | 'private' | null },
  mayShow: boolean,
): LibraryStatus {
  return mayShow ? (row.library_status ?? 'never') : 'hidden'
}

/**
 * The game that a player is playing, as far as others may know it: it would reveal part of a hidden library, or a hidden
 * game (VIS-4). A game of unknown appid could be one of the hidden ones.
 */
export function gamePlayed(
  player: Pick<CachedPlayer, 'playing' | 'playing_appid' | 'hidden_appids'>,
  mayShow: boolean,
): Pick<Friend, 'playing' | 'playing_appid'> {
  const { playing, playing_appid, hidden_appids } = player
  const isHidden =
    hidden_appids !== null && (playing_appid === null || hiddenAppids(hidden_appids).includes(playing_appid))
  return mayShow && !isHidden ? { playing, playing_appid } : { playing: null, playing_appid: null }
}
