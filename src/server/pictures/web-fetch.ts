/**
 * Fetches a picture from a URL that a user typed, only from the public web (`public-request.ts`).
 * Requirements: PIC-6.
 */
import type { IncomingMessage } from 'node:http'
import type { PlainReason } from '#shared/errors.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { PublicWebError, requestPublic, type WebAccess, within } from './public-request.ts'

export type FetchOptions = WebAccess & {
  /** Maximum size of the body, in bytes. */
  maxBytes?: number
  /** Time limit for everything, redirects included, in milliseconds. */
  timeoutMs?: number
}

const TIMEOUT_MS = 8000
const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]

const HEADERS = {
  accept: 'image/webp,image/png,image/jpeg,image/gif,image/*;q=0.5',
  // A compressed response could unpack to any size, and pictures gain nothing from compression.
  'accept-encoding': 'identity',
  'user-agent': 'Shelfmates/1.0 (group pictures)',
}

/**
 * Fetches a picture from the public web over http or https, ports 80 and 443. The content is not checked here;
 * `encodePicture` does that.
 * @throws AppError invalid_picture_url (field picture_url) for a host that is not public, no response in time or a
 *   status other than 200; invalid_image for a response that is not an image; image_too_large
 */
export async function fetchPublic(url: string, options: FetchOptions = {}): Promise<Uint8Array> {
  try {
    return await follow(url, options)
  } catch (error) {
    // Hides the details of network errors.
    throw error instanceof PublicWebError ? refused(`picture_url_${error.why}`, error.cause) : error
  }
}

async function follow(url: string, options: FetchOptions): Promise<Uint8Array> {
  const { maxBytes = PICTURE_MAX_BYTES, timeoutMs = TIMEOUT_MS } = options
  const signal = AbortSignal.timeout(timeoutMs)
  let current = parse(url)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await requestPublic(current, { headers: HEADERS, signal }, options)
    try {
      const location = REDIRECTS.includes(response.statusCode ?? 0) ? response.headers.location : undefined
      if (location === undefined) return await readImage(response, maxBytes, signal)
      current = parse(location, current)
    } finally {
      response.destroy()
    }
  }
  throw refused('picture_url_redirects')
}

function refused(reason: PlainReason, cause?: unknown): AppError {
  return new AppError('invalid_picture_url', { field: 'picture_url', reason, cause })
}

function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AppError('invalid_picture_url', { field: 'picture_url' })
  if (url.username || url.password) throw refused('picture_url_has_user')
  return url
}

async function readImage(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = response.headers
  if (response.statusCode !== 200) throw refused('no_such_picture')
  const contentType = type.split(';', 1)[0]!.trim().toLowerCase()
  if (!contentType.startsWith('image/') || contentType.includes('svg') || encoding !== 'identity')
    throw new AppError('invalid_image', { field: 'picture_url' })
  if (Number(response.headers['content-length'] ?? 0) > maxBytes)
    throw new AppError('image_too_large', { field: 'picture_url' })
  return within(signal, readBody(response, maxBytes))
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxBytes) throw new AppError('image_too_large', { field: 'picture_url' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
