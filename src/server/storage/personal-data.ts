/** Queries used only by the export of a player's data (API-41). */
import type { SteamId } from '#shared/entities.ts'
import { column } from '../database/chunks.ts'
import type { Queries } from '../database/schema.ts'
import { leftOutOf, seriesHostedBy } from './night-series.ts'

/** Groups a player left or declined, without names and members, which they may no longer see. */
export function listDepartures(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_departures')
    .select(['group_id', 'left_at'])
    .where('steam_id', '=', steamId)
    .orderBy('group_id')
    .execute()
}

/** Members a player added to groups that they are still a member of. */
export function listAddedMembers(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_members as theirs')
    .innerJoin('group_members as mine', 'mine.group_id', 'theirs.group_id')
    .where('theirs.added_by', '=', steamId)
    .where('mine.steam_id', '=', steamId)
    .select(['theirs.group_id', 'theirs.steam_id', 'theirs.added_at'])
    .orderBy('theirs.group_id')
    .orderBy('theirs.steam_id')
    .execute()
}

/** Times of a player's picture changes in about the last day, latest first. */
export function listPictureChanges(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('picture_changes')
    .select('at')
    .where('steam_id', '=', steamId)
    .orderBy('at', 'desc')
    .execute()
}

/** A player's row in the refresh list, if any, without the id of the player who requested it. */
export function listWaitingReads(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('refreshes')
    .select(['requested_at', 'games_due', 'friends_due', 'attempts', 'next_attempt_at'])
    .where('steam_id', '=', steamId)
    .execute()
}

/** A player's part in game nights, latest first; of nights they may not see any more without the title. */
export function listNightsOf(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('night_people as mine')
    .innerJoin('nights', 'nights.night_id', 'mine.night_id')
    .leftJoin('night_date_answers as dates', (join) =>
      join.onRef('dates.night_id', '=', 'mine.night_id').onRef('dates.steam_id', '=', 'mine.steam_id'),
    )
    .where('mine.steam_id', '=', steamId)
    .select([
      'nights.night_id',
      'nights.group_id',
      'nights.host_steam_id',
      'nights.title',
      'nights.starts_at',
      'mine.answer',
      'mine.word',
      'mine.answered_at',
      'mine.voted_at',
      'mine.marks',
      'mine.claims',
      'dates.answers as date_answers',
      'mine.added_by',
      'mine.added_at',
      'mine.gone',
    ])
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id', 'desc')
    .execute()
}

/** Draws that a player made. */
export function listDrawsBy(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('night_draws')
    .select(['night_id', 'number', 'appid', 'reason', 'at'])
    .where('drawn_by', '=', steamId)
    .orderBy('night_id')
    .orderBy('number')
    .execute()
}

/** When a player made links, webhooks and their calendar; without tokens and addresses, which give access. */
export async function listLinksOf(db: Queries, steamId: SteamId) {
  const [invites, webhooks, calendars] = await Promise.all([
    db
      .selectFrom('invites')
      .select(['group_id', 'night_id', 'created_at', 'expires_at'])
      .where('created_by', '=', steamId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('webhooks')
      .select(['group_id', 'format', 'created_at'])
      .where('created_by', '=', steamId)
      .orderBy('group_id')
      .execute(),
    db.selectFrom('calendar_feeds').select('created_at').where('steam_id', '=', steamId).execute(),
  ])
  return { invites, webhooks, calendars }
}

/** Series that a player hosts, with the members they leave out, and those that leave the player out (SERIES-8). */
export async function listSeriesAbout(db: Queries, steamId: SteamId) {
  const hosted = await Promise.all(
    (await seriesHostedBy(db, steamId)).map(async ({ host_steam_id: _, due_at: __, ...series }) => ({
      ...series,
      left_out: [...(await leftOutOf(db, series.series_id))].filter((one) => one !== steamId),
    })),
  )
  const leavingOut = await db
    .selectFrom('night_series_left_out')
    .select('series_id')
    .where('steam_id', '=', steamId)
    .orderBy('series_id')
    .execute()
  const hosts = new Set(column(hosted, 'series_id'))
  return { hosted, leavingOut: leavingOut.filter(({ series_id }) => !hosts.has(series_id)) }
}
