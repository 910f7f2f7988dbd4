/** Games and playtime of one person (PROD-3, API-5 to API-11). */
import type { libraryContract } from '#shared/contract/library.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, RawJson } from '../endpoint-handler.ts'
import { blankLibrary, indexOfGame, type Library, orderByPlaytime } from '../library/library.ts'
import { libraryHidden } from '../sync/failures.ts'
import { visibility, visibleLibraries } from './access.ts'
import { type GameList, GameListWriter } from './game-list-writer.ts'

/** Games in the order of their list, with their positions in the library, as of one version of the catalogue. */
type Arranged = { version: number; order: readonly number[]; list: GameList }

/** Handlers of games and playtime. */
export function libraryHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue'>) {
  const { readCache, sync, catalogue } = deps
  const writer = new GameListWriter({
    game: (face) => ({ ...face, id: face.appid }),
    columns: [
      { name: 'playtime_minutes', type: 'number' },
      { name: 'playtime_2weeks_minutes', type: 'number' },
      { name: 'last_played_at', type: 'time' },
    ],
  })
  /** Goes with the library: a changed one is another one. */
  const arranged = new WeakMap<Library, Arranged>()

  return {
    games: async ({ params, user }) => {
      const person = await personOf(params.steamId)
      const mayShow = await visibility(deps, user, [person])
      if (!mayShow(person)) return { games: [], status: 'hidden' as const, synced_at: null }
      // What was stored while the library was readable stays its owner's to see; to others 'private' means private.
      const shown = person && (person.library_status === 'ok' || params.steamId === user)
      const library = shown ? await readCache.wholeLibrary(person) : undefined
      const rest = JSON.stringify({
        status: person?.library_status ?? 'never',
        synced_at: isoTime(person?.library_synced_at),
      })
      const around = { before: '{"games":', after: `,${rest.slice(1)}` }
      return new RawJson(await listText(library ?? NO_GAMES, around))
    },

    fetchGames: async ({ params, user }) => {
      const visible = await visibleLibraries(deps, user, [params.steamId])
      if (!visible.has(params.steamId)) throw libraryHidden()
      return sync.syncGames(user, params.steamId)
    },

    summary: async ({ params }) => {
      const person = await personOf(params.steamId)
      return {
        steam_id: params.steamId,
        display_name: person?.display_name ?? null,
        avatar_url: person?.avatar_url ?? null,
      }
    },

    totalPlaytime: async ({ params }) => ({
      total_playtime_minutes: (await personOf(params.steamId))?.total_minutes ?? 0,
    }),

    gamePlaytime: async ({ params }) => {
      const person = await personOf(params.steamId)
      if (person) await readCache.loadLibraries([person])
      const index = person?.library ? indexOfGame(person.library, params.gameId) : -1
      const owned = index !== -1
      await catalogue.ensure([params.gameId])
      return {
        playtime_minutes: owned ? person!.library!.minutes[index]! : 0,
        game_name: owned ? catalogue.details(params.gameId).name : (catalogue.knownName(params.gameId) ?? ''),
      }
    },
  } satisfies Handlers<typeof libraryContract>

  async function personOf(steamId: string) {
    return (await readCache.people([steamId]))[0]
  }

  /** Most played first, then by name (API-5). */
  async function arrange(library: Library): Promise<Arranged> {
    const version = catalogue.version()
    const known = arranged.get(library)
    if (known?.version === version) return known
    const found = await catalogue.games(library.appids)
    const order = orderByPlaytime(library)
    const ranks = found.map(({ nameRank }) => nameRank.value)
    sortTies(order, library.minutes, (a, b) => ranks[a]! - ranks[b]!)
    const now = { version, order, list: writer.list(order.map((index) => found[index]!)) }
    arranged.set(library, now)
    return now
  }

  async function listText(library: Library, around: { before: string; after: string }): Promise<Buffer> {
    const { minutes, recentMinutes, lastPlayed } = library
    const { order, list } = await arrange(library)
    const fill = (row: number, values: Float64Array) => {
      const index = order[row]!
      values[0] = minutes[index]!
      values[1] = recentMinutes[index]!
      values[2] = lastPlayed[index]!
    }
    return writer.write(list, fill, around)
  }
}

const NO_GAMES = blankLibrary(0)

/** Sorts games of equal minutes, which stand together already; only their names need to be compared. */
function sortTies(order: number[], minutes: Uint32Array, compare: (a: number, b: number) => number): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && minutes[order[to]!] === minutes[order[from]!]) to++
    if (to - from === 1) continue
    const tied = order.slice(from, to).sort(compare)
    for (let place = from; place < to; place++) order[place] = tied[place - from]!
  }
}

/** A stored time as the contract writes it. */
export function isoTime(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString()
}
