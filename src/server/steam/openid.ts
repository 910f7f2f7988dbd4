/**
 * Verifies sign-ins by OpenID 2.0 (SIGN-7, OID-4). There is no discovery and no association, and nothing that the
 * visitor names is fetched: only the configured endpoint is trusted, and only after every check here.
 * Requirements: OID-17.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type SteamId } from '#shared/entities.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { connectionFault, readText, retryAfterSeconds } from './request.ts'
import type { SteamLog } from './port.ts'

const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const IDENTIFIER_SELECT = 'http://specs.openid.net/auth/2.0/identifier_select'
/** Fields that the provider's signature must cover. */
const REQUIRED_SIGNED_FIELDS = [
  'signed',
  'op_endpoint',
  'claimed_id',
  'identity',
  'return_to',
  'response_nonce',
  'assoc_handle',
]
/** A real response takes less than 1 kB. */
const QUERY_MAX_LENGTH = 8 * 1024
/** Longest nonce of OpenID 2.0, section 10.1. */
const NONCE_MAX_LENGTH = 255
const NONCE_MAX_AGE_MS = 5 * 60 * 1000
/** How far the provider's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 60 * 1000
/** Used nonces are stored much longer than they are accepted, in case the servers' clocks differ. */
const NONCE_STORED_MS = 60 * 60 * 1000
const CHECK_MAX_BYTES = 16 * 1024
/**
 * A check that fails on the way is tried again: the visitor cannot repeat it by a reload. All tries together end while
 * they still look at the page.
 */
const defaultTiming = { tryMs: 6_000, totalMs: 15_000, delaysMs: [300, 1_500] }

type SignIn = { openidUrl: string; publicUrl: string; state: string }

/**
 * URL of the provider's sign-in page. The provider redirects back to `<publicUrl>/auth/steam/return?state=<state>`
 * (SIGN-1).
 */
export function signInUrl({ openidUrl, publicUrl, state }: SignIn): string {
  const parameters = new URLSearchParams({
    'openid.ns': NAMESPACE,
    'openid.mode': 'checkid_setup',
    'openid.return_to': `${publicUrl}/auth/steam/return?${new URLSearchParams({ state }).toString()}`,
    'openid.realm': publicUrl,
    'openid.identity': IDENTIFIER_SELECT,
    'openid.claimed_id': IDENTIFIER_SELECT,
  })
  return `${openidUrl}?${parameters.toString()}`
}

/** Why an assertion is refused, as far as it makes a difference to the visitor (SIGN-33). */
type Failure = 'not_confirmed' | 'clock'
type Refusal = { ok: false; reason: string; failure: Failure }

/** What Steam says of an assertion; `unreachable`: nothing that could be understood. */
export type Confirmation = 'valid' | 'invalid' | 'unreachable'

type Assertion = {
  /** The query as the browser sent it, without the question mark. */
  query: string
  expected: {
    openidUrl: string
    /** Our return URL, with the state from this browser's cookie. */
    returnTo: string
    /** Milliseconds since 1970. */
    now: number
  }
  /** Where this server reaches the endpoint; by default `openidUrl`, its address for browsers. */
  checkUrl?: string | undefined
  /** Asks the provider when its limits allow. */
  inTurn?: (check: () => Promise<Confirmation>) => Promise<Confirmation>
  /** Marks a nonce as used, across all servers; true for the first caller only. */
  useNonce: (nonce: string, expiresAt: number) => Promise<boolean>
  log: Pick<SteamLog, 'warn'>
  fetch?: typeof globalThis.fetch
  timing?: Partial<typeof defaultTiming>
}

/**
 * Verifies a response of the provider, with every check of OID-2 to OID-12: first those that need no request, then
 * `check_authentication` at the provider, then the nonce.
 *
 * The nonce comes last, so that an invalid assertion stores nothing (SIGN-9). Single use still holds: of any number of
 * valid copies, in parallel or on other servers, `useNonce` accepts exactly one.
 *
 * `reason` is for the log and contains nothing that the visitor sent.
 * @throws errors of `inTurn` when its limits are reached
 */
export async function verifyAssertion({
  query,
  expected,
  checkUrl = expected.openidUrl,
  inTurn = (check) => check(),
  useNonce,
  log,
  fetch = globalThis.fetch,
  timing,
}: Assertion): Promise<{ ok: true; steamId: SteamId } | Refusal> {
  const assertion = readAssertion(query, expected)
  if (!assertion.ok) return assertion
  const confirmation = await inTurn(() =>
    askProvider(assertion.parameters, checkUrl, { fetch, log, timing: { ...defaultTiming, ...timing } }),
  )
  if (confirmation === 'unreachable') return refused('the provider could not be asked')
  if (confirmation === 'invalid') return refused('the provider says that it is not valid')
  if (!(await useNonce(assertion.nonce, assertion.issuedAt + NONCE_STORED_MS)))
    return refused('response_nonce was accepted before')
  return { ok: true, steamId: assertion.steamId }
}

function refused(reason: string, failure: Failure = 'not_confirmed'): Refusal {
  return { ok: false, reason, failure }
}

