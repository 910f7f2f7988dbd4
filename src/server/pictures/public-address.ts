/**
 * Which addresses the server may ask for a picture somebody named: never its own machine, its own network or
 * anything but the public internet (server-side request forgery).
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IPv6 addresses given out so far; what lies outside is not the internet yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IPv4 or IPv6 address, as text, is public unicast. Everything with a purpose of its own is not:
 * loopback, private, link-local, unique-local, carrier-grade NAT, multicast, broadcast, documentation, reserved,
 * and the IPv6 forms that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  // The parser alone would also take 127.1 and 0x7f.1, and a zone ('%eth0') picks a network of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}
