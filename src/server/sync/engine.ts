/**
 * What a person may start: syncs of games, friends and groups, each counted, each answered within 20 seconds
 * (LIM-2, SYNC-1). What a click does not wait for goes to the refresh list.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SteamId } from '#shared/entities.ts'
import type { SyncStatus } from '#shared/contract/sync.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import type { Profile, SteamPort, Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import {
  findRunningBefore,
  findSync,
  finishSync,
  type Refusal,
  reserveSync,
  type SyncKind,
} from '../storage/syncs.ts'
import { answerFor, libraryHidden } from './failures.ts'
import { createSingleFlight } from './flights.ts'
import { createFriendsSync } from './friends-sync.ts'
import { createGroupSync, type GroupSyncResult } from './group-sync.ts'
import { startHousekeeping, startStoreReading, type PurgeOptions } from './housekeeping.ts'
import { createLibraryFetch } from './library-sync.ts'
import type { Log } from './log.ts'
import type { Loop } from './loop.ts'
import { type Answered, commitRead, type ReadOutcome } from './platform-read.ts'
import { readSyncStatus } from './progress.ts'
import { createRefreshWorker } from './refresh-worker.ts'
import { createTurns } from './turns.ts'

/** A click's calls are broken off after this, so that its answer comes within 20 seconds, waiting and writing included. */
const CLICK_MS = 17_500
/**
 * A click waits this long for the same sync on another server, then it asks by itself: longer than one try of the
 * other's, and short enough to leave time for one of its own when that server is gone.
 */
const FOLLOW_MS = 9_000
const FOLLOW_POLL_MS = 50
/** A sync that has run longer than this is not waited for: its server is gone. */
const RUNS_AT_MOST_MS = 25_000

export type SyncEngine = {
  /**
   * Reads a library now. Counted, also when it joins a sync of the same library that runs already; not counted
   * when the platform fails. A private library counts: the platform answered.
   * @throws AppError sync_limit_reached, too_many_requests (too many failed lately), steam_unavailable, steam_timeout, steam_key_refused, steam_rate_limited
   */
  syncGames(by: SteamId, target: SteamId): Promise<{ status: 'ok' | 'private'; game_count: number }>
  /** Reads somebody's own friend list now; counted as above. @throws AppError as above */
  syncFriends(by: SteamId): Promise<{ status: 'ok' | 'private'; friend_count: number }>
  /**
   * Reads several libraries now and says how each went; counts once. Libraries of `hidden` owners are not asked
   * for. Fails as a whole only when the platform failed for every one of them; then it is not counted.
   * @throws AppError as above
   */
  syncGroupGames(
    by: SteamId,
    steamIds: readonly SteamId[],
    options?: { hidden?: ReadonlySet<SteamId> },
  ): Promise<{ synced: GroupSyncResult[] }>
  /** Brings friends' presence up to date when it is older than a minute; at most 3 seconds, never fails. */
  refreshPresence(steamId: SteamId): Promise<void>
  /** Somebody's profile for their sign-in; undefined when the platform fails. */
  readProfile(steamId: SteamId): Promise<Profile | undefined>
  /** Reads in the background what somebody's first sign-in put on the refresh list (SYNC-18). */
  readFirst(steamId: SteamId): void
  status(steamId: SteamId): Promise<SyncStatus>
  /** Begins the background work: the refresh list, store details, housekeeping. */
  start(): void
  /** Ends it: what runs is finished or given back to the list. */
  stop(): Promise<void>
}

type ReadKind = 'games' | 'friends'
/** A read that several requests may share; `finished`: the sync that was finished with it, if any. */
type SharedRead = { outcome: ReadOutcome; finished?: number }

type EngineParts = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  /** Those that no group shows any more are cleared away. */
  pictures: PurgeOptions['pictures']
  clock: () => number
  log: Log
}

