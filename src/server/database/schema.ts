/**
 * The tables, the same on both engines. Times are milliseconds since 1970 (bigint), flags are 0 or 1, steam ids are
 * text. Keys of tables about a player begin with `steam_id`, keys of tables about a group with `group_id`, so that
 * a distributed PostgreSQL can shard by them (docs/develop/architecture.md).
 */
import type { Kysely, Transaction } from 'kysely'
import type { OperatorAction } from '#shared/contract/operator.ts'
import type { Language } from '#shared/languages.ts'
import { bigint, blob, double, integer, type RowOf, serial, table, text } from './columns.ts'
import { type Flag, nightTables } from './schema-nights.ts'

type LibraryVisibility = 'connected' | 'groups' | 'nobody'

/** Every table but `changes`, after those that it refers to. */
export const tables = {
  people: table({
    steam_id: text().key(),
    display_name: text().orNull(),
    avatar_url: text().orNull(),
    personastate: integer().default(0),
    /** Name of the game being played, if Steam reports one. */
    playing: text().orNull(),
    /** Its appid; null for none, and for games that are not of the store, whose numbers are longer. */
    playing_appid: bigint().orNull(),
    /** When name, avatar and presence were last read from Steam. */
    profile_at: bigint().orNull(),
    friends_status: text<'never' | 'ok' | 'private'>().default('never'),
    /** When the friend list was last read; unchanged when Steam says it is private. */
    friends_at: bigint().orNull(),
    /** When Steam last responded about it, 'private' included; null also when an earlier version wrote the list. */
    friends_checked_at: bigint().orNull(),
    /** First sign-in; null for a player known only as a friend or group member. */
    signed_in_at: bigint().orNull(),
    library_visibility: text<LibraryVisibility>().default('connected'),
    /** Appids of the games that only their owner sees, ascending, joined by commas; null for none (VIS-6). */
    hidden_appids: text().orNull(),
    /** Games that they own outside Steam, `appid:where` joined by commas; null for none (NIGHT-134). */
    elsewhere: text().orNull(),
    /** When an operator blocked the account (OPER-9). */
    blocked_at: bigint().orNull(),
    /** Of the pages (LOOK-36). */
    theme: text<'system' | 'light' | 'dark'>().default('system'),
    /** Null for the browser's. */
    language: text<Language>().orNull(),
    /** Of the store, whose prices the user sees; null for the server's (`STORE_COUNTRY`). */
    country: text().orNull(),
    /** Names of the settings of notifications that are not as at first, joined by commas (`storage/notifications/push-subscriptions.ts`). */
    notifications: text().default(''),
  })
    .index('people_blocked', '(blocked_at) WHERE blocked_at IS NOT NULL')
    .index('people_signed_in', '(signed_in_at) WHERE signed_in_at IS NOT NULL'),
  libraries: table({
    steam_id: text().key().of('people'),
    /** Increases with every write; a cached, unpacked library is valid while it is the same. */
    version: bigint(),
    status: text<'ok' | 'private'>(),
    /** Packed games (`library/packed.ts`); null if Steam has never shown them. */
    packed: blob().orNull(),
    game_count: integer().default(0),
    total_minutes: bigint().default(0),
    /** When the games were last read. */
    synced_at: bigint().orNull(),
    /** When Steam last responded, 'private' included. */
    checked_at: bigint(),
    /** When minutes began to be counted by month (SYNC-22); null before that. */
    tracked_since: bigint().orNull(),
  }),
  /**
   * Minutes that a player played in a calendar month (UTC), from the differences between syncs of their library
   * (SYNC-22). Rows are deleted after 24 months.
   */
  playtime_months: table({
    steam_id: text().of('people'),
    /** 202611 for November 2026. */
    month: integer(),
    /** Packed games (`library/packed.ts`); their minutes are those played in the month. */
    packed: blob(),
  })
    .key('steam_id', 'month')
    .index('playtime_months_by_month', '(month)'),
  /** What changed in a library between two syncs: Recent Activity, and what happened lately. Rows are deleted after 30 days. */
  library_changes: table({
    steam_id: text().of('people'),
    appid: bigint(),
    at: bigint(),
    /** 'started': played for the first time, new or long owned. 'got': new. 'again': played after a year without. */
    kind: text<'started' | 'got' | 'again'>(),
    minutes: bigint(),
  })
    .key('steam_id', 'at', 'appid', 'kind')
    .index('library_changes_by_time', '(at)'),
  /** A player's friend list; without a row it is empty, or was never read. */
  friend_lists: table({
    steam_id: text().key().of('people'),
    /** Packed ids (`library/packed.ts`); lists of earlier versions end with times. */
    packed: blob(),
  }),
  sessions: table({
    session_id: serial(),
    steam_id: text().of('people'),
    /** SHA-256 of the token, hex; the token itself is never stored (SIGN-24). */
    token_hash: text().unique(),
    kind: text<'handover' | 'lasting'>(),
    created_at: bigint(),
    last_used_at: bigint(),
    expires_at: bigint(),
    user_agent: text(),
    /** SHA-256, hex, of the cookie of the browser that signed in: only it may exchange the hand-over token. */
    browser_hash: text().orNull(),
    /** SHA-256, hex, of the session's hand-over token; null once the lasting token has been used. */
    handover_hash: text().orNull(),
    /** When that hand-over token expires. */
    handover_until: bigint().orNull(),
  })
    .index('sessions_by_person', '(steam_id)')
    .index('sessions_by_end', '(expires_at)')
    .index('sessions_by_handover', '(handover_hash)', 'UNIQUE'),
  /**
   * Devices that are notified (PUSH-1), by a hash of the endpoint, so that a device is there once. A subscription ends with
   * the session that made it.
   */
  push_subscriptions: table({
    steam_id: text().of('people', 'ON DELETE CASCADE'),
    subscription_id: text(),
    session_id: bigint(),
    /** The device's secret address at the push service of its browser. */
    endpoint: text(),
    /** The keys that messages are encrypted with: a point of P-256 and 16 bytes, as base64url. */
    p256dh: text(),
    auth: text(),
    /** Of the browser, for users who have chosen none. */
    language: text<Language>(),
    created_at: bigint(),
    /** When the browser says that it ends; null for never. */
    expires_at: bigint().orNull(),
    /** How often in a row its push service has refused a message for good. */
    refusals: integer().default(0),
  })
    .key('steam_id', 'subscription_id')
    .index('push_subscriptions_by_id', '(subscription_id)'),
  /**
   * What may be used once, on all servers together: OpenID nonces, returns from Steam, and the uses of an account that are
   * limited, such as nights that it starts (`storage/accounts/used-once.ts`).
   */
  used_once: table({
    kind: text<
      | 'nonce'
      | 'state'
      | `vote:${number}`
      | `${'first_read' | 'night' | 'webhook' | 'asked_again' | 'report' | 'push' | 'picture'}:${string}`
    >(),
    value: text(),
    expires_at: bigint(),
  })
    .key('kind', 'value')
    .index('used_once_by_end', '(expires_at)'),
  /** Pictures served under /media: uploads, and pictures from the web, whose bytes are fetched on first request. */
  pictures: table({
    picture_key: text().key(),
    content_type: text().orNull(),
    bytes: blob().orNull(),
    source_url: text().orNull(),
    fetched_at: bigint().orNull(),
    created_at: bigint(),
  })
    // A URL of 2,048 characters, percent-encoded, is too long for another index of PostgreSQL.
    .index('pictures_by_source', '(source_url)', 'hash'),
  groups: table({
    group_id: serial(),
    name: text(),
    owner_steam_id: text().of('people'),
    picture_url: text().orNull(),
    /** Key in `pictures` of the picture that is served under /media. */
    picture_key: text().orNull().of('pictures'),
    created_at: bigint(),
    /** When the games of the whole group were last synced. */
    synced_at: bigint().orNull(),
    /** 1 when a 'not tonight' rules a game out; copied to nights at their start (NIGHT-15). */
    not_tonight_forbids: integer<Flag>().default(0),
    /** 1 when its picks and lists may be shared by link. */
    shares: integer<Flag>().default(1),
  })
    .index('groups_by_owner', '(owner_steam_id)')
    .index('groups_by_picture', '(picture_key)'),
  group_members: table({
    group_id: bigint().of('groups'),
    steam_id: text().of('people'),
    added_at: bigint(),
    /** Null until the member confirms being added (MEM-1). */
    joined_at: bigint().orNull(),
    /** Steam id of the member who added them; null when they joined on their own. */
    added_by: text().orNull(),
    /** Games that they want to play with the group, and since when, `appid:time` joined by commas (WISH-1). */
    wishes: text().orNull(),
  })
    .key('group_id', 'steam_id')
    .index('group_members_by_person', '(steam_id, group_id)')
    .index('group_members_by_adder', '(added_by) WHERE added_by IS NOT NULL'),
  /** Who left a group, declined, or was removed from it. Goes with their next membership (MEM-7). */
  group_departures: table({
    group_id: bigint().of('groups'),
    steam_id: text().of('people'),
    left_at: bigint(),
    /** 1 when the owner removed them: the owner adds them again. Those who left by themselves are added by nobody. */
    removed: integer<Flag>().default(0),
    /** 1 while they may come back by themselves; the owner decides (MEM-13). */
    may_return: integer<Flag>().default(1),
  })
    .key('group_id', 'steam_id')
    .index('group_departures_by_person', '(steam_id, group_id)'),
  /** How many can play a game together, as members of a group have corrected it for the group (API-53). */
  group_game_players: table({
    group_id: bigint().of('groups'),
    appid: bigint(),
    players_max: integer(),
    /** Steam id of the member; null after that account was deleted. */
    corrected_by: text().orNull(),
    at: bigint(),
  })
    .key('group_id', 'appid')
    .index('group_game_players_by_person', '(corrected_by) WHERE corrected_by IS NOT NULL'),
  /** Games that are not on Steam, which members have added to their group (API-56). */
  group_games: table({
    group_id: bigint().of('groups'),
    /** Of games that are not on Steam (`isAddedGame`); no number is used twice. */
    appid: bigint(),
    name: text(),
    /** Null once it was taken away while a vote of the group remembers it. */
    link: text().orNull(),
    /** Steam id of the member; null after they have left the group. */
    added_by: text().orNull(),
    added_at: bigint(),
  })
    .key('group_id', 'appid')
    .index('group_games_by_appid', '(appid)')
    .index('group_games_by_person', '(added_by) WHERE added_by IS NOT NULL'),
  /** Every sync that was started; daily limit, progress and activity are read from it. */
  syncs: table({
    sync_id: serial(),
    /** The player who started it. */
    steam_id: text().of('people'),
    kind: text<'games' | 'friends' | 'group_games'>(),
    /** Steam id whose library or list is synced; empty for a group sync and after that account was deleted. */
    target: text(),
    started_at: bigint(),
    finished_at: bigint().orNull(),
    result: text<'running' | 'ok' | 'private' | 'failed'>(),
    /** 1 if it counts towards the daily limit; set to 0 when Steam failed. */
    counted: integer<Flag>(),
    item_count: integer().orNull(),
    /** Unused. */
    alive_until: bigint().orNull(),
  })
    .index('syncs_by_person', '(steam_id, started_at)')
    .index('syncs_by_time', '(started_at)')
    .index('syncs_by_target', '(target)'),
  /** The refresh list: libraries and friend lists to read, one row per steam id, claimed by lease (REF-1). */
  refreshes: table({
    steam_id: text().key().of('people'),
    requested_by: text(),
    requested_at: bigint(),
    games_due: integer<Flag>().default(1),
    /** Set by the first sign-in only (SYNC-18). */
    friends_due: integer<Flag>().default(0),
    /** Higher first. */
    priority: integer(),
    attempts: integer(),
    next_attempt_at: bigint(),
    lease_owner: text().orNull(),
    lease_until: bigint(),
  }).index('refreshes_by_turn', '(priority, next_attempt_at)'),
  /** State of the call budget that all servers share, per host of Steam. */
  platform_hosts: table({
    host: text().key(),
    /** No requests are sent before this time: Steam responded with Retry-After. */
    blocked_until: bigint(),
    /** Why that response failed (a `SteamFailure`). */
    blocked_by: text().orNull(),
    /** When the next call may start; each call moves it forward, which holds the shared average rate. */
    next_call_at: double(),
  }),
  /** Number of calls per host and day (UTC, `2026-11-21`). */
  platform_days: table({
    host: text(),
    day: text(),
    calls: bigint(),
  }).key('host', 'day'),
  apps: table({
    appid: bigint().key(),
    name: text().orNull(),
    /** The store's type: 0 game, 4 DLC, 6 software, …; null when unknown. */
    kind: integer().orNull(),
    icon_hash: text().orNull(),
    header_url: text().orNull(),
    /** Player categories (PLAT-32), joined by commas; null when unknown. */
    categories: text().orNull(),
    /** 1 for free to play, 0 for not; null when unknown. */
    is_free: integer().orNull(),
    /** When to read store details next; 0 or less if they were never read. */
    store_due_at: bigint().default(0),
  }).index('apps_by_store_turn', '(store_due_at)'),
  /**
   * Facts about the installation: 'secret' signs sign-in states and hashes ids of accounts; 'push_key' signs requests to push
   * services; 'mode' is 'demo' or 'platform' (`open.ts`); accounts deleted before 'scrubbed_at' have been removed from the
   * files too; 'sign_in' says who may sign in, as JSON (`SignInRule` in storage/operator.ts); a public demo was last
   * reset in the period that began at 'demo_reset_at'; 'added_appid' is the last one of `group_games`.
   */
  installation: table({
    name: text<
      'secret' | 'push_key' | 'mode' | 'scrubbed_at' | 'sign_in' | 'demo_reset_at' | 'added_appid'
    >().key(),
    value: text(),
  }),
  /** Deleted accounts, by a keyed hash of their steam id; removed when the player signs in again. */
  deleted_accounts: table({
    id_hash: text().key(),
    deleted_at: bigint(),
    /** When the syncs of the 24 hours before the deletion were started, as JSON; emptied when none counts any more. */
    recent_uses: text(),
  }),
  /** Blocked accounts, by a keyed hash of their steam id, so that a deleted account stays blocked (OPER-9). */
  blocked_accounts: table({
    id_hash: text().key(),
    blocked_at: bigint(),
    reason: text(),
    /** Restored when the block ends; until then nobody sees the library. */
    visibility_before: text<LibraryVisibility>(),
  }),
  /** Open reports of groups, one per group and player (OPER-13). */
  group_reports: table({
    group_id: bigint().of('groups'),
    /** Of the player who reported it. */
    steam_id: text().of('people'),
    about: text<'name' | 'picture'>(),
    reason: text(),
    /** The group's name when it was reported. */
    name_then: text(),
    at: bigint(),
  })
    .key('group_id', 'steam_id')
    .index('group_reports_by_person', '(steam_id)')
    .index('group_reports_by_time', '(at)'),
  /** What operators did (OPER-17). Rows are deleted after a year. */
  operator_log: table({
    entry_id: serial(),
    at: bigint(),
    /** Steam id of the operator; null when that account was deleted. */
    operator: text().orNull(),
    action: text<OperatorAction>(),
    /** Steam id of the account concerned; null for none, and when it was deleted. */
    account: text().orNull(),
    group_id: bigint().orNull(),
    detail: text().orNull(),
    reason: text(),
  })
    .index('operator_log_by_time', '(at)')
    .index('operator_log_by_operator', '(operator)')
    .index('operator_log_by_account', '(account) WHERE account IS NOT NULL'),
  /** Prices of the store by country; deleted a day after the store was asked. */
  prices: table({
    country: text(),
    appid: bigint(),
    /** When a server asked the store, answered or not. */
    asked_at: bigint(),
    /** When the store answered; null while it has not. The price is null where there is none. */
    read_at: bigint().orNull(),
    formatted: text().orNull(),
    cents: bigint().orNull(),
    discount_percent: integer().default(0),
    discount_ends_at: bigint().orNull(),
  })
    .key('country', 'appid')
    .index('prices_by_time', '(asked_at)'),
  /** Steam wishlists of users who let them be read, or did once (WISH-4). */
  wishlists: table({
    steam_id: text().key(),
    /** 'waiting': not read yet; 'empty': the last response had no games; 'off': the user does not let it be read. */
    status: text<'off' | 'waiting' | 'ok' | 'empty' | 'failed'>(),
    /** Joined by commas, those wanted most first. */
    appids: text().orNull(),
    /** When Steam may be asked again. */
    due_at: bigint().default(0),
  }),
  ...nightTables,
}

/** Every table, after those that it refers to. */
export const TABLES = [...(Object.keys(tables) as (keyof typeof tables)[]), 'changes'] as const

/** `changes`: what transactions changed (`cache-tags.ts`); its other columns differ between the engines. Rows live for minutes. */
export type Schema = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> } & {
  changes: { subject: string }
}

/** The database, outside any transaction. */
export type Queries = Kysely<Schema>
export type Tx = Transaction<Schema>
