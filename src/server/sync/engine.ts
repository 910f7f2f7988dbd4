/**
 * Syncs of games, friends and groups. Each is counted (LIM-2) and responds within 20 seconds (SYNC-4, SYNC-12). Reads
 * that no request waits for are put on the refresh list. The engine also runs the other work with Steam and the store in the
 * background, and housekeeping.
 * Requirements: PIC-7, REF-1, SYNC-15, SYNC-18, SYNC-22.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import type { SteamId } from '#shared/entities.ts'
import { SYNC_WINDOW_MS } from '#shared/limits.ts'
import { isolated, nameOf } from '#shared/names.ts'
import { AppError } from '../errors.ts'
import { SteamError, type SteamFailure } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { slotLimits, Slots } from '../slots.ts'
import {
  deleteUnconnected,
  lockAccounts,
  preventDeletions,
  scrubDeletedAccounts,
} from '../storage/accounts/accounts.ts'
import { deleteExpiredSessions } from '../storage/accounts/sessions.ts'
import { expiredRows } from '../storage/expired.ts'
import { changeGroup } from '../storage/groups/groups.ts'
import { deletedAmong, ensurePlayers, expirePresence, readPlayers } from '../storage/players/players.ts'
import { enqueueRefreshes, refreshPriority } from '../storage/players/refreshes.ts'
import {
  failAbandonedSyncs,
  failureLimitEndsAt,
  findRunningBefore,
  findSync,
  finishSync,
  startSync,
  type SyncKind,
  syncsLeft,
} from '../storage/players/syncs.ts'
import { createRowByRow, HOUR_MS, type Loop, type RowByRow, startLoop } from './loop.ts'
import { createPresence } from './presence.ts'
import {
  type CallOptions,
  countGamesShown,
  createReads,
  createSingleFlight,
  type ReadKind,
  type ReadOutcome,
  type SteamResult,
  type SyncDeps,
} from './reads.ts'
import { createRefreshWorker } from './refresh-worker.ts'

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
/** Group syncs of more libraries have the lower urgency 'group', which leaves calls for other players' syncs (LIM-29). */
const INTERACTIVE_MAX = 10
/** After this many failures in a row, Steam is failing rather than single accounts, some of which always fail (PLAT-12). */
const FAILURES_TO_STOP = 20
const MINUTE_MS = 60_000
/** Between two calls for the catalogue, prices or wishlists, so that libraries come first. */
const STORE_PAUSE_MS = 2_000

/** Why a library may not be read in a group sync: its owner does not show it, or has not joined the group. */
type WhyHidden = 'hidden' | 'not_joined'
type Result = ReadOutcome | { status: 'failed'; error: SteamError }

type EngineOptions = SyncDeps & {
  prices: { readWanted(): Promise<void> }
  wishlists: { readNext(): Promise<void> }
  /** For deleting pictures that no group shows any more. */
  pictures: PurgeOptions['pictures']
}

