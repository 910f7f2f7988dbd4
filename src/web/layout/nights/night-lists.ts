/** Which game nights a list shows, as pure functions (NIGHT-102). */
import type { NightSummary } from '#shared/nights/entities.ts'
import { isPast } from '../../ui/words/night-time.ts'

/** Whether it waits for my answer. */
export function needsMyAnswer({
  status,
  is_mine,
  my_answer,
  dating,
}: Pick<NightSummary, 'status' | 'is_mine' | 'my_answer' | 'dating'>): boolean {
  return (status === 'open' && is_mine && my_answer === null) || needsTimes({ dating })
}

/** Whether I have not answered all of its proposed times. */
function needsTimes({ dating }: Pick<NightSummary, 'dating'>): boolean {
  return dating?.needs_me === true
}

/** Nights that start within this time come before later ones, whatever waits for an answer. */
const SOON_MS = 24 * 3_600_000

export function isSoon({ starts_at }: Pick<NightSummary, 'starts_at'>, now: number): boolean {
  return Date.parse(starts_at) <= now + SOON_MS
}

/**
 * Current nights: those under way or within a day before later ones, of each what I answered and nights of groups I have
 * joined before others, then those that wait for my answer, then those nearest to now; and the past ones, as the server
 * orders them. A night whose times wait for my answer counts as one within a day.
 */
export function partsOf(
  nights: readonly NightSummary[],
  now: number,
): { current: NightSummary[]; past: NightSummary[] } {
  const distance = ({ starts_at }: NightSummary) => Math.abs(Date.parse(starts_at) - now)
  const isAside = (night: NightSummary) =>
    !night.in_my_group && !night.leads && (night.dating ? needsTimes(night) : night.my_answer === null)
  const isLater = (night: NightSummary) => !isSoon(night, now) && !needsTimes(night)
  const current = nights
    .filter((night) => !isPast(night, now))
    .sort(
      (a, b) =>
        Number(isLater(a)) - Number(isLater(b)) ||
        Number(isAside(a)) - Number(isAside(b)) ||
        Number(needsMyAnswer(b)) - Number(needsMyAnswer(a)) ||
        distance(a) - distance(b),
    )
  return { current, past: nights.filter((night) => isPast(night, now)) }
}
