/** When a game night repeats, in words (SERIES-10 to SERIES-12). */
import { isTimeZone, type Repeat } from '#shared/nights/repeats.ts'
import { formatTime, formatZone } from '../format.ts'
import { language } from '../language.ts'
import { nightSeries as text } from '../more-messages.ts'

/**
 * 'Every Friday at 20:30, Central European Time': as clocks in the zone show it.
 * @param at the start of one of its nights, in milliseconds
 */
export function repeatText({ every, zone, at }: { every: Repeat; zone: string; at: number }): string {
  const timeZone = isTimeZone(zone) ? zone : 'UTC'
  return text.every[every]({
    day: formatTime(at, { timeZone, weekday: 'long' }),
    clock: formatTime(at, { timeZone, hour: '2-digit', minute: '2-digit' }),
    zone: zoneName(at, timeZone),
  })
}

/** Whether clocks in a time zone then show something else than the visitor's. */
export function isElsewhere(zone: string, startsAt: string): boolean {
  const at = Date.parse(startsAt)
  const shown = (timeZone?: string) =>
    formatTime(at, { dateStyle: 'short', timeStyle: 'short', ...(timeZone !== undefined && { timeZone }) })
  return isTimeZone(zone) && shown(zone) !== shown()
}

/** The name of a time zone in summer and winter: 'Central European Time'. Some, such as UTC, have no such name. */
function zoneName(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || name.startsWith('GMT') ? formatZone(at, timeZone) : name
}
