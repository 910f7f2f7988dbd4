/**
 * Syncs of games, friends and groups. Each is counted (LIM-2) and responds within 20 seconds (SYNC-4, SYNC-12). Reads
 * that no request waits for are put on the refresh list.
 * Requirements: REF-1, SYNC-18.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SteamId } from '#shared/entities.ts'
import { SYNC_WINDOW_MS } from '#shared/limits.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Prices } from '../catalogue/prices.ts'
import { AppError } from '../errors.ts'
import { type Profile, SteamError, type SteamPort, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import {
  failureLimitEndsAt,
  findRunningBefore,
  findSync,
  finishSync,
  startSync,
  type SyncKind,
  syncsLeft,
} from '../storage/players/syncs.ts'
import {
  appErrorFor,
  commitRead,
  countGamesShown,
  libraryHidden,
  type ReadOutcome,
  type SteamResult,
} from './steam-read.ts'
import { deleteUnconnected, lockAccounts } from '../storage/accounts/accounts.ts'
import { deletedAmong, expirePresence } from '../storage/players/players.ts'
import { createSingleFlight } from './single-flight.ts'
import { createFriendsSync } from './friends-sync.ts'
import { createGroupSync, type GroupSyncResult, type WhyHidden } from './group-sync.ts'
import { purgeExpired, type PurgeOptions } from './housekeeping.ts'
import { createLibraryFetch } from './library-sync.ts'
import { createPresence } from './presence.ts'
import { createRowByRow, HOUR_MS, type Log, type Loop, startLoop } from './loop.ts'
import { createRefreshWorker } from './refresh-worker.ts'
import type { Wishlists } from './wishlists.ts'
import { slotLimits, Slots } from '../slots.ts'

/** Time limit for a sync's calls, so that the response comes within 20 seconds, including waiting and writing. */
const SYNC_TIMEOUT_MS = 17_500
/**
 * How long a sync waits for the same sync on another server before it sends its own request: longer than one attempt of
 * the other, and short enough to leave time for its own if that server was killed.
 */
const FOLLOW_MS = 9_000
const FOLLOW_POLL_MS = 50
/** A sync running longer than this is not waited for, because its server was killed. */
const LONGEST_SYNC_MS = 25_000
const MINUTE_MS = 60_000
/** Between two calls for the catalogue, prices or wishlists, so that libraries come first. */
const STORE_PAUSE_MS = 2_000

export type SyncEngine = {
  /**
   * Reads a library now. It counts, also when it joins a running sync of the same library or the library is private; it
   * does not count when Steam fails.
   * @throws AppError sync_limit_reached, too_many_requests (too many failed lately), steam_unavailable, steam_timeout,
   *   steam_key_refused, steam_rate_limited
   */
  syncGames(by: SteamId, target: SteamId): Promise<{ status: 'ok' | 'private'; game_count: number }>
  /** Reads a user's own friend list now; counts like {@link syncGames}. @throws AppError as there */
  syncFriends(by: SteamId): Promise<{ status: 'ok' | 'private'; friend_count: number }>
  /**
   * Reads several libraries now and returns the result of each; counts once. The libraries of `hidden` owners are not
   * requested. With `groupId` the users are that group's members, and when all the others were read it counts as
   * synced. Throws, and does not count, only when Steam failed for all of them.
   * @throws AppError as {@link syncGames}
   */
  syncGroupGames(
    by: SteamId,
    steamIds: readonly SteamId[],
    options?: { hidden?: ReadonlyMap<SteamId, WhyHidden>; groupId?: number | undefined },
  ): Promise<{ synced: GroupSyncResult[] }>
  /** Refreshes friends' presence when it is older than a minute; takes at most 3 seconds and never throws. */
  refreshPresence(steamId: SteamId): Promise<void>
  /** Notes that a night was read; the presence of its players is then kept up for a while (NIGHT-46). */
  lookAtNight(nightId: number): void
  /** A user's profile for their sign-in; undefined when Steam fails. */
  readProfile(steamId: SteamId): Promise<Profile | undefined>
  /** Starts reading what a user's first sign-in put on the refresh list (SYNC-18). */
  readFirst(steamId: SteamId): void
  /** Starts the background work: refresh list, store details, housekeeping. */
  start(): void
  /** Stops it: running work is finished or put back on the list. */
  stop(): Promise<void>
}

type ReadKind = 'games' | 'friends'
/** A read that several requests may share; `finished`: the sync that was recorded with it, if any. */
type SharedRead = { outcome: ReadOutcome; finished?: number }

