/** The shortlist of a game night: which games it has and in which order (NIGHT-20 to NIGHT-23). Pure functions only. */
import type { FilterableGame, PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { REST_WEEKS, SHORTLIST_MAX } from '#shared/limits.ts'
import { compareNames } from '#shared/names.ts'
import {
  isAddedGame,
  isPlayableTogether,
  isSinglePlayerOnly,
  isTooSmall,
  mayBeGame,
} from '#shared/playable.ts'
import type { SyncedLibrary } from './months.ts'
import { mapInSlices } from './slices.ts'

const DAY_MS = 24 * 60 * 60_000
const WEEK_MS = 7 * DAY_MS
/** How far back 'played recently' looks (NIGHT-26). */
const RECENT_DAYS = 30
/** Steam's recent minutes cover the two weeks before a sync. */
const RECENT_MINUTES_DAYS = 14
/** Who has played this long has seen more than the start. */
const EXPERIENCED_MINUTES = 120

/** What the rules need of a game of the catalogue (`ListedGame` in catalogue/catalogue.ts). */
export type CatalogueGame = {
  readonly details: Pick<FilterableGame, 'appid' | 'name' | 'modes' | 'features' | 'kind' | 'players_max'> & {
    readonly is_free?: boolean | null
  }
}

export type ShortlistInput = {
  /** How many people the list is for, those without a known library included. */
  players: number
  /** Their known libraries, without hidden games, with the times of their syncs. */
  libraries: readonly SyncedLibrary[]
  /** Games that players without a known library own elsewhere, of each of them. */
  elsewhere: readonly Pick<ReadonlySet<number>, 'has'>[]
  /** Common games of the libraries that decide, and free near misses, by ascending appid; the others may lack them. */
  games: readonly CatalogueGame[]
  /** Games that are listed after the best, too (NIGHT-124). */
  marked: ReadonlySet<number>
  /**
   * When the group last picked each game, in milliseconds since 1970; without the night's own pick, and empty for a
   * night without a group.
   */
  pickedAt: ReadonlyMap<number, number>
  now: number
}

export type ShortlistEntry = {
  appid: number
  facts: GameFacts
  /** Those of the libraries that lack it, by their index. */
  lacking: readonly number[]
  /** It is known to be for fewer people than the list is for; such games come last, and are not picked (NIGHT-128). */
  tooSmall: boolean
  /** False when the store does not say how it is played; such games come after all others. */
  modesKnown: boolean
  /** How many lack it; nobody lacks a free one. */
  missing: number
  /** How many players without a known library own it elsewhere. */
  claimed: number
  score: number
  /** Minutes of all together. */
  total: number
  name: string
}

export type Shortlist = {
  /** The best {@link SHORTLIST_MAX}, best first. */
  best: ShortlistEntry[]
  /** Those of the others that were marked, best first. */
  marked: ShortlistEntry[]
}

/**
 * The games that can be played together, best first (NIGHT-20, NIGHT-23, NIGHT-128, NIGHT-134). One pass over all games, in
 * slices, which keeps the best and sorts nothing else.
 */
export async function rankShortlist(input: ShortlistInput): Promise<Shortlist> {
  const entryOf = entriesOf(input)
  const best: ShortlistEntry[] = []
  const marked: ShortlistEntry[] = []
  await mapInSlices(input.games, ({ details }) => {
    if (!mayBePlayedTogether(details)) return
    const entry = entryOf(details)
    // Nearly all fall short of the last one.
    best.splice(best.findLastIndex((other) => bestFirst(other, entry) < 0) + 1, 0, entry)
    const left = best.length > SHORTLIST_MAX ? best.pop() : undefined
    if (left && input.marked.has(left.appid)) marked.push(left)
  })
  return { best, marked: marked.sort(bestFirst) }
}

/** Makes entries of games, which must come by ascending appid. */
function entriesOf(input: ShortlistInput): (details: CatalogueGame['details']) => ShortlistEntry {
  const { libraries, elsewhere, pickedAt, now } = input
  const lastPick = Math.max(...pickedAt.values())
  const since = now - RECENT_DAYS * DAY_MS
  const owners = libraries.map(({ library, at }) => ({
    library,
    cursor: 0,
    // Recent minutes of an older sync may be from before.
    hasFreshMinutes: at - RECENT_MINUTES_DAYS * DAY_MS >= since,
    // Steam sends 0 for everything when somebody keeps their playtimes private.
    hasPlaytimes: library.minutes.some((value) => value > 0),
  }))
  return (details) => {
    const { appid } = details
    const lacking: number[] = []
    let [total, played_recently, experienced, played, never_played] = [0, 0, 0, 0, 0]
    for (let nth = 0; nth < owners.length; nth++) {
      const owner = owners[nth]!
      const { appids, minutes, recentMinutes, lastPlayed } = owner.library
      while (appids[owner.cursor]! < appid) owner.cursor++
      const { cursor } = owner
      if (appids[cursor] !== appid) {
        if (!isAddedGame(appid)) lacking.push(nth)
        continue
      }
      const lastPlayedAt = lastPlayed[cursor]! * 1000
      total += minutes[cursor]!
      if (lastPlayedAt >= since || (owner.hasFreshMinutes && recentMinutes[cursor]! > 0)) played_recently++
      if (minutes[cursor]! >= EXPERIENCED_MINUTES) experienced++
      if (minutes[cursor]! > 0 || lastPlayedAt > 0) played++
      else if (owner.hasPlaytimes) never_played++
    }
    const picked = pickedAt.get(appid)
    const claimed = elsewhere.filter((games) => games.has(appid)).length
    const facts: GameFacts = {
      people: input.players,
      known: libraries.length + claimed,
      owners: libraries.length - lacking.length + claimed,
      played_recently,
      experienced,
      played,
      never_played,
      picked_weeks_ago: picked === undefined ? null : Math.max(0, Math.floor((now - picked) / WEEK_MS)),
      picked_last: picked === lastPick,
    }
    return {
      appid,
      facts,
      lacking,
      tooSmall: isTooSmall(details, input.players),
      modesKnown: details.modes.length > 0,
      missing: details.is_free === true ? 0 : lacking.length,
      claimed,
      score: rankOf(facts, details.modes),
      total,
      name: details.name,
    }
  }
}

function bestFirst(a: ShortlistEntry, b: ShortlistEntry): number {
  return (
    Number(a.tooSmall) - Number(b.tooSmall) ||
    Number(b.modesKnown) - Number(a.modesKnown) ||
    a.missing - b.missing ||
    b.claimed - a.claimed ||
    b.score - a.score ||
    b.total - a.total ||
    compareNames(a.name, b.name) ||
    a.appid - b.appid
  )
}

/** Games for several players, or that may be, because the store does not say (NIGHT-20). */
export function mayBePlayedTogether(details: CatalogueGame['details']): boolean {
  return mayBeGame(details) && !isSinglePlayerOnly(details)
}

/**
 * The score of a game, by which a shortlist is ordered: a sum of small whole numbers (NIGHT-22).
 *
 * | what                                                                  | points                |
 * |-----------------------------------------------------------------------|-----------------------|
 * | it is played online; with others, not said how; only in one room      | 3; 2; 1               |
 * | players who played it in the last 30 days                             | 2 for each, at most 6 |
 * | players who have played it for two hours or more                      | 1 for each, at most 3 |
 * | it is new to some, and others have played it for two hours or more    | 1                     |
 * | weeks since the group picked it; 4 if it never did                    | 1 for each, at most 4 |
 * | it is what the group picked last, in place of the weeks               | -4                    |
 */
export function rankOf(facts: GameFacts, modes: readonly PlayMode[]): number {
  return (
    wayToPlay(modes) +
    Math.min(6, 2 * facts.played_recently) +
    Math.min(3, facts.experienced) +
    (facts.never_played > 0 && facts.experienced > 0 ? 1 : 0) +
    (facts.picked_last ? -REST_WEEKS : weeksOff(facts))
  )
}

/** Weeks since the group picked a game; 4 for more, or if it never did. */
export function weeksOff({ picked_weeks_ago }: Pick<GameFacts, 'picked_weeks_ago'>): number {
  return Math.min(REST_WEEKS, picked_weeks_ago ?? REST_WEEKS)
}

/** Friends of a game night are mostly in different places. */
function wayToPlay(modes: readonly PlayMode[]): number {
  if (modes.includes('online')) return 3
  if (!isPlayableTogether({ modes })) return 0
  return modes.includes('local') ? 1 : 2
}
