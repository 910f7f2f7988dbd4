/** Reads the libraries and new people's friend lists on the refresh list, with the workers of all servers (REF-2). */
import { randomUUID } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { SteamError, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import { claimRefreshes, completeRefresh, postponeRefresh, type RefreshRow } from '../storage/refreshes.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'

/** Rows worked on at once; the client gives the refresh list as many of its slots. */
const WORKERS = 2
/** Longer than one background call takes, waiting and writing included. */
const LEASE_MS = 60_000
/** A call that still waits for its turn then is given up, so that it never asks after its lease has ended. */
const READ_WITHIN_MS = 50_000
const POLL_MS = 5_000
/** Failed this often, a library is given up until somebody asks for it again. */
const ATTEMPTS = 5
/** Before the second attempt; four times as long before each following one. */
const RETRY_MS = 60_000
/** How long the worker stays away when the platform does not say. */
const KEPT_AWAY_MS = 60_000
const KEPT_AWAY_AT_MOST_MS = 5 * 60_000

type WorkerParts = {
  database: Database
  /** Reads one library and takes it off the list. @throws SteamError */
  readLibrary: Read
  /** As {@link readLibrary}, for a friend list. */
  readFriends: Read
  clock: () => number
  log: Log
}

type Read = (steamId: SteamId, options: { urgency: Urgency; signal: AbortSignal }) => Promise<unknown>

/** One server's share in the refresh list; nothing runs before `start`. */
export function createRefreshWorker({ database, readLibrary, readFriends, clock, log }: WorkerParts) {
  const owner = randomUUID()
  let loops: Loop[] = []
  let stopping = new AbortController()
  /** Nobody is asked before: the platform or the budget said so. */
  let awayUntil = 0
  const firstReads = new Set<Promise<void>>()

  /** Works on one row; how long to pause then, in milliseconds. */
  async function turn(): Promise<number> {
    const away = awayUntil - clock()
    if (away > 0) return Math.min(away, KEPT_AWAY_AT_MOST_MS)
    return (await workOn('background')) ? 0 : POLL_MS
  }

  /** Claims and reads the next row, or the one of `steamId`; false when there is none. */
  async function workOn(urgency: Urgency, steamId?: SteamId): Promise<boolean> {
    const claim = { owner, now: clock(), leaseMs: LEASE_MS, limit: 1 }
    const [row] = await claimRefreshes(database, { ...claim, ...(steamId !== undefined && { steamId }) })
    if (!row) return false
    try {
      await read(row, urgency)
      // Reading takes it off the list, unless it had begun before the row was there.
      await completeRefresh(database.queries, row, owner)
    } catch (error) {
      await afterFailure(row, error)
    }
    return true
  }

  /** What came of the two stays when the other one fails, and only that one is tried again. */
  async function read({ steam_id, games_due, friends_due }: RefreshRow, urgency: Urgency): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(READ_WITHIN_MS)])
    const [games, friends] = await Promise.allSettled([
      games_due === 1 ? readLibrary(steam_id, { urgency, signal }) : undefined,
      friends_due === 1 ? readFriends(steam_id, { urgency, signal }) : undefined,
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
    if (stopping.signal.aborted || isNotItsFault(error)) {
      await postponeRefresh(queries, row.steam_id, owner, { until: now, tried: false })
      if (!stopping.signal.aborted && error instanceof SteamError) awayUntil = now + awayFor(error)
      return
    }
    if (!(error instanceof SteamError)) log.error({ err: error, steamId: row.steam_id }, 'a refresh failed')
    if (row.attempts >= ATTEMPTS) await completeRefresh(queries, row, owner)
    else {
      const until = now + RETRY_MS * 4 ** (row.attempts - 1)
      await postponeRefresh(queries, row.steam_id, owner, { until, tried: true })
    }
  }

  return {
    start(): void {
      stopping = new AbortController()
      loops = Array.from({ length: WORKERS }, (_, nth) => startLoop(`refresh ${nth + 1}`, turn, log))
    },
    /** Something was put on the list. */
    wake,
    /**
     * Reads what is on the list for somebody who signed in for the first time, now rather than in its turn: nothing
     * that others wait for stands before it. Who calls does not wait; a failure leaves it to the list.
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
    /** Breaks off what is being asked and gives its leases back. */
    async stop(): Promise<void> {
      stopping.abort()
      const running = loops
      loops = []
      await Promise.all([...running.map((loop) => loop.stop()), ...firstReads])
    },
  }
}

/** Whether the platform, or our own budget, turned everybody away rather than failing at this one library. */
function isNotItsFault(error: unknown): boolean {
  if (!(error instanceof SteamError)) return false
  return (
    error.failure === 'throttled' ||
    error.failure === 'rate_limited' ||
    error.failure === 'forbidden' ||
    error.failure === 'invalid_key' ||
    error.retryAfterSeconds !== undefined
  )
}

function awayFor({ retryAfterSeconds }: SteamError): number {
  return retryAfterSeconds === undefined ? KEPT_AWAY_MS : retryAfterSeconds * 1000
}
