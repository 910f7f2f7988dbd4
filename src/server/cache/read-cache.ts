/**
 * Cache of the data that requests read most: sessions, people and their libraries, friend lists and group members.
 * docs/CACHING.md describes every cache of the server.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { listFriendIds } from '../storage/friends.ts'
import { listJoinedGroupIds, listMemberIds } from '../storage/memberships.ts'
import { findSession, type SessionRow } from '../storage/sessions.ts'
import { type CachedPerson, createPeopleCache, type PeopleCache } from './people-cache.ts'
import { createSubjectCache, createTrackedCache, type Validity } from './validity.ts'

export type ReadCache = Pick<Validity, 'refresh' | 'refreshNow' | 'record'> &
  PeopleCache & {
    /** Like {@link session} without a query: undefined also when the session is not cached. */
    cachedSession(tokenHash: string, now: number): SessionRow | undefined
    /** The session of a token that has not ended at `now`. */
    session(tokenHash: string, now: number): Promise<SessionRow | undefined>
    /** Ids of a person's friends, ascending. */
    friendIds(steamId: SteamId): Promise<readonly SteamId[]>
    /** A person's friends, in the order of their ids; `what` as in {@link PeopleCache.people}. */
    friends(steamId: SteamId, what?: { games: boolean }): Promise<readonly CachedPerson[]>
    /** Ids of a group's members: owner first, then in the order they were added. */
    memberIds(groupId: number): Promise<readonly SteamId[]>
    /** Ids of the groups that each of these people has joined, in the order of `ids`. */
    joinedGroupIds(ids: readonly SteamId[]): Promise<readonly (readonly number[])[]>
  }

/** Shares of the memory. */
const SHARES = {
  sessions: 1 / 48,
  friends: 2 / 48,
  ids: 4 / 48,
  joinedGroups: 1 / 48,
  people: 34 / 48,
  wholeLibraries: 6 / 48,
}
/** Memory of an entry, in bytes, measured roughly and rounded up. */
const SESSION_BYTES = 700
const LIST_BYTES = 300
/** With the index in the sorted list, for friends (features/friends.ts). */
const BYTES_PER_ID = 56
/** In the cached list, its subjects, and the sorted list (features/friends.ts). */
const BYTES_PER_FRIEND = 24
/** With the entry; a list of numbers. */
const JOINED_GROUPS_BYTES = 250
const BYTES_PER_GROUP = 8

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
  const friends = createTrackedCache<SteamId, readonly CachedPerson[]>(
    validity,
    bytes * SHARES.friends,
    (list) => LIST_BYTES + list.length * BYTES_PER_FRIEND,
  )
  const joinedGroups = createSubjectCache<readonly number[]>(validity, {
    kind: 'groups',
    bytes: bytes * SHARES.joinedGroups,
    weigh: (groups) => JOINED_GROUPS_BYTES + groups.length * BYTES_PER_GROUP,
    read: (steamIds) => listJoinedGroupIds(queries, steamIds),
    none: [],
  })
  const people = createPeopleCache({
    database,
    validity,
    peopleBytes: bytes * SHARES.people,
    wholeLibraryBytes: bytes * SHARES.wholeLibraries,
    // Lists would keep replaced and evicted people in memory.
    onRelease: () => friends.clear(),
  })

  const friendIds = (steamId: SteamId) => ids.load(steamId, () => listFriendIds(queries, steamId))

  function cachedSession(tokenHash: string, now: number): SessionRow | undefined {
    const session = sessions.get(tokenHash)
    return session !== undefined && session.expires_at > now ? session : undefined
  }

  return {
    ...people,
    refresh: () => validity.refresh(),
    refreshNow: () => validity.refreshNow(),
    record: (read) => validity.record(read),
    cachedSession,
    session: async (tokenHash, now) => {
      const session = await sessions.load(tokenHash, () => findSession(queries, tokenHash, now))
      return session && session.expires_at > now ? session : undefined
    },
    friendIds,
    friends: (steamId, what) =>
      friends.load(steamId, async (before) => {
        const listed = await friendIds(steamId)
        const isSameList =
          before?.length === listed.length &&
          before.every((person, index) => person.steam_id === listed[index])
        const at = validity.now()
        const found = await people.people(listed, what, isSameList ? before : undefined)
        return found.map((person, index) => person ?? people.deletedPerson(listed[index]!, at))
      }),
    memberIds: (groupId) => ids.load(groupId, () => listMemberIds(queries, groupId)),
    joinedGroupIds: (steamIds) => joinedGroups.load(steamIds),
  }
}
