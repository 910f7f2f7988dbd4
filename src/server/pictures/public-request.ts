/**
 * Requests to addresses that users typed, protected against server-side request forgery: the host name is resolved
 * here, every IP address is checked, and the connection goes only to the checked addresses.
 */
import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AppError } from '../errors.ts'

/** Resolves a host name to IPv4 and IPv6 addresses; rejects or returns none when there are none. */
type Lookup = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** Whether a connection to an IP address and port is allowed. */
export type WebPolicy = (address: string, port: number) => boolean

/** How the web is reached; replaced in tests, which have a web of their own. */
export type WebAccess = {
  lookup?: Lookup
  policy?: WebPolicy
  /** Hosts with their ports that need not be public, as in `hostWithPort`. */
  allowed?: readonly string[]
  /** Certificate of an authority that is trusted in place of the usual ones. */
  ca?: string
}

/** Why there is no response: the host is not public, cannot be reached, or took too long. */
export class PublicWebError extends Error {
  readonly why: 'not_public' | 'unreachable' | 'too_slow'
  constructor(why: PublicWebError['why'], cause?: unknown) {
    super(`the request failed: ${why}`, { cause })
    this.why = why
  }
}

type PublicRequest = {
  method?: 'GET' | 'POST'
  headers: OutgoingHttpHeaders
  body?: string | Buffer
  signal: AbortSignal
}

/**
 * Sends one request to a checked IP address; resolves when the head of the response has arrived. Redirects are not
 * followed. The caller must destroy the response or read all of it.
 * @throws PublicWebError
 */
export async function requestPublic(
  url: URL,
  { method = 'GET', headers, body, signal }: PublicRequest,
  access: WebAccess = {},
): Promise<IncomingMessage> {
  const addresses = await checkPublic(url, signal, access)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return within(
    signal,
    new Promise((resolve, reject) => {
      const request = send(url, {
        method,
        signal,
        // No connection reuse, so none can have been opened for another host name.
        agent: false,
        lookup: pinned(addresses),
        headers,
        ...(access.ca !== undefined && { ca: access.ca }),
      })
      request.once('response', resolve)
      request.on('error', reject)
      // Neither event comes when, for example, the response asks for another protocol. No-op after a response.
      request.once('close', () => reject(new Error('the connection ended without a response')))
      request.end(body)
    }),
  )
}

/** Host and port of a URL; the host in its only form: lower case, no short or hexadecimal IP addresses. */
function hostWithPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** The IP addresses of a host, all of which may be contacted. @throws PublicWebError */
async function checkPublic(
  url: URL,
  signal: AbortSignal,
  { lookup = queryNameServers(), policy = publicWeb, allowed = [] }: WebAccess = {},
): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await within(signal, lookup(host, signal)) : [host]
  if (addresses.length === 0) throw new PublicWebError('unreachable')
  const isAllowed =
    allowed.includes(hostWithPort(url)) || addresses.every((address) => policy(address, portOf(url)))
  if (!isAllowed) throw new PublicWebError('not_public')
  return addresses
}

/** How long checking an address waits for name servers. */
const CHECK_MS = 5_000

/** Code and field of the errors of an address, by the name that begins their reasons. */
const CHECKED = {
  webhook_url: { code: 'invalid_webhook_url', field: 'url' },
  endpoint: { code: 'invalid_input', field: 'endpoint' },
} as const

/** A public https address, or one that the operator allows, in its normal form. @throws AppError */
export async function checkedUrl(text: string, name: keyof typeof CHECKED, web: WebAccess): Promise<string> {
  const { code, field } = CHECKED[name]
  const refused = (why: 'not_https' | 'has_user' | 'not_public' | 'host_not_found', cause?: Error) =>
    new AppError(code, { field, reason: `${name}_${why}`, cause })
  const url = URL.parse(text)
  const isAllowed = url !== null && web.allowed?.includes(hostWithPort(url)) === true
  const isWeb = url?.protocol === 'https:' || (isAllowed && url.protocol === 'http:')
  if (!isWeb || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) throw refused('not_https')
  if (url.username || url.password) throw refused('has_user')
  url.hash = ''
  try {
    await checkPublic(url, AbortSignal.timeout(CHECK_MS), web)
  } catch (error) {
    if (!(error instanceof PublicWebError)) throw error
    throw refused(error.why === 'not_public' ? 'not_public' : 'host_not_found', error)
  }
  return url.href
}

/** A lookup that returns the checked addresses; resolving the name again could return others (DNS rebinding). */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) => {
    if (all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
}

/**
 * A lookup that queries name servers directly: the machine's own, or `servers` given as `address:port`. Unlike the
 * system's lookup it ignores the machine's hosts file, can be cancelled, and blocks no thread of the pool that files
 * and pictures need.
 */
export function queryNameServers(servers?: readonly string[]): Lookup {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

function publicWeb(address: string, port: number): boolean {
  return (port === 80 || port === 443) && isPublicAddress(address)
}

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

/** The result of `work`, unless `signal` aborts first. @throws PublicWebError, and AppErrors of `work` */
export async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new PublicWebError('too_slow', signal.reason))
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([work, timeIsUp])
  } catch (error) {
    if (error instanceof AppError || error instanceof PublicWebError) throw error
    throw new PublicWebError('unreachable', error)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
