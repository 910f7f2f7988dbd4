/** Minutes a player played in each of the last months (SYNC-22). */
import type { SteamId } from '#shared/entities.ts'
import type { PlaytimeHistory } from '#shared/contract/library.ts'
import { PLAYTIME_HISTORY_GAMES, PLAYTIME_HISTORY_MONTHS } from '#shared/limits.ts'
import { summaryOf } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { blankLibrary, orderByPlaytime, totalMinutes } from '../library/library.ts'
import { monthAfter, monthOf, monthText } from '../library/months.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibrary } from '../storage/libraries.ts'
import { findPlayer } from '../storage/players.ts'
import { readPlaytimeMonths } from '../storage/playtime-months.ts'
import { isoTime } from '../time.ts'

/** The history of a player: from the first month with a gain to the current one. */
export async function playtimeHistory(
  { database: { queries }, catalogue, clock }: Pick<Deps, 'database' | 'catalogue' | 'clock'>,
  steamId: SteamId,
): Promise<PlaytimeHistory> {
  const now = monthOf(clock())
  const [player, library, rows] = await Promise.all([
    findPlayer(queries, steamId),
    readLibrary(queries, steamId),
    readPlaytimeMonths(queries, steamId, monthAfter(now, 1 - PLAYTIME_HISTORY_MONTHS)),
  ])
  const gains = new Map(rows.map(({ month, packed }) => [month, unpackLibrary(packed)]))
  const listed: number[] = []
  // After a clock was set back there may be a row of a later month.
  const last = Math.max(now, rows.at(-1)?.month ?? now)
  for (let month = rows[0]?.month ?? Infinity; month <= last; month = monthAfter(month)) listed.push(month)
  const months = listed.map((month) => {
    const gained = gains.get(month) ?? blankLibrary(0)
    const games = orderByPlaytime(gained)
      .slice(0, PLAYTIME_HISTORY_GAMES)
      .map((index) => ({ appid: gained.appids[index]!, minutes: gained.minutes[index]! }))
    return { month: monthText(month), minutes: totalMinutes(gained), games }
  })
  const detailsOf = await catalogue.detailsOf(months.flatMap(({ games }) => games.map((game) => game.appid)))
  return {
    months: months.map((month) => ({
      ...month,
      games: month.games.map(({ appid, minutes }) => ({ ...summaryOf(detailsOf(appid)), minutes })),
    })),
    // The library stored last is what the next sync is compared with.
    since: player?.signed_in_at ? isoTime(library?.tracked_since ?? library?.synced_at) : null,
  }
}
