/** The client's IP address, for all limits per address (OPS-1, TRUST_PROXY). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import ipaddr from 'ipaddr.js'

/** What proxies add to a request. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'] as const
/** How often an unknown proxy is named at most: a stranger can send such a header too. */
const NAMED_EVERY_MS = 60 * 60_000

/**
 * Returns a function that finds a request's client address: starting at the connection and going back along
 * X-Forwarded-For, the first address that is not a trusted proxy. Whatever is no address ends the way, because what
 * comes before it may be invented. Empty when the connection is closed already.
 * @param trusted addresses and networks of proxies
 * @param onUnknownProxy called with the address of a connection that sends forwarding headers untrusted
 */
export function createAddressReader(
  trusted: readonly string[],
  onUnknownProxy: (address: string) => void = () => {},
  now: () => number = () => performance.now(),
): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trusted])
  let namedAt = -Infinity
  return (request) => {
    const { remoteAddress: connection = '' } = request.socket
    if (!FORWARDING.some((name) => name in request.headers) || connection === '') return connection
    if (!isTrusted(connection, 0)) {
      if (now() - namedAt >= NAMED_EVERY_MS) {
        namedAt = now()
        onUnknownProxy(connection)
      }
      return connection
    }
    const way = proxyAddr.all(request, (entry, hops) => isTrusted(addressIn(entry) ?? '', hops))
    return way.map(addressIn).findLast((address) => address !== undefined) ?? connection
  }
}

/** The address in `203.0.113.8`, `203.0.113.8:4711`, `2001:db8::1`, `[2001:db8::1]:4711` or `fe80::1%eth0`. */
function addressIn(entry: string): string | undefined {
  const [, v6, v4] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  const address = (v6 ?? v4 ?? entry).replace(/%[\w.-]+$/, '')
  return isIP(address) === 0 ? undefined : address
}

/** The unit that limits count as one address: an IPv4 address or an IPv6 /64, because a /64 belongs to one customer. */
export const networkOf = (ip: string): string => normalizeIP(ip, 64)

/** Whether an IP address, or a host as in `URL.host` with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  const { hostname = '' } = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}`) ?? {}
  const address = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback')
}
