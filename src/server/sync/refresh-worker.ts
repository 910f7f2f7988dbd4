/**
 * Workers that read the libraries and friend lists on the refresh list; all servers share the list (REF-2).
 * Requirements: REF-4, SYNC-18.
 */
import { randomUUID } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { SteamError, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import {
  claimRefresh,
  finishRefresh,
  postponeRefresh,
  type RefreshRow,
} from '../storage/players/refreshes.ts'
import { type Log, type Loop, startLoop } from './loop.ts'
import type { CallOptions, ReadKind } from './reads.ts'

/** Rows read at a time; the client has as many slots for background calls. */
const WORKERS = 2
/** Longer than a background call takes, including waiting and writing. */
const LEASE_MS = 60_000
/** A call still waiting so long before its lease ends is cancelled, so that no request is sent after that. */
const CANCELLED_BEFORE_MS = 10_000
const POLL_MS = 5_000
/** After this many failures a library is taken off the list until it is requested again. */
const ATTEMPTS = 5
/** Delay before the second attempt; it is multiplied by four for each further one. */
const RETRY_MS = 60_000
/** Pause when Steam refuses requests without Retry-After. */
const PAUSE_MS = 60_000
/** Longest sleep of a worker during a pause. */
const PAUSE_CHECK_MS = 5 * 60_000

type WorkerOptions = {
  database: Database
  /** Reads a library or friend list and takes it off the list. @throws SteamError */
  read: (kind: ReadKind, steamId: SteamId, call: CallOptions) => Promise<unknown>
  clock: () => number
  log: Log
}

/** The workers of one server; nothing runs before `start`. */
export function createRefreshWorker({ database, read, clock, log }: WorkerOptions) {
  const owner = randomUUID()
  let loops: Loop[] = []
  let stopping = new AbortController()
  /** Until then no request is sent, because Steam or the budget refused one. */
  let pausedUntil = 0
  const firstReads = new Set<Promise<void>>()

  /** Reads one row; returns how long to pause afterwards, in milliseconds. */
  async function readNext(): Promise<number> {
    const pausedMs = pausedUntil - clock()
    if (pausedMs > 0) return Math.min(pausedMs, PAUSE_CHECK_MS)
    return (await workOn('background')) ? 0 : POLL_MS
  }

  /** Claims and reads the next row, or the one of `steamId`; false when there is none. */
  async function workOn(urgency: Urgency, steamId?: SteamId): Promise<boolean> {
    const row = await claimRefresh(database, { owner, now: clock(), leaseMs: LEASE_MS, steamId })
    if (!row) return false
    const leftMs = row.lease_until - CANCELLED_BEFORE_MS - clock()
    if (leftMs <= 0) {
      // This server was suspended after the claim (OPS-35).
      await postponeRefresh(database.queries, row.steam_id, owner, { until: clock(), tried: false })
      return true
    }
    try {
      await readRow(row, urgency, leftMs)
      // Reading takes the row off the list, unless the read had started before the row was added.
      await database.transaction((tx) => finishRefresh(tx, row.steam_id, row, owner))
    } catch (error) {
      await afterFailure(row, error)
    }
    return true
  }

  /** Reads games and friend list independently: when one fails, only that one is retried. */
  async function readRow(
    { steam_id, games_due, friends_due }: RefreshRow,
    urgency: Urgency,
    withinMs: number,
  ): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(withinMs)])
    const [games, friends] = await Promise.allSettled([
      games_due === 1 ? read('games', steam_id, { urgency, signal }) : undefined,
      friends_due === 1 ? read('friends', steam_id, { urgency, signal }) : undefined,
    ])
    if (games.status === 'rejected') throw games.reason
    if (friends.status === 'rejected') throw friends.reason
    if (friends_due === 1) wake()
  }

  function wake(): void {
    for (const loop of loops) loop.wake()
  }

  async function afterFailure(row: RefreshRow, error: unknown): Promise<void> {
    const { queries } = database
    const now = clock()
    if (stopping.signal.aborted || isServerWide(error)) {
      // The pause begins before the row is free again, or the other worker would take it.
      if (isServerWide(error)) pausedUntil = now + pauseAfter(error)
      await postponeRefresh(queries, row.steam_id, owner, { until: now, tried: false })
      return
    }
    if (!(error instanceof SteamError)) log.error({ err: error, steamId: row.steam_id }, 'a refresh failed')
    if (row.attempts >= ATTEMPTS)
      await database.transaction((tx) => finishRefresh(tx, row.steam_id, row, owner))
    else {
      const until = now + RETRY_MS * 4 ** (row.attempts - 1)
      await postponeRefresh(queries, row.steam_id, owner, { until, tried: true })
    }
  }

  return {
    start(): void {
      stopping = new AbortController()
      loops = Array.from({ length: WORKERS }, (_, nth) => startLoop(`refresh ${nth + 1}`, readNext, log))
    },
    /** Starts work that was just put on the list. */
    wake,
    /**
     * Starts reading the row of a player who signed in for the first time at once, ahead of the list. Does not wait for
     * the result; after a failure the row stays on the list.
     */
    readFirst(steamId: SteamId): void {
      if (loops.length === 0) return
      const reading = workOn('interactive', steamId).then(
        () => {},
        (error: unknown) => log.error({ err: error, steamId }, 'a first read failed'),
      )
      firstReads.add(reading)
      void reading.then(() => firstReads.delete(reading))
    },
    /** Cancels the running calls and releases their leases. */
    async stop(): Promise<void> {
      stopping.abort()
      const running = loops
      loops = []
      await Promise.all([...running.map((loop) => loop.stop()), ...firstReads])
    },
  }
}

/** Whether Steam or our own budget refuses all requests, so that the failure is not about this library. */
function isServerWide(error: unknown): error is SteamError {
  if (!(error instanceof SteamError)) return false
  return (
    error.failure === 'throttled' ||
    error.failure === 'rate_limited' ||
    error.failure === 'forbidden' ||
    error.failure === 'invalid_key' ||
    error.retryAfterSeconds !== undefined
  )
}

function pauseAfter({ retryAfterSeconds }: SteamError): number {
  return retryAfterSeconds === undefined ? PAUSE_MS : retryAfterSeconds * 1000
}