/** The sync engine of one server; any number of them share a database. */
export function createSyncEngine({
  database,
  steam,
  catalogue,
  pictures,
  clock,
  log,
}: EngineParts): SyncEngine {
  const { queries } = database
  const flights = createSingleFlight<SharedRead>()
  const inTurn = createTurns()
  const friendsSync = createFriendsSync({ database, steam, clock, log })
  const fetchers = {
    games: createLibraryFetch({ database, steam, catalogue, clock, log }),
    friends: friendsSync.fetchFriends,
  }
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
      inTurn(by, signal, () => read('games', steamId, { urgency, signal })),
    clock,
  })
  let loops: Loop[] = []

  /** Takes one of the ten, works, and gives it back when the work failed. */
  async function counted<T>(
    sync: { by: SteamId; kind: SyncKind; target: string },
    work: (syncId: number, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { by, kind, target } = sync
    const reservation = await reserveSync(database, { steamId: by, kind, target, now: clock() })
    if (!reservation.ok) throw refusalOf(reservation)
    try {
      return await work(reservation.syncId, AbortSignal.timeout(CLICK_MS))
    } catch (error) {
      await finishSync(queries, reservation.syncId, {
        result: 'failed',
        itemCount: null,
        counted: false,
        at: clock(),
      })
      throw answerFor(error)
    }
  }

  /** Reads now, or shares what another request of this server is reading. @throws SteamError */
  async function read(
    kind: ReadKind,
    steamId: SteamId,
    options: { urgency: Urgency; signal: AbortSignal },
  ): Promise<ReadOutcome> {
    const { outcome } = await flights.share(`${kind}:${steamId}`, options.urgency, async () => ({
      outcome: await commitRead(database, await fetchers[kind](steamId, options)),
    }))
    return outcome
  }

  /**
   * A sync of one library or list. Of several at once, on all servers together, one sends the request to the platform
   * and is finished in the transaction that stores the result; the others share its outcome.
   */
  async function syncOne(sync: { by: SteamId; kind: ReadKind; target: SteamId }): Promise<Answered> {
    const { by, kind, target } = sync
    return counted(sync, async (syncId, signal) => {
      const finish = async (db: Tx | typeof queries, { status, count }: Answered) => {
        await finishSync(db, syncId, { result: status, itemCount: count, counted: true, at: clock() })
      }
      const { outcome, finished } = await inTurn(by, signal, () =>
        flights.share(`${kind}:${target}`, 'interactive', async () => {
          const elsewhere = await followOther(syncId, sync)
          if (elsewhere) return { outcome: elsewhere }
          const plan = await fetchers[kind](target, { urgency: 'interactive', signal })
          return { outcome: await commitRead(database, plan, finish), finished: syncId }
        }),
      )
      if (outcome.status === 'deleted') throw by === target ? new AppError('not_signed_in') : libraryHidden()
      if (finished !== syncId) await finish(queries, outcome)
      return outcome
    })
  }

  /** The outcome of the same sync where it began earlier on another server; undefined when there is none. */
  async function followOther(
    syncId: number,
    { kind, target }: { kind: SyncKind; target: string },
  ): Promise<ReadOutcome | undefined> {
    const since = clock() - RUNS_AT_MOST_MS
    const earlier = await findRunningBefore(queries, { syncId, kind, target, since })
    if (!earlier) return undefined
    for (let waited = 0; waited < FOLLOW_MS; waited += FOLLOW_POLL_MS) {
      await pause(FOLLOW_POLL_MS)
      const row = await findSync(queries, earlier.sync_id)
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

    async syncGroupGames(by, steamIds, { hidden = new Set<SteamId>() } = {}) {
      const ids = [...new Set(steamIds)]
      const synced = await counted({ by, kind: 'group_games', target: '' }, (syncId, signal) =>
        groupSync({ syncId, by, ids, hidden, signal }),
      )
      worker.wake()
      return { synced }
    },

    refreshPresence: friendsSync.refreshPresence,
    readProfile: friendsSync.readProfile,
    readFirst: (steamId) => worker.readFirst(steamId),
    status: (steamId) => readSyncStatus(queries, steamId, clock()),

    start() {
      if (loops.length > 0) return
      worker.start()
      loops = [startStoreReading(catalogue, log), startHousekeeping({ database, pictures, clock }, log)]
    },

    async stop() {
      await Promise.all([worker.stop(), ...loops.map((loop) => loop.stop())])
      loops = []
      await Promise.all([flights.idle(), friendsSync.stop()])
    },
  }
}

/** Why no sync could be started, as the response to the click. */
function refusalOf(refusal: Refusal): AppError {
  switch (refusal.why) {
    case 'limit':
      return new AppError('sync_limit_reached', { retryAfterSeconds: refusal.retryAfterSeconds })
    case 'failing':
      return new AppError('too_many_requests', {
        text: 'Steam has failed too often in the last minutes. Try again later.',
        retryAfterSeconds: refusal.retryAfterSeconds,
      })
    case 'caller_deleted':
      return new AppError('not_signed_in')
    case 'target_deleted':
      return libraryHidden()
  }
}
