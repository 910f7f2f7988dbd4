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

/** The same weekday and time by the clock, a week later or in the first week in which that is ahead (MEMORY-8); NaN of no date. */
export function weekLater(startsAt: string, now: number): number {
  for (let days = 7; ; days += 7) {
    const day = new Date(startsAt)
    const at = day.setDate(day.getDate() + days)
    if (!(at <= now)) return at
  }
}

/** The hour at which people usually play, by whom evenings are proposed (DATE-14). */
const EVENING_HOUR = 20

/** The evenings that are left of this week, to Sunday, and those from Friday to Sunday of the next one. */
export function eveningsOf(now: number): { week: number[]; weekend: number[] } {
  const evening = (inDays: number) => {
    const at = new Date(now)
    at.setHours(EVENING_HOUR, 0, 0, 0)
    at.setDate(at.getDate() + inDays)
    return at.getTime()
  }
  // Weeks begin on Monday.
  const toSunday = (7 - new Date(now).getDay()) % 7
  return {
    week: Array.from({ length: toSunday + 1 }, (_, inDays) => evening(inDays)).filter(
      (at) => at - now >= SOON_MS,
    ),
    weekend: [5, 6, 7].map((day) => evening(toSunday + day)),
  }
}

/** Whether a choice of times may end then: before the last of them (DATE-1); NaN may not. */
export function isDeadline(at: number, times: readonly number[], now: number): boolean {
  return at > now && at < Math.max(...times)
}