/** The sync engine of one server; any number of servers share a database. */
export function createSyncEngine(options: EngineOptions) {
  const { database, catalogue, prices, wishlists, pictures, clock, log } = options
  const { queries } = database
  const reads = createReads(options)
  /** `finished`: the sync that was recorded with the read, if any. */
  const flights = createSingleFlight<{ outcome: ReadOutcome; finished?: number }>()
  const callSlots = new Slots(slotLimits.syncs)
  const presence = createPresence(options)
  const worker = createRefreshWorker({ database, read, clock, log })
  let loops: Loop[] = []

  /** Reads a library or list now, or joins a running read of this server. @throws SteamError */
  async function read(kind: ReadKind, steamId: SteamId, call: CallOptions): Promise<ReadOutcome> {
    const { outcome } = await flights.share(`${kind}:${steamId}`, call.urgency, async () => ({
      outcome: await reads.read(kind, steamId, call),
    }))
    return outcome
  }

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

  /**
   * Takes one of the ten syncs. The user's lock is held while they are counted, so the limit is exact on all servers
   * together.
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

  /**
   * Takes one of the ten syncs for `work`, and gives it back when the work fails.
   * @throws AppError sync_limit_reached, too_many_requests (too many failed lately), steam_unavailable, steam_timeout,
   *   steam_key_refused, steam_rate_limited
   */
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
          const call = { urgency: 'interactive', signal } as const
          return { outcome: await reads.read(kind, target, call, finish), finished: syncId }
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

  /** Reads libraries for one request with a few workers, until all are read, the time is over or Steam fails. */
  async function readSeveral(
    ids: readonly SteamId[],
    by: SteamId,
    signal: AbortSignal,
  ): Promise<Map<SteamId, Result>> {
    const urgency = ids.length <= INTERACTIVE_MAX ? 'interactive' : 'group'
    const results = new Map<SteamId, Result>()
    const waiting = [...ids]
    let failuresInARow = 0
    let refused = false
    const readWaiting = async () => {
      while (!signal.aborted && !refused && failuresInARow < FAILURES_TO_STOP) {
        const id = waiting.shift()
        if (id === undefined) return
        try {
          results.set(id, await limited(by, signal, () => read('games', id, { urgency, signal })))
          failuresInARow = 0
        } catch (error) {
          if (!(error instanceof SteamError)) throw error
          results.set(id, { status: 'failed', error })
          failuresInARow++
          // Steam refuses all requests, so the next one would be refused too.
          if (error.failure !== 'unavailable' && error.failure !== 'timeout') refused = true
          if (error.retryAfterSeconds !== undefined) refused = true
        }
      }
    }
    await Promise.all(Array.from({ length: slotLimits.syncs.perKey }, readWaiting))
    return results
  }

  return {
    /**
     * Reads a library now. It counts, also when it joins a running sync of the same library or the library is private; it
     * does not count when Steam fails.
     * @throws AppError as {@link counted}
     */
    async syncGames(by: SteamId, target: SteamId) {
      const { status, count } = await syncOne({ by, kind: 'games', target })
      return { status, game_count: count }
    },

    /** Reads a user's own friend list now; counts like {@link syncGames}. @throws AppError as {@link counted} */
    async syncFriends(by: SteamId) {
      const { status, count } = await syncOne({ by, kind: 'friends', target: by })
      worker.wake()
      return { status, friend_count: count }
    },

    /**
     * Reads several libraries now and returns the result of each; counts once. The libraries of `hidden` owners are not
     * requested. With `groupId` the users are that group's members, and when all the others were read it counts as
     * synced. Throws, and does not count, only when Steam failed for all of them.
     * @throws AppError as {@link counted}
     */
    async syncGroupGames(
      by: SteamId,
      ids: readonly SteamId[],
      { hidden, groupId }: { hidden: ReadonlyMap<SteamId, WhyHidden>; groupId: number | undefined },
    ) {
      const results = await counted({ by, kind: 'group_games', target: '' }, async (syncId, signal) => {
        const requested = ids.filter((id) => !hidden.has(id))
        const found = await readSeveral(requested, by, signal)
        const all = [...found.values()]
        const responded = all.filter((result) => result.status === 'ok' || result.status === 'private')
        const failed = all.find((result) => result.status === 'failed')
        if (responded.length === 0 && failed) throw failed.error

        // The refresh list has more time.
        const deferred = requested.filter((id) =>
          ['no_time', 'steam_timeout'].includes(codeOf(found.get(id))),
        )
        const isGroupRead =
          responded.length === requested.length && responded.some((result) => result.status === 'ok')
        const now = clock()
        await database.transaction(async (tx) => {
          await preventDeletions(database, tx)
          await ensurePlayers(tx, deferred)
          await enqueueRefreshes(tx, deferred, { by, priority: refreshPriority.groupSync, at: now })
          if (groupId !== undefined && isGroupRead) await changeGroup(tx, groupId, { synced_at: now })
          // A sync for which Steam returned nothing does not count.
          const end = { itemCount: responded.length, counted: responded.length > 0, at: now }
          await finishSync(tx, { syncId, by }, { result: 'ok', ...end })
        })
        return found
      })
      worker.wake()

      const players = await readPlayers(queries, ids)
      const synced = ids.map(async (steam_id) => {
        const [result, player] = [results.get(steam_id), players.get(steam_id)]
        const code = hidden.get(steam_id) ?? codeOf(result)
        let count = result?.status === 'ok' ? result.count : undefined
        if (count && player?.hidden_appids) count = await countGamesShown(queries, by, steam_id)
        const name = isolated(nameOf(player ?? { steam_id, display_name: null }))
        return { steam_id, success: code === 'synced', message: messages[code](name, count), code, count }
      })
      return { synced: await Promise.all(synced) }
    },

    /** Refreshes friends' presence when it is older than a minute; takes at most 3 seconds and never throws. */
    refreshPresence: (steamId: SteamId) => presence.ofFriends(steamId),
    /** Notes that a night was read; the presence of its players is then kept up for a while (NIGHT-46). */
    lookAtNight: (nightId: number) => presence.lookAtNight(nightId),
    readProfile: (steamId: SteamId) => reads.readProfile(steamId),
    /** Starts reading what a user's first sign-in put on the refresh list (SYNC-18). */
    readFirst: (steamId: SteamId) => worker.readFirst(steamId),

    /** Starts the background work: refresh list, store details, housekeeping. */
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

    /** Stops it: running work is finished or put back on the list. */
    async stop() {
      await Promise.all([worker.stop(), presence.stop(), ...loops.map((loop) => loop.stop())])
      loops = []
      await flights.idle()
    },
  }
}

