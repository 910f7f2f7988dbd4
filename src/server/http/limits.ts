/** How often one address and one token may ask (CONTRACT.md 'Limits' and 'Finer points: Access'). */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Requests in any minute. */
export type RequestLimits = { perAddress: number; perToken: number }

/** Room for 150 sign-ins and 3,000 calls a minute from one address (schools, families, proxies), twice over. */
export const defaultRequestLimits: RequestLimits = { perAddress: 6000, perToken: 1500 }

/**
 * Limits every route of `app` by address and returns the limit by token, which the caller applies once the token
 * is known to be valid (so that invented tokens fill no memory).
 */
export async function limitRequests(
  app: FastifyInstance,
  limits: RequestLimits,
): Promise<(request: FastifyRequest) => Promise<void>> {
  await app.register(rateLimit, {
    global: false,
    max: limits.perAddress,
    timeWindow: '1 minute',
    keyGenerator: (request) => networkOf(request.ip),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  })
  // For all routes together and before their own hooks: a limit that runs after authentication stops no guessing.
  app.addHook('onRequest', app.rateLimit())
  const countToken = app.createRateLimit({
    max: limits.perToken,
    timeWindow: '1 minute',
    keyGenerator: (request) => request.who?.caller.tokenHash ?? '',
  })
  return async (request) => {
    const state = await countToken(request)
    if (!state.isAllowed && state.isExceeded) throw tooMany(state.ttl)
  }
}

function tooMany(ttlMs: number): AppError {
  return new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) })
}

/** An IPv6 customer has a whole /64 to ask from; it counts as one address. */
function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...behind].slice(0, 4).join(':')
}
