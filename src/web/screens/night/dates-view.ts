/** What the page shows of a night whose date is being found, as pure functions (DATE-15, DATE-17). */
import { aheadOf, answersTo, canCome, type DateAnswer, type ProposedTime } from '#shared/nights/dates.ts'
import type { NightPlayer, NightTime } from '#shared/nights/entities.ts'
import type { Night } from '../../data/nights.ts'

type Dated = Pick<Night, 'times' | 'people'>

/** Who has given each answer to a time, and who has given none though they are asked. */
export type Answerers = Record<DateAnswer | 'missing', NightPlayer[]>

/** The players of a night by their answer to one of its times; those who are out for all times are left out. */
export function answerersOf({ answers }: NightTime, people: readonly NightPlayer[]): Answerers {
  const by: Answerers = { yes: [], maybe: [], no: [], missing: [] }
  for (const person of people)
    if (person.answer !== 'out') by[answers[person.steam_id] ?? 'missing'].push(person)
  return by
}

function proposedIn({ times }: Pick<Night, 'times'>): ProposedTime[] {
  return times.map(({ starts_at, answers }) => ({
    at: Date.parse(starts_at),
    answers: new Map(Object.entries(answers)),
  }))
}

/** How many have answered, of those who are asked. */
export function answeredOf(night: Dated, now: number): ReturnType<typeof answersTo> {
  const asked = night.people.filter(({ answer }) => answer !== 'out').map(({ steam_id }) => steam_id)
  return answersTo(proposedIn(night), asked, now)
}

/** The start of the best time ahead, once somebody can come to it; `times` has it first. */
export function bestOf(night: Pick<Night, 'times'>, now: number): string | undefined {
  const [best] = aheadOf(proposedIn(night), now)
  return best && canCome(best) > 0 ? night.times[0]!.starts_at : undefined
}

/** Starts in the order in which they were shown, or in the latest one. A night's times stay the same. */
export function inKeptOrder(kept: readonly string[], times: readonly NightTime[]): NightTime[] {
  return times.toSorted((a, b) => kept.indexOf(a.starts_at) - kept.indexOf(b.starts_at))
}

/** Those who have answered or changed an answer to a time since a state of the night before. */
export function answeredSince(before: Pick<Night, 'times'>, after: Dated): NightPlayer[] {
  const known = new Map(before.times.map((time) => [time.starts_at, time.answers]))
  return after.people.filter(({ steam_id }) =>
    after.times.some(
      ({ starts_at, answers }) =>
        answers[steam_id] !== undefined && answers[steam_id] !== known.get(starts_at)?.[steam_id],
    ),
  )
}
