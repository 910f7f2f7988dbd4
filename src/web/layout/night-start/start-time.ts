/** When a new game night may begin, and which time is proposed (NIGHT-93). */
import { NIGHT_START_AHEAD_MS, NIGHT_START_PAST_MS } from '#shared/limits.ts'

/** People meet in the evening. */
const PROPOSED = { hours: 20, minutes: 30 }
/** A time so near is 'now'. */
const SOON_MS = 30 * 60 * 1000

/** This evening, or tomorrow's when this one is near or over; in milliseconds, like `now`. */
export function proposedTime(now: number): number {
  const at = new Date(now)
  at.setHours(PROPOSED.hours, PROPOSED.minutes, 0, 0)
  if (at.getTime() - now < SOON_MS) at.setDate(at.getDate() + 1)
  return at.getTime()
}

/** Whether a night may begin then (NIGHT-2); NaN may not. */
export function mayStartAt(at: number, now: number): boolean {
  return at >= now - NIGHT_START_PAST_MS && at <= now + NIGHT_START_AHEAD_MS
}
