/**
 * The tables, as both engines hold them. Times are milliseconds since 1970 (bigint), flags are 0 or 1, steam
 * ids are text. Tables about a person begin their key with `steam_id`, tables about a group with `group_id`,
 * so that a distributed PostgreSQL can shard by them (docs/ARCHITECTURE.md).
 */
import type { Generated, Kysely, Transaction } from 'kysely'

type Flag = 0 | 1

export type PeopleTable = {
  steam_id: string
  display_name: string | null
  avatar_url: string | null
  personastate: number
  /** Name of the game being played, when the platform says so. */
  playing: string | null
  /** When name, avatar and presence were last read. */
  profile_at: number | null
  friends_status: 'never' | 'ok' | 'private'
  /** When the friend list was last given by the platform; unchanged by a private answer. */
  friends_at: number | null
  /** First sign-in; null for somebody known only as a friend or member. */
  signed_in_at: number | null
  library_visibility: 'connected' | 'groups' | 'nobody'
  /** When the account was deleted here; null again with the next sign-in (DEL-2). */
  deleted_at: number | null
}

export type LibrariesTable = {
  steam_id: string
  /** Raised by every write, so that a decoded library can be kept in memory as long as it is the same. */
  version: number
  status: 'ok' | 'private'
  /** Packed games (`library/packed.ts`); null while the library was never readable. */
  packed: Uint8Array | null
  game_count: number
  total_minutes: number
  /** When the platform last gave the games. */
  synced_at: number | null
  /** When the platform last answered, 'private' included. */
  checked_at: number
}

/** What changed in somebody's library between two readings; the source of Recent Activity. Kept 30 days. */
export type LibraryChangesTable = {
  steam_id: string
  appid: number
  at: number
  /** 'started': first minutes in a game, new or long owned. */
  kind: 'added' | 'started'
  minutes: number
}

/** One row per direction: `steam_id`'s own list holds `friend_steam_id`. */
export type FriendshipsTable = {
  steam_id: string
  friend_steam_id: string
  /** When they became friends, by the platform. */
  since: number | null
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
  /** SHA-256 of the cookie of the browser that signed in, hex: only that browser swaps the hand-over token. */
  browser_hash: string | null
  /** SHA-256 of the hand-over token that the session began with, hex, until the lasting token is used. */
  handover_hash: string | null
  /** When that hand-over token ends. */
  handover_until: number | null
}

/**
 * Things that may be used once on all servers together: OpenID nonces, sign-in states, and the sign-ins that an account
 * may make in ten minutes (`storage/sign-ins.ts`).
 */
export type UsedOnceTable = { kind: 'nonce' | 'state' | 'sign_in'; value: string; expires_at: number }

export type GroupsTable = {
  group_id: Generated<number>
  name: string
  owner_steam_id: string
  picture_url: string | null
  /** Key of the picture this server serves for it (`pictures`). */
  picture_key: string | null
  created_at: number
  /** When the games of the group were last synced together. */
  synced_at: number | null
}

export type GroupMembersTable = {
  group_id: number
  steam_id: string
  added_at: number
  /** Null until the member says so themselves (MEM-2). */
  joined_at: number | null
  /** Who added them; null for those who came by themselves. */
  added_by: string | null
}

/** Who left a group, or declined: nobody else adds them again. */
export type GroupDeparturesTable = { group_id: number; steam_id: string; left_at: number }

/** Pictures served under /media: uploads (bytes at once) and pictures from the web (fetched when first asked). */
export type PicturesTable = {
  picture_key: string
  content_type: string | null
  bytes: Uint8Array | null
  source_url: string | null
  fetched_at: number | null
  created_at: number
}

/** Every sync that was run: daily limit, progress and activity are read from it. */
export type SyncsTable = {
  sync_id: Generated<number>
  /** Who started it. */
  steam_id: string
  kind: 'games' | 'friends' | 'group_games'
  /** Whose library or list; empty for a group's, and when that account was deleted. */
  target: string
  started_at: number
  finished_at: number | null
  result: 'running' | 'ok' | 'private' | 'failed'
  /** 1 while it counts against the ten; taken back when the platform failed. */
  counted: Flag
  item_count: number | null
}

/** Libraries and friend lists waiting to be read: one row per steam id, claimed by lease (REF-3). */
export type RefreshesTable = {
  steam_id: string
  requested_by: string
  requested_at: number
  games_due: Flag
  /** Only with the first sign-in (SYNC-18). */
  friends_due: Flag
  /** Higher first. */
  priority: number
  attempts: number
  next_attempt_at: number
  lease_owner: string | null
  lease_until: number
}

/** Outgoing calls of all servers together, by platform host. */
export type PlatformHostsTable = {
  host: string
  /** Nobody asks before this time: the platform said Retry-After. */
  blocked_until: number
  /** How the call failed that brought the block. */
  blocked_by: string | null
  /** The refresh list waits until then: the circuit is open. */
  held_until: number
  failures: number
  /** Next moment at which a call may start: the shared average rate is kept by advancing it. */
  next_call_at: number
}
export type PlatformDaysTable = { host: string; day: string; calls: number }

export type AppsTable = {
  appid: number
  name: string | null
  /** As the store says: 0 game, 4 dlc, 6 software, …; null when unknown. */
  kind: number | null
  icon_hash: string | null
  header_url: string | null
  /** Player categories (PLAT-32), joined by commas; null when the store was not asked. */
  categories: string | null
  /** When the store is to be asked next; 0 when it never was. */
  store_due_at: number
}

/**
 * What this database knows of itself: 'secret' signs sign-in states and hashes ids of accounts; 'mode' is what
 * `mode.ts` says; 'scrubbed_at' is until when deleted accounts were cleared out of the files.
 */
export type InstallationTable = { name: 'secret' | 'mode' | 'scrubbed_at'; value: string }

/** Accounts that were deleted, by a keyed hash of their id; kept until the person signs in again. */
export type DeletedAccountsTable = {
  id_hash: string
  deleted_at: number
  /** What counts by the day, from the 24 hours before, as JSON; emptied when it does not count any more. */
  recent_uses: string
}

/** Each change of a picture, for the daily limit (LIM-11). */
export type PictureChangesTable = { change_id: Generated<number>; steam_id: string; at: number }

export type Schema = {
  installation: InstallationTable
  people: PeopleTable
  deleted_accounts: DeletedAccountsTable
  libraries: LibrariesTable
  library_changes: LibraryChangesTable
  friendships: FriendshipsTable
  sessions: SessionsTable
  used_once: UsedOnceTable
  groups: GroupsTable
  group_members: GroupMembersTable
  group_departures: GroupDeparturesTable
  pictures: PicturesTable
  picture_changes: PictureChangesTable
  syncs: SyncsTable
  refreshes: RefreshesTable
  platform_hosts: PlatformHostsTable
  platform_days: PlatformDaysTable
  apps: AppsTable
}

/** A database or a transaction of it: what every query takes first. */
export type Queries = Kysely<Schema>
export type Tx = Transaction<Schema>
