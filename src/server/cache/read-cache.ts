/**
 * Cache of the data that requests read most: sessions, players and their libraries, friend lists and group members.
 * docs/develop/caching.md describes every cache of the server.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { type Corrections, readCorrections } from '../storage/game-players.ts'
import {
  connectedAmong,
  type Connections,
  type KnownFriends,
  NO_LIST,
  readKnownFriends,
} from '../storage/friends.ts'
import { listJoinedGroupIds, listMemberIds } from '../storage/memberships.ts'
import { findSession, type SessionRow } from '../storage/sessions.ts'
import { type CachedPlayer, createPlayerCache, type PlayerCache } from './player-cache.ts'
import { createTagCache, createTrackedCache, type Validity } from './validity.ts'

export type ReadCache = Pick<Validity, 'refresh' | 'refreshNow' | 'record' | 'isValid'> &
  PlayerCache &
  Connections & {
    /** The session of a token that has not ended at `now`. */
    session(tokenHash: string, now: number): Promise<SessionRow | undefined>
    /** Ids of those on a player's friend list, ascending. */
    friendIds(steamId: SteamId): Promise<readonly SteamId[]>
    /** Ids of the groups that a player has joined. */
    joinedGroupIds(steamId: SteamId): Promise<readonly number[]>
    /**
     * Those on a player's friend list, in the order of their ids; whoever is not connected with the player as {@link
     * PeopleCache.formerFriend} says. `what` as in {@link PlayerCache.players}.
     */
    friends(steamId: SteamId, what?: { games: boolean }): Promise<readonly CachedPlayer[]>
    /** Ids of a group's members: owner first, then in the order they were added. */
    memberIds(groupId: number): Promise<readonly SteamId[]>
    /** How many can play the games that a group has corrected (API-54). */
    corrections(groupId: number): Promise<Corrections>
  }

/** The players on a list, and as it shows them. */
type FriendList = { players: readonly CachedPlayer[]; shown: readonly CachedPlayer[] }

const NOBODY: ReadonlySet<SteamId> = new Set()

/** Shares of the memory. */
const SHARES = {
  sessions: 1 / 48,
  friends: 2 / 48,
  ids: 4 / 48,
  joinedGroups: 1 / 48,
  corrections: 1 / 48,
  knownFriends: 2 / 48,
  people: 32 / 48,
  wholeLibraries: 5 / 48,
}
/** Memory of an entry, in bytes, measured roughly and rounded up. */
const SESSION_BYTES = 700
const LIST_BYTES = 300
/** With the index in the sorted list, for friends (features/friends.ts). */
const BYTES_PER_ID = 56
/** In the cached list, its cache tags, and the sorted list (features/friends.ts). */
const BYTES_PER_FRIEND = 24
/** With the entry; a list of account numbers. */
const KNOWN_FRIENDS_BYTES = 550
const BYTES_PER_ACCOUNT = 4
/** With the entry; a list of numbers. */
const JOINED_GROUPS_BYTES = 250
const BYTES_PER_GROUP = 8
/** With the corrected game (features/players.ts). */
const BYTES_PER_CORRECTION = 400

/** A cache of about `bytes`; with 0 every read is a query. */
export function createReadCache(database: Database, validity: Validity, bytes: number): ReadCache {
  const { queries } = database
  const sessions = createTrackedCache<string, SessionRow>(
    validity,
    bytes * SHARES.sessions,
    () => SESSION_BYTES,
  )
  /** Friends by steam id, members by group id. */
  const ids = createTrackedCache<SteamId | number, readonly SteamId[]>(
    validity,
    bytes * SHARES.ids,
    (list) => LIST_BYTES + list.length * BYTES_PER_ID,
  )
  /** Cached as lists, because looking up 150 people one by one takes longer. */
  const friends = createTrackedCache<SteamId, FriendList>(
    validity,
    bytes * SHARES.friends,
    ({ players }) => LIST_BYTES + players.length * BYTES_PER_FRIEND,
  )
  /** Friend lists to look players up in; much smaller than the lists in `ids`. */
  const knownFriends = createTagCache<KnownFriends>(validity, {
    kind: 'friends',
    bytes: bytes * SHARES.knownFriends,
    weigh: ({ size }) => KNOWN_FRIENDS_BYTES + size * BYTES_PER_ACCOUNT,
    read: (steamIds) => readKnownFriends(queries, steamIds),
    none: NO_LIST,
  })
  const joinedGroups = createTagCache<readonly number[]>(validity, {
    kind: 'groups',
    bytes: bytes * SHARES.joinedGroups,
    weigh: (groups) => JOINED_GROUPS_BYTES + groups.length * BYTES_PER_GROUP,
    read: (steamIds) => listJoinedGroupIds(queries, steamIds),
    none: [],
  })
  const corrections = createTrackedCache<number, Corrections>(
    validity,
    bytes * SHARES.corrections,
    (list) => LIST_BYTES + list.size * BYTES_PER_CORRECTION,
  )
  const players = createPlayerCache({
    database,
    validity,
    playersBytes: bytes * SHARES.people,
    wholeLibraryBytes: bytes * SHARES.wholeLibraries,
    // Lists would keep replaced and evicted players in memory.
    onRelease: () => friends.clear(),
  })

  const friendIds = (steamId: SteamId) =>
    ids.load(steamId, async () => (await knownFriends.load([steamId]))[0]!.ids())

  async function groupmatesAmong(viewer: SteamId, of: readonly SteamId[]): Promise<ReadonlySet<SteamId>> {
    if (of.length === 0) return NOBODY
    const [mine, ...theirs] = await joinedGroups.load([viewer, ...of])
    return new Set(of.filter((_, index) => theirs[index]!.some((group) => mine!.includes(group))))
  }

  const connections: Connections = { friendLists: (ids) => knownFriends.load(ids), groupmatesAmong }

  return {
    ...players,
    joinedGroupIds: async (steamId) => (await joinedGroups.load([steamId]))[0]!,
    refresh: () => validity.refresh(),
    refreshNow: () => validity.refreshNow(),
    record: (read) => validity.record(read),
    isValid: (origin) => validity.isValid(origin),
    session: async (tokenHash, now) => {
      const session = await sessions.load(tokenHash, () => findSession(queries, tokenHash, now))
      return session && session.expires_at > now ? session : undefined
    },
    friendIds,
    ...connections,
    friends: async (steamId, what) => {
      const list = await friends.load(steamId, async (before) => {
        const listed = await friendIds(steamId)
        const isSameList =
          before?.players.length === listed.length &&
          before.players.every((player, index) => player.steam_id === listed[index])
        const at = validity.now()
        const found = await players.players(listed, what, isSameList ? before.players : undefined)
        const all = found.map((player, index) => player ?? players.deletedPlayer(listed[index]!, at))
        const connected = await connectedAmong(connections, steamId, all, 'friends')
        const shown = all.map((player) =>
          connected.has(player.steam_id) ? player : players.formerFriend(player),
        )
        return { players: all, shown }
      })
      return list.shown
    },
    memberIds: (groupId) => ids.load(groupId, () => listMemberIds(queries, groupId)),
    corrections: (groupId) => corrections.load(groupId, () => readCorrections(queries, groupId)),
  }
}
