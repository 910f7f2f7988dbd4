/** Queries used only by the export of a player's data (API-41). */
import { sql } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { column } from '../database/chunks.ts'
import type { Queries } from '../database/schema.ts'
import { leftOutOf, seriesHostedBy } from './night-series.ts'

/**
 * What is exported of tables as it is stored: the table, the column that names the player, and the columns, which also order
 * the rows. Without tokens, addresses and keys, which give access, and without other players.
 */
const asStored = {
  groups_left: ['group_departures', 'steam_id', 'group_id left_at'],
  sessions: ['sessions', 'steam_id', 'last_used_at session_id created_at expires_at user_agent'],
  library_changes: ['library_changes', 'steam_id', 'at appid kind minutes'],
  push_subscriptions: [
    'push_subscriptions',
    'steam_id',
    'created_at subscription_id session_id language expires_at refusals',
  ],
  syncs: ['syncs', 'steam_id', 'started_at kind target finished_at result counted item_count'],
  waiting_reads: ['refreshes', 'steam_id', 'requested_at games_due friends_due attempts next_attempt_at'],
  night_draws: ['night_draws', 'drawn_by', 'night_id number appid reason at'],
  invites: ['invites', 'created_by', 'created_at group_id night_id expires_at'],
  webhooks: ['webhooks', 'created_by', 'created_at group_id format'],
  calendars: ['calendar_feeds', 'steam_id', 'created_at'],
  group_reports: ['group_reports', 'steam_id', 'at group_id about reason'],
  player_corrections: ['group_game_players', 'corrected_by', 'group_id appid players_max at'],
} as const

/** A player's rows of {@link asStored}, by their names in the export. */
export async function listAsStored(db: Queries, steamId: SteamId) {
  const lists = Object.entries(asStored).map(async ([name, [table, owner, columns]]) => {
    const selected = sql.join(columns.split(' ').map((one) => sql.ref(one)))
    const query = sql<Record<string, unknown>>`
      SELECT ${selected} FROM ${sql.table(table)} WHERE ${sql.ref(owner)} = ${steamId} ORDER BY ${selected}`
    return [name, (await query.execute(db)).rows] as const
  })
  return Object.fromEntries(await Promise.all(lists)) as Record<
    keyof typeof asStored,
    Record<string, unknown>[]
  >
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

/** A player's part in game nights, latest first; of nights they may not see any more without the title. */
export function listNightsOf(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('night_people as mine')
    .innerJoin('nights', 'nights.night_id', 'mine.night_id')
    .leftJoin('night_date_answers as dates', (join) =>
      join.onRef('dates.night_id', '=', 'mine.night_id').onRef('dates.steam_id', '=', 'mine.steam_id'),
    )
    .where('mine.steam_id', '=', steamId)
    .selectAll('mine')
    .select(['nights.group_id', 'nights.host_steam_id', 'nights.title', 'nights.starts_at'])
    .select('dates.answers as date_answers')
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id', 'desc')
    .execute()
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
