/** Reading friend lists and profiles from Steam. */
import type { SteamId } from '#shared/entities.ts'
import { type Profile, SteamError, type SteamPort, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import {
  deletedAmong,
  ensurePlayers,
  findPlayer,
  lockPlayers,
  saveProfiles,
} from '../storage/players/players.ts'
import {
  connectedAmong,
  markFriendsPrivate,
  replaceFriends,
  storedConnections,
} from '../storage/players/friends.ts'
import { readLibraryVersions } from '../storage/players/libraries.ts'
import { enqueueRefreshes, refreshPriority } from '../storage/players/refreshes.ts'
import type { Tx } from '../database/schema.ts'
import type { Log } from './loop.ts'
import type { Fetch } from './steam-read.ts'

/** Libraries of friends read more recently than this are not put on the refresh list. */
const LIBRARY_FRESH_MS = 24 * 60 * 60_000
/** How long a sign-in waits for the profile. */
const PROFILE_LIMIT_MS = 6_000

type FriendsSyncOptions = { database: Database; steam: SteamPort; clock: () => number; log: Log }

/** Reads friend lists and profiles from Steam into the database. */
export function createFriendsSync({ database, steam, clock, log }: FriendsSyncOptions) {
  const { queries } = database
  /**
   * Fetches a friend list with profiles; friends' libraries not read for a day are put on the refresh list. For a
   * private list the stored friends stay; for profiles that cannot be read the stored ones stay (SYNC-15).
   */
  const fetchFriends: Fetch = async (steamId, { urgency, signal }) => {
    // A deleted account has no row (DEL-2).
    if (!(await findPlayer(queries, steamId))) return undefined
    const at = clock()
    const plan = { kind: 'friends', steamId, at } as const
    const list = await steam.friendList(steamId, urgency, signal)
    if (list.status !== 'ok')
      return {
        ...plan,
        outcome: { status: 'private', count: 0 },
        write: (tx) => markFriendsPrivate(tx, steamId, at),
      }
    const ids = list.friends.filter((id) => id !== steamId)
    const deleted = await deletedAmong(queries, [steamId, ...ids])
    const known = [steamId, ...ids].filter((id) => !deleted.has(id))
    const profiles = (await tryProfiles(known, urgency, signal)) ?? []
    return {
      ...plan,
      outcome: { status: 'ok', count: ids.length },
      write: (tx) => storeFriends(tx, steamId, { ids, profiles, at }),
    }
  }

  /** Profiles of players; undefined when Steam fails. */
  async function tryProfiles(
    steamIds: readonly SteamId[],
    urgency: Urgency,
    signal: AbortSignal,
  ): Promise<Profile[] | undefined> {
    try {
      return await steam.profiles(steamIds, urgency, signal)
    } catch (error) {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'profiles could not be read')
      return undefined
    }
  }

  async function storeFriends(
    tx: Tx,
    steamId: SteamId,
    { ids, profiles, at }: { ids: readonly SteamId[]; profiles: readonly Profile[]; at: number },
  ): Promise<void> {
    const now = clock()
    // Locked first, so that no friend's library is stored between the check below and the commit (`library-sync.ts`).
    const players = await lockPlayers(tx, [steamId, ...ids])
    await saveProfiles(tx, profiles, at, now)
    await ensurePlayers(tx, ids)
    await replaceFriends(tx, steamId, ids, at)
    // Somebody may have dropped this player since the list was requested.
    const lists = ids.map((id) => ({ steam_id: id, friends_at: players.get(id)?.friends_at ?? null }))
    const connected = await connectedAmong(storedConnections(tx), steamId, lists, 'friends')
    const libraries = await readLibraryVersions(tx, ids)
    const unread = ids.filter(
      (id) => connected.has(id) && (libraries.get(id)?.checked_at ?? 0) <= now - LIBRARY_FRESH_MS,
    )
    await enqueueRefreshes(tx, unread, { by: steamId, priority: refreshPriority.friends, at: now })
  }

  /** A player's profile for their sign-in; undefined when Steam fails. */
  const readProfile = async (steamId: SteamId): Promise<Profile | undefined> =>
    (await tryProfiles([steamId], 'interactive', AbortSignal.timeout(PROFILE_LIMIT_MS)))?.[0]

  return { fetchFriends, readProfile }
}
