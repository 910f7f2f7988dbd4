/**
 * Reads libraries, friend lists, profiles and wishlists from Steam. A library or list is fetched and prepared without a transaction,
 * then stored in one short transaction, completely or not at all (DATA-2).
 * Requirements: REF-5, SYNC-9, SYNC-10.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { hiddenAppids, type Library, libraryFrom, totalMinutes, withoutGames } from '../library/library.ts'
import { addMinutes, gainsByMonth, newsBetween, type SyncedLibrary } from '../library/months.ts'
import { PackedError, packLibrary, unpackLibrary } from '../library/packed.ts'
import { giveWay } from '../library/slices.ts'
import { type Profile, SteamError, type SteamPort, type Urgency } from '../steam/port.ts'
import { lockAccounts, preventDeletions } from '../storage/accounts/accounts.ts'
import { putOffWishlist, saveWishlist } from '../storage/groups/games.ts'
import { saveAppNames } from '../storage/players/apps.ts'
import {
  connectedAmong,
  listFriendIds,
  markFriendsPrivate,
  replaceFriends,
  storedConnections,
} from '../storage/players/friends.ts'
import {
  addLibraryChanges,
  markLibraryPrivate,
  readLibrary,
  readLibraryVersions,
  readPlaytimeMonths,
  startTracking,
  writeLibrary,
  writePlaytimeMonth,
} from '../storage/players/libraries.ts'
import {
  deletedAmong,
  ensurePlayers,
  findPlayer,
  isFromLaterRequest,
  lockPlayers,
  saveProfiles,
} from '../storage/players/players.ts'
import { enqueueRefreshes, finishRefresh, refreshPriority } from '../storage/players/refreshes.ts'
import { withinMs } from '../time.ts'
import type { Log } from './loop.ts'

/** Libraries of friends read more recently than this are not put on the refresh list. */
const LIBRARY_FRESH_MS = 24 * 60 * 60_000
/** How long a sign-in waits for the profile. */
const PROFILE_LIMIT_MS = 6_000
/** How long a caller waits for a less urgent call; short enough to leave time for a call of its own. */
const WAIT_FOR_LESS_URGENT_MS = 9_000

/** Between two reads of a wishlist. A failed one counts, so that a day has one call whatever comes back. */
const WISHLIST_EVERY_MS = 24 * 60 * 60_000
/** Wishlists that wait to be read; others are read when somebody looks again. */
const WISHLISTS_WAITING_MAX = 1000

export type ReadKind = 'games' | 'friends'
/** Steam's response; `count`: number of games or friends, 0 when they are private. */
export type SteamResult = { status: 'ok' | 'private'; count: number }
/** 'deleted': the account is deleted, so nothing was read or stored (DEL-2). */
export type ReadOutcome = SteamResult | { status: 'deleted' }
export type CallOptions = { urgency: Urgency; signal: AbortSignal }

/** Fetched data, ready to be stored. */
type Fetched = { result: SteamResult; write(tx: Tx): Promise<void> }

export type SyncDeps = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  clock: () => number
  log: Log
}

const PRIVATE = { status: 'private', count: 0 } as const

