/**
 * Fetches a picture from a URL that a person typed, protected against server-side request forgery: the host name is
 * resolved here, every IP address is checked, and the connection goes only to the checked addresses.
 */
import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import type { Picture } from './encode.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves a host name to IPv4 and IPv6 addresses; rejects or returns none when there are none. */
type Lookup = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** Whether a connection to an IP address and port is allowed. */
type FetchPolicy = (address: string, port: number) => boolean

export type FetchOptions = {
  /** Maximum size of the body, in bytes. */
  maxBytes?: number
  /** Time limit for everything, redirects included, in milliseconds. */
  timeoutMs?: number
  maxRedirects?: number
  lookup?: Lookup
  policy?: FetchPolicy
}

const TIMEOUT_MS = 8000
const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]

const NOT_REACHABLE = 'The picture URL cannot be reached.'
const NOT_PUBLIC = 'The picture URL must be on the public internet.'

/**
 * Fetches a picture from the public web over http or https, ports 80 and 443. The content is not checked here;
 * `encodePicture` does that.
 * @throws AppError invalid_picture_url (field picture_url) for a host that is not public, no response in time or a
 *   status other than 200; invalid_image for a response that is not an image; image_too_large
 */
export async function fetchPublic(url: string, options: FetchOptions = {}): Promise<Picture> {
  const { maxBytes = PICTURE_MAX_BYTES, timeoutMs = TIMEOUT_MS, maxRedirects = MAX_REDIRECTS } = options
  const signal = AbortSignal.timeout(timeoutMs)
  let current = parse(url)
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await sendRequest(current, signal, options)
    try {
      const location = REDIRECTS.includes(response.statusCode ?? 0) ? response.headers.location : undefined
      if (location === undefined) return await readImage(response, maxBytes, signal)
      current = parse(location, current)
    } finally {
      response.destroy()
    }
  }
  throw refused('The picture URL redirects too often.')
}

function refused(text: string, cause?: unknown): AppError {
  return new AppError('invalid_picture_url', { field: 'picture_url', text, cause })
}

function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AppError('invalid_picture_url', { field: 'picture_url' })
  if (url.username || url.password) throw refused('The picture URL must not contain a user name or password.')
  return url
}

/** Sends one request to a checked IP address; resolves when the head of the response has arrived. */
async function sendRequest(url: URL, signal: AbortSignal, options: FetchOptions): Promise<IncomingMessage> {
  const { lookup = queryNameServers(), policy = publicWeb } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const addresses = isIP(host) === 0 ? await within(signal, lookup(host, signal)) : [host]
  if (addresses.length === 0) throw refused(NOT_REACHABLE)
  if (!addresses.every((address) => policy(address, port))) throw refused(NOT_PUBLIC)

  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return within(
    signal,
    new Promise((resolve, reject) => {
      const request = send(url, {
        signal,
        // No connection reuse, so none can have been opened for another host name.
        agent: false,
        lookup: pinned(addresses),
        headers: {
          accept: 'image/webp,image/png,image/jpeg,image/gif,image/*;q=0.5',
          // A compressed response could unpack to any size, and pictures gain nothing from compression.
          'accept-encoding': 'identity',
          'user-agent': 'Shelfmates/1.0 (group pictures)',
        },
      })
      request.once('response', resolve)
      request.on('error', reject)
      // Neither event comes when, for example, the response asks for another protocol. No-op after a response.
      request.once('close', () => reject(new Error('the connection ended without a response')))
      request.end()
    }),
  )
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

async function readImage(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Picture> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = response.headers
  if (response.statusCode !== 200) throw refused('There is no picture at this address.')
  const contentType = type.split(';', 1)[0]!.trim().toLowerCase()
  if (!contentType.startsWith('image/') || contentType.includes('svg') || encoding !== 'identity')
    throw new AppError('invalid_image', { field: 'picture_url' })
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  return { bytes: await within(signal, readBody(response, maxBytes)), contentType }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError('image_too_large', { field: 'picture_url' })
}

/** The result of `work`, unless `signal` aborts first. Hides the details of network errors. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(refused('The picture URL took too long to respond.', signal.reason))
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([work, timeIsUp])
  } catch (error) {
    throw error instanceof AppError ? error : refused(NOT_REACHABLE, error)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
