/** The shortlist of a game night: which games it has and in which order (NIGHT-20 to NIGHT-23). Pure functions only. */
import type { FilterableGame, PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { REST_WEEKS, SHORTLIST_MAX } from '#shared/limits.ts'
import { compareNames } from '#shared/names.ts'
import { isPlayableTogether, isSinglePlayerOnly, isTooSmall } from '#shared/playable.ts'
import type { SharedMinutes } from './algebra.ts'
import { monthAfter, monthOf, monthText, type SyncedLibrary } from './months.ts'

const DAY_MS = 24 * 60 * 60_000
const WEEK_MS = 7 * DAY_MS
/** How far back 'played recently' looks (NIGHT-26). */
const RECENT_DAYS = 30
/** Steam's recent minutes cover the two weeks before a sync. */
const RECENT_MINUTES_DAYS = 14
/** Who played for that long has seen more than the start. */
const EXPERIENCED_MINUTES = 120
/** A month is named without its year, so the same month a year ago may not count (NIGHT-37). */
const TOGETHER_MONTHS = 11

/** What the rules need of a game of the catalogue (`ListedGame` in catalogue/catalogue.ts). */
export type CatalogueGame = {
  readonly details: Pick<FilterableGame, 'name' | 'modes' | 'features' | 'kind' | 'players_max'>
}

export type ShortlistInput = {
  /** How many people the list is for, those without a known library included. */
  players: number
  /** Whether games that are known to be for fewer people stand among the others (NIGHT-129). */
  anySize: boolean
  /** Their known libraries, without hidden games, with the times of their syncs. */
  libraries: readonly SyncedLibrary[]
  /** Games that players without a known library say they own, of each of them. */
  claims: readonly ReadonlySet<number>[]
  /** `sharedGamesInSteps` of some of these libraries, in any order; the others may lack games of it. */
  shared: readonly Pick<SharedMinutes, 'appid'>[]
  /** The games of `shared` from the catalogue, in the same order. */
  games: readonly CatalogueGame[]
  /**
   * When the group last picked each game, in milliseconds since 1970; without the night's own pick, and empty for a
   * night without a group.
   */
  pickedAt: ReadonlyMap<number, number>
  /** When they last played each game together after a pick. */
  playedTogetherAt: ReadonlyMap<number, number>
  now: number
}

export type ShortlistEntry = {
  appid: number
  facts: GameFacts
  score: number
  /** Those of the libraries that lack it, by their index. */
  lacking: readonly number[]
  /** False when the store does not say how it is played; such games come after all others. */
  modesKnown: boolean
  /** It is known to be for fewer people than the list is for; such games come last, and are not picked (NIGHT-128). */
  tooSmall: boolean
}

/**
 * The games that can be played together, best first: those that are for enough people, those that fewest lack and most
 * of the others say they own, and of these the highest score (NIGHT-20, NIGHT-23, NIGHT-128, NIGHT-135). Yields
 * regularly; takes time linear in the number of games of all libraries.
 */
export function* shortlistInSteps(input: ShortlistInput): Generator<void, ShortlistEntry[]> {
  const candidates = input.shared
    .map(({ appid }, at) => ({
      appid,
      total: 0,
      lacking: new Array<number>(),
      ...input.games[at]!,
      players: noPlayers(),
    }))
    .filter(({ details }) => mayBePlayedTogether(details))
    .sort((a, b) => a.appid - b.appid)
  for (const [nth, synced] of input.libraries.entries()) {
    countPlayer(candidates, { ...synced, nth }, input.now)
    yield
  }
  const lastPick = Math.max(...input.pickedAt.values())
  const ranked = candidates.map(({ appid, total, lacking, players, details }) => {
    const pickedAt = input.pickedAt.get(appid)
    const claimed = input.claims.filter((appids) => appids.has(appid)).length
    const facts: GameFacts = {
      people: input.players,
      known: input.libraries.length + claimed,
      owners: input.libraries.length - lacking.length + claimed,
      ...players,
      picked_weeks_ago:
        pickedAt === undefined ? null : Math.max(0, Math.floor((input.now - pickedAt) / WEEK_MS)),
      picked_last: pickedAt === lastPick,
      played_together: monthPlayedTogether(input.playedTogetherAt.get(appid), input.now),
    }
    const modesKnown = details.modes.length > 0
    const tooSmall = !input.anySize && isTooSmall(details, input.players)
    const score = rankOf(facts, details.modes)
    return { appid, facts, score, lacking, claimed, modesKnown, tooSmall, total, name: details.name }
  })
  ranked.sort(
    (a, b) =>
      Number(a.tooSmall) - Number(b.tooSmall) ||
      Number(b.modesKnown) - Number(a.modesKnown) ||
      a.lacking.length - b.lacking.length ||
      b.claimed - a.claimed ||
      b.score - a.score ||
      b.total - a.total ||
      // The sort is stable, and candidates are by appid.
      compareNames(a.name, b.name),
  )
  return ranked.map(({ appid, facts, score, lacking, modesKnown, tooSmall }) => ({
    appid,
    facts,
    score,
    lacking,
    modesKnown,
    tooSmall,
  }))
}

/** Those of ranked games that are listed: the best {@link SHORTLIST_MAX}, and others that were `marked` (NIGHT-124). */
export function listedOf(
  ranked: readonly ShortlistEntry[],
  marked: ReadonlySet<number> = new Set(),
): ShortlistEntry[] {
  return ranked.filter(({ appid }, nth) => nth < SHORTLIST_MAX || marked.has(appid))
}

/** Games for several players, and games of which the store does not say how they are played (NIGHT-20, NIGHT-38). */
function mayBePlayedTogether({ modes, kind }: CatalogueGame['details']): boolean {
  if (isSinglePlayerOnly({ modes })) return false
  return kind === null || kind === 'game' || kind === 'mod' || kind === 'beta' || kind === 'demo'
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
 * | they played it together after a pick                                  | 2                     |
 */
export function rankOf(facts: GameFacts, modes: readonly PlayMode[]): number {
  return (
    wayToPlay(modes) +
    Math.min(6, 2 * facts.played_recently) +
    Math.min(3, facts.experienced) +
    (facts.never_played > 0 && facts.experienced > 0 ? 1 : 0) +
    (facts.picked_last ? -REST_WEEKS : Math.min(REST_WEEKS, facts.picked_weeks_ago ?? REST_WEEKS)) +
    (facts.played_together === null ? 0 : 2)
  )
}

/** Friends of a game night are mostly in different places. */
function wayToPlay(modes: readonly PlayMode[]): number {
  if (modes.includes('online')) return 3
  if (!isPlayableTogether({ modes })) return 0
  return modes.includes('local') ? 1 : 2
}

type Players = Pick<GameFacts, 'played_recently' | 'experienced' | 'played' | 'never_played'>

const noPlayers = (): Players => ({ played_recently: 0, experienced: 0, played: 0, never_played: 0 })

/** Adds one player to the players of each game, or to those who lack it (NIGHT-25, NIGHT-26); `games` are by appid. */
function countPlayer(
  games: readonly { appid: number; total: number; lacking: number[]; players: Players }[],
  { library, at, nth }: SyncedLibrary & { nth: number },
  now: number,
): void {
  const { appids, minutes, recentMinutes, lastPlayed } = library
  const since = now - RECENT_DAYS * DAY_MS
  // Recent minutes of an older sync may be from before.
  const hasFreshMinutes = at - RECENT_MINUTES_DAYS * DAY_MS >= since
  // Steam sends 0 for everything when somebody keeps their playtimes private.
  const hasPlaytimes = minutes.some((value) => value > 0)
  let cursor = 0
  for (const game of games) {
    while (appids[cursor]! < game.appid) cursor++
    if (appids[cursor] !== game.appid) {
      game.lacking.push(nth)
      continue
    }
    const { players } = game
    game.total += minutes[cursor]!
    const lastPlayedAt = lastPlayed[cursor]! * 1000
    if (lastPlayedAt >= since || (hasFreshMinutes && recentMinutes[cursor]! > 0)) players.played_recently++
    if (minutes[cursor]! >= EXPERIENCED_MINUTES) players.experienced++
    if (minutes[cursor]! > 0 || lastPlayedAt > 0) players.played++
    else if (hasPlaytimes) players.never_played++
  }
}

function monthPlayedTogether(at: number | undefined, now: number): string | null {
  if (at === undefined || monthOf(at) < monthAfter(monthOf(now), -TOGETHER_MONTHS)) return null
  return monthText(monthOf(at))
}
