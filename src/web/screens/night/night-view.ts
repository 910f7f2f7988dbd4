/** What a night's page shows, as pure functions of the night (NIGHT-79 to NIGHT-88). */
import { type Ballot, type Mark, type Tally, tally } from '#shared/nights/votes.ts'
import type { GameOdds, NightDraw, NightPlayer, NightPick, ShortlistEntry } from '#shared/nights/entities.ts'
import { isTooSmall } from '#shared/playable.ts'
import { serverNow } from '../../clock.ts'
import type { Night } from '../../data/nights.ts'
import { nightDates as dates, nights as text } from 'virtual:texts'
import { presenceOf } from '../../ui/people/avatar.tsx'
import { compareNames } from '#shared/names.ts'
import { nameOf } from '../../ui/people/name.tsx'
import { dayAndClock } from '../../ui/words/night-time.ts'
import { answeredSince } from './dates-view.ts'

export type PeoplePart = 'in' | 'maybe' | 'out' | 'none'

/** People by answer; each part has me first, then the host, then by name (NIGHT-81). */
export function peopleParts(
  { people, host_steam_id }: Pick<Night, 'people' | 'host_steam_id'>,
  me: string,
): Record<PeoplePart, NightPlayer[]> {
  const rank = ({ steam_id }: NightPlayer) => (steam_id === me ? 0 : steam_id === host_steam_id ? 1 : 2)
  const parts: Record<PeoplePart, NightPlayer[]> = { in: [], maybe: [], out: [], none: [] }
  for (const person of people.toSorted(
    (a, b) => rank(a) - rank(b) || compareNames(nameOf(a), nameOf(b)) || compareNames(a.steam_id, b.steam_id),
  ))
    parts[person.answer ?? 'none'].push(person)
  return parts
}

/** How many of those who are in have voted. */
export function votesOf(people: readonly NightPlayer[]): { voted: number; all: number } {
  const all = people.filter(({ answer }) => answer === 'in')
  return { voted: all.filter(({ voted }) => voted).length, all: all.length }
}

/** A game of the list as it stands on the page. */
export type ListedEntry = { game: ShortlistEntry; is: 'listed' | 'added' | 'gone' }

/**
 * The list in the order in which it was shown, so that nothing moves under a finger (NIGHT-84): games that left stay
 * where they were, marked as gone, and new ones come at the end.
 */
export function keepOrder(
  shown: readonly ShortlistEntry[],
  latest: readonly ShortlistEntry[],
): { entries: ListedEntry[]; isOutdated: boolean } {
  const byId = new Map(latest.map((game) => [game.appid, game]))
  const known = new Set(shown.map(({ appid }) => appid))
  const entries: ListedEntry[] = shown.map((game) => {
    const now = byId.get(game.appid)
    return now ? { game: now, is: 'listed' } : { game, is: 'gone' }
  })
  for (const game of latest) if (!known.has(game.appid)) entries.push({ game, is: 'added' })
  const isOutdated =
    entries.length !== latest.length || entries.some(({ game }, n) => game.appid !== latest[n]!.appid)
  return { entries, isOutdated }
}

export type Marks = ReadonlyMap<number, Mark>

/** The marks of games that are on the list, in its order, and those that wait for their games (NIGHT-124). */
export function ballotOf(
  marks: Marks,
  shortlist: readonly { appid: number }[],
): Record<'listed' | 'waiting', Ballot> {
  const listed = new Set(shortlist.map(({ appid }) => appid))
  const of = (appids: Iterable<number>) =>
    [...appids].flatMap((appid) => {
      const mark = marks.get(appid)
      return mark ? [{ appid, mark }] : []
    })
  return { listed: of(listed), waiting: of([...marks.keys()].filter((appid) => !listed.has(appid))) }
}

/** How many may come, how many of them the list counts, and how many games all these have (NIGHT-83). */
export function standsFor({
  people,
  status,
  counted,
  shortlist,
}: Pick<Night, 'people' | 'status' | 'counted' | 'shortlist'>) {
  const asked = people.filter(({ answer }) => answer !== 'out').length
  const games = status === 'open' ? shortlist.filter(isForAll) : shortlist
  return { asked, counted: counted.length, games: games.length }
}

/** Whether all have a game, or get it for nothing (NIGHT-152). */
export function isForAll({ lacking, is_free }: Pick<ShortlistEntry, 'lacking' | 'is_free'>): boolean {
  return lacking.length === 0 || is_free === true
}

/** Whether a game may be picked, as far as the viewer knows: whoever has to own it does (NIGHT-152). */
function mayBePicked(night: Pick<Night, 'any_owner' | 'my'>, game: ShortlistEntry): boolean {
  const { pick_counts: deciding } = night.my
  const lacking = deciding ? game.lacking.filter((id) => deciding.includes(id)) : game.lacking
  return night.any_owner || isForAll({ ...game, lacking })
}

