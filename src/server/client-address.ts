/** Whose request or connection it is, for everything that is limited by address (OPS-9, TRUST_PROXY). */
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/**
 * Tells whether an address is one of these.
 * @param trusted addresses and networks of proxies
 */
export function createProxyList(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trusted])
  return (address) => isTrusted(address, 0)
}

/**
 * Reads the client's address: the last one that no trusted proxy has, from the connection back along X-Forwarded-For.
 * Empty when the connection is gone already.
 * @param trusted addresses and networks of proxies
 */
export function createAddressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = createProxyList(trusted)
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddr(request, isTrusted))
}

/** What counts as one address: an IPv6 customer has a whole /64 to send from. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...behind].slice(0, 4).join(':')
}
