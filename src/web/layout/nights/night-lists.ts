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
 * Current nights: those under way or within a day before later ones, of each those that wait for my answer first, then by
 * their time; and the past ones, latest first.
 */
export function partsOf(
  nights: readonly NightSummary[],
  now: number,
): { current: NightSummary[]; past: NightSummary[] } {
  const start = ({ starts_at }: NightSummary) => Date.parse(starts_at)
  const isLater = (night: NightSummary) => start(night) > now + SOON_MS
  const current = nights
    .filter((night) => !isPast(night, now))
    .sort(
      (a, b) =>
        Number(isLater(a)) - Number(isLater(b)) ||
        Number(needsMyAnswer(b)) - Number(needsMyAnswer(a)) ||
        start(a) - start(b),
    )
  const past = nights.filter((night) => isPast(night, now)).sort((a, b) => start(b) - start(a))
  return { current, past }
}
