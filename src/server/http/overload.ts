/**
 * Overload protection: a server with more requests than it can serve refuses the rest at once, and no client may have
 * more than its quota of the requests in progress (LIM-18, LIM-20).
 * Requirements: LIM-19.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../client-address.ts'
import { type GiveBack, slotLimits, Slots, takeAll } from '../slots.ts'

export type OverloadLimits = {
  /** Requests in progress: in total, of one address, and of one user. */
  inFlight: number
  inFlightPerAddress: number
  inFlightPerUser: number
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

/** The times were measured with `npm run soak` (docs/security.md). */
export const defaultOverloadLimits: OverloadLimits = {
  inFlight: slotLimits.requests.total,
  inFlightPerAddress: slotLimits.requestsOfNetwork.perKey,
  inFlightPerUser: slotLimits.requestsOfUser.perKey,
  workMs: 150,
  waitMs: 700,
  stuckMs: 5000,
}

const TICK_MS = 20
/** A long pause alone, such as a garbage collection, is not an overload; it takes more than this many requests. */
const BURST = 32

/** A request's slot among the requests in progress. It is released when the response closes, at the latest. */
export type Slot = {
  /**
   * Counts the slot for a user too, by their steam id.
   * @throws AppError too_many_requests when their quota is used up
   */
  countFor: (user: string) => void
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
 * no timer runs while the process works through a burst of requests, so a later request of the burst learns from that
 * time how much work was before it. Work is measured in CPU time, because wall time also passes while other processes
 * have the CPU; with wall time alone the server would serve a third of what it can.
 */
export function createOverloadGuard(limits: OverloadLimits): OverloadGuard {
  const { workMs, waitMs, inFlight } = limits
  const requests = new Slots({ ...slotLimits.requests, total: inFlight })
  const networks = new Slots({ ...slotLimits.requestsOfNetwork, perKey: limits.inFlightPerAddress })
  const users = new Slots({ ...slotLimits.requestsOfUser, perKey: limits.inFlightPerUser })
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

  function createSlot(response: Pick<ServerResponse, 'once' | 'destroyed'>, network: string): Slot {
    let user: string | undefined
    let giveBack: GiveBack | undefined
    let releasesOnClose = false

    function release(): void {
      if (!giveBack) return
      giveBack()
      giveBack = undefined
      fullSince = undefined
    }

    return {
      release,

      acquire() {
        // The close event of a disconnected client has fired already, so its slot would never be released.
        if (giveBack || response.destroyed) return
        const own: [Slots, string][] = user === undefined ? [] : [[users, user]]
        giveBack = takeAll([requests, ''], [networks, network], ...own)
        if (requests.inUse >= inFlight) fullSince = performance.now()
        if (!releasesOnClose) response.once('close', release)
        releasesOnClose = true
      },

      countFor(steamId) {
        if (user !== undefined) return
        users.require(steamId)
        user = steamId
        if (!giveBack) return
        const [request, own] = [giveBack, users.take(steamId)]
        giveBack = () => {
          request()
          own()
        }
      },
    }
  }

  return {
    admit(response, address) {
      burst++
      if (burst > BURST && isOverloaded()) throw slotLimits.requests.refusal()
      const slot = createSlot(response, networkOf(address))
      slot.acquire()
      return slot
    },
    isStuck: () => fullSince !== undefined && performance.now() - fullSince > limits.stuckMs,
    stop: () => clearInterval(timer),
  }
}

/** Gives each request for a scope's routes a slot, from when its body has arrived until its response is ready to be sent. */
export function serveInSlots(
  scope: FastifyInstance,
  overload: Pick<OverloadGuard, 'admit'>,
  addressOf: (request: IncomingMessage) => string,
): void {
  const slots = new WeakMap<FastifyRequest, Slot>()
  scope.addHook('preHandler', (request, reply, done) => {
    slots.set(request, overload.admit(reply.raw, addressOf(request.raw)))
    done()
  })
  // Failures pass here too.
  scope.addHook('onSend', (request, _reply, _payload, done) => {
    slots.get(request)?.release()
    done()
  })
}

/** CPU time of this thread so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