/** What reads from Steam into the database. */
export function createReads({ database, steam, catalogue, clock, log }: SyncDeps) {
  const { queries } = database

  /**
   * What each kind of read does: `fetch` gets data that was requested `at`; `stored` is when what is stored was requested,
   * and what came of it, undefined when the account has been deleted.
   */
  const kinds = {
    games: {
      fetch: fetchLibrary,
      async stored(tx: Tx, steamId: SteamId) {
        // Waits for transactions that are storing friend lists with this player: what they put on the refresh list is
        // taken off by this read, and later ones see its library.
        if (!(await lockPlayers(tx, [steamId])).has(steamId)) return undefined
        const row = await readLibrary(tx, steamId)
        return { at: row?.checked_at ?? null, status: row?.status, count: async () => row!.game_count }
      },
      isDone: { games_due: 1 },
    },
    friends: {
      fetch: fetchFriends,
      async stored(tx: Tx, steamId: SteamId) {
        await preventDeletions(database, tx)
        const player = await findPlayer(tx, steamId)
        const count = async () => (await listFriendIds(tx, steamId)).length
        return player && { at: player.friends_checked_at, status: player.friends_status, count }
      },
      isDone: { friends_due: 1 },
    },
  } as const

  /**
   * Reads a library or friend list and stores it, unless the account has been deleted or a later request is stored, whose
   * outcome is returned then (SYNC-25). `alsoWrite` runs in the same transaction, unless the account has been deleted.
   * @throws SteamError; stored data is unchanged
   */
  async function read(
    kind: ReadKind,
    steamId: SteamId,
    options: CallOptions,
    alsoWrite?: (tx: Tx, result: SteamResult) => Promise<void>,
  ): Promise<ReadOutcome> {
    // A deleted account has no row (DEL-2).
    if (!(await findPlayer(queries, steamId))) return { status: 'deleted' }
    // Stored as the time of the data: what Steam returns is at least as new.
    const at = clock()
    const fetched = await kinds[kind].fetch(steamId, at, options)
    return database.transaction(async (tx) => {
      await lockAccounts(database, tx, [steamId])
      const before = await kinds[kind].stored(tx, steamId)
      if (!before) return { status: 'deleted' }
      let { result } = fetched
      if (isFromLaterRequest(before.at, at, clock()))
        // A late read leaves the refresh list alone: another may have been requested since.
        result = before.status === 'private' ? PRIVATE : { status: 'ok', count: await before.count() }
      else {
        await fetched.write(tx)
        await finishRefresh(tx, steamId, kinds[kind].isDone)
      }
      await alsoWrite?.(tx, result)
      return result
    })
  }

  /** Fetches a library and prepares everything that needs no transaction. For a private one, the stored games stay. */
  async function fetchLibrary(
    steamId: SteamId,
    at: number,
    { urgency, signal }: CallOptions,
  ): Promise<Fetched> {
    const owned = await steam.ownedGames(steamId, urgency, signal)
    if (owned.status !== 'ok') return { result: PRIVATE, write: (tx) => markLibraryPrivate(tx, steamId, at) }
    const library = libraryFrom(owned.games)
    await giveWay()
    const packed = packLibrary(library)
    await giveWay()
    const names = await catalogue.findNewNames(owned.games)
    const write = async (tx: Tx) => {
      const player = (await findPlayer(tx, steamId))!
      const row = await readLibrary(tx, steamId)
      await giveWay()
      const stored = unpackStored(steamId, row?.packed)
      const before = stored && { library: stored, at: row?.synced_at ?? 0 }
      await giveWay()
      await writeLibrary(tx, steamId, {
        packed,
        gameCount: library.length,
        totalMinutes: totalMinutes(library),
        at,
      })
      // Friends' libraries are read for comparisons only.
      if (player.signed_in_at !== null) await trackPlaytime(tx, steamId, before, { library, at })
      await giveWay()
      const news = newsBetween(before, { library, at }, hiddenAppids(player.hidden_appids))
      await addLibraryChanges(tx, steamId, at, news)
      await giveWay()
      await saveAppNames(tx, names, player.signed_in_at !== null)
    }
    return { result: { status: 'ok', count: library.length }, write }
  }

  /** Adds the minutes gained since the library `before` to their months (SYNC-22). */
  async function trackPlaytime(
    tx: Tx,
    steamId: SteamId,
    before: SyncedLibrary | undefined,
    after: SyncedLibrary,
  ): Promise<void> {
    await startTracking(tx, steamId, before?.at ?? after.at)
    if (!before) return
    const gains = gainsByMonth(before, after)
    if (gains.size === 0) return
    const stored = await readPlaytimeMonths(tx, steamId, Math.min(...gains.keys()))
    const packedByMonth = new Map(stored.map(({ month, packed }) => [month, packed]))
    for (const [month, gained] of gains) {
      const known = unpackStored(steamId, packedByMonth.get(month))
      const all = known ? addMinutes(known, gained) : gained
      await writePlaytimeMonth(tx, { steam_id: steamId, month, packed: packLibrary(all) })
    }
  }

  function unpackStored(steamId: SteamId, packed: Uint8Array | null | undefined): Library | undefined {
    try {
      return packed ? unpackLibrary(packed) : undefined
    } catch (error) {
      // A damaged row is simply replaced by what was just read.
      if (!(error instanceof PackedError)) throw error
      log.error({ err: error, steamId }, 'a stored library is damaged and is replaced')
      return undefined
    }
  }

  /**
   * Fetches a friend list with profiles; friends' libraries not read for a day are put on the refresh list. For a
   * private list the stored friends stay; for profiles that cannot be read the stored ones stay (SYNC-15).
   */
  async function fetchFriends(
    steamId: SteamId,
    at: number,
    { urgency, signal }: CallOptions,
  ): Promise<Fetched> {
    const list = await steam.friendList(steamId, urgency, signal)
    if (list.status !== 'ok') return { result: PRIVATE, write: (tx) => markFriendsPrivate(tx, steamId, at) }
    const ids = list.friends.filter((id) => id !== steamId)
    const deleted = await deletedAmong(queries, [steamId, ...ids])
    const known = [steamId, ...ids].filter((id) => !deleted.has(id))
    const profiles = await tryProfiles(known, { urgency, signal })
    const write = async (tx: Tx) => {
      const now = clock()
      // Locked first, so that no friend's library is stored between the check below and the commit.
      const players = await lockPlayers(tx, [steamId, ...ids])
      await saveProfiles(tx, profiles, at, now)
      await ensurePlayers(tx, ids)
      await replaceFriends(tx, steamId, ids, at)
      // Somebody may have dropped this player since the list was requested.
      const lists = ids.map((id) => ({ steam_id: id, friends_at: players.get(id)?.friends_at ?? null }))
      const connected = await connectedAmong(storedConnections(tx), steamId, lists)
      const libraries = await readLibraryVersions(tx, ids)
      const unread = ids.filter(
        (id) => connected.has(id) && (libraries.get(id)?.checked_at ?? 0) <= now - LIBRARY_FRESH_MS,
      )
      await enqueueRefreshes(tx, unread, { by: steamId, priority: refreshPriority.friends, at: now })
    }
    return { result: { status: 'ok', count: ids.length }, write }
  }

  /** Profiles of players; none when Steam fails. */
  async function tryProfiles(
    steamIds: readonly SteamId[],
    { urgency, signal }: CallOptions,
  ): Promise<Profile[]> {
    try {
      return await steam.profiles(steamIds, urgency, signal)
    } catch (error) {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'profiles could not be read')
      return []
    }
  }

  return {
    read,
    /** A player's profile for their sign-in; undefined when Steam fails. */
    async readProfile(steamId: SteamId): Promise<Profile | undefined> {
      const signal = AbortSignal.timeout(PROFILE_LIMIT_MS)
      return (await tryProfiles([steamId], { urgency: 'interactive', signal }))[0]
    },
  }
}

