/** The rows of the export of a player's data (API-41). */
import { sql } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import type { Queries } from '../../database/schema.ts'

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
  year_links: ['year_links', 'created_by', 'created_at group_id year'],
  webhooks: ['webhooks', 'created_by', 'created_at group_id format'],
  calendars: ['calendar_feeds', 'steam_id', 'created_at'],
  group_reports: ['group_reports', 'steam_id', 'at group_id about reason'],
  wishes: ['group_members', 'steam_id', 'group_id wishes'],
  wishlist: ['wishlists', 'steam_id', 'status appids due_at'],
  games_added: ['group_games', 'added_by', 'added_at group_id appid name link'],
  player_corrections: ['group_game_players', 'corrected_by', 'group_id appid players_max at'],
  members_added: ['group_members', 'added_by', 'added_at group_id'],
  nights: ['night_people', 'steam_id', 'added_at night_id answer word answered_at voted_at marks gone'],
  nights_hosted: ['nights', 'host_steam_id', 'starts_at night_id group_id title created_at status zone'],
  night_times: ['night_date_answers', 'steam_id', 'answered_at night_id answers'],
  night_series: [
    'night_series',
    'host_steam_id',
    'created_at series_id group_id title every zone forbids next_time',
  ],
  // Members of groups see each other's nights, also those that they are not asked to.
  left_out_of_night_series: ['night_series_left_out', 'steam_id', 'series_id'],
  // Without who acted and why, which may say who reported what.
  operators_about_me: ['operator_log', 'account', 'at action'],
  operator_log: ['operator_log', 'operator', 'at action'],
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