/** The scores of the vote, final or so far; undefined for viewers who do not see the marks of others yet. */
export function scoresOf(
  night: Pick<Night, 'scores' | 'people' | 'shortlist' | 'forbids' | 'my'>,
): Pick<Tally, 'scores' | 'ruledOut'> | undefined {
  const { scores, people, shortlist, forbids, my } = night
  if (scores)
    return {
      scores: new Map(scores.map(({ appid, score }) => [appid, score])),
      ruledOut: new Set(scores.filter((one) => one.ruled_out).map(({ appid }) => appid)),
    }
  // Users without a mark see no others (NIGHT-16).
  if (!my.marks?.length) return undefined
  const ballots = people.map(({ marks }) => marks ?? [])
  return tally(
    ballots,
    shortlist.map(({ appid }) => appid),
    { forbids },
  )
}

/** The list with the best score first, once scores are known; what is ruled out and what has none comes last. */
export function byScore(night: Night): readonly ShortlistEntry[] {
  const known = scoresOf(night)
  if (!known) return night.shortlist
  const rankOf = ({ appid }: ShortlistEntry) =>
    known.ruledOut.has(appid) ? -1e6 : (known.scores.get(appid) ?? -2e6)
  return night.shortlist.toSorted((a, b) => rankOf(b) - rankOf(a))
}

/**
 * The leading games that can be picked, as far as the viewer sees the vote; none before one has a vote. `missed`: the
 * leading games that somebody lacks, if only such games have votes.
 */
export function leading(night: Night): { games: ShortlistEntry[]; missed: ShortlistEntry[] } {
  const known = night.scores === null ? scoresOf(night) : undefined
  const size = sizeOf(night)
  const bestOf = (among: readonly ShortlistEntry[]) => {
    const scored = among.map((game) => ({ game, score: known?.scores.get(game.appid) ?? 0 }))
    const best = Math.max(1, ...scored.map(({ score }) => score))
    return scored.filter(({ score }) => score === best).map(({ game }) => game)
  }
  const fitting = night.shortlist.filter(
    (game) => !known?.ruledOut.has(game.appid) && (size === undefined || !isTooSmall(game, size)),
  )
  const games = bestOf(fitting.filter((game) => mayBePicked(night, game)))
  return { games, missed: games.length > 0 ? [] : bestOf(fitting) }
}

export type MarksOfGame = Record<Mark, NightPlayer[]>

/** Who marked each game how; undefined while the marks of others are hidden. */
export function marksByGame(people: readonly NightPlayer[]): Map<number, MarksOfGame> | undefined {
  // My own are sent to me at all times.
  if (!people.some(({ marks }) => marks !== null)) return undefined
  const games = new Map<number, MarksOfGame>()
  for (const person of people)
    for (const { appid, mark } of person.marks ?? []) {
      const marks = games.get(appid) ?? { want: [], fine: [], no: [] }
      marks[mark].push(person)
      games.set(appid, marks)
    }
  return games
}

/** The chances of a draw, largest first, with their part of all in percent (NIGHT-86). */
export function chances(odds: readonly GameOdds[]): (GameOdds & { sum: number; percent: string })[] {
  const sum = odds.reduce((all, { weight }) => all + weight, 0)
  return odds
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ appid, weight }) => ({ appid, weight, sum, percent: percentText(weight / sum) }))
}

function percentText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '< 1 %'
  if (percent > 99 && percent < 100) return '> 99 %'
  return `${Math.round(percent)} %`
}

/** Changes read out at once; more are counted. */
const CHANGES_MAX = 3

/** What others did between two states of a night, in words; empty for what I did myself (NIGHT-88). */
export function changesBetween(before: Night, after: Night, me: string): string {
  // Answers to its times have become answers to the night.
  const isFound = before.status === 'dating' && after.status === 'open'
  const changes = [...nightChanges(before, after), ...(isFound ? [] : peopleChanges(before, after, me))]
  const rest = changes.length - CHANGES_MAX
  const told = changes.slice(0, CHANGES_MAX).join(', ')
  return rest > 0 ? text.changed.more({ changes: told, count: rest }) : told
}

function nightChanges(before: Night, after: Night): string[] {
  const changes: string[] = []
  const { status, pick } = after
  if (pick && pick.number !== before.pick?.number) changes.push(text.changed.pick({ game: pick.name }))
  if (status !== before.status && (status === 'cancelled' || status === 'over' || status === 'tied'))
    changes.push(text.changed[status])
  if (status === 'open' && before.scores !== null) changes.push(text.changed.reopened)
  if (before.status === 'dating' && status === 'open')
    changes.push(dates.changed.found({ when: dayAndClock(new Date(after.starts_at), serverNow()) }))
  else if (after.starts_at !== before.starts_at) changes.push(text.changed.time)
  if (after.host_steam_id !== before.host_steam_id) {
    const host = after.people.find(({ steam_id }) => steam_id === after.host_steam_id)
    if (host) changes.push(text.changed.host({ name: nameOf(host) }))
  }
  return changes
}

