/** The reasons for a game's place on a shortlist, in words that pages and messages share (NIGHT-24 to NIGHT-26). */
import type { GameFeature, PlayMode } from '../entities.ts'
import type { GameFacts } from './facts.ts'

/** Most reasons of a game. */
export const REASONS_MAX = 4
/** Weeks after which a pick no longer counts against a game (NIGHT-22). */
export const REST_WEEKS = 4
/** A year has a day more, so that 'over a year' is true. */
const WEEKS_OVER_A_YEAR = 53

/**
 * Reasons of a game, most telling first, at most {@link REASONS_MAX} (NIGHT-24). Each part of the score has its words,
 * save that a game was never picked, which would stand at nearly every game.
 * @param unknown names of those whose libraries are not known, where they can be said
 */
export function reasonsOf(
  game: {
    facts: GameFacts
    modes: readonly PlayMode[]
    features: readonly GameFeature[]
  },
  unknown: readonly string[] = [],
): string[] {
  const { facts, modes, features } = game
  return [
    ownership(facts, unknown),
    wayToPlay(modes, features),
    facts.picked_last ? 'picked last time' : undefined,
    playing(facts),
    facts.played_together === null ? undefined : `played together in ${monthName(facts.played_together)}`,
    newcomers(facts),
    lastPick(facts),
  ]
    .filter((reason) => reason !== undefined)
    .slice(0, REASONS_MAX)
}

/** Nobody needs to read that the only player who is in owns the game. */
function ownership(
  { people: players, known, owners }: GameFacts,
  unknown: readonly string[],
): string | undefined {
  if (players <= 1) return undefined
  if (owners < known) return `${owners} of ${known} ${own(owners)} it`
  if (owners < players) {
    const isNamed = unknown.length === players - owners
    return `${owners} ${own(owners)} it, ${isNamed ? `not known of ${namesOf(unknown)}` : `${players - owners} not known`}`
  }
  return players === 2 ? 'both own it' : `all ${players} own it`
}

/** Players whose libraries are not known that are named; the rest are counted. */
const NAMED_MAX = 2

function namesOf(names: readonly string[]): string {
  const rest = names.length - NAMED_MAX
  return rest > 0 ? `${names.slice(0, NAMED_MAX).join(', ')} and ${rest} more` : names.join(' and ')
}

const own = (owners: number) => (owners === 1 ? 'owns' : 'own')

function wayToPlay(modes: readonly PlayMode[], features: readonly GameFeature[]): string {
  if (features.includes('online_coop')) return 'online co-op'
  if (features.includes('online_versus')) return 'online versus'
  if (modes.includes('online')) return 'online multiplayer'
  if (features.includes('same_screen')) return 'same screen'
  if (features.includes('remote_play')) return 'Remote Play Together'
  if (modes.includes('coop')) return 'co-op'
  return modes.length > 0 ? 'multiplayer' : 'not known if it can be played together'
}

function playing({
  people: players,
  owners,
  played_recently,
  never_played,
  played,
}: GameFacts): string | undefined {
  if (played_recently > 0)
    return players === 1 ? 'played this month' : `${someOf(played_recently, players)} played it this month`
  if (never_played === players) return 'nobody has played it yet'
  if (played === owners && owners > 1) return `${someOf(played, players)} have played it`
  return undefined
}

function newcomers({ people: players, never_played }: GameFacts): string | undefined {
  return never_played > 0 && never_played < players ? `new to ${someOf(never_played, players)}` : undefined
}

function lastPick({ picked_weeks_ago: weeks, picked_last }: GameFacts): string | undefined {
  if (weeks === null || picked_last) return undefined
  if (weeks >= WEEKS_OVER_A_YEAR) return 'not picked for over a year'
  if (weeks >= REST_WEEKS) return `not picked for ${weeks} weeks`
  if (weeks === 0) return 'picked less than a week ago'
  return weeks === 1 ? 'picked a week ago' : `picked ${weeks} weeks ago`
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** 'three players', 'all'; never 'you', because not everyone who reads it is in. */
function someOf(count: number, all: number): string {
  if (count === all) return all === 2 ? 'both' : 'all'
  return count === 1 ? 'one person' : `${NUMBERS[count - 1] ?? count} people`
}

const monthOnly = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** The name of a month such as '2026-03'. */
function monthName(month: string): string {
  return monthOnly.format(new Date(month))
}
