/**
 * Rate limits for requests per address and per token (LIM-15, LIM-17).
 * Requirements: LIM-16, LIM-33.
 */
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

/** Requests per minute. An address may send this many to the API, and as many again for pages and pictures. */
export type RequestLimits = { perAddress: number; perToken: number }

/** Twice the 150 sign-ins and 3,000 calls a minute that one address needs (schools, families, proxies). */
export const defaultRequestLimits: RequestLimits = { perAddress: 6000, perToken: 1500 }

const WINDOW_MS = 60_000
/** Addresses, and tokens, that are counted; the most recent ones stay. */
const COUNTED = 50_000
/** The limit for monitoring is this fraction of the API's, because metrics take long to render. */
const OPERATIONS_FRACTION = 10

export type RequestLimiter = {
  /**
   * Counts a request of an address in the limit for its URL.
   * @throws AppError too_many_requests when the limit is exceeded
   */
  countAddress(ip: string, url: string): void
  /**
   * Counts a request of a token, by its hash. Call it only for valid tokens, so that invented ones take no memory.
   * @throws AppError too_many_requests when the limit is exceeded
   */
  countToken(tokenHash: string): void
}

/** The rate limiter of one server. Synchronous, because it runs before every response. */
export function createRequestLimiter({ perAddress, perToken }: RequestLimits): RequestLimiter {
  const countCall = createCounter(perAddress)
  const countFile = createCounter(perAddress)
  const countOperation = createCounter(Math.ceil(perAddress / OPERATIONS_FRACTION))
  return {
    countAddress: (ip, target) => {
      const url = pathOf(target)
      if (url.startsWith('/api/') || url.startsWith('/auth/')) return countCall(networkOf(ip))
      // Not limited: it costs nothing, and is needed most when everything else is being refused.
      if (url === '/healthz') return
      if (url === '/readyz' || url === '/metrics') return countOperation(networkOf(ip))
      return countFile(networkOf(ip))
    },
    countToken: createCounter(perToken),
  }
}

/** The path that the router will use, for any spelling of the request target. */
function pathOf(target: string): string {
  if (target.startsWith('/') && !/[?#%]/.test(target)) return target
  const [path = ''] = target.replace(/^[a-z][a-z+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    // Counted as an API request.
    return '/api/'
  }
}

function createCounter(max: number): (key: string) => void {
  const windows = createLruCache<string, { count: number; endsAt: number }>(COUNTED)
  return (key) => {
    // Not the injected clock, because tests that advance it must not start new windows.
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) windows.set(key, (window = { count: 0, endsAt: now + WINDOW_MS }))
    if (++window.count <= max) return
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
    throw new AppError('too_many_requests', { retryAfterSeconds: seconds })
  }
}
