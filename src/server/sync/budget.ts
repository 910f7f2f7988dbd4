/**
 * The budget for outgoing calls of all servers of one database, per host of Steam (REF-6): an average rate with bursts,
 * a daily quota and `Retry-After`, which a restart or another server does not reset, and each server's circuit breaker.
 * Requirements: REF-7, REF-12, SYNC-13.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SteamId } from '#shared/entities.ts'
import { type CallBudget, SteamError, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import {
  addCall,
  dayOf,
  type HostState,
  readCalls,
  readHost,
  writeHost,
} from '../storage/players/steam-hosts.ts'

export type CallLimits = {
  /** Average calls per second. */
  perSecond: number
  /** Burst of interactive calls, so that syncs start at once. */
  interactiveBurst: number
  /**
   * Burst of background calls (the refresh list); smaller, so that it leaves calls to interactive ones. The burst of
   * 'group' calls is halfway between the two.
   */
  backgroundBurst: number
  /** Calls per day (UTC). Background calls leave `interactiveReserve` of them unused, and group calls half of it. */
  perDay: number
  interactiveReserve: number
  /** Consecutive failures that open the circuit; those of one player count once. */
  failuresToOpen: number
  /** Consecutive failures after which one attempt for a call is enough. */
  failuresToTryOnce: number
}
/** REF-7, REF-6: 100,000 calls per day and key, about one per second on average. */
const defaultLimits: CallLimits = {
  perSecond: 1,
  interactiveBurst: 200,
  backgroundBurst: 100,
  perDay: 100_000,
  interactiveReserve: 10_000,
  failuresToOpen: 20,
  failuresToTryOnce: 3,
}

/**
 * Longest wait for a call, in milliseconds; a call that would wait longer is refused at once. Interactive calls may
 * wait longest, but must leave time for a response within 20 seconds (SYNC-12).
 */
const LONGEST_WAIT_MS: Record<Urgency, number> = { interactive: 8_000, group: 2_000, background: 2_000 }
/** How long the circuit stays open: at first, doubled with each further failure, and at most. */
const OPEN_MS = 10_000
const OPEN_MAX_MS = 5 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Calls to a host that are allowed per day. */
export function callsPerDay(limits: Partial<CallLimits> = {}): number {
  return limits.perDay ?? defaultLimits.perDay
}

type BudgetOptions = {
  database: Database
  limits?: Partial<CallLimits> | undefined
  /** Milliseconds since 1970; the same on all servers of one database (OPS-35). */
  clock: () => number
  log: { warn(fields: object, text: string): void }
  sleep?: (ms: number) => Promise<unknown>
}

/**
 * Creates the budget, which the client consults before every attempt. While the circuit is open, background calls are
 * refused but others pass: a sync started by a user always sends a request (SYNC-8), and the first success closes the
 * circuit. `Retry-After` of Steam, the average rate and the quota of a day stop every kind of call.
 */
