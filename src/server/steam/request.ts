/** One request to the platform, once, and what its answer means (PLAT-2, PLAT-20, PLAT-39, PLAT-41). */
import { WrongShapeError } from './answers.ts'
import { BodyTooLargeError, connectionFault, readText } from './body.ts'
import { SteamError } from './port.ts'

/** 30,000 games with names take about 8 MB. */
const BODY_MAX_BYTES = 32 * 1024 * 1024
/** Blocks of a day and longer are known (PLAT-2); what asks for more than a month is taken for a mistake. */
const RETRY_AFTER_MAX_SECONDS = 30 * 86_400

export type PlatformRequest<T> = {
  /** How it is called in errors and logs, which never hold its address. */
  name: string
  url: URL
  /** @throws WrongShapeError */
  read: (json: unknown) => T
  /** What a 401 means that does not complain about the key; without it, a 401 is a failure. */
  whenUnauthorized?: T
}

export type Outcome<T> =
  | { ok: true; value: T; status: number }
  /** `again`: another try may help. Never so when the platform said `Retry-After`, or refused for good. */
  | { ok: false; error: SteamError; again: boolean; status?: number }

/**
 * Asks once; every failure is a value. Redirects are not followed, and nothing of the address, the body or the
 * connection's own error becomes part of an error.
 */
export async function request<T>(
  asked: PlatformRequest<T>,
  { fetch, signal, now }: { fetch: typeof globalThis.fetch; signal: AbortSignal; now: () => number },
): Promise<Outcome<T>> {
  let response: Response
  let text: string
  try {
    response = await fetch(asked.url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', 'user-agent': 'Shelfmates' },
    })
    text = await readText(response, BODY_MAX_BYTES)
  } catch (error) {
    return brokenOff(asked.name, error, signal)
  }
  return judge(asked, response, text, now())
}

function brokenOff(name: string, error: unknown, signal: AbortSignal): Outcome<never> {
  if (signal.aborted)
    return { ok: false, error: new SteamError('timeout', `${name} was not answered in time`), again: true }
  if (error instanceof BodyTooLargeError)
    return { ok: false, error: new SteamError('unavailable', `${name}: ${error.message}`), again: false }
  const fault = connectionFault(error)
  return { ok: false, error: new SteamError('unavailable', `${name} broke off: ${fault}`), again: true }
}

/** Status first, then the type of the content, then the content. */
function judge<T>(asked: PlatformRequest<T>, response: Response, text: string, now: number): Outcome<T> {
  const { name } = asked
  const { status, headers } = response
  if (status === 200) return readAnswer(asked, headers.get('content-type') ?? '', text)

  const wait = retryAfterSeconds(headers.get('retry-after'), now)
  const failed = (failure: SteamError['failure'], again: boolean): Outcome<T> => ({
    ok: false,
    error: new SteamError(failure, `${name} answered ${status}`, wait),
    again: again && wait === undefined,
    status,
  })
  if (status === 401 || status === 403) {
    if (complainsAboutKey(text)) return failed('key_refused', false)
    if (status === 403) return failed('turned_away', false)
    if (asked.whenUnauthorized !== undefined) return { ok: true, value: asked.whenUnauthorized, status }
  }
  if (status === 429) return failed('rate_limited', true)
  return failed('unavailable', status >= 500)
}

function readAnswer<T>(asked: PlatformRequest<T>, contentType: string, text: string): Outcome<T> {
  const failed = (what: string): Outcome<T> => ({
    ok: false,
    error: new SteamError('unavailable', `${asked.name}: ${what}`),
    again: true,
    status: 200,
  })
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) return failed('the answer is not JSON')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // Its message quotes the text.
    return failed('the answer is broken JSON')
  }
  try {
    return { ok: true, value: asked.read(json), status: 200 }
  } catch (error) {
    if (error instanceof WrongShapeError) return failed(error.message)
    throw error
  }
}

/** 'Please verify your <pre>key=</pre> parameter.' (PLAT-20): the key is at fault, not the person. */
function complainsAboutKey(html: string): boolean {
  return /verify\s+your\s*(?:<[^>]*>\s*)*key=/i.test(html)
}

/** `Retry-After` in whole seconds, given as seconds or as an HTTP date; undefined when it says nothing. */
function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d{1,10}$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_SECONDS) : undefined
}
