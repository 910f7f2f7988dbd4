/**
 * Outgoing calls of all servers of one database, by platform host (REF-6): an average rate with room to run
 * ahead, a number of calls a day, `Retry-After`, and a circuit breaker. The state is in the database, so a new
 * server or a restart changes nothing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type CallBudget, SteamError, type SteamFailure, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import { addCall, type HostState, readCalls, readHost, writeHost } from '../storage/platform.ts'

export type CallLimits = {
  /** Calls a second, on average. */
  perSecond: number
  /** Calls that clicks may make at once, ahead of the average, so that pages feel instant. */
  clickBurst: number
  /**
   * As above for the refresh list; less, so that it never takes the clicks' room. Syncs of many libraries have half
   * of what lies between.
   */
  backgroundBurst: number
  /** Calls a day (UTC), of which the refresh list leaves `clickReserve` untouched, and syncs of many half of it. */
  perDay: number
  clickReserve: number
  /** Failures in a row that open the circuit. */
  failuresToOpen: number
}
/** PLAT-1, PLAT-6: 100,000 calls a day and key, about one a second on average. */
const defaultLimits: CallLimits = {
  perSecond: 1,
  clickBurst: 200,
  backgroundBurst: 100,
  perDay: 100_000,
  clickReserve: 10_000,
  failuresToOpen: 20,
}

/**
 * Longest wait for a turn, in milliseconds; a longer one is refused at once. A click is worth waiting for, as long as
 * there is time to be answered within its 20 seconds (SYNC-12).
 */
const LONGEST_WAIT_MS: Record<Urgency, number> = { interactive: 8_000, group: 2_000, background: 2_000 }
/** The circuit stays open this long at first, twice as long with each further failure, and never longer than: */
const OPEN_MS = 10_000
const OPEN_AT_MOST_MS = 5 * 60_000
const DAY_MS = 24 * 60 * 60_000

type BudgetParts = {
  database: Database
  limits?: Partial<CallLimits> | undefined
  /** Milliseconds since 1970; servers of one database must agree on it within a second or so. */
  clock: () => number
  log: { warn(fields: object, text: string): void }
  sleep?: (ms: number) => Promise<unknown>
}

/**
 * The budget that the client asks before every try. While the circuit is open the refresh list waits, but clicks
 * are let through: a sync that a person starts always asks the platform (SYNC-8), and the first one
 * that succeeds closes the circuit. Only the platform's own `Retry-After` stops clicks too.
 */
export function createCallBudget({ database, limits, clock, log, sleep = pause }: BudgetParts): CallBudget {
  const allowed = { ...defaultLimits, ...limits }
  /** Hosts whose last known state has something that a success would clear; it saves a write per success. */
  const troubled = new Set<string>()

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
      const turn = await database.transaction(async (tx) => {
        await database.lock(tx, `platform:${host}`)
        const state = await readHost(tx, host)
        const day = dayOf(now)
        const decision = decideTurn(state, await readCalls(tx, host, day), { urgency, now, limits: allowed })
        if (decision.granted) {
          await writeHost(tx, host, { ...state, next_call_at: decision.nextCallAt })
          await addCall(tx, host, day)
        }
        return { ...decision, failures: state.failures }
      })
      if (!turn.granted) throw turn.refusal
      if (turn.failures > 0) troubled.add(host)
      if (turn.waitMs > 0) {
        await sleep(turn.waitMs)
        // Whoever asked meanwhile may have been told to stay away.
        const refusal = blockOf(await readHost(database.queries, host), clock())
        if (refusal) throw refusal
      }
      return { failing: turn.failures >= allowed.failuresToOpen }
    },

    async report(host, { ok, failure, retryAfterSeconds }) {
      if (ok) {
        if (!troubled.delete(host)) return
        await change(host, (state) => ({ ...state, failures: 0, held_until: 0 }))
        return
      }
      troubled.add(host)
      const now = clock()
      const { before, after } = await change(host, (state) =>
        afterFailure(state, { now, failure, retryAfterSeconds, failuresToOpen: allowed.failuresToOpen }),
      )
      if (after.blocked_until > before.blocked_until)
        log.warn({ host, seconds: retryAfterSeconds }, 'the platform says Retry-After; nobody asks before')
      if (after.held_until > before.held_until)
        log.warn(
          { host, failures: after.failures, seconds: Math.ceil((after.held_until - now) / 1000) },
          'the platform keeps failing; the refresh list waits',
        )
    },
  }
}

