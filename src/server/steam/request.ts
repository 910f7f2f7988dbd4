/** Sends one request to Steam and interprets the response (PLAT-2, PLAT-20, PLAT-38, PLAT-41, PLAT-19). */
import type { SteamId } from '#shared/entities.ts'
import { WrongShapeError } from './responses.ts'
import { SteamError, type SteamFailure } from './port.ts'

/** The largest body, a friend list or a hundred profiles or games of the store, takes a tenth of it. */
const BODY_MAX_BYTES = 2 * 2 ** 20
/** The same where a request can read large bodies aside: 30,000 games with names take about 10 MB. */
const ASIDE_MAX_BYTES = 32 * 2 ** 20
/** Larger bodies, about 1,500 games, would take more than 20 ms to read. */
const ASIDE_FROM_BYTES = 512 * 2 ** 10
/** Of a refusal only the beginning is looked at; Steam's have a tenth of it. */
const REFUSAL_BYTES = 4000
/** Blocks of a day and longer occur (PLAT-2); a longer `Retry-After` than this is cut to it. */
const RETRY_AFTER_MAX_SECONDS = 30 * 86_400

export type SteamRequest<T> = {
  /** Name in errors and logs, which never contain the URL. */
  name: string
  url: URL
  /** The only player whom it asks about: its failure may be theirs alone. */
  steamId?: SteamId
  /** @throws WrongShapeError */
  read: (json: unknown) => T
  /** Does the same with a large body outside the main thread. @throws WrongShapeError */
  readAside?: (body: Buffer<ArrayBuffer>) => Promise<T>
  /** Result of a refusal that is about the player and not about the key or this server; when unset, it is a failure. */
  whenRefused?: T
}

export type Outcome<T> =
  | { ok: true; value: T; status: number }
  /** `retryable`: another attempt may succeed; never after a `Retry-After` or a permanent failure. */
  | { ok: false; error: SteamError; retryable: boolean; status: number | undefined }

/**
 * Sends a request once and returns every failure as a value. Does not follow redirects. Errors contain no part of the
 * URL, the body, or the connection's own error.
 */
export async function sendRequest<T>(
  request: SteamRequest<T>,
  { fetch, signal, now }: { fetch: typeof globalThis.fetch; signal: AbortSignal; now: () => number },
): Promise<Outcome<T>> {
  const { name, url, readAside, whenRefused } = request
  let response: Response
  let body: Buffer<ArrayBuffer>
  try {
    response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', 'user-agent': 'Shelfmates' },
    })
    body = await readBytes(response, readAside ? ASIDE_MAX_BYTES : BODY_MAX_BYTES)
  } catch (error) {
    if (signal.aborted) return failed('timeout', `${name} timed out`)
    if (error instanceof WrongShapeError)
      return failed('unavailable', `${name}: ${error.message}`, { retryable: false })
    return failed('unavailable', `${name}: connection failed (${connectionFault(error)})`)
  }

  const { status, headers } = response
  if (status === 200)
    try {
      return { ok: true, value: await parseBody(request, headers, body), status }
    } catch (error) {
      if (!(error instanceof WrongShapeError)) throw error
      return failed('unavailable', `${name}: ${error.message}`, { status })
    }
  const reason = `${name} responded with ${status}`
  const wait = retryAfterSeconds(headers.get('retry-after'), now())
  if (status === 401 || status === 403) {
    if (rejectsKey(body.toString('utf8', 0, REFUSAL_BYTES)))
      return failed('invalid_key', reason, { status, wait, retryable: false })
    // A 403 of this server, such as a block, is a page (PLAT-2).
    const isOfPlayer = status === 401 || isJson(headers)
    if (isOfPlayer && whenRefused !== undefined) return { ok: true, value: whenRefused, status }
    if (status === 403) return failed('forbidden', reason, { status, wait, retryable: false })
  }
  if (status === 429) return failed('rate_limited', reason, { status, wait })
  return failed('unavailable', reason, { status, wait, retryable: status >= 500 })
}

function failed(
  failure: SteamFailure,
  message: string,
  {
    status,
    wait,
    retryable = true,
  }: { status?: number; wait?: number | undefined; retryable?: boolean } = {},
): Outcome<never> {
  const error = new SteamError(failure, message, wait)
  return { ok: false, error, retryable: retryable && wait === undefined, status }
}

/** @throws WrongShapeError */
function parseBody<T>(
  { read, readAside }: SteamRequest<T>,
  headers: Headers,
  body: Buffer<ArrayBuffer>,
): T | Promise<T> {
  if (!isJson(headers)) throw new WrongShapeError('the response is not JSON')
  return readAside && body.byteLength > ASIDE_FROM_BYTES ? readAside(body) : read(parseJson(body))
}

function isJson(headers: Headers): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')
}

/** 'Please verify your <pre>key=</pre> parameter.' (PLAT-20): the key is invalid, so the response says nothing else. */
function rejectsKey(html: string): boolean {
  return /verify\s+your\s*(?:<[^>]*>\s*)*key=/i.test(html)
}

/** `Retry-After` in whole seconds, from seconds or an HTTP date; undefined when missing or invalid. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d{1,10}$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_SECONDS) : undefined
}

/**
 * Reads a body, up to `maxBytes` after decompression, so that no response fills the memory.
 * @throws WrongShapeError when it is longer
 * @throws Error of `fetch` when the connection breaks
 */
export async function readBytes(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // An error inside the loop cancels the stream, which closes the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > maxBytes) throw new WrongShapeError(`the body is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  // Large ones have memory of their own, so that they can be handed to another thread.
  return Buffer.concat(chunks, length)
}

/** As {@link readBytes}, as UTF-8 text. @throws TypeError when the bytes are not UTF-8 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  return textOf(await readBytes(response, maxBytes))
}

/** @throws WrongShapeError, whose message quotes nothing of the body */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    throw new WrongShapeError('the response is malformed JSON')
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/**
 * Why a connection failed, as a system code such as ECONNRESET. Never the error itself: its message and causes may
 * contain the URL, and with it the key (PLAT-41).
 */
export function connectionFault(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(current.code))
      return current.code
  return 'no connection'
}