export function createCallBudget({ database, limits, clock, log, sleep = pause }: BudgetOptions): CallBudget {
  const allowed = { ...defaultLimits, ...limits }
  /**
   * Hosts that have failed since their last success, and the players they failed for: an account for which Steam always
   * fails is no outage.
   */
  const failing = new Map<
    string,
    { players: Set<SteamId | undefined>; failures: number; heldUntil: number }
  >()

  /** Changes the state of a host, which no other server changes at the same time. */
  const changing = <T>(host: string, change: (tx: Tx, state: HostState) => Promise<T>) =>
    database.transaction(async (tx) => {
      await database.lock(tx, `platform:${host}`)
      return change(tx, await readHost(tx, host))
    })

  return {
    async take(host, urgency) {
      const now = clock()
      const heldMs = (failing.get(host)?.heldUntil ?? 0) - now
      if (urgency === 'background' && heldMs > 0) throw throttled('Steam keeps failing', heldMs)
      const waitMs = await changing(host, async (tx, state) => {
        const day = dayOf(now)
        const call = nextCall(state, await readCalls(tx, host, day), { urgency, now, limits: allowed })
        await writeHost(tx, host, { ...state, next_call_at: call.nextCallAt })
        await addCall(tx, host, day)
        return call.waitMs
      })
      if (waitMs > 0) {
        await sleep(waitMs)
        // Another call may have been refused with Retry-After.
        refuseBlocked(await readHost(database.queries, host), clock())
      }
      return { failing: (failing.get(host)?.failures ?? 0) >= allowed.failuresToTryOnce }
    },

    async report(host, { ok, failure, retryAfterSeconds, steamId }) {
      if (ok) return void failing.delete(host)
      const now = clock()
      if (retryAfterSeconds !== undefined)
        await changing(host, async (tx, before) => {
          const blocked_until = now + retryAfterSeconds * 1000
          if (blocked_until <= before.blocked_until) return
          await writeHost(tx, host, { ...before, blocked_until, blocked_by: failure ?? 'rate_limited' })
          log.warn({ host, seconds: retryAfterSeconds }, 'Steam sent Retry-After; no requests until then')
        })
      const state = failing.get(host) ?? { players: new Set(), failures: 0, heldUntil: 0 }
      if (steamId !== undefined && state.players.has(steamId)) return
      state.players.add(steamId)
      state.failures++
      failing.set(host, state)
      const beyond = state.failures - allowed.failuresToOpen
      if (beyond < 0) return
      const openMs = Math.min(OPEN_MS * 2 ** beyond, OPEN_MAX_MS)
      state.heldUntil = now + openMs
      log.warn(
        { host, failures: state.failures, seconds: openMs / 1000 },
        'Steam keeps failing; background calls are paused',
      )
    },
  }
}

/**
 * When a call may be made (generic cell rate algorithm): `next_call_at` runs ahead of the clock by one interval per call,
 * and a call must wait while that lead is larger than its burst.
 * @throws SteamError when it may not, or would wait too long
 */
function nextCall(
  state: HostState,
  callsToday: number,
  { urgency, now, limits }: { urgency: Urgency; now: number; limits: CallLimits },
): { nextCallAt: number; waitMs: number } {
  const { interactiveBurst, backgroundBurst, perDay, interactiveReserve } = limits
  const burst = {
    interactive: interactiveBurst,
    group: (interactiveBurst + backgroundBurst) / 2,
    background: backgroundBurst,
  }
  const reserve = { interactive: 0, group: interactiveReserve / 2, background: interactiveReserve }
  refuseBlocked(state, now)
  if (callsToday >= perDay - reserve[urgency])
    throw throttled('the calls of this day are used up', DAY_MS - (now % DAY_MS))

  const interval = 1000 / limits.perSecond
  // Limited, so that a server whose clock was ahead does not lock the others out.
  const longestLead = interactiveBurst * interval + LONGEST_WAIT_MS.interactive
  const lead = Math.min(Math.max(state.next_call_at - now, 0), longestLead)
  const waitMs = Math.max(0, Math.ceil(lead - (burst[urgency] - 1) * interval))
  if (waitMs > LONGEST_WAIT_MS[urgency]) throw throttled('the average rate is used up', waitMs)
  return { nextCallAt: now + lead + interval, waitMs }
}

function throttled(reason: string, waitMs: number): SteamError {
  return new SteamError('throttled', `not sent: ${reason}`, Math.ceil(waitMs / 1000))
}

/** Failures that a block repeats until it ends, if the call that caused it failed like this. */
const BLOCKING_FAILURES = ['unavailable', 'forbidden', 'invalid_key'] as const

/** @throws SteamError while the host's Retry-After lasts */
function refuseBlocked({ blocked_until, blocked_by }: HostState, now: number): void {
  if (blocked_until <= now) return
  const failure = BLOCKING_FAILURES.find((known) => known === blocked_by) ?? 'rate_limited'
  const seconds = Math.ceil((blocked_until - now) / 1000)
  throw new SteamError(failure, 'not sent: Steam sent Retry-After', seconds)
}
