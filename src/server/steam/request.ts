/** Sends one request to the platform and interprets the response (PLAT-2, PLAT-20, PLAT-39, PLAT-41). */
import { WrongShapeError } from './responses.ts'
import { BodyTooLargeError, connectionFault, readText } from './body.ts'
import { SteamError } from './port.ts'

/** 30,000 games with names take about 8 MB. */
const BODY_MAX_BYTES = 32 * 1024 * 1024
/** Blocks of a day and longer occur (PLAT-2); a longer `Retry-After` than this is cut to it. */
const RETRY_AFTER_MAX_SECONDS = 30 * 86_400

export type PlatformRequest<T> = {
  /** Name in errors and logs, which never contain the URL. */
  name: string
  url: URL
  /** @throws WrongShapeError */
  read: (json: unknown) => T
  /** Result of a 401 that does not reject the key; when unset, every 401 is a failure. */
  whenUnauthorized?: T
}

export type Outcome<T> =
  | { ok: true; value: T; status: number }
  /** `retryable`: another attempt may succeed; never after a `Retry-After` or a permanent failure. */
  | { ok: false; error: SteamError; retryable: boolean; status?: number }

/**
 * Sends a request once and returns every failure as a value. Does not follow redirects. Errors contain no part of the
 * URL, the body, or the connection's own error.
 */
export async function sendRequest<T>(
  request: PlatformRequest<T>,
  { fetch, signal, now }: { fetch: typeof globalThis.fetch; signal: AbortSignal; now: () => number },
): Promise<Outcome<T>> {
  let response: Response
  let text: string
  try {
    response = await fetch(request.url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', 'user-agent': 'Shelfmates' },
    })
    text = await readText(response, BODY_MAX_BYTES)
  } catch (error) {
    return connectionFailure(request.name, error, signal)
  }
  return interpret(request, response, text, now())
}

function connectionFailure(name: string, error: unknown, signal: AbortSignal): Outcome<never> {
  if (signal.aborted)
    return { ok: false, error: new SteamError('timeout', `${name} timed out`), retryable: true }
  if (error instanceof BodyTooLargeError)
    return { ok: false, error: new SteamError('unavailable', `${name}: ${error.message}`), retryable: false }
  const fault = connectionFault(error)
  return {
    ok: false,
    error: new SteamError('unavailable', `${name}: connection failed (${fault})`),
    retryable: true,
  }
}

/** Checks the status, then the content type, then the body. */
function interpret<T>(
  request: PlatformRequest<T>,
  response: Response,
  text: string,
  now: number,
): Outcome<T> {
  const { name } = request
  const { status, headers } = response
  if (status === 200) return parseBody(request, headers.get('content-type') ?? '', text)

  const wait = retryAfterSeconds(headers.get('retry-after'), now)
  const failed = (failure: SteamError['failure'], again: boolean): Outcome<T> => ({
    ok: false,
    error: new SteamError(failure, `${name} responded with ${status}`, wait),
    retryable: again && wait === undefined,
    status,
  })
  if (status === 401 || status === 403) {
    if (rejectsKey(text)) return failed('invalid_key', false)
    if (status === 403) return failed('forbidden', false)
    if (request.whenUnauthorized !== undefined) return { ok: true, value: request.whenUnauthorized, status }
  }
  if (status === 429) return failed('rate_limited', true)
  return failed('unavailable', status >= 500)
}

function parseBody<T>(request: PlatformRequest<T>, contentType: string, text: string): Outcome<T> {
  const failed = (reason: string): Outcome<T> => ({
    ok: false,
    error: new SteamError('unavailable', `${request.name}: ${reason}`),
    retryable: true,
    status: 200,
  })
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) return failed('the response is not JSON')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message is not used, because it quotes the text.
    return failed('the response is malformed JSON')
  }
  try {
    return { ok: true, value: request.read(json), status: 200 }
  } catch (error) {
    if (error instanceof WrongShapeError) return failed(error.message)
    throw error
  }
}

/** 'Please verify your <pre>key=</pre> parameter.' (PLAT-20): the key is invalid, so the response says nothing else. */
function rejectsKey(html: string): boolean {
  return /verify\s+your\s*(?:<[^>]*>\s*)*key=/i.test(html)
}

/** `Retry-After` in whole seconds, from seconds or an HTTP date; undefined when missing or invalid. */
function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d{1,10}$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_SECONDS) : undefined
}
