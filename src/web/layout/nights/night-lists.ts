/** Which game nights a list shows, as pure functions (NIGHT-102). */
import type { NightSummary } from '#shared/nights/entities.ts'
import { isPast } from '../../ui/night-time.ts'

/** Whether it waits for my answer. */
export function needsMyAnswer(night: Pick<NightSummary, 'status' | 'is_mine' | 'my_answer'>): boolean {
  return night.status === 'open' && night.is_mine && night.my_answer === null
}

/** Nights that start within this time come before later ones, whatever waits for an answer. */
const SOON_MS = 24 * 3_600_000

/**
 * Current nights: those under way or within a day before later ones, of each what I answered and nights of groups I have
 * joined before others, then those that wait for my answer, then by their time; and the past ones, as the server orders
 * them.
 */
export function partsOf(
  nights: readonly NightSummary[],
  now: number,
): { current: NightSummary[]; past: NightSummary[] } {
  const start = ({ starts_at }: NightSummary) => Date.parse(starts_at)
  const isAside = ({ my_answer, in_my_group }: NightSummary) => my_answer === null && !in_my_group
  const isLater = (night: NightSummary) => start(night) > now + SOON_MS
  const current = nights
    .filter((night) => !isPast(night, now))
    .sort(
      (a, b) =>
        Number(isLater(a)) - Number(isLater(b)) ||
        Number(isAside(a)) - Number(isAside(b)) ||
        Number(needsMyAnswer(b)) - Number(needsMyAnswer(a)) ||
        start(a) - start(b),
    )
  return { current, past: nights.filter((night) => isPast(night, now)) }
}
