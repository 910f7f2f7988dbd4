/** The client's IP address, for all limits per address (OPS-9, TRUST_PROXY). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/**
 * Returns a predicate for the addresses of proxies.
 * @param trusted addresses and networks of proxies
 */
export function createProxyList(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trusted])
  return (address) => isTrusted(address, 0)
}

/** What proxies add to a request. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'] as const

/**
 * Returns a function that finds a request's client address: starting at the connection and going back along
 * X-Forwarded-For, the first address that is not a trusted proxy. Empty when the connection is closed already.
 * @param trusted addresses and networks of proxies
 * @param onUnknownProxy called once, with the address of the first connection that sends forwarding headers untrusted
 */
export function createAddressReader(
  trusted: readonly string[],
  onUnknownProxy: (address: string) => void = () => {},
): (request: IncomingMessage) => string {
  const isTrusted = createProxyList(trusted)
  let wasCalled = false
  return (request) => {
    const { remoteAddress } = request.socket
    if (remoteAddress === undefined) return ''
    if (!wasCalled && FORWARDING.some((name) => name in request.headers) && !isTrusted(remoteAddress)) {
      wasCalled = true
      onUnknownProxy(remoteAddress)
    }
    return trusted.length === 0 ? remoteAddress : proxyAddr(request, isTrusted)
  }
}

/** The unit that limits count as one address: an IPv4 address or an IPv6 /64, because a /64 belongs to one customer. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...behind].slice(0, 4).join(':')
}

/** Whether an IP address, or a host as in `URL.host` with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  const { hostname = '' } = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}`) ?? {}
  const address = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback')
}
