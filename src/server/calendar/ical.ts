/** Game nights as iCalendar (RFC 5545), written by a library; pure functions only (NIGHT-62). */
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { ServerTexts } from '../texts/texts.ts'

/** Shown in calendars, which need an end; a night itself has none. */
const DURATION_MS = 3 * 60 * 60_000
/** How often calendars should read a feed again, in seconds. */
const FEED_TTL_SECONDS = 60 * 60
/** How long before the start calendars remind. */
const ALARM_SECONDS = 15 * 60
/** A calendar needs an organizer to cancel an entry (RFC 5546); nobody reads mail at this address. */
const ORGANIZER = { name: 'Shelfmates', email: 'nights@shelfmates.invalid' }

/** What calendars show of a night. */
export type CalendarEntry = {
  /** Always the same for a night; no other night anywhere has it. */
  uid: string
  /** Rises with every change that calendars show. */
  sequence: number
  /** Milliseconds since 1970. */
  startsAt: number
  title: string
  description: string
  /** Page of the night. */
  url: string
  isCancelled: boolean
}

/** A feed of nights, which calendars read again and again. */
export function calendarFeed(entries: readonly CalendarEntry[], now: number, texts: ServerTexts): string {
  const calendar = ical({
    prodId: { company: 'Shelfmates', product: 'Game nights', language: texts.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    name: texts.calendar.name,
    ttl: FEED_TTL_SECONDS,
  })
  for (const entry of entries) {
    const event = calendar.createEvent({
      id: entry.uid,
      sequence: entry.sequence,
      stamp: new Date(now),
      start: new Date(entry.startsAt),
      end: new Date(entry.startsAt + DURATION_MS),
      summary: textOf(entry.title),
      description: textOf(entry.description),
      url: entry.url,
      organizer: ORGANIZER,
      status: entry.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
    if (!entry.isCancelled)
      event.createAlarm({
        type: ICalAlarmType.display,
        trigger: ALARM_SECONDS,
        description: textOf(entry.title),
      })
  }
  // The library leaves the end of the last line out.
  return `${calendar.toString()}\r\n`
}

/** Control characters other than line breaks are not allowed in texts, and halves of characters not in UTF-8. */
function textOf(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .toWellFormed()
}
