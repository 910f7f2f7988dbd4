/** One player's games and playtime (API-5 to API-11). */
import type { libraryContract, PlaytimeHistory } from '#shared/contract/library.ts'
import { compareNames } from '#shared/names.ts'
import { isAddedGame } from '#shared/playable.ts'
import type { Game, SteamId } from '#shared/entities.ts'
import { gamesOf } from '../../cache/read-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import {
  blankLibrary,
  gamesIn,
  hiddenAppids,
  indexOfGame,
  type Library,
  totalMinutes,
  withoutGames,
} from '../../library/library.ts'
import { mapInSlices, sortInSlices } from '../../library/slices.ts'
import { libraryHidden } from '../../sync/engine.ts'
import { isoTime } from '../../time.ts'
import { profileOf, visibleLibrariesOf } from './visible-libraries.ts'
import { gameListMax, PLAYTIME_HISTORY_GAMES, PLAYTIME_HISTORY_MONTHS } from '#shared/limits.ts'
import { filterableSummary, summaryOf } from '../../catalogue/catalogue.ts'
import { monthAfter, monthOf, monthText } from '../../library/months.ts'
import { unpackLibrary } from '../../library/packed.ts'
import { readLibrary, readPlaytimeMonths } from '../../storage/players/libraries.ts'
import { findPlayer } from '../../storage/players/players.ts'
import type { comparisonContract } from '#shared/contract/comparison.ts'
import { sharedGames } from '../../library/algebra.ts'

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
        game_name:
          index !== -1 ? game!.details.name : isAddedGame(params.gameId) ? '' : (game!.row?.name ?? ''),
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
    const order = await sortInSlices(
      [...library.appids.keys()],
      (a, b) => minutes[b]! - minutes[a]! || compareNames(games[a]!.details.name, games[b]!.details.name),
    )
    return mapInSlices(order, (index) => {
      const { appid, name, image_url, icon_url, modes, features, kind } = games[index]!.details
      return {
        appid,
        id: appid,
        name,
        image_url,
        icon_url,
        modes,
        features,
        kind,
        playtime_minutes: minutes[index]!,
        playtime_2weeks_minutes: recentMinutes[index]!,
        last_played_at: isoTime(lastPlayed[index]! * 1000 || null),
      }
    })
  }
}

const NO_GAMES = blankLibrary(0)

/**
 * The minutes that a player's games gained, by month, oldest first. Others see nothing of games that the player hides, and
 * nothing at all while the library is private.
 */
export async function readGains(
  { database: { queries }, clock }: Pick<Deps, 'database' | 'clock'>,
  steamId: SteamId,
  viewer: 'owner' | 'others' = 'owner',
) {
  const oldest = monthAfter(monthOf(clock()), 1 - PLAYTIME_HISTORY_MONTHS)
  const [player, stored, rows] = await Promise.all([
    findPlayer(queries, steamId),
    readLibrary(queries, steamId),
    readPlaytimeMonths(queries, steamId, oldest),
  ])
  const library = viewer === 'owner' || stored?.status === 'ok' ? stored : undefined
  const hidden = viewer === 'owner' ? [] : hiddenAppids(player?.hidden_appids)
  const unpacked = (packed: Uint8Array) => withoutGames(unpackLibrary(packed), hidden)
  // The library stored last is what the next sync is compared with.
  const since = (player?.signed_in_at && (library?.tracked_since ?? library?.synced_at)) || null
  return {
    since: isoTime(since),
    /** The first month that is known. */
    known: since === null ? Infinity : Math.max(oldest, monthOf(since)),
    library: library?.packed ? unpacked(library.packed) : NO_GAMES,
    hidden,
    gains: new Map(library ? rows.map(({ month, packed }) => [month, unpacked(packed)]) : []),
  }
}

/** The history of a player: from the first month with a gain to the current one. */
export async function playtimeHistory(
  deps: Pick<Deps, 'database' | 'catalogue' | 'clock'>,
  steamId: SteamId,
): Promise<PlaytimeHistory> {
  const { gains, since } = await readGains(deps, steamId)
  const known = [...gains.keys()]
  const listed: number[] = []
  // After a clock was set back there may be a row of a later month.
  const last = Math.max(monthOf(deps.clock()), ...known)
  for (let month = known[0] ?? Infinity; month <= last; month = monthAfter(month)) listed.push(month)
  const months = listed.map((month) => {
    const gained = gains.get(month) ?? NO_GAMES
    const games = [...gamesIn(gained)]
      .sort((a, b) => b.minutes - a.minutes || a.appid - b.appid)
      .slice(0, PLAYTIME_HISTORY_GAMES)
    return { month: monthText(month), minutes: totalMinutes(gained), games }
  })
  const detailsOf = await deps.catalogue.detailsOf(
    months.flatMap(({ games }) => games.map((game) => game.appid)),
  )
  return {
    months: months.map((month) => ({
      ...month,
      games: month.games.map(({ appid, minutes }) => ({ ...summaryOf(detailsOf(appid)), minutes })),
    })),
    since,
  }
}

/** Handlers of the comparison; it is empty when either library is unknown, private or hidden. */
export function comparisonHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>) {
  const { catalogue } = deps
  return {
    compare: async ({ user, found: { me, friend, mayShow } }) => {
      const [mine, theirs] = visibleLibrariesOf(user, [me, friend], mayShow)
      if (!mine || !theirs) return []
      const common = (await sharedGames([mine.library, theirs.library])).slice(0, gameListMax(2))
      const games = await catalogue.games(common.map((entry) => entry.appid))
      return mapInSlices(common, ({ minutes: [user_playtime, friend_playtime] }, row) => ({
        ...filterableSummary(games[row]!.details),
        user_playtime: user_playtime!,
        friend_playtime: friend_playtime!,
      }))
    },
  } satisfies Handlers<typeof comparisonContract>
}
