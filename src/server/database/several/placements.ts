/**
 * Where a distributed PostgreSQL (Citus) stores each table. What has rows for every player or group is sharded; what
 * stays small is on the coordinator (docs/operate/several-servers.md).
 */
import type { Schema } from '../schema.ts'

type Table = keyof Schema

export type Placement =
  | {
      how: 'sharded'
      by: string
      /** The table whose shards it is stored beside, so that they can be joined, and that it refers to. */
      beside?: Table
      /** Changes of keys, because a key of a sharded table must contain the column that it is sharded by. */
      keys?: readonly string[]
      why: string
    }
  | { how: 'reference' | 'coordinator'; why: string }

const aboutPlayers = (why: string, keys: readonly string[] = []): Placement => ({
  how: 'sharded',
  by: 'steam_id',
  beside: 'people',
  keys,
  why,
})
const sharded = (by: string, why: string, keys: readonly string[] = []): Placement => ({
  how: 'sharded',
  by,
  keys,
  why,
})
const beside = (table: Table, by: string, why: string): Placement => ({
  how: 'sharded',
  by,
  beside: table,
  why,
})
const onCoordinator = (why: string): Placement => ({ how: 'coordinator', why })

/** Every table, after those that it refers to; the compiler wants an entry for a new one. */
export const placements: { readonly [Name in Table]: Placement } = {
  people: sharded('steam_id', 'a row per player'),
  libraries: aboutPlayers('a row per player, read with it'),
  library_changes: aboutPlayers('dozens of rows per player and month'),
  playtime_months: aboutPlayers('up to 24 rows per player'),
  friend_lists: aboutPlayers('a row per player'),
  wishlists: aboutPlayers('a row per player who lets it be read'),
  refreshes: aboutPlayers('up to a row per player'),
  syncs: aboutPlayers('dozens of rows per player and month', [
    'ALTER TABLE syncs DROP CONSTRAINT IF EXISTS syncs_pkey',
    'ALTER TABLE syncs ADD PRIMARY KEY (steam_id, sync_id)',
  ]),
  sessions: sharded('token_hash', 'looked up by token, before the player is known', [
    'ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_pkey',
    'ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_token_hash_key',
    'ALTER TABLE sessions ADD PRIMARY KEY (token_hash)',
    'CREATE INDEX IF NOT EXISTS sessions_by_id ON sessions (session_id)',
    // Tokens are random, so their hashes need no constraint.
    'DROP INDEX IF EXISTS sessions_by_handover',
    'CREATE INDEX sessions_by_handover ON sessions (handover_hash)',
  ]),
  calendar_feeds: sharded('token', 'looked up by token', [
    // A player's calendar is changed with the player locked.
    'ALTER TABLE calendar_feeds DROP CONSTRAINT IF EXISTS calendar_feeds_steam_id_key',
    'CREATE INDEX IF NOT EXISTS calendar_feeds_by_person ON calendar_feeds (steam_id)',
  ]),
  push_subscriptions: aboutPlayers('up to ten rows per user, read for the players of a night'),
  used_once: sharded('kind', 'the uses of an account are counted by kind, which contains its hash'),
  deleted_accounts: sharded('id_hash', 'a row per deleted account, never removed'),
  pictures: sharded('picture_key', 'a megabyte per group at most, looked up by key'),
  groups: sharded('group_id', 'more groups than fit one machine'),
  group_members: beside('groups', 'group_id', 'read and locked with the group'),
  group_departures: beside('groups', 'group_id', 'read and locked with the group'),
  group_game_players: beside('groups', 'group_id', 'read with the games of the group'),
  nights: sharded('night_id', 'more nights than fit one machine', [
    'ALTER TABLE nights DROP CONSTRAINT IF EXISTS nights_share_token_key',
    'CREATE INDEX IF NOT EXISTS nights_by_share_token ON nights (share_token)',
  ]),
  night_people: beside('nights', 'night_id', 'read and locked with the night'),
  night_draws: beside('nights', 'night_id', 'read and locked with the night'),
  night_date_answers: beside('nights', 'night_id', 'read and changed with the night'),
  apps: { how: 'reference', why: 'the catalogue, the same for everyone, on every machine' },
  prices: onCoordinator('what users looked at in a day'),
  changes: onCoordinator('polled by every server, rows live for minutes'),
  installation: onCoordinator('a few rows'),
  platform_hosts: onCoordinator('two rows'),
  platform_days: onCoordinator('a row per day'),
  invites: onCoordinator('at most a row per group or night, and they expire'),
  webhooks: onCoordinator('at most a row per group, and few have one'),
  messages: onCoordinator('rows live for an hour'),
  push_messages: onCoordinator('rows live for an hour'),
  night_reminders: onCoordinator('two numbers per planned night until it starts, read by time'),
  night_dates: onCoordinator('a row per night whose date is being found, read by time'),
  night_series: onCoordinator('a row per night that repeats, read by time'),
  night_series_nights: onCoordinator('up to six rows per night that repeats'),
  night_series_left_out: onCoordinator('few, read with the series'),
  blocked_accounts: onCoordinator('few, and operators list them'),
  group_reports: onCoordinator('few, until an operator has dealt with them'),
  operator_log: onCoordinator('what a few operators do in a year'),
}
