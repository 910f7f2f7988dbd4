/** Game nights in calendars, which read a feed at a secret address (NIGHT-62, NIGHT-65). */
import type { calendarContract } from '#shared/contract/calendar.ts'
import { isolated, visibleName } from '#shared/names.ts'
import { calendarFeed, type CalendarEntry } from '../calendar/ical.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import {
  asLinkToken,
  type CalendarFeedRow,
  deleteFeed,
  findFeedOf,
  listCalendarNights,
  newLinkToken,
  ownerOfFeed,
  renewFeed,
} from '../storage/links.ts'
import { keyedHasher } from '../storage/installation.ts'
import { type GroupNames, readGroupsOf } from '../storage/night-lists.ts'
import { picksOf } from '../storage/night-votes.ts'
import type { NightRow } from '../storage/nights.ts'
import { chosenLanguage, lockPlayers } from '../storage/players.ts'
import type { ServerTexts } from '../texts/texts.ts'
import { isoTime } from '../time.ts'
import { requireAccount } from './access.ts'

type CalendarDeps = Pick<Deps, 'config' | 'database' | 'catalogue' | 'textsOf' | 'clock'>

/** Handlers of calendars. */
export function calendarHandlers(deps: CalendarDeps) {
  const { config, database, clock } = deps

  return {
    feed: async ({ params: { steamId } }) => {
      const feed = await findFeedOf(database.queries, steamId)
      return feed ? shown(feed) : null
    },

    renewFeed: ({ params: { steamId } }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [steamId]), steamId)
        const token = newLinkToken()
        const feed = { token, steam_id: steamId, created_at: clock() }
        await renewFeed(tx, feed)
        return shown(feed)
      }),

    switchOffFeed: ({ params: { steamId } }) => database.transaction((tx) => deleteFeed(tx, steamId)),
  } satisfies Handlers<typeof calendarContract>

  function shown({ token, created_at }: CalendarFeedRow) {
    return { url: `${config.publicUrl}/calendar/${token}.ics`, created_at: isoTime(created_at)! }
  }
}

/** The calendar of game nights with this token; undefined when there is none. */
export async function readCalendarFeed(deps: CalendarDeps, token: string): Promise<string | undefined> {
  const { database, textsOf, clock } = deps
  const owner = await ownerOfFeed(database.queries, asLinkToken(token))
  if (owner === undefined) return undefined
  const nights = await listCalendarNights(database.queries, owner, clock())
  const texts = textsOf(await chosenLanguage(database.queries, owner))
  return calendarFeed(await entriesOf(deps, nights, texts), clock(), texts)
}

function shownOf(
  calendar: ServerTexts['calendar'],
  entry: { title: string | null; group: GroupNames | undefined; line: string | undefined; url: string },
) {
  const { line, url } = entry
  const title = visibleName(entry.title)
  const group = visibleName(entry.group?.name)
  const night = group === undefined ? calendar.night : calendar.nightOf({ group })
  return {
    title: title === undefined ? night : isolated(title),
    description: [group && isolated(group), line, url].filter((one) => one !== undefined).join('\n'),
    url,
  }
}

async function entriesOf(
  deps: CalendarDeps,
  nights: readonly NightRow[],
  { calendar }: ServerTexts,
): Promise<CalendarEntry[]> {
  const { config, catalogue } = deps
  const { queries } = deps.database
  const hash = await keyedHasher(queries, 'calendar entry')
  const groups = await readGroupsOf(queries, nights)
  const picks = await picksOf(
    queries,
    nights.map((night) => night.night_id),
  )
  const detailsOf = await catalogue.detailsOf(picks.values())
  return nights.map((night) => {
    const pick = picks.get(night.night_id)
    return {
      // Not of the server's address, which may change.
      uid: `${hash(String(night.night_id)).slice(0, 22)}@shelfmates`,
      sequence: night.calendar_sequence,
      startsAt: night.starts_at,
      ...shownOf(calendar, {
        title: night.title,
        group: groups.get(night.group_id),
        line: pick === undefined ? undefined : calendar.picked({ game: detailsOf(pick).name }),
        url: `${config.publicUrl}/nights/${night.night_id}`,
      }),
      isCancelled: night.status === 'cancelled',
    }
  })
}
