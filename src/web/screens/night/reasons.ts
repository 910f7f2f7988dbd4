/** The reasons for a game's place on a shortlist, in words (NIGHT-24 to NIGHT-26). */
import type { GameFeature, PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { REST_WEEKS } from '#shared/limits.ts'
import { formatList } from '../../format.ts'
import { reasons as texts } from 'virtual:texts'

/** Most reasons of a game. */
export const REASONS_MAX = 4
/** 52 weeks are a day less than a year. */
const WEEKS_OVER_A_YEAR = 53

/**
 * Reasons of a game, most telling first, at most {@link REASONS_MAX} (NIGHT-24). Each part of the score has a reason,
 * except 'never picked', which nearly every game would show.
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
    facts.picked_last ? texts.pickedLast : undefined,
    playing(facts),
    newcomers(facts),
    lastPick(facts),
  ]
    .filter((reason) => reason !== undefined)
    .slice(0, REASONS_MAX)
}

/** Nobody needs to read that the only player who is in owns the game. */
function ownership({ people, known, owners }: GameFacts, unknown: readonly string[]): string | undefined {
  if (people <= 1) return undefined
  if (owners < known) return texts.ownSome({ owners, known })
  if (owners === people) return texts.ownAll({ people })
  return unknown.length === people - owners
    ? texts.ownNotKnownOf({ owners, names: namesOf(unknown) })
    : texts.ownNotKnown({ owners, unknown: people - owners })
}

/** Players with unknown libraries who are named; the rest are counted. */
const NAMED_MAX = 2

function namesOf(names: readonly string[]): string {
  const rest = names.length - NAMED_MAX
  return formatList(rest > 0 ? [...names.slice(0, NAMED_MAX), texts.more({ count: rest })] : names)
}

function wayToPlay(modes: readonly PlayMode[], features: readonly GameFeature[]): string {
  const { ways } = texts
  if (features.includes('online_coop')) return ways.online_coop
  if (features.includes('online_versus')) return ways.online_versus
  if (modes.includes('online')) return ways.online
  if (features.includes('same_screen')) return ways.same_screen
  if (features.includes('remote_play')) return ways.remote_play
  if (modes.includes('coop')) return ways.coop
  return modes.length > 0 ? ways.multi : ways.unknown
}

function playing({ people, owners, played_recently, never_played, played }: GameFacts): string | undefined {
  if (played_recently > 0)
    return people === 1 ? texts.thisMonth.alone : someOf(texts.thisMonth, played_recently, people)
  if (never_played === people) return texts.nobody
  if (played === owners && owners > 1) return someOf(texts.played, played, people)
  return undefined
}

function newcomers({ people, never_played }: GameFacts): string | undefined {
  if (never_played === 0 || never_played >= people) return undefined
  return texts.newTo({ count: never_played, number: numberOf(never_played) })
}

function lastPick({ picked_weeks_ago: weeks, picked_last }: GameFacts): string | undefined {
  if (weeks === null || picked_last) return undefined
  if (weeks >= WEEKS_OVER_A_YEAR) return texts.picked.overAYear
  if (weeks >= REST_WEEKS) return texts.picked.notFor({ weeks })
  return weeks === 0 ? texts.picked.underAWeek : texts.picked.ago({ weeks })
}

/** Never 'you', because not everyone who reads it is in. */
function someOf(ways: typeof texts.thisMonth | typeof texts.played, count: number, all: number): string {
  if (count === all) return all === 2 ? ways.both : ways.all
  return ways.some({ count, number: numberOf(count) })
}

function numberOf(count: number): string | number {
  return texts.numbers[count - 1] ?? count
}