function peopleChanges(before: Night, after: Night, me: string): string[] {
  const changes: string[] = []
  const known = new Map(before.people.map((person) => [person.steam_id, person]))
  for (const person of after.people) {
    if (person.steam_id === me) continue
    const was = known.get(person.steam_id)
    const name = nameOf(person)
    if (person.answer !== null && person.answer !== was?.answer)
      changes.push(text.changed.answers[person.answer]({ name }))
    else if (!was) changes.push(text.changed.here({ name }))
    if (person.voted && !was?.voted) changes.push(text.changed.voted({ name }))
  }
  for (const person of answeredSince(before, after))
    if (person.steam_id !== me) changes.push(dates.changed.answered({ name: nameOf(person) }))
  const now = new Set(after.people.map(({ steam_id }) => steam_id))
  for (const person of before.people)
    if (!now.has(person.steam_id)) changes.push(text.changed.left({ name: nameOf(person) }))
  return changes
}

/**
 * Whether every possible result of the first draw has been drawn: all of the 'best', or, with odds by score, all that
 * had a 'chance'.
 */
export function drawnOut(draws: readonly Pick<NightDraw, 'appid' | 'odds'>[]): 'best' | 'chance' | undefined {
  const [first] = draws
  const drawn = new Set(draws.map(({ appid }) => appid))
  if (!first?.odds.every(({ appid }) => drawn.has(appid))) return undefined
  return first.odds.every(({ weight }) => weight === first.odds[0]!.weight) ? 'best' : 'chance'
}

export type Readiness =
  'inGame' | 'online' | 'away' | 'offline' | 'owning' | 'elsewhere' | 'lacking' | 'unknown'
const READY_ORDER: readonly Readiness[] = [
  'inGame',
  'online',
  'away',
  'offline',
  'owning',
  'elsewhere',
  'unknown',
  'lacking',
]

/** Who is online matters from this long before a planned night. */
const SOON_MS = 60 * 60_000

/** Whether a planned night is more than an hour ahead (NIGHT-143). */
export function isAhead({ planned, starts_at }: Pick<Night, 'planned' | 'starts_at'>, now: number): boolean {
  return planned && Date.parse(starts_at) - SOON_MS > now
}

/**
 * Those who are in, with how ready they are for the pick, the readiest first (NIGHT-87).
 * @param isLater whether it is played later: then only owning it counts
 */
export function readiness(
  { people }: Pick<Night, 'people'>,
  pick: NightPick,
  isLater = false,
): { person: NightPlayer; is: Readiness }[] {
  return people
    .filter(({ answer }) => answer === 'in')
    .map((person) => ({ person, is: readinessOf(person, pick, isLater) }))
    .sort(
      (a, b) =>
        READY_ORDER.indexOf(a.is) - READY_ORDER.indexOf(b.is) ||
        compareNames(nameOf(a.person), nameOf(b.person)),
    )
}

function readinessOf(person: NightPlayer, pick: NightPick, isLater: boolean): Readiness {
  if (person.playing_appid === pick.appid && !isLater) return 'inGame'
  if (pick.lacking.includes(person.steam_id)) return 'lacking'
  if (pick.elsewhere.includes(person.steam_id)) return 'elsewhere'
  if (!pick.ready.includes(person.steam_id)) return 'unknown'
  if (isLater) return 'owning'
  const presence = presenceOf(person)
  return presence === 'playing' ? 'online' : presence
}

/** How many want to play, to find games that are too small; undefined for one alone (NIGHT-128). */
export function sizeOf({ shortlist, counted, unknown }: Night): number | undefined {
  const people = shortlist[0]?.facts.people ?? counted.length + unknown.length
  return people < 2 ? undefined : people
}

/** Whether its leader should tell the others next: until one of them has answered. */
export function isToTell({ my, status, people, host_steam_id, times }: Night): boolean {
  if (!my.leads || (status !== 'open' && status !== 'dating')) return false
  const isOther = (steamId: string) => steamId !== host_steam_id
  return !(
    people.some(({ steam_id, answer }) => isOther(steam_id) && answer !== null) ||
    times.some(({ answers }) => Object.keys(answers).some(isOther))
  )
}

/** The ids of headings that links within a night's page lead to. */
export const anchors = {
  answer: 'my-answer',
  people: 'who-is-in',
  list: 'shortlist',
  vote: 'my-vote',
  missed: 'not-all-own',
  tooSmall: 'too-small',
} as const
