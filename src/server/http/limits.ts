/** How often one address and one token may ask (LIM-15, LIM-17). */
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

/** Requests in any minute. An address may make so many calls, and ask for as many pages and pictures besides. */
export type RequestLimits = { perAddress: number; perToken: number }

/** Room for 150 sign-ins and 3,000 calls a minute from one address (schools, families, proxies), twice over. */
export const defaultRequestLimits: RequestLimits = { perAddress: 6000, perToken: 1500 }

const WINDOW_MS = 60_000
/** Addresses, and tokens, that are counted at a time; those that ask most stay. */
const COUNTED = 50_000
/** What an address may ask of the operators' addresses: one in so many of its calls. Figures take long to write. */
const OPERATIONS_PART = 10

export type RequestLimiter = {
  /** Counts a request of an address, by what it asks for; returns the refusal when it was one too many. */
  countAddress(ip: string, url: string): AppError | undefined
  /**
   * Counts a request of a token, by its hash; returns the refusal when it was one too many. Only for tokens that
   * are known to be valid, so that invented ones fill no memory.
   */
  countToken(tokenHash: string): AppError | undefined
}

/** Counters of one server. They are asked before every answer, so they neither wait nor make promises. */
export function createRequestLimiter({ perAddress, perToken }: RequestLimits): RequestLimiter {
  const countCall = createCounter(perAddress)
  const countFile = createCounter(perAddress)
  const countOperation = createCounter(Math.ceil(perAddress / OPERATIONS_PART))
  return {
    countAddress: (ip, url) => {
      if (url.startsWith('/api/') || url.startsWith('/auth/')) return countCall(networkOf(ip))
      // Costs nothing, and is asked when nothing else may be answered any more.
      if (url === '/healthz') return undefined
      if (url === '/readyz' || url === '/metrics') return countOperation(networkOf(ip))
      return countFile(networkOf(ip))
    },
    countToken: createCounter(perToken),
  }
}

function createCounter(max: number): (key: string) => AppError | undefined {
  const windows = createLruCache<string, { count: number; endsAt: number }>(COUNTED)
  return (key) => {
    // Not the injected clock: tests that let days pass are not to have new windows.
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) windows.set(key, (window = { count: 0, endsAt: now + WINDOW_MS }))
    if (++window.count <= max) return undefined
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
    return new AppError('too_many_requests', { retryAfterSeconds: seconds })
  }
}
