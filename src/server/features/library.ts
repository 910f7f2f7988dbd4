/** One player's games and playtime (API-5 to API-11). */
import type { libraryContract } from '#shared/contract/library.ts'
import { compareNames } from '#shared/names.ts'
import type { Game } from '#shared/entities.ts'
import { gamesOf } from '../cache/read-cache.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { blankLibrary, hiddenAppids, indexOfGame, type Library, orderByPlaytime } from '../library/library.ts'
import { mapInSlices, sortInSlices } from '../library/slices.ts'
import { libraryHidden } from '../sync/failures.ts'
import { isoTime } from '../time.ts'
import { playtimeHistory } from './playtime-history.ts'
import { profileOf } from './visible-libraries.ts'

/** Handlers of games and playtime. */
export function libraryHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue' | 'clock'>) {
  const { readCache, sync, catalogue } = deps
  return {
    games: async ({ params, user, found: { player, mayShow } }) => {
      if (!mayShow(player)) return { games: [], status: 'hidden' as const, synced_at: null, hidden: [] }
      // Owners still see the games stored before they made their library private; others do not.
      const isOwner = params.steamId === user
      const shown = player && (player.library_status === 'ok' || isOwner)
      const library = shown ? gamesOf(player, isOwner ? 'owner' : 'others') : undefined
      return {
        games: await listOf(library ?? NO_GAMES),
        status: player?.library_status ?? ('never' as const),
        synced_at: isoTime(player?.library_synced_at),
        hidden: isOwner ? [...hiddenAppids(player?.hidden_appids)] : [],
      }
    },

    fetchGames: async ({ params, user, found: { player, mayShow } }) => {
      if (params.steamId !== user && !mayShow(player)) throw libraryHidden()
      return sync.syncGames(user, params.steamId)
    },

    summary: async ({ params: { steamId }, found: { player } }) => profileOf(steamId, player),

    totalPlaytime: async ({ params }) => ({
      total_playtime_minutes: (await playerOf(params.steamId))?.total_minutes ?? 0,
    }),

    playtimeHistory: ({ params }) => playtimeHistory(deps, params.steamId),

    gamePlaytime: async ({ params }) => {
      const player = await playerOf(params.steamId)
      const library = player && gamesOf(player, 'owner')
      const index = library ? indexOfGame(library, params.gameId) : -1
      const [game] = await catalogue.games([params.gameId])
      return {
        playtime_minutes: library?.minutes[index] ?? 0,
        game_name: index === -1 ? (game!.row?.name ?? '') : game!.details.name,
      }
    },
  } satisfies Handlers<typeof libraryContract>

  async function playerOf(steamId: string) {
    return (await readCache.players([steamId]))[0]
  }

  /** Most played first, then by name (API-5). */
  async function listOf(library: Library): Promise<Game[]> {
    const { minutes, recentMinutes, lastPlayed } = library
    const games = await catalogue.games(library.appids)
    const order = await sortTies(orderByPlaytime(library), minutes, (a, b) =>
      compareNames(games[a]!.details.name, games[b]!.details.name),
    )
    return mapInSlices(order, (index) => {
      const { appid, name, image_url, icon_url, modes, features, kind } = games[index]!.details
      return {
        ...{ appid, id: appid, name, image_url, icon_url, modes, features, kind },
        playtime_minutes: minutes[index]!,
        playtime_2weeks_minutes: recentMinutes[index]!,
        last_played_at: isoTime(lastPlayed[index]! * 1000 || null),
      }
    })
  }
}

const NO_GAMES = blankLibrary(0)

/** Sorts each run of games with equal minutes; `order` is sorted by minutes already. */
async function sortTies(
  order: readonly number[],
  minutes: Uint32Array,
  compare: (a: number, b: number) => number,
): Promise<number[]> {
  const sorted: number[] = []
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && minutes[order[to]!] === minutes[order[from]!]) to++
    if (to - from === 1) sorted.push(order[from]!)
    else for (const index of await sortInSlices(order.slice(from, to), compare)) sorted.push(index)
  }
  return sorted
}