export type PurgeOptions = {
  database: Database
  /** Deletes pictures that no group shows. */
  pictures: { removeUnused(): Promise<number> }
  clock: () => number
  /** What has failed before; without it, a failure is thrown. */
  rows?: RowByRow
}

/**
 * Deletes expired sessions and nonces, old history, unused pictures and the remains of deleted accounts in the database
 * files, and ends syncs that killed servers left running. A step that fails does not stop the next one.
 */
export async function purgeExpired({
  database,
  pictures,
  clock,
  rows = createRowByRow(),
}: PurgeOptions): Promise<void> {
  const { queries } = database
  const now = clock()
  const steps: Record<string, () => Promise<unknown>> = {
    sessions: () => database.transaction((tx) => deleteExpiredSessions(tx, now)),
    syncs: () => database.transaction((tx) => failAbandonedSyncs(tx, now)),
    pictures: () => pictures.removeUnused(),
    ...expiredRows(queries, now),
    'deleted accounts': () => scrubDeletedAccounts(database, now),
  }
  await rows.each<string>('housekeeping', {
    now,
    due: () => Object.keys(steps),
    work: (step) => steps[step]!(),
  })
}

const codes = {
  unavailable: 'steam_unavailable',
  timeout: 'steam_timeout',
  forbidden: 'steam_refuses',
  invalid_key: 'steam_key_refused',
  rate_limited: 'steam_rate_limited',
  throttled: 'steam_rate_limited',
} as const satisfies Record<SteamFailure, LibrarySyncCode>

/**
 * Turns a SteamError into an AppError (SYNC-12: 502, 503 or 504, and 429 for its 429); returns other errors unchanged.
 */
function appErrorFor(error: unknown): unknown {
  if (!(error instanceof SteamError)) return error
  const detail = { cause: error, retryAfterSeconds: error.retryAfterSeconds }
  const code = codes[error.failure]
  return code === 'steam_refuses'
    ? new AppError('steam_unavailable', { ...detail, reason: code })
    : new AppError(code, detail)
}

/** The error for a library that its owner hides, or whose owner has deleted their account. */
export function libraryHidden(): AppError {
  return new AppError('forbidden', { reason: 'library_not_shown' })
}

/** 'no_time': no request was sent, for lack of time or because of our own budget. */
function codeOf(result: Result | undefined): LibrarySyncCode {
  if (!result) return 'no_time'
  if (result.status === 'failed')
    return result.error.failure === 'throttled' ? 'no_time' : codes[result.error.failure]
  return ({ ok: 'synced', private: 'private', deleted: 'hidden' } as const)[result.status]
}

/** For programs; the pages say the codes in their language (LANG-6). */
const messages: Record<LibrarySyncCode, (name: string, count?: number) => string> = {
  synced: (_name, count) => (count === 1 ? '1 game' : `${count} games`),
  private: (name) => `${name}'s game details are private.`,
  hidden: (name) => `${name} does not show their library here.`,
  not_joined: (name) => `${name} has not joined yet.`,
  no_time: (name) => `There was no time for ${name}'s games now; they are read in the background.`,
  steam_unavailable: (name) => `Steam did not return ${name}'s games.`,
  steam_timeout: (name) => `Steam took too long to return ${name}'s games; they are read in the background.`,
  steam_refuses: (name) =>
    `Steam is refusing requests from this server for now; ${name}'s games were not read.`,
  steam_key_refused: () => 'Steam rejected this server’s API key.',
  steam_rate_limited: (name) => `Steam is limiting requests; ${name}'s games were not read.`,
}
