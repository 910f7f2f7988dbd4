/**
 * A server that gets more requests than it can serve refuses the rest at once, and no client may have more than its
 * share of what the server works on (LIM-18, LIM-20).
 */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

export type OverloadLimits = {
  /** Requests that are being worked on, those that wait for the database or the platform included. */
  inFlight: number
  /** Of these, how many one address may have; an IPv6 network counts as one address. */
  inFlightPerAddress: number
  /** Of these, how many one person may have, with however many sessions. */
  inFlightPerPerson: number
  /** How much this process may have worked since a request came before it is refused, in milliseconds of CPU time. */
  workMs: number
  /** How long a request may have waited for this process, whatever else the machine did meanwhile, in milliseconds. */
  waitMs: number
  /** After so long without any free place a server is no longer healthy, in milliseconds. */
  stuckMs: number
}

/**
 * The times are measured with `npm run soak` (docs/SECURITY.md): what can be done is done, within two seconds. An address
 * may be a school: 150 people who sync at once find a place each. A page sends some twenty requests at once.
 */
export const defaultOverloadLimits: OverloadLimits = {
  inFlight: 500,
  inFlightPerAddress: 200,
  inFlightPerPerson: 50,
  workMs: 150,
  waitMs: 700,
  stuckMs: 5000,
}

/** How many places an address or a person has. */
type Holder = { held: number }
/** Many times as many as have a place at a time. */
const HOLDERS = 20_000

const TICK_MS = 20
/** A single long pause, such as a collection of garbage, is no overload: it takes this many requests at once. */
const BURST = 32
const RETRY_AFTER_SECONDS = 2

/** A request's place among those that are being worked on. It is free again when the response closes, at the latest. */
export type Place = {
  /**
   * Counts it for a person as well, by their steam id.
   * @throws AppError too_many_requests when they have their share already
   */
  holdFor: (person: string) => void
  /** Frees the place, while the rest of a request is on its way or when the work is done. May be called again. */
  leave: () => void
  /** Takes a place again after {@link leave}. @throws AppError busy, too_many_requests when there is none */
  enter: () => void
}

export type OverloadGuard = {
  /** Takes a place for a request of an address. @throws AppError busy, too_many_requests when there is none */
  admit: (response: Pick<ServerResponse, 'once' | 'destroyed'>, address: string) => Place
  /** Whether every request has been refused for several seconds, because no place became free. */
  isStuck: () => boolean
  stop: () => void
}

/**
 * The guard of one server. It watches requests in flight, and the time since the process last ran its timers: while it
 * works through a burst of requests no timer runs, so the later ones of a burst know how much was before them, without
 * any of them being measured. Work counts by CPU time: on a busy machine time passes without the burst getting any
 * longer, and a server that refused for that would serve a third of what it can.
 */
export function createOverloadGuard(limits: OverloadLimits): OverloadGuard {
  const { workMs, waitMs } = limits
  const addresses = createLruCache<string, Holder>(HOLDERS)
  const people = createLruCache<string, Holder>(HOLDERS)
  let inFlight = 0
  let fullSince: number | undefined
  let burst = 0
  let lastTickAt = performance.now()
  let cpuAtLastTick = cpuMs()
  const timer = setInterval(() => {
    lastTickAt = performance.now()
    cpuAtLastTick = cpuMs()
    burst = 0
  }, TICK_MS)
  timer.unref()

  function tooMuchBefore(): boolean {
    const waited = performance.now() - lastTickAt
    // CPU time never exceeds wall time, so skip the system call while wall time is low.
    return waited > waitMs || (waited > workMs && cpuMs() - cpuAtLastTick > workMs)
  }

  function createPlace(response: Pick<ServerResponse, 'once' | 'destroyed'>, address: Holder): Place {
    let holder: Holder | undefined
    let held = false
    let leavesOnClose = false

    function leave(): void {
      if (!held) return
      held = false
      inFlight--
      fullSince = undefined
      address.held--
      if (holder) holder.held--
    }

    return {
      leave,

      enter() {
        // A client that has left closed before this: its place would never be free again.
        if (held || response.destroyed) return
        if (inFlight >= limits.inFlight) throw busy()
        if (address.held >= limits.inFlightPerAddress) throw tooManyAtOnce()
        if (holder && holder.held >= limits.inFlightPerPerson) throw tooManyAtOnce()
        held = true
        inFlight++
        if (inFlight >= limits.inFlight) fullSince = performance.now()
        address.held++
        if (holder) holder.held++
        if (!leavesOnClose) response.once('close', leave)
        leavesOnClose = true
      },

      holdFor(person) {
        if (holder) return
        const mine = holderIn(people, person)
        if (mine.held >= limits.inFlightPerPerson) throw tooManyAtOnce()
        holder = mine
        if (held) holder.held++
      },
    }
  }

  return {
    admit(response, address) {
      burst++
      if (burst > BURST && tooMuchBefore()) throw busy()
      const place = createPlace(response, holderIn(addresses, networkOf(address)))
      place.enter()
      return place
    },
    isStuck: () => fullSince !== undefined && performance.now() - fullSince > limits.stuckMs,
    stop: () => clearInterval(timer),
  }
}

function busy(): AppError {
  return new AppError('busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function tooManyAtOnce(): AppError {
  return new AppError('too_many_requests', {
    text: 'Too many requests at once. Try again in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function holderIn(holders: ReturnType<typeof createLruCache<string, Holder>>, key: string): Holder {
  let holder = holders.get(key)
  if (!holder) holders.set(key, (holder = { held: 0 }))
  return holder
}

/** CPU time of this thread so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
