/** Limits of requests a minute: per address, per token and per link (LIM-15 to LIM-17). */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../client-address.ts'
import { AppError } from '../errors.ts'
import { asLinkToken } from '../storage/groups/links.ts'

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

/** The rate limits of one server. */
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
    /** After authentication, so that invented tokens take no memory. */
    ofToken: limit(perToken, ({ caller }) => caller.tokenHash),
    /** Only for links that exist, for the same reason. */
    ofLink: limit(perToken, ({ params }) => asLinkToken((params as { token: string }).token)),
  }
}
