/** Whose request or connection it is, for everything that is limited by address (OPS-9, TRUST_PROXY). */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Says of an address whether it is one of these.
 * @param trusted addresses and networks of proxies
 */
export function createProxyList(trusted: readonly string[]): (address: string) => boolean {
  const networks = trusted.map((text) =>
    text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.process(text)),
  )
  return (text) => {
    if (networks.length === 0 || !ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
  }
}

/**
 * Reads whose request it is, as Fastify does with `trustProxy`: the last address that no trusted proxy has, from the
 * connection back along X-Forwarded-For.
 * @param trusted addresses and networks of proxies
 */
export function createAddressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = createProxyList(trusted)
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

/** What counts as one address: an IPv6 customer has a whole /64 to ask from. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length)
  return [...groups, ...Array<string>(missing).fill('0'), ...behind].slice(0, 4).join(':')
}
