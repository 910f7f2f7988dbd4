/** How many requests one address and one token may send (LIM-15, LIM-17). */
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

/** Requests in any minute. An address may send so many to the API, and as many for pages and pictures besides. */
export type RequestLimits = { perAddress: number; perToken: number }

/** Room for 150 sign-ins and 3,000 calls a minute from one address (schools, families, proxies), twice over. */
export const defaultRequestLimits: RequestLimits = { perAddress: 6000, perToken: 1500 }

const WINDOW_MS = 60_000
/** Addresses, and tokens, that are counted at a time; the most active stay. */
const COUNTED = 50_000
/** Requests for monitoring, as a part of those to the API: metrics take long to write. */
const OPERATIONS_PART = 10

export type RequestLimiter = {
  /**
   * Counts a request of an address, by its URL.
   * @throws AppError too_many_requests when it was one too many
   */
  countAddress(ip: string, url: string): void
  /**
   * Counts a request of a token, by its hash. Only for tokens that are known to be valid, so that invented ones fill
   * no memory.
   * @throws AppError too_many_requests when it was one too many
   */
  countToken(tokenHash: string): void
}

/** Counters of one server. They run before every response, so they neither wait nor make promises. */
export function createRequestLimiter({ perAddress, perToken }: RequestLimits): RequestLimiter {
  const countCall = createCounter(perAddress)
  const countFile = createCounter(perAddress)
  const countOperation = createCounter(Math.ceil(perAddress / OPERATIONS_PART))
  return {
    countAddress: (ip, target) => {
      const url = pathOf(target)
      if (url.startsWith('/api/') || url.startsWith('/auth/')) return countCall(networkOf(ip))
      // Costs nothing, and is needed when everything else is being refused.
      if (url === '/healthz') return
      if (url === '/readyz' || url === '/metrics') return countOperation(networkOf(ip))
      return countFile(networkOf(ip))
    },
    countToken: createCounter(perToken),
  }
}

/** The path that the router will find, however the request target spells it. */
function pathOf(target: string): string {
  if (target.startsWith('/') && !/[?#%]/.test(target)) return target
  const [path = ''] = target.replace(/^[a-z][a-z+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    // What cannot be decoded is refused as a call would be.
    return '/api/'
  }
}

function createCounter(max: number): (key: string) => void {
  const windows = createLruCache<string, { count: number; endsAt: number }>(COUNTED)
  return (key) => {
    // Not the injected clock: tests that let days pass must not start new windows.
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) windows.set(key, (window = { count: 0, endsAt: now + WINDOW_MS }))
    if (++window.count <= max) return
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
    throw new AppError('too_many_requests', { retryAfterSeconds: seconds })
  }
}
