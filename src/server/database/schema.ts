/**
 * The tables, the same on both engines. Times are milliseconds since 1970 (bigint), flags are 0 or 1, steam ids are
 * text. Keys of tables about a player begin with `steam_id`, keys of tables about a group with `group_id`, so that
 * a distributed PostgreSQL can shard by them (docs/develop/architecture.md).
 */
import type { Generated, Kysely, Transaction } from 'kysely'
import type { OperatorAction } from '#shared/contract/operator.ts'
import type { Language } from '#shared/languages.ts'
import type { Flag, NightSchema } from './schema-nights.ts'

type LibraryVisibility = 'connected' | 'groups' | 'nobody'

export type PlayersTable = {
  steam_id: string
  display_name: string | null
  avatar_url: string | null
  personastate: Generated<number>
  /** Name of the game being played, if Steam reports one. */
  playing: string | null
  /** Its appid; null for none, and for games that are not of the store, whose numbers are longer. */
  playing_appid: number | null
  /** When name, avatar and presence were last read from Steam. */
  profile_at: number | null
  friends_status: Generated<'never' | 'ok' | 'private'>
  /** When the friend list was last read; unchanged when Steam says it is private. */
  friends_at: number | null
  /** When Steam last responded about it, 'private' included; null also when an earlier version wrote the list. */
  friends_checked_at: Generated<number | null>
  /** First sign-in; null for a player known only as a friend or group member. */
  signed_in_at: number | null
  library_visibility: Generated<LibraryVisibility>
  /** Appids of the games that only their owner sees, ascending, joined by commas; null for none (VIS-6). */
  hidden_appids: string | null
  /** Games that they own outside Steam, `appid:where` joined by commas; null for none (NIGHT-134). */
  elsewhere: string | null
  /** When an operator blocked the account (OPER-9). */
  blocked_at: Generated<number | null>
  /** Of the pages (LOOK-36). */
  theme: Generated<'system' | 'light' | 'dark'>
  /** Null for the browser's. */
  language: Generated<Language | null>
  /** Of the store, whose prices the user sees; null for the server's (`STORE_COUNTRY`). */
  country: Generated<string | null>
  /** Names of the settings of notifications that are not as at first, joined by commas (`storage/push-subscriptions.ts`). */
  notifications: Generated<string>
}

export type LibrariesTable = {
  steam_id: string
  /** Increases with every write; a cached, unpacked library is valid while it is the same. */
  version: number
  status: 'ok' | 'private'
  /** Packed games (`library/packed.ts`); null if Steam has never shown them. */
  packed: Uint8Array | null
  game_count: Generated<number>
  total_minutes: Generated<number>
  /** When the games were last read. */
  synced_at: number | null
  /** When Steam last responded, 'private' included. */
  checked_at: number
  /** When minutes began to be counted by month (SYNC-22); null before that. */
  tracked_since: number | null
}

/**
 * Minutes that a player played in a calendar month (UTC), from the differences between syncs of their library
 * (SYNC-22). Rows are deleted after 24 months.
 */
export type PlaytimeMonthsTable = {
  steam_id: string
  /** 202611 for November 2026. */
  month: number
  /** Packed games (`library/packed.ts`); their minutes are those played in the month. */
  packed: Uint8Array
}

/** What changed in a library between two syncs: Recent Activity, and what happened lately. Rows are deleted after 30 days. */
export type LibraryChangesTable = {
  steam_id: string
  appid: number
  at: number
  /** 'started': played for the first time, new or long owned. 'got': new. 'again': played after a year without. */
  kind: 'started' | 'got' | 'again'
  minutes: number
}

/** A player's friend list; without a row it is empty, or was never read. */
export type FriendListsTable = {
  steam_id: string
  /** Packed ids with the times since when they are friends (`library/packed.ts`). */
  packed: Uint8Array
}

export type SessionsTable = {
  session_id: Generated<number>
  steam_id: string
  /** SHA-256 of the token, hex; the token itself is never stored (SIGN-24). */
  token_hash: string
  kind: 'handover' | 'lasting'
  created_at: number
  last_used_at: number
  expires_at: number
  user_agent: string
  /** SHA-256, hex, of the cookie of the browser that signed in: only it may exchange the hand-over token. */
  browser_hash: string | null
  /** SHA-256, hex, of the session's hand-over token; null once the lasting token has been used. */
  handover_hash: string | null
  /** When that hand-over token expires. */
  handover_until: number | null
}

