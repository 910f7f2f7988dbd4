/**
 * The budget for outgoing calls of all servers of one database, per host of Steam (REF-6): an average rate with bursts,
 * a daily quota, `Retry-After`, and a circuit breaker. The state is in the database, so a restart or another server
 * does not reset it.
 * Requirements: REF-7, REF-12, SYNC-13.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SteamId } from '#shared/entities.ts'
import { type CallBudget, SteamError, type SteamFailure, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
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
   * Hosts with failures that a success would clear, and the players they were about: an account for which Steam always
   * fails is no outage. Saves a write on every other success.
   */
  const failing = new Map<string, Set<SteamId>>()
  const failingPlayers = (host: string) => {
    const players = failing.get(host) ?? new Set<SteamId>()
    failing.set(host, players)
    return players
  }

  const change = (host: string, next: (state: HostState) => HostState) =>
    database.transaction(async (tx) => {
      await database.lock(tx, `platform:${host}`)
      const before = await readHost(tx, host)
      const after = next(before)
      await writeHost(tx, host, after)
      return { before, after }
    })

  return {
    async take(host, urgency) {
      const now = clock()
      const decided = await database.transaction(async (tx) => {
        await database.lock(tx, `platform:${host}`)
        const state = await readHost(tx, host)
        const day = dayOf(now)
        const decision = decideCall(state, await readCalls(tx, host, day), { urgency, now, limits: allowed })
        if (decision.granted) {
          await writeHost(tx, host, { ...state, next_call_at: decision.nextCallAt })
          await addCall(tx, host, day)
        }
        return { ...decision, failures: state.failures }
      })
      if (!decided.granted) throw decided.refusal
      if (decided.failures > 0) failingPlayers(host)
      if (decided.waitMs > 0) {
        await sleep(decided.waitMs)
        // Another call may have been refused with Retry-After.
        const refusal = blockOf(await readHost(database.queries, host), clock())
        if (refusal) throw refusal
      }
      return { failing: decided.failures >= allowed.failuresToTryOnce }
    },

    async report(host, { ok, failure, retryAfterSeconds, steamId }) {
      if (ok) {
        if (!failing.delete(host)) return
        await change(host, (state) => ({ ...state, failures: 0, held_until: 0 }))
        return
      }
      const players = failingPlayers(host)
      if (steamId !== undefined && players.has(steamId) && retryAfterSeconds === undefined) return
      if (steamId !== undefined) players.add(steamId)
      const now = clock()
      const { before, after } = await change(host, (state) =>
        afterFailure(state, { now, failure, retryAfterSeconds, failuresToOpen: allowed.failuresToOpen }),
      )
      if (after.blocked_until > before.blocked_until)
        log.warn({ host, seconds: retryAfterSeconds }, 'Steam sent Retry-After; no requests until then')
      if (after.held_until > before.held_until)
        log.warn(
          { host, failures: after.failures, seconds: Math.ceil((after.held_until - now) / 1000) },
          'Steam keeps failing; background calls are paused',
        )
    },
  }
}

type Decision =
  { granted: true; nextCallAt: number; waitMs: number } | { granted: false; refusal: SteamError }

/**
 * Whether a call may be made, and when (generic cell rate algorithm): `next_call_at` runs ahead of the clock by one
 * interval per call, and a call must wait while that lead is larger than its burst.
 */
export function decideCall(
  state: HostState,
  callsToday: number,
  { urgency, now, limits }: { urgency: Urgency; now: number; limits: CallLimits },
): Decision {
  const background = urgency === 'background'
  const { interactiveBurst, backgroundBurst, perDay, interactiveReserve } = limits
  const burst = {
    interactive: interactiveBurst,
    group: (interactiveBurst + backgroundBurst) / 2,
    background: backgroundBurst,
  }
  const reserve = { interactive: 0, group: interactiveReserve / 2, background: interactiveReserve }
  const block = blockOf(state, now)
  if (block) return { granted: false, refusal: block }
  if (background && state.held_until > now) return throttled('Steam keeps failing', state.held_until - now)
  if (callsToday >= perDay - reserve[urgency])
    return throttled('the calls of this day are used up', DAY_MS - (now % DAY_MS))

  const interval = 1000 / limits.perSecond
  // Limited, so that a server whose clock was ahead does not lock the others out.
  const longestLead = interactiveBurst * interval + LONGEST_WAIT_MS.interactive
  const lead = Math.min(Math.max(state.next_call_at - now, 0), longestLead)
  const waitMs = Math.max(0, Math.ceil(lead - (burst[urgency] - 1) * interval))
  if (waitMs > LONGEST_WAIT_MS[urgency]) return throttled('the average rate is used up', waitMs)
  return { granted: true, nextCallAt: now + lead + interval, waitMs }
}

function throttled(reason: string, waitMs: number): Decision {
  return {
    granted: false,
    refusal: new SteamError('throttled', `not sent: ${reason}`, Math.ceil(waitMs / 1000)),
  }
}

/** Failures that a block repeats until it ends, if the call that caused it failed like this. */
const BLOCKING_FAILURES = ['unavailable', 'forbidden', 'invalid_key'] as const

/** The error for all calls while the host's Retry-After lasts; undefined when it is over. */
function blockOf({ blocked_until, blocked_by }: HostState, now: number): SteamError | undefined {
  if (blocked_until <= now) return undefined
  const failure = BLOCKING_FAILURES.find((known) => known === blocked_by) ?? 'rate_limited'
  const seconds = Math.ceil((blocked_until - now) / 1000)
  return new SteamError(failure, 'not sent: Steam sent Retry-After', seconds)
}

/** A host's state after a failed call. */
function afterFailure(
  state: HostState,
  report: {
    now: number
    failure: SteamFailure | undefined
    retryAfterSeconds: number | undefined
    failuresToOpen: number
  },
): HostState {
  const failures = state.failures + 1
  const beyond = failures - report.failuresToOpen
  const openMs = beyond < 0 ? 0 : Math.min(OPEN_MS * 2 ** Math.min(beyond, 10), OPEN_MAX_MS)
  const blockedUntil =
    report.retryAfterSeconds === undefined ? 0 : report.now + report.retryAfterSeconds * 1000
  return {
    ...state,
    failures,
    held_until: Math.max(state.held_until, openMs > 0 ? report.now + openMs : 0),
    ...(blockedUntil > state.blocked_until && {
      blocked_until: blockedUntil,
      blocked_by: report.failure ?? 'rate_limited',
    }),
  }
}
