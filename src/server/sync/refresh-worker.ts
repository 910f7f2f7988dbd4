/** Reads the libraries of the refresh list, together with the workers of all other servers (DESIGN.md 'Sync engine'). */
import { randomUUID } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { SteamError } from '../steam/port.ts'
import type { Database } from '../storage/database.ts'
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
  readLibrary: (steamId: SteamId, signal: AbortSignal) => Promise<unknown>
  clock: () => number
  log: Log
}

/** One server's share in the refresh list; nothing runs before `start`. */
export function createRefreshWorker({ database, readLibrary, clock, log }: WorkerParts) {
  const owner = randomUUID()
  let loops: Loop[] = []
  let stopping = new AbortController()
  /** Nobody is asked before: the platform or the budget said so. */
  let awayUntil = 0

  /** Works on one row; how long to pause then, in milliseconds. */
  async function turn(): Promise<number> {
    const away = awayUntil - clock()
    if (away > 0) return Math.min(away, KEPT_AWAY_AT_MOST_MS)
    const [row] = await claimRefreshes(database, { owner, now: clock(), leaseMs: LEASE_MS, limit: 1 })
    if (!row) return POLL_MS
    try {
      const limit = AbortSignal.any([stopping.signal, AbortSignal.timeout(READ_WITHIN_MS)])
      await readLibrary(row.steam_id, limit)
      // Reading takes it off the list, unless it had begun before the row was there.
      await completeRefresh(database.queries, row.steam_id, owner)
    } catch (error) {
      await afterFailure(row, error)
    }
    return 0
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
    if (row.attempts >= ATTEMPTS) await completeRefresh(queries, row.steam_id, owner)
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
    wake(): void {
      for (const loop of loops) loop.wake()
    },
    /** Breaks off what is being asked and gives its leases back. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      loops = []
    },
  }
}

/** Whether the platform, or our own budget, turned everybody away rather than failing at this one library. */
function isNotItsFault(error: unknown): boolean {
  if (!(error instanceof SteamError)) return false
  return (
    error.failure === 'held_back' ||
    error.failure === 'rate_limited' ||
    error.failure === 'turned_away' ||
    error.failure === 'key_refused' ||
    error.retryAfterSeconds !== undefined
  )
}

function awayFor({ retryAfterSeconds }: SteamError): number {
  return retryAfterSeconds === undefined ? KEPT_AWAY_MS : retryAfterSeconds * 1000
}
