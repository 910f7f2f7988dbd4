/** When a game night repeats, in words (SERIES-10, SERIES-11). */
import { isTimeZone, type Repeat } from '#shared/nights/repeats.ts'
import { formatTime, formatZone } from '../../format.ts'
import { nightSeries as text } from 'virtual:texts'

/**
 * 'Every Friday at 20:30, Central European Time': as clocks in the zone show it.
 * @param at the start of one of its nights, in milliseconds
 */
export function repeatText({ every, zone, at }: { every: Repeat; zone: string; at: number }): string {
  const timeZone = isTimeZone(zone) ? zone : 'UTC'
  return text.every[every]({
    day: formatTime(at, { timeZone, weekday: 'long' }),
    clock: formatTime(at, { timeZone, hour: '2-digit', minute: '2-digit' }),
    zone: formatZone(undefined, timeZone),
  })
}

/** Whether clocks in a time zone then show something else than the visitor's. */
export function isElsewhere(zone: string, startsAt: string): boolean {
  const at = Date.parse(startsAt)
  const shown = (timeZone?: string) =>
    formatTime(at, { dateStyle: 'short', timeStyle: 'short', ...(timeZone !== undefined && { timeZone }) })
  return isTimeZone(zone) && shown(zone) !== shown()
}