/** The checks that need no request. */
function readAssertion(query: string, expected: Assertion['expected']) {
  if (query.length > QUERY_MAX_LENGTH) return refused('the query is too long')
  const parameters = new URLSearchParams(query)
  if (new Set(parameters.keys()).size !== parameters.size) return refused('a parameter is given twice')
  const field = (name: string) => parameters.get(`openid.${name}`) ?? ''

  if (field('ns') !== NAMESPACE) return refused('ns is not OpenID 2.0')
  if (field('mode') !== 'id_res') return refused('mode is not id_res')
  if (field('op_endpoint') !== expected.openidUrl) return refused('op_endpoint is not the configured one')
  if (field('return_to') !== expected.returnTo) return refused('return_to is not ours')
  for (const [name, value] of new URL(expected.returnTo).searchParams)
    if (parameters.get(name) !== value) return refused('the query is not that of return_to')

  const steamId = claimedSteamId(field('claimed_id'), expected.openidUrl)
  if (steamId === undefined) return refused('claimed_id is not an account of the provider')
  if (field('identity') !== field('claimed_id')) return refused('identity differs from claimed_id')

  const signed = field('signed').split(',')
  if (new Set(signed).size !== signed.length) return refused('signed names a field twice')
  if (!REQUIRED_SIGNED_FIELDS.every((name) => signed.includes(name)))
    return refused('signed lacks a required field')
  if (!signed.every((name) => field(name) !== '')) return refused('a signed field is missing')
  if (field('sig') === '') return refused('sig is missing')

  const nonce = field('response_nonce')
  const issuedAt = timeOfNonce(nonce)
  if (issuedAt === undefined) return refused('response_nonce is malformed')
  const seconds = Math.round((expected.now - issuedAt) / 1000)
  if (seconds * 1000 > NONCE_MAX_AGE_MS) return refused(`response_nonce is ${seconds} s old`, 'clock')
  if (-seconds * 1000 > CLOCK_SKEW_MS)
    return refused(`response_nonce is ${-seconds} s in the future`, 'clock')
  return { ok: true as const, steamId, nonce, issuedAt, parameters }
}

/** Exactly `<origin of the endpoint>/openid/id/<steam id>` (OID-5, OPS-1). */
function claimedSteamId(claimedId: string, openidUrl: string): SteamId | undefined {
  const base = `${new URL(openidUrl).origin}/openid/id/`
  const steamId = claimedId.slice(base.length)
  return claimedId.startsWith(base) && isSteamId(steamId) ? steamId : undefined
}

/**
 * When a nonce was issued, in milliseconds since 1970. A nonce is a UTC time and printable characters (section 10.1).
 */
function timeOfNonce(nonce: string): number | undefined {
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z[\x21-\x7e]*$/.exec(nonce)?.[1]
  if (time === undefined || nonce.length > NONCE_MAX_LENGTH) return undefined
  const issuedAt = Date.parse(`${time}Z`)
  // Date.parse turns the 30th of February into a day in March, so compare with the text.
  return !Number.isNaN(issuedAt) && new Date(issuedAt).toISOString() === `${time}.000Z` ? issuedAt : undefined
}

/**
 * Asks the configured endpoint to confirm its signature (OpenID 2.0, section 11.4.2), again after a failure on the way, and
 * says in the log what each was. All its parameters are sent back, percent-encoded again, so that a `+` is preserved. The
 * endpoint may respond with 403 to requests without an ordinary `Origin` and `User-Agent` (OID-12).
 */
async function askProvider(
  parameters: URLSearchParams,
  checkUrl: string,
  {
    fetch,
    log,
    timing: { tryMs, totalMs, delaysMs },
  }: { fetch: typeof globalThis.fetch; log: Pick<SteamLog, 'warn'>; timing: typeof defaultTiming },
): Promise<Confirmation> {
  const body = new URLSearchParams([...parameters].filter(([name]) => name.startsWith('openid.')))
  body.set('openid.mode', 'check_authentication')
  const { origin } = new URL(checkUrl)
  const end = AbortSignal.timeout(totalMs)
  for (let attempt = 0; ; attempt++) {
    let retryAfterMs = 0
    try {
      const response = await fetch(checkUrl, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([end, AbortSignal.timeout(tryMs)]),
        headers: { accept: 'text/plain, */*', 'user-agent': 'Mozilla/5.0', origin, referer: `${origin}/` },
      })
      const { status, headers } = response
      const text = await readText(response, CHECK_MAX_BYTES)
      const isValid = status === 200 ? validityIn(text) : undefined
      if (isValid !== undefined) return isValid ? 'valid' : 'invalid'
      const isTemporary = status === 429 || status >= 500
      if (isTemporary) retryAfterMs = (retryAfterSeconds(headers.get('retry-after'), Date.now()) ?? 0) * 1000
      // Asking again would be in vain.
      else if (status !== 200) retryAfterMs = Infinity
      const fault = status === 200 ? { reason: 'the response is not understood' } : { status }
      log.warn(fault, 'check_authentication failed')
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError'
      log.warn({ reason: isTimeout ? 'timeout' : connectionFault(error) }, 'check_authentication failed')
    }
    const delayMs = Math.max(delaysMs[attempt] ?? Infinity, retryAfterMs)
    // Nobody asks again before the time that the provider has named, so a long one ends it.
    if (end.aborted || delayMs > tryMs) return 'unreachable'
    await pause(delayMs)
  }
}

/** What key-value text says in exactly one `is_valid` line; undefined when it has none, as when it was cut off. */
function validityIn(text: string): boolean | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('is_valid:'))
  return lines.length === 0 ? undefined : lines.length === 1 && lines[0] === 'is_valid:true'
}