/**
 * The Steam wishlists of users who let them be read (WISH-4): in the background, once a day at most, after somebody has
 * looked at what they go into.
 */
export function createWishlists({ database, steam, catalogue, clock }: Omit<SyncDeps, 'log'>) {
  const looked = new Set<SteamId>()

  return {
    /** Has wishlists read that are due. */
    lookAt(steamIds: Iterable<SteamId>): void {
      for (const steamId of steamIds) if (looked.size < WISHLISTS_WAITING_MAX) looked.add(steamId)
    },

    /** Reads the next one of them. Background work. @throws SteamError; what was read before stays */
    async readNext(): Promise<void> {
      const [steamId] = looked
      if (steamId === undefined) return
      looked.delete(steamId)
      const now = clock()
      if (!(await putOffWishlist(database.queries, steamId, now + WISHLIST_EVERY_MS, now))) return
      try {
        const appids = await steam.wishlist(steamId)
        const names = await catalogue.findNewNames(
          appids.map((appid) => ({ appid, name: null, iconHash: null })),
        )
        await database.transaction(async (tx) => {
          const read = appids.length > 0 ? { status: 'ok' as const, appids } : { status: 'empty' as const }
          if (await saveWishlist(tx, steamId, read)) await saveAppNames(tx, names, false)
        })
      } catch (error) {
        if (!(error instanceof SteamError)) throw error
        // What was not sent is no call of this day.
        if (error.failure === 'throttled') {
          await putOffWishlist(database.queries, steamId, now + 1000 * (error.retryAfterSeconds ?? 60))
          looked.add(steamId)
        } else await database.transaction((tx) => saveWishlist(tx, steamId, { status: 'failed' }))
        throw error
      }
    },
  }
}

/**
 * The number of games that `viewer` sees in the stored library of `steamId`: in libraries of others the hidden ones do
 * not count.
 */
export async function countGamesShown(db: Queries | Tx, viewer: SteamId, steamId: SteamId): Promise<number> {
  const [player, row] = await Promise.all([findPlayer(db, steamId), readLibrary(db, steamId)])
  if (!row?.packed) return 0
  const library = unpackLibrary(row.packed)
  return withoutGames(library, viewer === steamId ? [] : hiddenAppids(player?.hidden_appids)).length
}

const RANK: Record<Urgency, number> = { interactive: 2, group: 1, background: 0 }

/** The calls in flight of one server, by key: at most one per library and friend list; concurrent callers share it. */
export function createSingleFlight<Outcome>() {
  const inFlight = new Map<string, { urgency: Urgency; outcome: Promise<Outcome> }>()

  /**
   * Starts a call, or joins the running one. A caller that joined a less urgent call, which is refused or given up
   * sooner, starts its own when that call fails or takes too long.
   */
  async function share(key: string, urgency: Urgency, start: () => Promise<Outcome>): Promise<Outcome> {
    const running = inFlight.get(key)
    if (running) {
      if (RANK[urgency] <= RANK[running.urgency]) return running.outcome
      const outcome = await withinMs(running.outcome, WAIT_FOR_LESS_URGENT_MS).catch((error: unknown) => {
        if (error instanceof SteamError) return undefined
        throw error
      })
      if (outcome !== undefined) return outcome
      if (inFlight.get(key) !== running && inFlight.has(key)) return share(key, urgency, start)
    }
    const flight = { urgency, outcome: start() }
    inFlight.set(key, flight)
    try {
      return await flight.outcome
    } finally {
      if (inFlight.get(key) === flight) inFlight.delete(key)
    }
  }

  return {
    share,
    /** Resolves when no call is in flight. */
    idle: async (): Promise<void> => {
      while (inFlight.size > 0)
        await Promise.allSettled([...inFlight.values()].map((flight) => flight.outcome))
    },
  }
}
