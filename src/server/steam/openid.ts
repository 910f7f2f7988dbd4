/**
 * Verifies sign-ins by OpenID 2.0 (OID-1, OID-16). There is no discovery and no association, and nothing that the
 * visitor names is fetched: only the configured endpoint is trusted, and only after every check here.
 * Requirements: SIGN-7.
 */
import { type SteamId } from '#shared/entities.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { connectionFault, readText } from './body.ts'
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
const CHECK_TIMEOUT_MS = 8_000
const CHECK_MAX_BYTES = 16 * 1024

/**
 * URL of the provider's sign-in page. The provider redirects back to `<publicUrl>/auth/steam/return?state=<state>`
 * (SIGN-1).
 */
export function signInUrl({
  openidUrl,
  publicUrl,
  state,
}: {
  openidUrl: string
  publicUrl: string
  state: string
}): string {
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

export type Verdict = { ok: true; steamId: SteamId } | { ok: false; reason: string }

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
  /** Where the endpoint is reached; by default at `openidUrl`, as which it is known to browsers. */
  checkUrl?: string | undefined
  /**
   * Runs the request to the provider when its limits allow; the signal aborts when the visitor disconnects. `claimed`
   * is not proven yet.
   */
  inTurn?: (claimed: SteamId, check: (signal: AbortSignal) => Promise<boolean>) => Promise<boolean>
  /** Marks a nonce as used, across all servers; true for the first caller only. */
  useNonce: (nonce: string, expiresAt: number) => Promise<boolean>
  log: SteamLog
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

/**
 * Verifies a response of the provider, with every check of OID-1 to OID-16: first those that need no request, then
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
  inTurn = (_claimed, check) => check(AbortSignal.any([])),
  useNonce,
  log,
  fetch = globalThis.fetch,
  timeoutMs = CHECK_TIMEOUT_MS,
}: Assertion): Promise<Verdict> {
  const assertion = readAssertion(query, expected)
  if (!assertion.ok) return assertion
  const confirmed = await inTurn(assertion.steamId, (signal) =>
    providerConfirms(assertion.parameters, checkUrl, {
      fetch,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      log,
    }),
  )
  if (!confirmed) return refused('the provider did not confirm it')
  if (!(await useNonce(assertion.nonce, assertion.issuedAt + NONCE_STORED_MS)))
    return refused('response_nonce was accepted before')
  return { ok: true, steamId: assertion.steamId }
}

type ReadAssertion = {
  ok: true
  steamId: SteamId
  nonce: string
  issuedAt: number
  parameters: URLSearchParams
}
type Refusal = { ok: false; reason: string }

function refused(reason: string): Refusal {
  return { ok: false, reason }
}

/** The checks that need no request. */
function readAssertion(query: string, expected: Assertion['expected']): ReadAssertion | Refusal {
  if (query.length > QUERY_MAX_LENGTH) return refused('the query is too long')
  const parameters = new URLSearchParams(query)
  if (new Set(parameters.keys()).size !== parameters.size) return refused('a parameter is given twice')
  const field = (name: string) => parameters.get(`openid.${name}`) ?? ''

  if (field('ns') !== NAMESPACE) return refused('ns is not OpenID 2.0')
  if (field('mode') === 'cancel') return refused('the visitor cancelled')
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
  if (expected.now - issuedAt > NONCE_MAX_AGE_MS) return refused('response_nonce is too old')
  if (issuedAt - expected.now > CLOCK_SKEW_MS) return refused('response_nonce is in the future')
  return { ok: true, steamId, nonce, issuedAt, parameters }
}

/** Exactly `<origin of the endpoint>/openid/id/<steam id>` (OID-5, OPS-8). */
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
 * Asks the configured endpoint to confirm its signature (OpenID 2.0, section 11.4.2). All its parameters are sent back,
 * percent-encoded again, so that a `+` is preserved. The endpoint may respond with 403 to requests without an ordinary
 * `Origin` and `User-Agent` (OID-15).
 */
async function providerConfirms(
  parameters: URLSearchParams,
  checkUrl: string,
  { fetch, signal, log }: { fetch: typeof globalThis.fetch; signal: AbortSignal; log: SteamLog },
): Promise<boolean> {
  const body = new URLSearchParams([...parameters].filter(([name]) => name.startsWith('openid.')))
  body.set('openid.mode', 'check_authentication')
  const { origin } = new URL(checkUrl)
  try {
    const response = await fetch(checkUrl, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal,
      headers: { accept: 'text/plain, */*', 'user-agent': 'Mozilla/5.0', origin, referer: `${origin}/` },
    })
    const text = await readText(response, CHECK_MAX_BYTES)
    if (response.status === 200) return isValidResponse(text)
    log.warn({ status: response.status }, 'check_authentication failed')
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'check_authentication failed')
  }
  return false
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError') return 'timeout'
  return name === 'AbortError' ? 'the visitor left' : connectionFault(error)
}

/** Whether key-value text has exactly one `is_valid` line, and it is `is_valid:true`. */
function isValidResponse(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('is_valid:'))
  return lines.length === 1 && lines[0] === 'is_valid:true'
}
