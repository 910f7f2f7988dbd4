/**
 * Where a distributed PostgreSQL (Citus) stores each table. What has rows for every player or group is sharded; what
 * stays small is on the coordinator (docs/operate/several-servers.md).
 */
import type { Schema } from '../schema.ts'

type Table = keyof Schema

/** Without `by` on the coordinator, or a reference table, which is on every machine. */
export type Placement = {
  why: string
  isReference?: true
  /** The column that it is sharded by. */
  by?: string
  /** The table whose shards it is stored beside, so that they can be joined, and that it refers to. */
  beside?: Table
  /** Changes of keys, because a key of a sharded table must contain the column that it is sharded by. */
  keys?: readonly string[]
}

const ofPlayer = { by: 'steam_id', beside: 'people' } as const
const ofGroup = { by: 'group_id', beside: 'groups' } as const
const ofNight = { by: 'night_id', beside: 'nights' } as const

/** Every table, after the one that it is stored beside; the compiler wants an entry for a new one. */
export const placements: { readonly [Name in Table]: Placement } = {
  people: { by: 'steam_id', why: 'a row per player' },
  libraries: { ...ofPlayer, why: 'a row per player, read with it' },
  library_changes: { ...ofPlayer, why: 'dozens of rows per player and month' },
  playtime_months: { ...ofPlayer, why: 'up to 24 rows per player' },
  friend_lists: { ...ofPlayer, why: 'a row per player' },
  wishlists: { ...ofPlayer, why: 'a row per player who lets it be read' },
  refreshes: { ...ofPlayer, why: 'up to a row per player' },
  syncs: {
    ...ofPlayer,
    why: 'dozens of rows per player and month',
    keys: [
      'ALTER TABLE syncs DROP CONSTRAINT IF EXISTS syncs_pkey',
      'ALTER TABLE syncs ADD PRIMARY KEY (steam_id, sync_id)',
    ],
  },
  sessions: {
    by: 'token_hash',
    why: 'looked up by token, before the player is known',
    keys: [
      'ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_pkey',
      'ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_token_hash_key',
      'ALTER TABLE sessions ADD PRIMARY KEY (token_hash)',
      'CREATE INDEX IF NOT EXISTS sessions_by_id ON sessions (session_id)',
      // Tokens are random, so their hashes need no constraint.
      'DROP INDEX IF EXISTS sessions_by_handover',
      'CREATE INDEX sessions_by_handover ON sessions (handover_hash)',
    ],
  },
  calendar_feeds: {
    by: 'token',
    why: 'looked up by token',
    keys: [
      // A player's calendar is changed with the player locked.
      'ALTER TABLE calendar_feeds DROP CONSTRAINT IF EXISTS calendar_feeds_steam_id_key',
      'CREATE INDEX IF NOT EXISTS calendar_feeds_by_person ON calendar_feeds (steam_id)',
    ],
  },
  push_subscriptions: { ...ofPlayer, why: 'up to ten rows per user, read for the players of a night' },
  used_once: { by: 'kind', why: 'the uses of an account are counted by kind, which contains its hash' },
  deleted_accounts: { by: 'id_hash', why: 'a row per deleted account, never removed' },
  pictures: { by: 'picture_key', why: 'a megabyte per group at most, looked up by key' },
  groups: { by: 'group_id', why: 'more groups than fit one machine' },
  group_members: { ...ofGroup, why: 'read and locked with the group' },
  group_departures: { ...ofGroup, why: 'read and locked with the group' },
  group_games: { ...ofGroup, why: 'read with the games of the group' },
  group_game_players: { ...ofGroup, why: 'read with the games of the group' },
  nights: {
    by: 'night_id',
    why: 'more nights than fit one machine',
    keys: [
      'ALTER TABLE nights DROP CONSTRAINT IF EXISTS nights_share_token_key',
      'CREATE INDEX IF NOT EXISTS nights_by_share_token ON nights (share_token)',
    ],
  },
  night_people: { ...ofNight, why: 'read and locked with the night' },
  night_draws: { ...ofNight, why: 'read and locked with the night' },
  night_date_answers: { ...ofNight, why: 'read and changed with the night' },
  apps: { isReference: true, why: 'the catalogue, the same for everyone, on every machine' },
  prices: { why: 'what users looked at in a day' },
  changes: { why: 'polled by every server, rows live for minutes' },
  installation: { why: 'a few rows' },
  platform_hosts: { why: 'two rows' },
  platform_days: { why: 'a row per day' },
  invites: { why: 'at most a row per group or night, and they expire' },
  year_links: { why: 'few years are shared' },
  webhooks: { why: 'at most a row per group, and few have one' },
  messages: { why: 'rows live for an hour' },
  push_messages: { why: 'rows live for an hour' },
  night_reminders: { why: 'two numbers per planned night until it starts, read by time' },
  night_dates: { why: 'a row per night whose date is being found, read by time' },
  night_series: { why: 'a row per night that repeats, read by time' },
  night_series_nights: { why: 'up to six rows per night that repeats' },
  night_series_left_out: { why: 'few, read with the series' },
  blocked_accounts: { why: 'few, and operators list them' },
  group_reports: { why: 'few, until an operator has dealt with them' },
  operator_log: { why: 'what a few operators do in a year' },
}