/**
 * Devices that are notified (PUSH-1), by a hash of the endpoint, so that a device is there once. A subscription ends with
 * the session that made it.
 */
export type PushSubscriptionsTable = {
  steam_id: string
  subscription_id: string
  session_id: number
  /** The device's secret address at the push service of its browser. */
  endpoint: string
  /** The keys that messages are encrypted with: a point of P-256 and 16 bytes, as base64url. */
  p256dh: string
  auth: string
  /** Of the browser, for users who have chosen none. */
  language: Language
  created_at: number
  /** When the browser says that it ends; null for never. */
  expires_at: number | null
  /** How often in a row its push service has refused a message for good. */
  refusals: Generated<number>
}

/**
 * What may be used once, on all servers together: OpenID nonces, returns from Steam, and the uses of an account that are
 * limited, such as nights that it starts (`storage/used-once.ts`).
 */
export type UsedOnceTable = {
  kind:
    | 'nonce'
    | 'state'
    | `vote:${number}`
    | `${'first_read' | 'night' | 'webhook' | 'asked_again' | 'report' | 'push' | 'picture'}:${string}`
  value: string
  expires_at: number
}

export type GroupsTable = {
  group_id: Generated<number>
  name: string
  owner_steam_id: string
  picture_url: string | null
  /** Key in `pictures` of the picture that is served under /media. */
  picture_key: string | null
  created_at: number
  /** When the games of the whole group were last synced. */
  synced_at: number | null
  /** 1 when a 'not tonight' rules a game out; copied to nights at their start (NIGHT-15). */
  not_tonight_forbids: Generated<Flag>
  /** 1 when its picks and lists may be shared by link. */
  shares: Generated<Flag>
}

export type GroupMembersTable = {
  group_id: number
  steam_id: string
  added_at: number
  /** Null until the member confirms being added (MEM-1). */
  joined_at: number | null
  /** Steam id of the member who added them; null when they joined on their own. */
  added_by: string | null
  /** Games that they want to play with the group, and since when, `appid:time` joined by commas (WISH-1). */
  wishes: Generated<string | null>
}

/** Who left a group, declined, or was removed from it. Goes with their next membership (MEM-7). */
export type GroupDeparturesTable = {
  group_id: number
  steam_id: string
  left_at: number
  /** 1 when the owner removed them: the owner adds them again. Those who left by themselves are added by nobody. */
  removed: Generated<Flag>
  /** 1 while they may come back by themselves; the owner decides (MEM-13). */
  may_return: Generated<Flag>
}

/** How many can play a game together, as members of a group have corrected it for the group (API-53). */
export type GroupGamePlayersTable = {
  group_id: number
  appid: number
  players_max: number
  /** Steam id of the member; null after that account was deleted. */
  corrected_by: string | null
  at: number
}

/** Pictures served under /media: uploads, and pictures from the web, whose bytes are fetched on first request. */
export type PicturesTable = {
  picture_key: string
  content_type: string | null
  bytes: Uint8Array | null
  source_url: string | null
  fetched_at: number | null
  created_at: number
}

/** Every sync that was started; daily limit, progress and activity are read from it. */
export type SyncsTable = {
  sync_id: Generated<number>
  /** The player who started it. */
  steam_id: string
  kind: 'games' | 'friends' | 'group_games'
  /** Steam id whose library or list is synced; empty for a group sync and after that account was deleted. */
  target: string
  started_at: number
  finished_at: number | null
  result: 'running' | 'ok' | 'private' | 'failed'
  /** 1 if it counts towards the daily limit; set to 0 when Steam failed. */
  counted: Flag
  item_count: number | null
}

/** The refresh list: libraries and friend lists to read, one row per steam id, claimed by lease (REF-1). */
export type RefreshesTable = {
  steam_id: string
  requested_by: string
  requested_at: number
  games_due: Flag
  /** Set by the first sign-in only (SYNC-18). */
  friends_due: Flag
  /** Higher first. */
  priority: number
  attempts: number
  next_attempt_at: number
  lease_owner: string | null
  lease_until: number
}

