/** All tables, in the order in which they are copied; the reset of a demo goes the other way. */
import type { Schema } from './schema.ts'

/**
 * Every table, after those that it refers to, and whether the reset of a demo empties it. A public demo has no operators, and
 * nothing in the other tables that are kept is written by players.
 */
const tables: Readonly<Record<keyof Schema, 'emptied' | 'kept' | 'in part'>> = {
  people: 'emptied',
  libraries: 'emptied',
  library_changes: 'emptied',
  playtime_months: 'emptied',
  friend_lists: 'emptied',
  refreshes: 'emptied',
  picture_changes: 'emptied',
  syncs: 'emptied',
  sessions: 'emptied',
  calendar_feeds: 'emptied',
  push_subscriptions: 'emptied',
  used_once: 'in part',
  deleted_accounts: 'emptied',
  pictures: 'emptied',
  groups: 'emptied',
  group_members: 'emptied',
  group_departures: 'emptied',
  group_game_players: 'emptied',
  nights: 'emptied',
  night_people: 'emptied',
  night_draws: 'emptied',
  night_date_answers: 'emptied',
  apps: 'kept',
  changes: 'kept',
  installation: 'kept',
  platform_hosts: 'kept',
  platform_days: 'kept',
  invites: 'emptied',
  webhooks: 'emptied',
  messages: 'emptied',
  push_messages: 'emptied',
  night_reminders: 'emptied',
  night_dates: 'emptied',
  night_series: 'emptied',
  night_series_nights: 'emptied',
  night_series_left_out: 'emptied',
  blocked_accounts: 'kept',
  group_reports: 'emptied',
  operator_log: 'kept',
  servers: 'kept',
}

/** Every table, after those that it refers to. */
export const TABLES = Object.keys(tables) as (keyof Schema)[]

/** The tables that a reset empties, each before those that it refers to. */
export const EMPTIED_BY_RESET = TABLES.filter((table) => tables[table] === 'emptied').toReversed()
