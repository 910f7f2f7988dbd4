/** The reasons for a game's place on a shortlist, in words that pages and messages share (NIGHT-24 to NIGHT-26). */
import type { GameFeature, PlayMode } from '../entities.ts'
import type { GameFacts } from './facts.ts'

/** Most reasons of a game. */
export const REASONS_MAX = 4

/** Reasons of a game, most telling first, at most {@link REASONS_MAX} (NIGHT-24). */
export function reasonsOf(game: {
  facts: GameFacts
  modes: readonly PlayMode[]
  features: readonly GameFeature[]
}): string[] {
  const { facts, modes, features } = game
  return [
    ownership(facts),
    wayToPlay(modes, features),
    facts.picked_last ? 'picked last time' : undefined,
    playing(facts),
    facts.played_together === null
      ? undefined
      : `you played it together in ${monthName(facts.played_together)}`,
    rest(facts),
  ]
    .filter((reason) => reason !== undefined)
    .slice(0, REASONS_MAX)
}

/** Nobody needs to read that the only person who is in owns the game. */
function ownership({ people, known, owners }: GameFacts): string | undefined {
  if (people <= 1) return undefined
  if (owners < known) return `${owners} of ${known} own it`
  if (owners < people) return `${owners} own it, ${people - owners} not known`
  return people === 2 ? 'you both own it' : `all ${people} own it`
}

function wayToPlay(modes: readonly PlayMode[], features: readonly GameFeature[]): string {
  if (features.includes('online_coop')) return 'online co-op'
  if (features.includes('online_versus')) return 'online versus'
  if (modes.includes('online')) return 'online multiplayer'
  if (features.includes('same_screen')) return 'same screen'
  if (features.includes('remote_play')) return 'Remote Play Together'
  if (modes.includes('coop')) return 'co-op'
  if (modes.some((mode) => mode !== 'single')) return 'multiplayer'
  return 'may be for one player only'
}

function playing({ owners, played_recently, never_played, played }: GameFacts): string | undefined {
  if (played_recently > 0) return `${ofYou(played_recently, owners)} played it this month`
  if (played === 0 && never_played === owners) return 'nobody has played it yet'
  if (played > 0 && never_played > 0) return `new to ${ofYou(never_played, owners)}`
  return undefined
}

function rest({ picked_weeks_ago, picked_last }: GameFacts): string | undefined {
  if (picked_weeks_ago === null || picked_weeks_ago < 1 || picked_last) return undefined
  return `not picked for ${picked_weeks_ago === 1 ? 'a week' : `${picked_weeks_ago} weeks`}`
}

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** 'three of you', 'all of you'. */
function ofYou(count: number, all: number): string {
  if (count === all && all === 2) return 'both of you'
  if (count === all && all > 2) return 'all of you'
  return `${NUMBERS[count] ?? count} of you`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The name of a month such as '2026-03'. */
function monthName(month: string): string {
  return MONTHS[Number(month.slice(5)) - 1]!
}
