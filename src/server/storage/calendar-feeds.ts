/** Addresses of calendars, and the game nights in them (NIGHT-65). */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import type { Queries, Tx } from '../database/schema.ts'
import type { CalendarFeedsTable } from '../database/schema-nights.ts'
import type { NightRow } from './nights.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long nights stay in a calendar after their start, or after they were cancelled. */
const LISTED_MS = 30 * DAY_MS
/** More than anyone answers. */
const NIGHTS_LISTED = 500

export type CalendarFeedRow = Selectable<CalendarFeedsTable>

/** The address of a user's calendar; undefined while it is switched off. */
export function findFeedOf(db: Queries | Tx, steamId: SteamId): Promise<CalendarFeedRow | undefined> {
  return db.selectFrom('calendar_feeds').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** The owner of a calendar; undefined when no calendar has this token. */
export async function ownerOfFeed(db: Queries, token: string): Promise<SteamId | undefined> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('steam_id')
    .where('token', '=', token)
    .executeTakeFirst()
  return row?.steam_id
}

/** Gives a user's calendar an address; the one before is no longer valid. The user must be locked. */
export async function renewFeed(tx: Tx, row: CalendarFeedRow): Promise<void> {
  await deleteFeed(tx, row.steam_id)
  await tx.insertInto('calendar_feeds').values(row).execute()
}

/** Switches a user's calendar off. */
export async function deleteFeed(tx: Tx, steamId: SteamId): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('steam_id', '=', steamId).execute()
}

/** The planned nights of a user's calendar: those they have not said no to, and have answered first (NIGHT-65). */
export function listCalendarNights(db: Queries, steamId: SteamId, now: number): Promise<NightRow[]> {
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
