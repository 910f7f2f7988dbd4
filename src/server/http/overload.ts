/**
 * Overload protection: a server with more requests than it can serve refuses the rest at once, and no client may have
 * more than its share of the requests in progress (LIM-18, LIM-20).
 */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

export type OverloadLimits = {
  /** Requests in progress, including those that wait for the database or the platform. */
  inFlight: number
  /** Requests in progress of one address; an IPv6 /64 counts as one address. */
  inFlightPerAddress: number
  /** Requests in progress of one person, in all sessions together. */
  inFlightPerPerson: number
  /**
   * CPU time that this process may have used since a request arrived, in milliseconds; beyond it the request is
   * refused.
   */
  workMs: number
  /** Wall time that a request may have waited for this process, in milliseconds. */
  waitMs: number
  /** A server without a free slot for this long is unhealthy, in milliseconds. */
  stuckMs: number
}

/**
 * The times were measured with `npm run soak` (docs/SECURITY.md): accepted requests are served within two seconds. An
 * address may be a school where 150 people sync at once. A page sends about twenty requests at once.
 */
export const defaultOverloadLimits: OverloadLimits = {
  inFlight: 500,
  inFlightPerAddress: 200,
  inFlightPerPerson: 50,
  workMs: 150,
  waitMs: 700,
  stuckMs: 5000,
}

/** The number of slots that an address or a person has. */
type Usage = { slots: number }
/** Addresses and people that are counted; many times more than can have a slot at a time. */
const USAGES_MAX = 20_000

const TICK_MS = 20
/** A long pause alone, such as a garbage collection, is not an overload; it takes more than this many requests. */
const BURST = 32
const RETRY_AFTER_SECONDS = 2

/** A request's slot among the requests in progress. It is released when the response closes, at the latest. */
export type Slot = {
  /**
   * Counts the slot for a person too, by their steam id.
   * @throws AppError too_many_requests when they have their share already
   */
  countFor: (person: string) => void
  /** Releases the slot, while a body is arriving or when the work is done. May be called again. */
  release: () => void
  /** Acquires a slot again after {@link release}. @throws AppError busy, too_many_requests when none is free */
  acquire: () => void
}

export type OverloadGuard = {
  /** Acquires a slot for a request of an address. @throws AppError busy, too_many_requests when none is free */
  admit: (response: Pick<ServerResponse, 'once' | 'destroyed'>, address: string) => Slot
  /** Whether every request has been refused for several seconds, because no slot became free. */
  isStuck: () => boolean
  stop: () => void
}

/**
 * The guard of one server. It counts requests in progress, and measures the time since the process last ran its timers:
 * no timer runs while the process works through a burst of requests, so that time tells a later request of the burst
 * how much work was before it. Work is measured in CPU time, because wall time also passes while other processes have
 * the CPU; with wall time alone the server would serve a third of what it can.
 */
export function createOverloadGuard(limits: OverloadLimits): OverloadGuard {
  const { workMs, waitMs } = limits
  const addresses = createLruCache<string, Usage>(USAGES_MAX)
  const people = createLruCache<string, Usage>(USAGES_MAX)
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

  function isOverloaded(): boolean {
    const waited = performance.now() - lastTickAt
    // CPU time never exceeds wall time, so skip the system call while wall time is low.
    return waited > waitMs || (waited > workMs && cpuMs() - cpuAtLastTick > workMs)
  }

  function createSlot(response: Pick<ServerResponse, 'once' | 'destroyed'>, address: Usage): Slot {
    let person: Usage | undefined
    let held = false
    let releasesOnClose = false

    function release(): void {
      if (!held) return
      held = false
      inFlight--
      fullSince = undefined
      address.slots--
      if (person) person.slots--
    }

    return {
      release,

      acquire() {
        // The close event of a disconnected client has fired already, so its slot would never be released.
        if (held || response.destroyed) return
        if (inFlight >= limits.inFlight) throw busy()
        if (address.slots >= limits.inFlightPerAddress) throw tooManyAtOnce()
        if (person && person.slots >= limits.inFlightPerPerson) throw tooManyAtOnce()
        held = true
        inFlight++
        if (inFlight >= limits.inFlight) fullSince = performance.now()
        address.slots++
        if (person) person.slots++
        if (!releasesOnClose) response.once('close', release)
        releasesOnClose = true
      },

      countFor(steamId) {
        if (person) return
        const usage = usageOf(people, steamId)
        if (usage.slots >= limits.inFlightPerPerson) throw tooManyAtOnce()
        person = usage
        if (held) person.slots++
      },
    }
  }

  return {
    admit(response, address) {
      burst++
      if (burst > BURST && isOverloaded()) throw busy()
      const slot = createSlot(response, usageOf(addresses, networkOf(address)))
      slot.acquire()
      return slot
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

function usageOf(usages: ReturnType<typeof createLruCache<string, Usage>>, key: string): Usage {
  let usage = usages.get(key)
  if (!usage) usages.set(key, (usage = { slots: 0 }))
  return usage
}

/** CPU time of this thread so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
