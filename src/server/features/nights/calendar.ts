/** Game nights as iCalendar (RFC 5545), which calendars read at a secret address (NIGHT-62, NIGHT-65). */
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { calendarContract } from '#shared/contract/calendar.ts'
import type { SteamId } from '#shared/entities.ts'
import { isolated, visibleName } from '#shared/names.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { deleteRows } from '../../database/chunks.ts'
import type { Queries } from '../../database/schema.ts'
import { asLinkToken, newLinkToken } from '../../storage/groups/links.ts'
import { keyedHasher } from '../../storage/installation.ts'
import { type NightRow, readParts } from '../../storage/nights/nights.ts'
import { chosenLanguage, lockPlayers } from '../../storage/players/players.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { isoTime } from '../../time.ts'
import { requireAccount } from '../access.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long nights stay in a calendar after their start, or after they were cancelled. */
const LISTED_MS = 30 * DAY_MS
/** More than anyone answers. */
const NIGHTS_LISTED = 500
/** Shown in calendars, which need an end; a night itself has none. */
const DURATION_MS = 3 * 60 * 60_000
const FEED_TTL_SECONDS = 60 * 60
/** How long before the start calendars remind. */
const ALARM_SECONDS = 15 * 60
/** A calendar needs an organizer to cancel an entry (RFC 5546); nobody reads mail at this address. */
const ORGANIZER = { name: 'Shelfmates', email: 'nights@shelfmates.invalid' }

type CalendarDeps = Pick<Deps, 'config' | 'database' | 'catalogue' | 'textsOf' | 'clock'>

export function calendarHandlers(deps: CalendarDeps) {
  const { config, database, clock } = deps

  return {
    feed: async ({ params: { steamId } }) => {
      const feeds = database.queries.selectFrom('calendar_feeds').selectAll().where('steam_id', '=', steamId)
      const feed = await feeds.executeTakeFirst()
      return feed ? shown(feed) : null
    },

    renewFeed: ({ params: { steamId } }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [steamId]), steamId)
        const token = newLinkToken()
        const feed = { token, steam_id: steamId, created_at: clock() }
        await deleteRows(tx, ['calendar_feeds'], 'steam_id', [steamId])
        await tx.insertInto('calendar_feeds').values(feed).execute()
        return shown(feed)
      }),

    switchOffFeed: ({ params: { steamId } }) =>
      database.transaction((tx) => deleteRows(tx, ['calendar_feeds'], 'steam_id', [steamId])),
  } satisfies Handlers<typeof calendarContract>

  function shown({ token, created_at }: { token: string; created_at: number }) {
    return { url: `${config.publicUrl}/calendar/${token}.ics`, created_at: isoTime(created_at)! }
  }
}

/** The calendar of game nights with this token; undefined when there is none. */
export async function readCalendarFeed(deps: CalendarDeps, token: string): Promise<string | undefined> {
  const { database, textsOf, clock } = deps
  const { queries } = database
  const feeds = queries
    .selectFrom('calendar_feeds')
    .select('steam_id')
    .where('token', '=', asLinkToken(token))
  const owner = await feeds.executeTakeFirst()
  if (!owner) return undefined
  const nights = await listCalendarNights(queries, owner.steam_id, clock())
  const texts = textsOf(await chosenLanguage(queries, owner.steam_id))
  return calendarFeed(await entriesOf(deps, nights, texts), clock(), texts)
}

/** The planned nights of a user's calendar: those they have not said no to, and have answered first (NIGHT-65). */
function listCalendarNights(db: Queries, steamId: SteamId, now: number): Promise<NightRow[]> {
  const since = now - LISTED_MS
  return db
    .selectFrom('nights')
    .innerJoin('night_people as mine', 'mine.night_id', 'nights.night_id')
    .selectAll('nights')
    .where('mine.steam_id', '=', steamId)
    .where('mine.gone', '=', 0)
    .where((eb) => eb.or([eb('mine.answer', 'is', null), eb('mine.answer', '!=', 'out')]))
    .where('nights.planned', '=', 1)
    .where((eb) =>
      eb.or([
        eb.and([eb('nights.status', '!=', 'cancelled'), eb('nights.starts_at', '>', since)]),
        eb.and([eb('nights.status', '=', 'cancelled'), eb('nights.ended_at', '>', since)]),
      ]),
    )
    .orderBy((eb) => eb.case().when('mine.answer', 'is', null).then(1).else(0).end())
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id')
    .limit(NIGHTS_LISTED)
    .execute()
}

async function entriesOf(deps: CalendarDeps, nights: readonly NightRow[], { calendar }: ServerTexts) {
  const { config, catalogue } = deps
  const { queries } = deps.database
  const hash = await keyedHasher(queries, 'calendar entry')
  const partsOf = await readParts(queries, nights)
  const picks = nights.flatMap((night) => partsOf(night).pick ?? [])
  const detailsOf = await catalogue.detailsOf(picks)
  return nights.map((night) => {
    const { pick, group } = partsOf(night)
    const title = visibleName(night.title)
    const name = visibleName(group?.name)
    const untitled = name === undefined ? calendar.night : calendar.nightOf({ group: name })
    const url = `${config.publicUrl}/nights/${night.night_id}`
    const picked = pick === null ? undefined : calendar.picked({ game: detailsOf(pick).name })
    return {
      // Not of the server's address, which may change.
      id: `${hash(String(night.night_id)).slice(0, 22)}@shelfmates`,
      sequence: night.calendar_sequence,
      startsAt: night.starts_at,
      title: title === undefined ? untitled : isolated(title),
      description: [name && isolated(name), picked, url].filter((line) => line !== undefined).join('\n'),
      url,
      isCancelled: night.status === 'cancelled',
    }
  })
}

export function calendarFeed(
  entries: Awaited<ReturnType<typeof entriesOf>>,
  now: number,
  texts: ServerTexts,
): string {
  const calendar = ical({
    prodId: { company: 'Shelfmates', product: 'Game nights', language: texts.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    name: texts.calendar.name,
    ttl: FEED_TTL_SECONDS,
  })
  for (const { startsAt, isCancelled, title, description, ...entry } of entries) {
    const summary = textOf(title)
    const event = calendar.createEvent({
      ...entry,
      stamp: new Date(now),
      start: new Date(startsAt),
      end: new Date(startsAt + DURATION_MS),
      summary,
      description: textOf(description),
      organizer: ORGANIZER,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
    if (!isCancelled)
      event.createAlarm({ type: ICalAlarmType.display, trigger: ALARM_SECONDS, description: summary })
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
