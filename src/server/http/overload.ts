/**
 * How much a server takes on: requests a minute of an address, a token and a link (LIM-15 to LIM-17), and requests in
 * progress, of a client (LIM-18) and of all (LIM-20). What is too much is refused; one address's requests wait first.
 */
import { getHeapStatistics } from 'node:v8'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../client-address.ts'
import { AppError } from '../errors.ts'
import { asLinkToken } from '../storage/groups/links.ts'
import { type GiveBack, slotLimits, type SlotLimitsGiven, Slots, takeAll } from '../slots.ts'
import { hasBody } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the slot back that this request holds; undefined before it has had one. */
    giveBackSlot: GiveBack | undefined
  }
}

/**
 * Requests per minute: twice the 150 sign-ins and 3,000 calls that one address needs (schools, families, proxies). An
 * address may send this many to the API, and as many again for pages and pictures.
 */
export const requestLimits = { perAddress: 6000, perToken: 1500 }

const WINDOW_MS = 60_000
/** The limit for monitoring is this fraction of the API's, because metrics take long to render. */
const OPERATIONS_FRACTION = 10

/** Counts a request. @throws AppError too_many_requests when it is one too many */
type Limit = (request: FastifyRequest) => Promise<void>

export async function limitRequests(http: FastifyInstance, { perAddress, perToken } = requestLimits) {
  await http.register(rateLimit, { global: false })

  function limit(max: number, keyGenerator: (request: FastifyRequest) => string): Limit {
    const count = http.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator })
    return async (request) => {
      const counted = await count(request)
      if (counted.isAllowed || !counted.isExceeded) return
      throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, counted.ttlInSeconds) })
    }
  }

  const network = ({ address }: FastifyRequest) => networkOf(address)
  const calls = limit(perAddress, network)
  const files = limit(perAddress, network)
  const tokens = limit(perToken, ({ caller }) => caller.tokenHash)
  const operations = limit(Math.ceil(perAddress / OPERATIONS_FRACTION), network)
  return {
    /** By the route, so that every spelling of a URL counts in one limit. */
    ofAddress: async (request: FastifyRequest): Promise<void> => {
      const { url = '' } = request.routeOptions
      // Not limited: it costs nothing, and is needed most when everything else is being refused.
      if (url === '/healthz') return
      if (url === '/readyz' || url === '/metrics') return operations(request)
      return url.startsWith('/api/') || url.startsWith('/auth/') ? calls(request) : files(request)
    },
    /** After authentication, so that invented tokens take no memory; what needs no session is limited by address alone. */
    ofToken: async (request: FastifyRequest) => {
      if (request.user !== '') await tokens(request)
    },
    /** Only for links that exist, for the same reason. */
    ofLink: limit(perToken, ({ params }) => asLinkToken((params as { token: string }).token)),
  }
}

/** In milliseconds. */
export const overloadTimes = {
  /**
   * Mean delay of the event loop within a second; beyond it requests are refused. It is long because of small machines,
   * where other processes take the CPU too.
   */
  delayMs: 1000,
  /** A server without a free slot for this long is unhealthy. */
  stuckMs: 5000,
}
export type OverloadTimes = Partial<typeof overloadTimes>

/** Share of the largest possible heap; beyond it collecting garbage takes most of the time. */
const HEAP_SHARE = 0.95

/** Requests a second that a late server serves: one long pause, such as a garbage collection, is no overload. */
const SERVED_WHEN_LATE = 32

/** Refuses requests while the event loop is late or the heap is full. A late server is still healthy. */
export async function refuseUnderPressure(http: FastifyInstance, times?: OverloadTimes): Promise<void> {
  const { delayMs } = { ...overloadTimes, ...times }
  let second = 0
  let served = 0
  const mayServe = () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) [second, served] = [now, 0]
    return served++ < SERVED_WHEN_LATE
  }
  await http.register(underPressure, {
    maxEventLoopDelay: delayMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * HEAP_SHARE,
    pressureHandler: ({ routeOptions }, _reply, type) => {
      const isLate = type === underPressure.TYPE_EVENT_LOOP_DELAY
      if (!isLate || (routeOptions.url !== '/healthz' && !mayServe())) throw slotLimits.requests.refusal()
    },
  })
}

export type RequestSlots = ReturnType<typeof createRequestSlots>

/** The slots of one server's requests, as hooks. A client that disconnects gives its slot back. */
export function createRequestSlots(http: FastifyInstance, times?: OverloadTimes, limits?: SlotLimitsGiven) {
  const { stuckMs } = { ...overloadTimes, ...times }
  const requests = new Slots({ ...slotLimits.requests, ...limits?.requests })
  const networks = new Slots({ ...slotLimits.requestsOfNetwork, ...limits?.requestsOfNetwork })
  const users = new Slots({ ...slotLimits.requestsOfUser, ...limits?.requestsOfUser })
  let fullSince: number | undefined
  http.decorateRequest('giveBackSlot')

  /** Keeps a slot until it is given back, which the close of a connection does too. */
  function keep(request: FastifyRequest, reply: FastifyReply, giveBack: GiveBack): void {
    const { giveBackSlot: before } = request
    request.giveBackSlot = () => {
      before?.()
      giveBack()
      if (!requests.isFull('')) fullSince = undefined
    }
    if (!before) reply.raw.once('close', () => request.giveBackSlot?.())
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, user: string): Promise<void> {
    // The close event of a disconnected client has been emitted already, so its slot would never be given back.
    if (reply.raw.destroyed) return
    const ofNetwork = await networks.enter(networkOf(request.address), reply.raw)
    try {
      const others = takeAll([requests, ''], ...(user === '' ? [] : [[users, user] as const]))
      keep(request, reply, () => [others, ofNetwork].forEach((giveBack) => giveBack()))
    } catch (error) {
      ofNetwork()
      throw error
    }
    if (requests.isFull('')) fullSince ??= performance.now()
  }

  return {
    /**
     * Takes a request's slot, before its session is looked up; of an address that has all of its own the request waits for
     * one.
     * @throws AppError busy, too_many_requests when none is free
     */
    take: (request: FastifyRequest, reply: FastifyReply) => enter(request, reply, ''),
    /** Counts the slot for the user too. @throws AppError too_many_requests when their quota is used up */
    countForUser: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (request.user !== '' && !reply.raw.destroyed) keep(request, reply, users.take(request.user))
    },
    /** Frees the slot while a body is arriving. */
    leaveForBody: async (request: FastifyRequest): Promise<void> => {
      if (hasBody(request)) request.giveBackSlot?.()
    },
    takeAfterBody: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (hasBody(request)) await enter(request, reply, request.user)
    },
    /** Frees the slot when the work is done, so that a client that reads slowly does not keep others out. */
    giveBack: async (request: FastifyRequest): Promise<void> => request.giveBackSlot?.(),
    /** Whether every request has been refused for several seconds, because no slot became free. */
    isStuck: (): boolean => fullSince !== undefined && performance.now() - fullSince > stuckMs,
  }
}
