/** Minutes played by calendar month (UTC), from the differences between syncs (SYNC-22). Pure functions only. */
import { LATELY_GOT_MAX } from '#shared/limits.ts'
import {
  findGame,
  gamesIn,
  type Library,
  libraryFrom,
  type OwnedGame,
  totalMinutes,
  withoutGames,
} from './library.ts'

/** A calendar month: 202611 for November 2026. */
export type Month = number

/** The month of a time in milliseconds since 1970. */
export function monthOf(time: number): Month {
  const date = new Date(time)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** The month `count` months later, or earlier when it is negative. */
export function monthAfter(month: Month, count = 1): Month {
  return monthOf(Date.UTC(Math.floor(month / 100), (month % 100) - 1 + count))
}

/** A month as the contract writes it: '2026-11'. */
export function monthText(month: Month): string {
  return `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
}

/** A library and when it was synced, in milliseconds since 1970. */
export type SyncedLibrary = { library: Library; at: number }

/** Steam may count a session only when it ends, so minutes from before the earlier sync may come later. */
const COUNTED_WITHIN_MS = 24 * 60 * 60_000
/** In seconds. */
const YEAR = 365 * 86_400

/**
 * The minutes that a game gained between two syncs. None when they were played before the earlier one: there are more
 * of them than time has passed, or the game was last played before, a known one more than a day before. Games come with
 * old minutes when they were private or missing for a while, or were bought after they had been borrowed, and when Steam
 * adds minutes that were played offline.
 */
function minutesGained(known: OwnedGame | undefined, game: OwnedGame, from: number, to: number): number {
  const minutes = game.minutes - (known?.minutes ?? 0)
  const lastPlayed = game.lastPlayed * 1000
  const isOlder = lastPlayed > 0 && lastPlayed <= from - (known ? COUNTED_WITHIN_MS : 0)
  if (isOlder || minutes * 60_000 > to - from + COUNTED_WITHIN_MS) return 0
  return Math.max(0, minutes)
}

/**
 * The minutes that each game gained between two syncs ({@link minutesGained}), by month: the month in which the game
 * was last played if that was between the syncs, else the month of the later sync. Nothing is gained when the earlier
 * library had no minutes, because its owner's playtimes may have been private (PLAT-14).
 */
export function gainsByMonth(before: SyncedLibrary, after: SyncedLibrary): Map<Month, Library> {
  if (totalMinutes(before.library) === 0) return new Map()
  const gains = [...gamesIn(after.library)].flatMap((game) => {
    const minutes = minutesGained(findGame(before.library, game.appid), game, before.at, after.at)
    if (minutes === 0) return []
    return [{ month: monthOf(timeOfGain(before, after, game.lastPlayed)), gain: gainOf(game.appid, minutes) }]
  })
  const byMonth = Map.groupBy(gains, ({ month }) => month)
  return new Map([...byMonth].map(([month, found]) => [month, libraryFrom(found.map(({ gain }) => gain))]))
}

/** A game that is new, played for the first time, or again after a year. */
export type News = { appid: number; minutes: number; kind: 'got' | 'started' | 'again' }

/**
 * What others may hear of a sync. Of games that their owner hides it has when they were started: they may be shown again
 * (VIS-8). None is started or played again when the library had no minutes before, because its owner's playtimes may have
 * been private (PLAT-14). None is new when there was none before, or when more are than somebody buys: then the library, or
 * part of it, could not be seen.
 */
export function newsBetween(
  before: SyncedLibrary | undefined,
  after: SyncedLibrary,
  hidden: readonly number[],
): News[] {
  if (!before) return []
  const shown = withoutGames(before.library, hidden)
  const isHidden = new Set(hidden)
  const [got, played]: [News[], News[]] = [[], []]
  for (const game of gamesIn(after.library)) {
    const { appid, minutes, lastPlayed } = game
    const known = findGame(before.library, appid)
    if (!known && !isHidden.has(appid)) got.push({ appid, minutes, kind: 'got' })
    if (minutesGained(known, game, before.at, after.at) === 0) continue
    if (!known?.minutes) played.push({ appid, minutes, kind: 'started' })
    const last = known?.lastPlayed ?? 0
    if (last > 0 && lastPlayed - last >= YEAR && !isHidden.has(appid))
      played.push({ appid, minutes, kind: 'again' })
  }
  return [
    ...(totalMinutes(shown) === 0 ? [] : played),
    ...(shown.length === 0 || got.length > LATELY_GOT_MAX ? [] : got),
  ]
}

/** When minutes were gained: when the game was last played if that was between the syncs, else the later sync. */
function timeOfGain(before: SyncedLibrary, after: SyncedLibrary, lastPlayed: number): number {
  const playedAt = lastPlayed * 1000
  return playedAt > before.at && playedAt <= after.at ? playedAt : after.at
}

/** The games of both, with the sum of their minutes. */
export function addMinutes(a: Library, b: Library): Library {
  const sums = new Map<number, number>()
  for (const library of [a, b])
    for (const { appid, minutes } of gamesIn(library)) sums.set(appid, (sums.get(appid) ?? 0) + minutes)
  return libraryFrom([...sums].map(([appid, minutes]) => gainOf(appid, minutes)))
}

function gainOf(appid: number, minutes: number) {
  return { appid, minutes, recentMinutes: 0, lastPlayed: 0 }
}
