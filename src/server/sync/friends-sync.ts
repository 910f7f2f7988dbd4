/** Reading friend lists, profiles and presence. */
import type { SteamId } from '#shared/entities.ts'
import { type PlatformFriend, type Profile, SteamError, type SteamPort, type Urgency } from '../steam/port.ts'
import { preventDeletions } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { deletedAmong } from '../storage/deleted-accounts.ts'
import { listFriends, replaceFriends } from '../storage/friends.ts'
import { readLibraryVersions } from '../storage/libraries.ts'
import { ensurePeople, isNotDeleted, lockPeople, saveProfiles, setFriendsSynced } from '../storage/people.ts'
import { enqueueRefreshes, refreshPriority } from '../storage/refreshes.ts'
import type { Tx } from '../database/schema.ts'
import type { Log } from './log.ts'
import type { Fetch } from './platform-read.ts'

/** A friend's library that was read this lately is not read again because of a friend list. */
const LIBRARY_FRESH_MS = 24 * 60 * 60_000
/** Presence older than this is read again when the friends page asks. */
const PRESENCE_FRESH_MS = 60_000
/** Longest that the friends page waits for presence; what comes later is stored for the next time. */
const PRESENCE_WAIT_MS = 3_000
const PRESENCE_LIMIT_MS = 15_000
/** Longest that a sign-in waits for the profile. */
const PROFILE_LIMIT_MS = 6_000

type FriendsSyncParts = { database: Database; steam: SteamPort; clock: () => number; log: Log }

/** Reads friend lists and profiles from the platform into the database. */
export function createFriendsSync({ database, steam, clock, log }: FriendsSyncParts) {
  const { queries } = database
  /** When each person's friends were last asked about, so that a failing platform is not asked by every page. */
  const presenceAsked = new Map<SteamId, number>()
  const presenceReads = new Map<SteamId, Promise<void>>()
  const ending = new AbortController()

  /**
   * Fetches a friend list with names and presence; friends' libraries that were not read for a day go to the refresh
   * list. A private list leaves the friends that are stored; profiles that cannot be read change nothing (SYNC-16).
   */
  const fetchFriends: Fetch = async (steamId, { urgency, signal }) => {
    if (!(await isNotDeleted(queries, steamId))) return undefined
    const list = await steam.friendList(steamId, urgency, signal)
    if (list.status !== 'ok')
      return {
        kind: 'friends',
        steamId,
        outcome: { status: 'private', count: 0 },
        write: (tx) => ifNotDeleted(tx, steamId, () => setFriendsSynced(tx, steamId, 'private', null)),
      }
    const friends = list.friends.filter((friend) => friend.steamId !== steamId)
    const profiles = await profilesOf([steamId, ...friends.map((friend) => friend.steamId)], urgency, signal)
    return {
      kind: 'friends',
      steamId,
      outcome: { status: 'ok', count: friends.length },
      write: (tx) => ifNotDeleted(tx, steamId, () => storeFriends(tx, steamId, friends, profiles)),
    }
  }

  async function ifNotDeleted(tx: Tx, steamId: SteamId, write: () => Promise<void>): Promise<boolean> {
    await preventDeletions(database, tx)
    if (!(await isNotDeleted(tx, steamId))) return false
    await write()
    return true
  }

  /**
   * Profiles of those whose accounts are not deleted; none when they cannot be read: then what is known of names stays
   * (SYNC-16).
   */
  async function profilesOf(steamIds: SteamId[], urgency: Urgency, signal: AbortSignal): Promise<Profile[]> {
    const deleted = await deletedAmong(queries, steamIds)
    try {
      return await steam.profiles(
        steamIds.filter((id) => !deleted.has(id)),
        urgency,
        signal,
      )
    } catch (error) {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'profiles of friends could not be read')
      return []
    }
  }

  async function storeFriends(
    tx: Tx,
    steamId: SteamId,
    friends: readonly PlatformFriend[],
    profiles: readonly Profile[],
  ): Promise<void> {
    const now = clock()
    const ids = friends.map((friend) => friend.steamId)
    // First, so that no friend's library is stored between the look at it and this commit (`library-sync.ts`).
    await lockPeople(tx, [steamId, ...ids])
    await saveProfiles(tx, profiles, now)
    await ensurePeople(tx, ids)
    await replaceFriends(
      tx,
      steamId,
      friends.map((friend) => ({ steamId: friend.steamId, since: sinceInMs(friend) })),
    )
    await setFriendsSynced(tx, steamId, 'ok', now)
    const libraries = await readLibraryVersions(tx, ids)
    const unread = ids.filter((id) => (libraries.get(id)?.checked_at ?? 0) <= now - LIBRARY_FRESH_MS)
    await enqueueRefreshes(tx, unread, { by: steamId, priority: refreshPriority.friends, at: now })
  }

  /**
   * Brings presence of somebody's friends up to date when it is older than a minute. Waits three seconds at most
   * and never fails: what is stored is shown then.
   */
  async function refreshPresence(steamId: SteamId): Promise<void> {
    let reading = presenceReads.get(steamId)
    if (!reading) {
      const now = clock()
      if ((presenceAsked.get(steamId) ?? 0) > now - PRESENCE_FRESH_MS) return
      reading = readPresence(steamId, now)
        .catch((error: unknown) => log.warn({ err: error }, 'presence of friends could not be read'))
        .finally(() => presenceReads.delete(steamId))
      presenceReads.set(steamId, reading)
    }
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PRESENCE_WAIT_MS)
    })
    await Promise.race([reading, enough])
    clearTimeout(timer)
  }

  async function readPresence(steamId: SteamId, now: number): Promise<void> {
    const friends = await listFriends(queries, steamId)
    const stale = friends
      .filter((friend) => friend.deleted_at === null && (friend.profile_at ?? 0) <= now - PRESENCE_FRESH_MS)
      .map((friend) => friend.steam_id)
    if (stale.length === 0) return
    for (const [id, at] of presenceAsked) if (at <= now - PRESENCE_FRESH_MS) presenceAsked.delete(id)
    presenceAsked.set(steamId, now)
    // A page is no click on a sync: it must not use the reserve that is kept for those.
    const limit = AbortSignal.any([AbortSignal.timeout(PRESENCE_LIMIT_MS), ending.signal])
    const profiles = await steam.profiles(stale, 'background', limit)
    await database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await saveProfiles(tx, profiles, clock())
    })
  }

  /** Somebody's profile for their sign-in; undefined when the platform fails. */
  async function readProfile(steamId: SteamId): Promise<Profile | undefined> {
    try {
      return (await steam.profiles([steamId], 'interactive', AbortSignal.timeout(PROFILE_LIMIT_MS)))[0]
    } catch (error) {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'the profile could not be read at sign-in')
      return undefined
    }
  }

  return {
    fetchFriends,
    refreshPresence,
    readProfile,
    /** Breaks off the reading of presence. */
    stop: async (): Promise<void> => {
      ending.abort()
      await Promise.all(presenceReads.values())
    },
  }
}

/** The platform gives seconds; everything stored is milliseconds. */
function sinceInMs({ since }: PlatformFriend): number | null {
  return since === null ? null : since * 1000
}
