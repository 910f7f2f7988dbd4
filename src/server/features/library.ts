/** Games and playtime of one person (SPEC.md section 7, CONTRACT.md 'Calls'). */
import type { Game } from '#shared/entities.ts'
import type { libraryContract } from '#shared/contract/library.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Handlers } from '../http/handlers.ts'
import { findGame, orderByPlaytime, type Library } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibrary } from '../storage/libraries.ts'
import { findPerson } from '../storage/people.ts'
import { visibleLibraries } from './access.ts'

/** Handlers of games and playtime. */
export function libraryHandlers({ database, sync, catalogue }: Deps) {
  const { queries } = database

  return {
    games: async ({ params, user }) => {
      const visible = await visibleLibraries(queries, user, [params.steamId])
      if (!visible.has(params.steamId)) return { games: [], status: 'hidden', synced_at: null }
      const row = await readLibrary(queries, params.steamId)
      const library = row?.packed ? unpackLibrary(row.packed) : undefined
      // What was stored while the library was readable stays its owner's to see; to others 'private' means private.
      const shown = library && (row?.status === 'ok' || params.steamId === user) ? library : undefined
      return {
        games: shown ? await gamesOf(shown) : [],
        status: row?.status ?? 'never',
        synced_at: isoTime(row?.synced_at),
      }
    },

    fetchGames: async ({ params, user }) => {
      const visible = await visibleLibraries(queries, user, [params.steamId])
      if (!visible.has(params.steamId))
        throw new AppError('forbidden', { text: 'This player does not show their library here.' })
      return sync.syncGames(user, params.steamId)
    },

    summary: async ({ params }) => {
      const person = await findPerson(queries, params.steamId)
      return {
        steam_id: params.steamId,
        display_name: person?.display_name ?? null,
        avatar_url: person?.avatar_url ?? null,
      }
    },

    totalPlaytime: async ({ params }) => {
      const row = await readLibrary(queries, params.steamId)
      return { total_playtime_minutes: row?.total_minutes ?? 0 }
    },

    gamePlaytime: async ({ params }) => {
      const row = await readLibrary(queries, params.steamId)
      const owned = row?.packed ? findGame(unpackLibrary(row.packed), params.gameId) : undefined
      await catalogue.ensure([params.gameId])
      return {
        playtime_minutes: owned?.minutes ?? 0,
        game_name: owned ? catalogue.face(params.gameId).name : (catalogue.knownName(params.gameId) ?? ''),
      }
    },
  } satisfies Handlers<typeof libraryContract>

  /** Most played first, then by name (CONTRACT.md 'Calls'). */
  async function gamesOf(library: Library): Promise<Game[]> {
    await catalogue.ensure(library.appids)
    const games = Array.from(orderByPlaytime(library), (index): Game => {
      const appid = library.appids[index]!
      const lastPlayed = library.lastPlayed[index]!
      return {
        ...catalogue.face(appid),
        id: appid,
        playtime_minutes: library.minutes[index]!,
        playtime_2weeks_minutes: library.recentMinutes[index]!,
        last_played_at: lastPlayed === 0 ? null : new Date(lastPlayed * 1000).toISOString(),
      }
    })
    return games.sort((a, b) => b.playtime_minutes - a.playtime_minutes || byName(a, b))
  }
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function byName(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name)
}

/** A stored time as the contract writes it. */
export function isoTime(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString()
}
