/**
 * Which IP addresses the server may fetch pictures from: only the public internet, never its own machine or network
 * (protection against server-side request forgery).
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All IPv6 addresses assigned so far are in this half of 2000::/3. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/4')

/**
 * Internal services of clouds in public address ranges. Those of other clouds (169.254.169.254, 100.100.100.200,
 * 192.0.0.192, fd00:ec2::254, fd20:ce::254) are in ranges that are not public.
 */
const INSIDE_CLOUDS = [
  // Azure: the host of the virtual machine.
  '168.63.129.16/32',
  // IBM Cloud: name servers, mirrors and service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Google Cloud: restricted.googleapis.com and private.googleapis.com.
  '199.36.153.4/30',
  '199.36.153.8/30',
  '2600:2d00:2:1000::/56',
  '2600:2d00:2:2000::/56',
].map((network) => ipaddr.parseCIDR(network))

/**
 * Whether an IPv4 or IPv6 address, as text, is public unicast. Special ranges are not: loopback, private, link-local,
 * unique-local, carrier-grade NAT, multicast, broadcast, documentation, reserved, internal services of clouds, and IPv6
 * forms that embed an IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP).
 */
export function isPublicAddress(address: string): boolean {
  // The parser alone would accept 127.1 and 0x7f.1, and a zone ('%eth0') selects a network of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (INSIDE_CLOUDS.some((network) => network[0].kind() === parsed.kind() && parsed.match(network)))
    return false
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed))
}

/** RFC 5214: with any prefix, such an address leads to the IPv4 address in its last four bytes. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}