type Decision =
  { granted: true; nextCallAt: number; waitMs: number } | { granted: false; refusal: SteamError }

/**
 * Whether a call may be made, and when (the generic cell rate algorithm): `next_call_at` runs ahead of the clock
 * by one interval a call, and a call must wait while that lead is larger than its burst.
 */
export function decideTurn(
  state: HostState,
  callsToday: number,
  { urgency, now, limits }: { urgency: Urgency; now: number; limits: CallLimits },
): Decision {
  const background = urgency === 'background'
  const { clickBurst, backgroundBurst, perDay, clickReserve } = limits
  const burst = {
    interactive: clickBurst,
    group: (clickBurst + backgroundBurst) / 2,
    background: backgroundBurst,
  }
  const reserve = { interactive: 0, group: clickReserve / 2, background: clickReserve }
  const block = blockOf(state, now)
  if (block) return { granted: false, refusal: block }
  if (background && state.held_until > now) return held('the platform keeps failing', state.held_until - now)
  if (callsToday >= perDay - reserve[urgency])
    return held('the calls of this day are used up', DAY_MS - (now % DAY_MS))

  const interval = 1000 / limits.perSecond
  // A server whose clock ran ahead must not lock the others out for longer than a full burst and its queue.
  const longestLead = clickBurst * interval + LONGEST_WAIT_MS.interactive
  const lead = Math.min(Math.max(state.next_call_at - now, 0), longestLead)
  const waitMs = Math.max(0, Math.ceil(lead - (burst[urgency] - 1) * interval))
  if (waitMs > LONGEST_WAIT_MS[urgency]) return held('the average rate is used up', waitMs)
  return { granted: true, nextCallAt: now + lead + interval, waitMs }
}

function held(reason: string, waitMs: number): Decision {
  return {
    granted: false,
    refusal: new SteamError('throttled', `not asked: ${reason}`, Math.ceil(waitMs / 1000)),
  }
}

/** What a block is told as until it ends: as the call that brought it. */
const SAID_WITH_RETRY_AFTER = ['unavailable', 'forbidden', 'invalid_key'] as const

/** Why nobody may ask this host right now; undefined when one may. */
function blockOf({ blocked_until, blocked_by }: HostState, now: number): SteamError | undefined {
  if (blocked_until <= now) return undefined
  const failure = SAID_WITH_RETRY_AFTER.find((known) => known === blocked_by) ?? 'rate_limited'
  const seconds = Math.ceil((blocked_until - now) / 1000)
  return new SteamError(failure, 'not asked: the platform said Retry-After', seconds)
}

/** What a failed call makes of a host's state. */
function afterFailure(
  state: HostState,
  told: {
    now: number
    failure: SteamFailure | undefined
    retryAfterSeconds: number | undefined
    failuresToOpen: number
  },
): HostState {
  const failures = state.failures + 1
  const beyond = failures - told.failuresToOpen
  const openMs = beyond < 0 ? 0 : Math.min(OPEN_MS * 2 ** Math.min(beyond, 10), OPEN_AT_MOST_MS)
  const blockedUntil = told.retryAfterSeconds === undefined ? 0 : told.now + told.retryAfterSeconds * 1000
  return {
    ...state,
    failures,
    held_until: Math.max(state.held_until, openMs > 0 ? told.now + openMs : 0),
    ...(blockedUntil > state.blocked_until && {
      blocked_until: blockedUntil,
      blocked_by: told.failure ?? 'rate_limited',
    }),
  }
}

/** Day of a time, UTC: `2026-01-31`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
