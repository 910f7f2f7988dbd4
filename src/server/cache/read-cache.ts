/**
 * Cache of the data that requests read most: sessions, people and their libraries, friend lists and group members.
 * docs/CACHING.md describes every cache of the server.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { listFriendIds } from '../storage/friends.ts'
import { listMemberIds } from '../storage/memberships.ts'
import { findSession, type SessionRow } from '../storage/sessions.ts'
import { type CachedPerson, createPeopleCache, type PeopleCache } from './people-cache.ts'
import { createSnapshotCache, createSnapshots, type Snapshots } from './snapshots.ts'

export type ReadCache = Pick<Snapshots, 'refresh' | 'refreshNow'> &
  PeopleCache & {
    /** Like {@link session} without a query: undefined also when the session is not cached. */
    cachedSession(tokenHash: string, now: number): SessionRow | undefined
    /** The session of a token that has not ended at `now`. */
    session(tokenHash: string, now: number): Promise<SessionRow | undefined>
    /** Ids of a person's friends, in no particular order. */
    friendIds(steamId: SteamId): Promise<readonly SteamId[]>
    /** A person's friends who have rows, in no particular order. */
    friends(steamId: SteamId): Promise<readonly CachedPerson[]>
    /** Ids of a group's members: owner first, then in the order they were added. */
    memberIds(groupId: number): Promise<readonly SteamId[]>
  }

/** Shares of the memory. */
const SHARES = { sessions: 1 / 48, friends: 2 / 48, ids: 4 / 48, people: 35 / 48, wholeLibraries: 6 / 48 }
/** Memory of an entry, in bytes, measured roughly and rounded up. */
const SESSION_BYTES = 700
const LIST_BYTES = 300
const BYTES_PER_ID = 48
/** In the cached list and in the sorted one (features/friends.ts). */
const BYTES_PER_FRIEND = 16

/** A cache of about `bytes`; with 0 every read is a query. */
export function createReadCache(database: Database, bytes: number): ReadCache {
  const { queries } = database
  // Cleared, because lists of an earlier snapshot would keep replaced or evicted people in memory.
  const snapshots = createSnapshots(database, () => friends.clear())
  const sessions = createSnapshotCache<string, SessionRow>(
    snapshots,
    bytes * SHARES.sessions,
    () => SESSION_BYTES,
  )
  /** Friends by steam id, members by group id. */
  const ids = createSnapshotCache<SteamId | number, readonly SteamId[]>(
    snapshots,
    bytes * SHARES.ids,
    (list) => LIST_BYTES + list.length * BYTES_PER_ID,
  )
  /** Cached as lists, because looking up 150 people one by one takes longer. */
  const friends = createSnapshotCache<SteamId, readonly CachedPerson[]>(
    snapshots,
    bytes * SHARES.friends,
    (list) => LIST_BYTES + list.length * BYTES_PER_FRIEND,
  )
  const people = createPeopleCache({
    database,
    snapshots,
    peopleBytes: bytes * SHARES.people,
    wholeLibraryBytes: bytes * SHARES.wholeLibraries,
    onEvict: () => friends.clear(),
  })

  const friendIds = (steamId: SteamId) => ids.load(steamId, () => listFriendIds(queries, steamId))

  function cachedSession(tokenHash: string, now: number): SessionRow | undefined {
    const session = sessions.get(tokenHash)
    return session !== undefined && session.expires_at > now ? session : undefined
  }

  return {
    ...people,
    refresh: () => snapshots.refresh(),
    refreshNow: () => snapshots.refreshNow(),
    cachedSession,
    session: async (tokenHash, now) => {
      const session = await sessions.load(tokenHash, () => findSession(queries, tokenHash, now))
      return session && session.expires_at > now ? session : undefined
    },
    friendIds,
    friends: (steamId) =>
      friends.load(steamId, async () => {
        const found = await people.people(await friendIds(steamId))
        return found.filter((person) => person !== undefined)
      }),
    memberIds: (groupId) => ids.load(groupId, () => listMemberIds(queries, groupId)),
  }
}
