/** How often one address and one token may ask (CONTRACT.md 'Limits' and 'Finer points: Access'). */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { AppError } from '../errors.ts'
import { createRecent } from '../storage/recent.ts'

/** Requests in any minute. */
export type RequestLimits = { perAddress: number; perToken: number }

/** Room for 150 sign-ins and 3,000 calls a minute from one address (schools, families, proxies), twice over. */
export const defaultRequestLimits: RequestLimits = { perAddress: 6000, perToken: 1500 }

const WINDOW_MS = 60_000
/** Addresses, and tokens, that are counted at a time; those that ask most stay. */
const COUNTED = 50_000

export type RequestLimiter = {
  /** Counts a request of an address; returns the refusal when it was one too many. */
  countAddress(ip: string): AppError | undefined
  /**
   * Counts a request of a token, by its hash; returns the refusal when it was one too many. Only for tokens that
   * are known to be valid, so that invented ones fill no memory.
   */
  countToken(tokenHash: string): AppError | undefined
}

/** Counters of one server. They are asked before every answer, so they neither wait nor make promises. */
export function createRequestLimiter(limits: RequestLimits): RequestLimiter {
  const countAddress = createCounter(limits.perAddress)
  const countToken = createCounter(limits.perToken)
  return { countAddress: (ip) => countAddress(networkOf(ip)), countToken }
}

function createCounter(max: number): (key: string) => AppError | undefined {
  const windows = createRecent<string, { count: number; endsAt: number }>(COUNTED)
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

/**
 * Reads whose request it is, as Fastify does with `trustProxy` (CONTRACT.md 'Process', TRUST_PROXY): the last address that
 * no trusted proxy has, from the connection back along X-Forwarded-For.
 * @param trusted addresses and networks of proxies
 */
export function createAddressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const networks = trusted.map((text) =>
    text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.process(text)),
  )
  const isTrusted = (text: string) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
  }
  return (request) => {
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    const before = forwarded === '' ? [] : forwarded.split(',').map((text) => text.trim())
    let address = request.socket.remoteAddress ?? ''
    while (before.length > 0 && isTrusted(address)) address = before.pop()!
    return address
  }
}

function singleAddress(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An IPv6 customer has a whole /64 to ask from; it counts as one address. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...behind].slice(0, 4).join(':')
}
