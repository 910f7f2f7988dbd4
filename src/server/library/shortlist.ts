/** The shortlist of a game night: which games it has and in which order (NIGHT-20 to NIGHT-23). Pure functions only. */
import type { GameFeature, GameKind, PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { SHORTLIST_MAX } from '#shared/limits.ts'
import { isPlayableTogether, isSinglePlayerOnly } from '#shared/playable.ts'
import type { SharedMinutes } from './algebra.ts'
import type { Library } from './library.ts'
import { monthAfter, monthOf, monthText, type SyncedLibrary } from './months.ts'

const DAY_MS = 24 * 60 * 60_000
const WEEK_MS = 7 * DAY_MS
/** How far back 'played recently' looks. */
const RECENT_DAYS = 30
/** The platform's recent minutes are those of the two weeks before a sync. */
const RECENT_MINUTES_DAYS = 14
/** A month is named without its year, so the same month a year ago may not count. */
const TOGETHER_MONTHS = 11

/** What the rules need of a game of the catalogue (`ListedGame` in catalogue/catalogue.ts). */
export type CatalogueGame = {
  readonly details: {
    modes: readonly PlayMode[]
    features: readonly GameFeature[]
    kind: GameKind | null
  }
  readonly nameRank: { readonly value: number }
}

export type ShortlistInput = {
  /** How many people are in, those without a known library included. */
  people: number
  /** Libraries of those of them that are known, without hidden games, with the times of their syncs. */
  libraries: readonly SyncedLibrary[]
  /** `sharedGamesInSteps` of these libraries, in any order. */
  shared: readonly SharedMinutes[]
  /** The games of `shared` from the catalogue, in the same order. */
  games: readonly CatalogueGame[]
  /** When the group last picked each game, in milliseconds since 1970; empty for a night without a group. */
  pickedAt: ReadonlyMap<number, number>
  /** When they last played each game together after a pick. */
  playedTogetherAt: ReadonlyMap<number, number>
  now: number
}

export type ShortlistEntry = {
  appid: number
  facts: GameFacts
  score: number
  /** False when the store does not say how it is played; such games come after all others. */
  modesKnown: boolean
}

/**
 * The shortlist: games that all own and can play together, best first, at most {@link SHORTLIST_MAX} (NIGHT-20);
 * `total` counts all of them. Yields regularly; takes time linear in the number of games of all libraries.
 */
export function* shortlistInSteps(
  input: ShortlistInput,
): Generator<void, { entries: ShortlistEntry[]; total: number }> {
  const candidates = input.shared
    .map((game, at) => ({ ...game, ...input.games[at]! }))
    .filter(({ details }) => mayBePlayedTogether(details))
    .sort((a, b) => a.appid - b.appid)
  const recent = new Uint32Array(candidates.length)
  for (const { library, at } of input.libraries) {
    addRecentPlayers(recent, candidates, library, at, input.now)
    yield
  }
  const hasPlaytimes = input.libraries.map(({ library }) => library.minutes.some((minutes) => minutes > 0))
  const lastPick = Math.max(...input.pickedAt.values())
  const ranked = candidates.map(({ appid, total, minutes, details, nameRank }, at) => {
    const pickedAt = input.pickedAt.get(appid)
    const facts: GameFacts = {
      people: input.people,
      known: input.libraries.length,
      owners: minutes.length,
      played_recently: recent[at]!,
      never_played: minutes.filter((value, nth) => value === 0 && hasPlaytimes[nth]).length,
      played: minutes.filter((value) => value > 0).length,
      picked_weeks_ago:
        pickedAt === undefined ? null : Math.max(0, Math.floor((input.now - pickedAt) / WEEK_MS)),
      picked_last: pickedAt === lastPick,
      played_together: monthPlayedTogether(input.playedTogetherAt.get(appid), input.now),
    }
    const modesKnown = details.modes.length > 0
    return { appid, facts, score: rankOf(facts, details.modes), modesKnown, total, name: nameRank.value }
  })
  ranked.sort(
    (a, b) =>
      Number(b.modesKnown) - Number(a.modesKnown) ||
      b.score - a.score ||
      b.total - a.total ||
      a.name - b.name ||
      a.appid - b.appid,
  )
  const entries = ranked
    .slice(0, SHORTLIST_MAX)
    .map(({ appid, facts, score, modesKnown }) => ({ appid, facts, score, modesKnown }))
  return { entries, total: ranked.length }
}

/** Games for several players, and those of which the store does not say how they are played (NIGHT-20). */
function mayBePlayedTogether({ modes, kind }: CatalogueGame['details']): boolean {
  if (isSinglePlayerOnly({ modes })) return false
  return kind === null || kind === 'game' || kind === 'mod' || kind === 'beta' || kind === 'demo'
}

/** The score of a game: a sum of small whole numbers (NIGHT-22). */
export function rankOf(facts: GameFacts, modes: readonly PlayMode[]): number {
  return (
    (modes.includes('online') ? 3 : isPlayableTogether({ modes }) ? 1 : 0) +
    Math.min(6, 2 * facts.played_recently) +
    (facts.played > 0 && facts.never_played > 0 ? 2 : 0) +
    (facts.picked_last ? -4 : Math.min(4, facts.picked_weeks_ago ?? 4)) +
    (facts.played_together === null ? 0 : 2)
  )
}

/** Counts in `recent` who played each game in the last 30 days; `games` are by appid. */
function addRecentPlayers(
  recent: Uint32Array,
  games: readonly { appid: number }[],
  library: Library,
  syncedAt: number,
  now: number,
): void {
  const since = now - RECENT_DAYS * DAY_MS
  // Recent minutes of an older sync may be from before.
  const countsMinutes = syncedAt - RECENT_MINUTES_DAYS * DAY_MS >= since
  let cursor = 0
  for (const [at, { appid }] of games.entries()) {
    while (cursor < library.length && library.appids[cursor]! < appid) cursor++
    if (library.appids[cursor] !== appid) continue
    const isRecent =
      library.lastPlayed[cursor]! * 1000 >= since || (countsMinutes && library.recentMinutes[cursor]! > 0)
    if (isRecent) recent[at]! += 1
  }
}

function monthPlayedTogether(at: number | undefined, now: number): string | null {
  if (at === undefined || monthOf(at) < monthAfter(monthOf(now), -TOGETHER_MONTHS)) return null
  return monthText(monthOf(at))
}
