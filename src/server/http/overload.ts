/**
 * Says no in time: a server that is asked for more than it can do refuses the rest at once, and nobody may hold more
 * than a part of what it does at once (LIM-18, LIM-20).
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
  /** After so long without any free place a server says that it is not well, in milliseconds. */
  stuckMs: number
}

/**
 * The times are measured with `npm run soak` (docs/SECURITY.md): what can be done is done, within two seconds. An address
 * may be a school: 150 people who sync at once find a place each. A page asks for some twenty things at once.
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
/** Many times as many as hold a place at a time. */
const HOLDERS = 20_000

const TICK_MS = 20
/** A single long pause, such as a collection of garbage, is no overload: it takes this many requests at once. */
const CROWD = 32
const RETRY_AFTER_SECONDS = 2

/** A request among those that are being worked on. Gives itself back when its response closes, at the latest. */
export type Place = {
  /** Counts it for a person as well, by their steam id; returns the refusal when they have their share already. */
  holdFor(person: string): AppError | undefined
  /** Gives the place back, while the rest of a request is on its way or when the work is done. May be called again. */
  leave(): void
  /** Takes a place again after {@link leave}; returns the refusal when there is none. */
  enter(): AppError | undefined
}

export type Overload = {
  /** Takes in a request of an address; returns the refusal when there is no place for it. */
  admit: (response: Pick<ServerResponse, 'once' | 'destroyed'>, address: string) => Place | AppError
  /** Whether every request has been refused for several seconds, because no place became free. */
  isStuck: () => boolean
  stop: () => void
}

/**
 * Refuses with 503 and Retry-After what comes on top. Two things are watched: requests in flight, and what happened
 * since the process last came round to its timers. While it works through a crowd of requests it does not come round,
 * so the later ones of a crowd know what was before them, without any of them being measured. Work counts by CPU time:
 * on a machine that others are using, time passes without a crowd getting any longer, and a server that refused for
 * that would do a third of what it can.
 */
export function refuseOverload(limits: OverloadLimits): Overload {
  const { workMs, waitMs } = limits
  const addresses = createLruCache<string, Holder>(HOLDERS)
  const people = createLruCache<string, Holder>(HOLDERS)
  let inFlight = 0
  let fullSince: number | undefined
  let crowd = 0
  let cameRound = performance.now()
  let workedThen = workedMs()
  const timer = setInterval(() => {
    cameRound = performance.now()
    workedThen = workedMs()
    crowd = 0
  }, TICK_MS)
  timer.unref()

  function tooMuchBefore(): boolean {
    const waited = performance.now() - cameRound
    // Nobody works for longer than time passes; the look at the clock of the processor is spared mostly.
    return waited > waitMs || (waited > workMs && workedMs() - workedThen > workMs)
  }

  function createPlace(response: Pick<ServerResponse, 'once' | 'destroyed'>, address: Holder): Place {
    let holder: Holder | undefined
    let held = false
    let closesIt = false

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
        // The close of a client that has left has been told already: a place for it would never be given back.
        if (held || response.destroyed) return undefined
        if (inFlight >= limits.inFlight) return busy()
        if (address.held >= limits.inFlightPerAddress) return tooManyAtOnce()
        if (holder && holder.held >= limits.inFlightPerPerson) return tooManyAtOnce()
        held = true
        inFlight++
        if (inFlight >= limits.inFlight) fullSince = performance.now()
        address.held++
        if (holder) holder.held++
        if (!closesIt) response.once('close', leave)
        closesIt = true
        return undefined
      },

      holdFor(person) {
        if (holder) return undefined
        const mine = holderIn(people, person)
        if (mine.held >= limits.inFlightPerPerson) return tooManyAtOnce()
        holder = mine
        if (held) holder.held++
        return undefined
      },
    }
  }

  return {
    admit(response, address) {
      crowd++
      if (crowd > CROWD && tooMuchBefore()) return busy()
      const place = createPlace(response, holderIn(addresses, networkOf(address)))
      return place.enter() ?? place
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
function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
