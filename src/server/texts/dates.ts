/** Times for readers whose time zone is not known: in the zone that they name. */
import { isTimeZone } from '#shared/nights/repeats.ts'
import type { ServerTexts } from './texts.ts'

/**
 * 'Friday 5 June at 20:30, GMT+2': in the zone that the time was chosen in (NIGHT-76, NIGHT-120), in UTC where that is not
 * known. The zone's short name leaves room for the time in a picture.
 * @param at in milliseconds
 */
export function whenInZone({ dates, language }: ServerTexts, at: number, zone: string | null): string {
  const timeZone = zone !== null && isTimeZone(zone) ? zone : 'UTC'
  const parts = partsOf(language, at, { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
  const name = partsOf(language, at, { timeZone, timeZoneName: 'short' }).timeZoneName
  return dates.inZone({ ...parts, zone: name })
}

type Parts = Record<'weekday' | 'day' | 'month' | 'year' | 'timeZoneName' | 'time', string>

/** What a text says of a time; the text has their order and what stands between them. */
function partsOf(language: string, at: number, options: Intl.DateTimeFormatOptions): Parts {
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(at)
  const clock = { timeZone: options.timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return {
    ...(Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Parts),
    time: new Intl.DateTimeFormat(language, clock).format(at),
  }
}