type EngineOptions = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  prices: Pick<Prices, 'readWanted'>
  wishlists: Pick<Wishlists, 'readNext'>
  /** For deleting pictures that no group shows any more. */
  pictures: PurgeOptions['pictures']
  clock: () => number
  log: Log
}

/** The sync engine of one server; any number of servers share a database. */
export function createSyncEngine({
  database,
  steam,
  catalogue,
  prices,
  wishlists,
  pictures,
  clock,
  log,
}: EngineOptions): SyncEngine {
  const { queries } = database
  const flights = createSingleFlight<SharedRead>()
  const callSlots = new Slots(slotLimits.syncs)

  /**
   * Runs `work` after the user's earlier work, a few at a time. The wait needs no limit of its own: earlier work has an
   * earlier deadline.
   * @throws SteamError timeout when `signal` has aborted before the work could start
   */
  async function limited<T>(by: SteamId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const giveBack = await callSlots.enter(by)
    try {
      if (signal.aborted)
        throw new SteamError('timeout', 'not sent: the time limit was over before it could start')
      return await work()
    } finally {
      giveBack()
    }
  }
  const friendsSync = createFriendsSync({ database, steam, clock, log })
  const fetchers = {
    games: createLibraryFetch({ database, steam, catalogue, clock, log }),
    friends: friendsSync.fetchFriends,
  }
  const presence = createPresence({ database, steam, clock, log })
  const worker = createRefreshWorker({
    database,
    readLibrary: (steamId, options) => read('games', steamId, options),
    readFriends: (steamId, options) => read('friends', steamId, options),
    clock,
    log,
  })
  const groupSync = createGroupSync({
    database,
    readLibrary: (steamId, { by, urgency, signal }) =>
      limited(by, signal, () => read('games', steamId, { urgency, signal })),
    clock,
  })
  let loops: Loop[] = []

  /**
   * Takes one of the ten syncs. The user's lock is held while they are counted, so the limit is exact on all servers
   * together.
   * @throws AppError as {@link SyncEngine.syncGames}
   */
  function begin({ by, kind, target }: { by: SteamId; kind: SyncKind; target: string }): Promise<number> {
    const now = clock()
    const secondsUntil = (time: number) =>
      Math.min(Math.max(Math.ceil((time - now) / 1000), 1), SYNC_WINDOW_MS / 1000)
    return database.transaction(async (tx) => {
      const players = target === '' ? [by] : [by, target]
      await lockAccounts(database, tx, players)
      const deleted = await deletedAmong(tx, players)
      if (deleted.has(by)) throw new AppError('not_signed_in')
      if (deleted.has(target)) throw libraryHidden()
      const { left, nextFreeAt } = await syncsLeft(tx, by, now)
      if (left === 0)
        throw new AppError('sync_limit_reached', { retryAfterSeconds: secondsUntil(nextFreeAt ?? now) })
      const failingUntil = await failureLimitEndsAt(tx, by, now)
      if (failingUntil !== undefined)
        throw new AppError('too_many_requests', {
          reason: 'steam_fails_too_often',
          retryAfterSeconds: secondsUntil(failingUntil),
        })
      return startSync(database, tx, { steamId: by, kind, target, now })
    })
  }

  /** Takes one of the ten syncs for `work`, and gives it back when the work fails. */
  async function counted<T>(
    sync: { by: SteamId; kind: SyncKind; target: string },
    work: (syncId: number, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { by } = sync
    const syncId = await begin(sync)
    try {
      return await work(syncId, AbortSignal.timeout(SYNC_TIMEOUT_MS))
    } catch (error) {
      await database.transaction((tx) =>
        finishSync(tx, { syncId, by }, { result: 'failed', itemCount: null, counted: false, at: clock() }),
      )
      throw appErrorFor(error)
    }
  }

  /** Reads a library or list now, or joins a running read of this server. @throws SteamError */
  async function read(
    kind: ReadKind,
    steamId: SteamId,
    options: { urgency: Urgency; signal: AbortSignal },
  ): Promise<ReadOutcome> {
    const { outcome } = await flights.share(`${kind}:${steamId}`, options.urgency, async () => ({
      outcome: await commitRead({ database, clock }, await fetchers[kind](steamId, options)),
    }))
    return outcome
  }

  /**
   * Syncs one library or list. Of several concurrent ones, on all servers together, one sends the request and is
   * recorded as finished in the transaction that stores the result; the others share its outcome.
   */
  async function syncOne(sync: { by: SteamId; kind: ReadKind; target: SteamId }): Promise<SteamResult> {
    const { by, kind, target } = sync
    return counted(sync, async (syncId, signal) => {
      // Of other users' libraries the hidden games do not count (VIS-8).
      const shown = async (db: Tx | typeof queries, result: SteamResult) =>
        by === target || result.status !== 'ok'
          ? result
          : { ...result, count: await countGamesShown(db, by, target) }
      const finish = async (tx: Tx, result: SteamResult) => {
        const { status, count } = await shown(tx, result)
        await finishSync(tx, { syncId, by }, { result: status, itemCount: count, counted: true, at: clock() })
      }
      const { outcome, finished } = await limited(by, signal, () =>
        flights.share(`${kind}:${target}`, 'interactive', async () => {
          const elsewhere = await followOther(syncId, sync)
          if (elsewhere) return { outcome: elsewhere }
          const plan = await fetchers[kind](target, { urgency: 'interactive', signal })
          return { outcome: await commitRead({ database, clock }, plan, finish), finished: syncId }
        }),
      )
      if (outcome.status === 'deleted') throw by === target ? new AppError('not_signed_in') : libraryHidden()
      if (finished !== syncId) await database.transaction((tx) => finish(tx, outcome))
      return shown(queries, outcome)
    })
  }

  /**
   * The outcome of the same sync if it started earlier on another server; undefined when there is none, or it failed.
   */
  async function followOther(
    syncId: number,
    { kind, target }: { kind: SyncKind; target: string },
  ): Promise<ReadOutcome | undefined> {
    const since = clock() - LONGEST_SYNC_MS
    const earlier = await findRunningBefore(queries, { syncId, kind, target, since })
    for (let waited = 0; earlier && waited < FOLLOW_MS; waited += FOLLOW_POLL_MS) {
      await pause(FOLLOW_POLL_MS)
      const row = await findSync(queries, { syncId: earlier.sync_id, by: earlier.steam_id })
      if (row?.result === 'ok' && kind === 'games')
        // Counted again, because the count in the row is what the user who started it may know.
        return { status: 'ok', count: await countGamesShown(queries, target, target) }
      if (row?.result === 'ok' || row?.result === 'private')
        return { status: row.result, count: row.item_count ?? 0 }
      if (row?.result !== 'running') return undefined
    }
    return undefined
  }

  return {
    async syncGames(by, target) {
      const { status, count } = await syncOne({ by, kind: 'games', target })
      return { status, game_count: count }
    },

    async syncFriends(by) {
      const { status, count } = await syncOne({ by, kind: 'friends', target: by })
      worker.wake()
      return { status, friend_count: count }
    },

    async syncGroupGames(by, steamIds, { hidden = new Map<SteamId, WhyHidden>(), groupId } = {}) {
      const ids = [...new Set(steamIds)]
      const synced = await counted({ by, kind: 'group_games', target: '' }, (syncId, signal) =>
        groupSync({ syncId, by, ids, hidden, groupId, signal }),
      )
      worker.wake()
      return { synced }
    },

    refreshPresence: (steamId) => presence.ofFriends(steamId),
    lookAtNight: (nightId) => presence.lookAtNight(nightId),
    readProfile: friendsSync.readProfile,
    readFirst: (steamId) => worker.readFirst(steamId),

    start() {
      if (loops.length > 0) return
      presence.start()
      worker.start()
      const rows = createRowByRow(log)
      const every = (pauseMs: number, name: string, run: () => Promise<unknown>) =>
        startLoop(name, () => run().then(() => pauseMs), log)
      loops = [
        every(STORE_PAUSE_MS, 'store details', () => catalogue.readStoreDetails()),
        every(STORE_PAUSE_MS, 'prices', () => prices.readWanted()),
        every(STORE_PAUSE_MS, 'wishlists', () => wishlists.readNext()),
        every(HOUR_MS, 'housekeeping', () => purgeExpired({ database, pictures, clock, rows })),
        every(24 * HOUR_MS, 'players nobody has', () => deleteUnconnected(database, clock())),
        every(MINUTE_MS, 'old presence', () => expirePresence(database, clock())),
        // More often, because there are many more of them than of anything else.
        every(MINUTE_MS, 'old changes', () => database.deleteOldChanges()),
      ]
    },

    async stop() {
      await Promise.all([worker.stop(), presence.stop(), ...loops.map((loop) => loop.stop())])
      loops = []
      await flights.idle()
    },
  }
}
