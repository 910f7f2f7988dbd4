/** When a game night repeats, in words (SERIES-10 to SERIES-12). */
import type { Repeat } from '#shared/nights/repeats.ts'
import { formatTime } from '../format.ts'
import { language } from '../language.ts'
import { nightSeries as text } from '../more-messages.ts'
import { isKnownZone } from './night-time.ts'

/**
 * 'Every Friday at 20:30, Central European Time': as clocks in the zone show it.
 * @param at the start of one of its nights, in milliseconds
 */
export function repeatText({ every, zone, at }: { every: Repeat; zone: string; at: number }): string {
  const timeZone = isKnownZone(zone) ? zone : undefined
  const inZone = { ...(timeZone !== undefined && { timeZone }) }
  const names = new Intl.DateTimeFormat(language, { ...inZone, timeZoneName: 'longGeneric' }).formatToParts(
    at,
  )
  return text.every[every]({
    day: formatTime(at, { ...inZone, weekday: 'long' }),
    clock: formatTime(at, { ...inZone, hour: '2-digit', minute: '2-digit' }),
    zone: names.find(({ type }) => type === 'timeZoneName')?.value ?? zone,
  })
}
