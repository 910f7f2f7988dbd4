/** When a game night is, in words, and what it is called (NIGHT-79). */
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { NightSummary } from '#shared/nights/entities.ts'
import { isTimeZone } from '#shared/nights/repeats.ts'
import { formatClock, formatTime, formatZone } from '../../format.ts'
import { nightTime as text } from 'virtual:texts'
import { visibleName } from '../people/name.tsx'
import { relativeTime } from './relative-time.tsx'

const DAY_MS = 86_400_000
/** From this hour on it is 'tonight'. */
const EVENING = 17

/** The host's own title, or the default. */
export function titleOf({ title }: Pick<NightSummary, 'title'>): string {
  return visibleName(title) ?? text.untitled
}

/**
 * When a night is, in the visitor's time zone: 'Started 5 minutes ago', 'tonight at 20:30', 'Friday at 20:30' (NIGHT-79).
 * @param now in milliseconds
 */
export function whenText(
  { starts_at, planned }: Pick<NightSummary, 'starts_at' | 'planned'>,
  now: number,
): string {
  if (!planned)
    return text.when.started({ ago: relativeTime(starts_at, Math.max(now, Date.parse(starts_at))) })
  return dayAndClock(new Date(starts_at), now)
}

/**
 * 'tonight at 20:30', 'Friday at 20:30', 'Sat 12 December at 20:30', in the visitor's time zone.
 * @param now in milliseconds
 */
export function dayAndClock(at: Date, now: number): string {
  const clock = formatClock(at)
  const days = dayNumber(at) - dayNumber(new Date(now))
  if (days === 0) return at.getHours() >= EVENING ? text.when.tonight({ clock }) : text.when.today({ clock })
  if (days === 1) return text.when.tomorrow({ clock })
  if (days === -1) return text.when.yesterday({ clock })
  const isNear = days > 0 && days < 7
  const isThisYear = at.getFullYear() === new Date(now).getFullYear()
  const day = formatTime(at, {
    weekday: isNear ? 'long' : 'short',
    ...(!isNear && { day: 'numeric', month: 'long' }),
    ...(!isNear && !isThisYear && { year: 'numeric' }),
  })
  return text.when.onDay({ day, clock })
}

/** Days of the calendar since a fixed one, whatever the length of the days between. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS
}

/** 'Fri, 27 Nov', in the visitor's time zone: for the title of a tab, which may be open for days. */
export function dayText(startsAt: string): string {
  return formatTime(new Date(startsAt), { weekday: 'short', day: 'numeric', month: 'short' })
}

/** Whether nothing changes any more, except that people leave it (NIGHT-5). @param now in milliseconds */
export function isPast(
  { status, starts_at }: Pick<NightSummary, 'status' | 'starts_at'>,
  now: number,
): boolean {
  const length = status === 'dating' ? 0 : NIGHT_LENGTH_MS
  return status === 'cancelled' || status === 'over' || Date.parse(starts_at) + length <= now
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** 'Tomorrow at 20:30 in your time zone, Central European Time.', below a field of a time; nothing for NaN. */
export function zoneHint(at: number, now: number): string | undefined {
  if (Number.isNaN(at)) return undefined
  return text.inZone({ when: capitalised(dayAndClock(new Date(at), now)), zone: formatZone(at) })
}

/**
 * When a night that somebody is invited to is: day and time in the visitor's time zone, and the zones in words; the time
 * as it was chosen, too, if the clock shows another one there. A night that has started says so.
 * @param zone IANA name of the time zone that its time was chosen in, if known
 */
export function invitedWhen(
  startsAt: string,
  zone: string | null | undefined,
  now: number,
): { when: string; zones: string[] } {
  const at = Date.parse(startsAt)
  if (at <= now)
    return { when: capitalised(text.when.started({ ago: relativeTime(startsAt, now) })), zones: [] }
  const clock = (timeZone?: string) =>
    formatTime(at, {
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      ...(timeZone !== undefined && { timeZone }),
    })
  const elsewhere =
    zone && isTimeZone(zone) && clock(zone) !== clock() ? [`${clock(zone)} ${formatZone(at, zone)}`] : []
  return {
    when: capitalised(dayAndClock(new Date(at), now)),
    zones: [text.yourZone({ zone: formatZone(at) }), ...elsewhere],
  }
}

/** A time as `datetime-local` has it, in the visitor's time zone; from ISO 8601 or milliseconds. */
export function localTime(time: string | number): string {
  const at = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** 'Friday 27 November', with the year where it is not that of now, in the visitor's time zone. */
export function longDay(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatTime(at, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}
