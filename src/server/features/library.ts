/** One player's games and playtime (PROD-3, API-5 to API-11). */
import type { libraryContract } from '#shared/contract/library.ts'
import { compareNames } from '#shared/names.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { blankLibrary, indexOfGame, type Library, orderByPlaytime } from '../library/library.ts'
import { hiddenAppids } from '../storage/hidden-games.ts'
import { libraryHidden } from '../sync/failures.ts'
import { isoTime } from '../time.ts'
import { visibility, visibleLibraries } from './access.ts'
import { playtimeHistory } from './playtime-history.ts'
import { type GameList, GameListWriter } from '../tuned/game-list-writer.ts'
import { profileOf } from './visible-libraries.ts'

/** A library's game list in order. `order`: indexes into the library; `version`: of the catalogue it was sorted by. */
type SortedGames = { version: number; order: readonly number[]; list: GameList }

/** Handlers of games and playtime. */
export function libraryHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue' | 'clock'>) {
  const { readCache, sync, catalogue } = deps
  const writer = new GameListWriter({
    game: (details) => ({ ...details, id: details.appid }),
    columns: [
      { name: 'playtime_minutes', type: 'number' },
      { name: 'playtime_2weeks_minutes', type: 'number' },
      { name: 'last_played_at', type: 'time' },
    ],
  })
  /** By library object; a changed library is a new object. */
  const sorted = new WeakMap<Library, SortedGames>()

  return {
    games: async ({ params, user }) => {
      const player = await playerOf(params.steamId)
      const mayShow = await visibility(deps, user, [player])
      if (!mayShow(player)) return { games: [], status: 'hidden' as const, synced_at: null, hidden: [] }
      // Owners still see the games stored before they made their library private; others do not.
      const isOwner = params.steamId === user
      const shown = player && (player.library_status === 'ok' || isOwner)
      const libraries = await readCache.wholeLibraries(shown ? [player] : [], isOwner ? 'owner' : 'others')
      return listOf(libraries.get(params.steamId) ?? NO_GAMES, {
        status: player?.library_status ?? 'never',
        synced_at: isoTime(player?.library_synced_at),
        hidden: isOwner ? [...hiddenAppids(player?.hidden_appids)] : [],
      })
    },

    fetchGames: async ({ params, user }) => {
      const visible = await visibleLibraries(deps, user, [params.steamId])
      if (!visible.has(params.steamId)) throw libraryHidden()
      return sync.syncGames(user, params.steamId)
    },

    summary: async ({ params: { steamId } }) => profileOf(steamId, await playerOf(steamId)),

    totalPlaytime: async ({ params }) => ({
      total_playtime_minutes: (await playerOf(params.steamId))?.total_minutes ?? 0,
    }),

    playtimeHistory: ({ params }) => playtimeHistory(deps, params.steamId),

    gamePlaytime: async ({ params }) => {
      const player = await playerOf(params.steamId)
      if (player) await readCache.loadLibraries([player])
      const index = player?.library ? indexOfGame(player.library, params.gameId) : -1
      const owned = index !== -1
      await catalogue.ensure([params.gameId])
      return {
        playtime_minutes: owned ? player!.library!.minutes[index]! : 0,
        game_name: owned ? catalogue.details(params.gameId).name : (catalogue.knownName(params.gameId) ?? ''),
      }
    },
  } satisfies Handlers<typeof libraryContract>

  async function playerOf(steamId: string) {
    return (await readCache.players([steamId]))[0]
  }

  /** Most played first, then by name (API-5). */
  async function sortedGames(library: Library): Promise<SortedGames> {
    const version = catalogue.version()
    const cached = sorted.get(library)
    if (cached?.version === version) return cached
    const found = await catalogue.games(library.appids)
    const order = orderByPlaytime(library)
    const names = found.map(({ details }) => details.name)
    sortTies(order, library.minutes, (a, b) => compareNames(names[a]!, names[b]!))
    const games = { version, order, list: writer.list(order.map((index) => found[index]!)) }
    sorted.set(library, games)
    return games
  }

  async function listOf<Rest extends object>(library: Library, rest: Rest) {
    const { minutes, recentMinutes, lastPlayed } = library
    const { order, list } = await sortedGames(library)
    const fill = (row: number, values: Float64Array) => {
      const index = order[row]!
      values[0] = minutes[index]!
      values[1] = recentMinutes[index]!
      values[2] = lastPlayed[index]!
    }
    return writer.writeWithin(list, fill, { name: 'games', rest })
  }
}

const NO_GAMES = blankLibrary(0)

/** Sorts each run of games with equal minutes; `order` is sorted by minutes already. */
function sortTies(order: number[], minutes: Uint32Array, compare: (a: number, b: number) => number): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && minutes[order[to]!] === minutes[order[from]!]) to++
    if (to - from === 1) continue
    const tied = order.slice(from, to).sort(compare)
    for (let index = from; index < to; index++) order[index] = tied[index - from]!
  }
}
