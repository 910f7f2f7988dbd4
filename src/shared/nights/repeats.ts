/**
 * Nights that repeat: at the same local time of a zone, whatever its clocks do (SERIES-2, decision 020). A local time has no
 * zone and is written '2026-12-04T20:30:00.000'.
 */

export const REPEATS = ['week', 'two_weeks'] as const
/** How often a night repeats. */
export type Repeat = (typeof REPEATS)[number]

const DAY_MS = 24 * 60 * 60_000
const DAYS: Record<Repeat, number> = { week: 7, two_weeks: 14 }

/** What clocks in a zone show at an instant. @param zone IANA name */
export function localTimeIn(zone: string, at: number): string {
  return asLocal(clockOf(zone)(at))
}

/**
 * When clocks in a zone show a local time. Of two such instants the earlier; where clocks skip it, the instant that it would
 * have been without the change. That is what Temporal's 'compatible' does.
 */
export function instantOf(zone: string, local: string): number {
  const clock = clockOf(zone)
  const wall = wallOf(local)
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((near) => clock(near) - near)
  const possible = [wall - before!, wall - after!].filter((at) => clock(at) === wall)
  return possible.length > 0 ? Math.min(...possible) : wall - before!
}

/** The local time at which a night repeats next. */
export function nextTime(local: string, every: Repeat): string {
  return asLocal(wallOf(local) + DAYS[every] * DAY_MS)
}

/** The date of a local time, '2026-12-04'. */
export function dateOf(local: string): string {
  return local.slice(0, 10)
}

/** A local time in milliseconds, as if its zone were UTC; and back. */
const wallOf = (local: string) => Date.parse(`${local}Z`)
const asLocal = (wall: number) => new Date(wall).toISOString().slice(0, -1)

type Clock = (at: number) => number
/** Formats are slow to create; a name may be written in any case, so there could be many. */
const clocks = new Map<string, Clock>()
const CLOCKS_MAX = 100

/** What clocks in a zone show at an instant, in milliseconds as if the zone were UTC. */
function clockOf(zone: string): Clock {
  const known = clocks.get(zone)
  if (known) return known
  if (clocks.size >= CLOCKS_MAX) clocks.clear()
  const clock = newClock(zone)
  clocks.set(zone, clock)
  return clock
}

/** Whether a time zone is known here: an IANA name, which may be newer, or an offset. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function newClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: isTimeZone(zone) ? zone : 'UTC',
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    fractionalSecondDigits: 3,
  })
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year, month, day, hour, minute, second, fractionalSecond } = parts
    return Date.UTC(year!, month! - 1, day, hour, minute, second, fractionalSecond)
  }
}