/** State of the call budget that all servers share, per host of Steam. */
export type SteamHostsTable = {
  host: string
  /** No requests are sent before this time: Steam responded with Retry-After. */
  blocked_until: number
  /** Why that response failed (a `SteamFailure`). */
  blocked_by: string | null
  /** Background work waits until this time: the circuit breaker is open. */
  held_until: number
  failures: number
  /** When the next call may start; each call moves it forward, which holds the shared average rate. */
  next_call_at: number
}
/** Number of calls per host and day (UTC, `2026-11-21`). */
export type SteamDaysTable = { host: string; day: string; calls: number }

export type AppsTable = {
  appid: number
  name: string | null
  /** The store's type: 0 game, 4 DLC, 6 software, …; null when unknown. */
  kind: number | null
  icon_hash: string | null
  header_url: string | null
  /** Player categories (PLAT-32), joined by commas; null when unknown. */
  categories: string | null
  /** 1 for free to play, 0 for not; null when unknown. */
  is_free: number | null
  /** When to read store details next; 0 or less if they were never read. */
  store_due_at: number
}

/**
 * Facts about the installation: 'secret' signs sign-in states and hashes ids of accounts; 'push_key' signs requests to push
 * services; 'mode' is 'demo' or 'platform' (`open.ts`); accounts deleted before 'scrubbed_at' have been removed from the
 * files too; 'sign_in' says who may sign in, as JSON (`SignInRule` in storage/operator.ts); a public demo was last
 * reset in the period that began at 'demo_reset_at'.
 */
export type InstallationTable = {
  name: 'secret' | 'push_key' | 'mode' | 'scrubbed_at' | 'sign_in' | 'demo_reset_at'
  value: string
}

/** Deleted accounts, by a keyed hash of their steam id; removed when the player signs in again. */
export type DeletedAccountsTable = {
  id_hash: string
  deleted_at: number
  /** When the syncs of the 24 hours before the deletion were started, as JSON; emptied when none counts any more. */
  recent_uses: string
}

/** Blocked accounts, by a keyed hash of their steam id, so that a deleted account stays blocked (OPER-9). */
export type BlockedAccountsTable = {
  id_hash: string
  blocked_at: number
  reason: string
  /** Restored when the block ends; until then nobody sees the library. */
  visibility_before: LibraryVisibility
}

/** Open reports of groups, one per group and player (OPER-13). */
export type GroupReportsTable = {
  group_id: number
  /** Of the player who reported it. */
  steam_id: string
  about: 'name' | 'picture'
  reason: string
  /** The group's name when it was reported. */
  name_then: string
  at: number
}

/** What operators did (OPER-17). Rows are deleted after a year. */
export type OperatorLogTable = {
  entry_id: Generated<number>
  at: number
  /** Steam id of the operator; null when that account was deleted. */
  operator: string | null
  action: OperatorAction
  /** Steam id of the account concerned; null for none, and when it was deleted. */
  account: string | null
  group_id: number | null
  detail: string | null
  reason: string
}

/** Prices of the store by country; deleted a day after the store was asked. */
export type PricesTable = {
  country: string
  appid: number
  /** When a server asked the store, answered or not. */
  asked_at: number
  /** When the store answered; null while it has not. The price is null where there is none. */
  read_at: Generated<number | null>
  formatted: Generated<string | null>
  cents: Generated<number | null>
  discount_percent: Generated<number>
  discount_ends_at: Generated<number | null>
}

/** What transactions changed (`cache-tags.ts`); the other columns differ between the engines. Rows live for minutes. */
export type ChangesTable = { subject: string }

export type Schema = NightSchema & {
  changes: ChangesTable
  installation: InstallationTable
  people: PlayersTable
  deleted_accounts: DeletedAccountsTable
  libraries: LibrariesTable
  library_changes: LibraryChangesTable
  playtime_months: PlaytimeMonthsTable
  friend_lists: FriendListsTable
  sessions: SessionsTable
  used_once: UsedOnceTable
  groups: GroupsTable
  group_members: GroupMembersTable
  group_departures: GroupDeparturesTable
  group_game_players: GroupGamePlayersTable
  pictures: PicturesTable
  syncs: SyncsTable
  refreshes: RefreshesTable
  platform_hosts: SteamHostsTable
  platform_days: SteamDaysTable
  apps: AppsTable
  prices: PricesTable
  push_subscriptions: PushSubscriptionsTable
  blocked_accounts: BlockedAccountsTable
  group_reports: GroupReportsTable
  operator_log: OperatorLogTable
}

/** The database, outside any transaction. */
export type Queries = Kysely<Schema>
export type Tx = Transaction<Schema>
