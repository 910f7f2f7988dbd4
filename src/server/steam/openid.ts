/**
 * Sign-in by OpenID 2.0, the part that decides who somebody is (OID-1, OID-16). No discovery, no
 * association, nothing fetched that the visitor names: one configured endpoint is believed, and only after every
 * check made here.
 */
import { isSteamId, type SteamId } from '#shared/entities.ts'
import { connectionFault, readText } from './body.ts'
import type { SteamLog } from './port.ts'

const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const IDENTIFIER_SELECT = 'http://specs.openid.net/auth/2.0/identifier_select'
/** What the provider's signature has to cover. */
const MUST_BE_SIGNED = [
  'signed',
  'op_endpoint',
  'claimed_id',
  'identity',
  'return_to',
  'response_nonce',
  'assoc_handle',
]
/** A real return takes less than 1 kB. */
const QUERY_MAX_LENGTH = 8 * 1024
/** Longest nonce of OpenID 2.0, section 10.1. */
const NONCE_MAX_LENGTH = 255
const NONCE_MAX_AGE_MS = 5 * 60 * 1000
/** How far the provider's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 60 * 1000
/** A used nonce is remembered long after its age alone has it refused, whatever the servers' clocks say. */
const NONCE_REMEMBERED_MS = 60 * 60 * 1000
const CHECK_TIMEOUT_MS = 8_000
const CHECK_MAX_BYTES = 16 * 1024

/**
 * Where the visitor's browser is sent to prove who it belongs to; comes back to
 * `<publicUrl>/auth/steam/return?state=<state>` (SIGN-1).
 */
export function signInAddress({
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
    /** Our return address with the state that this browser's cookie holds. */
    returnTo: string
    /** Milliseconds since 1970. */
    now: number
  }
  /**
   * Has the provider asked when it is this sign-in's turn; the signal ends with the visitor's patience. `claimed` is
   * not proven yet.
   */
  inTurn?: (claimed: SteamId, check: (signal: AbortSignal) => Promise<boolean>) => Promise<boolean>
  /** Uses a nonce up on all servers together; true for exactly one caller. */
  useNonce: (nonce: string, expiresAt: number) => Promise<boolean>
  log: SteamLog
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

/**
 * Decides whether a return from the provider proves a steam id: every check (OID-1 to OID-16), in this
 * order: what can be seen here, then the provider's own word, then the nonce. What fails here costs the provider no call.
 *
 * The nonce is used up last, so that an assertion that proves nothing stores nothing (SIGN-9).
 * Single use does not suffer: of any number of verified copies, in parallel or on other servers, `useNonce` lets
 * exactly one pass.
 *
 * `reason` is for the operator's log and holds nothing that the visitor sent.
 * @throws whatever `inTurn` throws when there is no turn for this sign-in
 */
export async function verifyAssertion({
  query,
  expected,
  inTurn = (_claimed, check) => check(AbortSignal.any([])),
  useNonce,
  log,
  fetch = globalThis.fetch,
  timeoutMs = CHECK_TIMEOUT_MS,
}: Assertion): Promise<Verdict> {
  const seen = readAssertion(query, expected)
  if (!seen.ok) return seen
  const confirmed = await inTurn(seen.steamId, (signal) =>
    providerConfirms(seen.parameters, expected.openidUrl, {
      fetch,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      log,
    }),
  )
  if (!confirmed) return refused('the provider did not confirm it')
  if (!(await useNonce(seen.nonce, seen.issuedAt + NONCE_REMEMBERED_MS)))
    return refused('response_nonce was accepted before')
  return { ok: true, steamId: seen.steamId }
}

type Seen = { ok: true; steamId: SteamId; nonce: string; issuedAt: number; parameters: URLSearchParams }
type Refusal = { ok: false; reason: string }

function refused(reason: string): Refusal {
  return { ok: false, reason }
}

/** Everything that can be decided without asking anybody. */
function readAssertion(query: string, expected: Assertion['expected']): Seen | Refusal {
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
  if (steamId === undefined) return refused('claimed_id is no account of the provider')
  if (field('identity') !== field('claimed_id')) return refused('identity differs from claimed_id')

  const signed = field('signed').split(',')
  if (new Set(signed).size !== signed.length) return refused('signed names a field twice')
  if (!MUST_BE_SIGNED.every((name) => signed.includes(name))) return refused('signed does not cover all')
  if (!signed.every((name) => field(name) !== '')) return refused('a signed field is missing')
  if (field('sig') === '') return refused('sig is missing')

  const nonce = field('response_nonce')
  const issuedAt = timeOfNonce(nonce)
  if (issuedAt === undefined) return refused('response_nonce is malformed')
  if (expected.now - issuedAt > NONCE_MAX_AGE_MS) return refused('response_nonce is too old')
  if (issuedAt - expected.now > CLOCK_SKEW_MS) return refused('response_nonce is of the future')
  return { ok: true, steamId, nonce, issuedAt, parameters }
}

/** Exactly `<origin of the endpoint>/openid/id/<steam id>` (OID-5, OPS-8). */
function claimedSteamId(claimedId: string, openidUrl: string): SteamId | undefined {
  const base = `${new URL(openidUrl).origin}/openid/id/`
  const steamId = claimedId.slice(base.length)
  return claimedId.startsWith(base) && isSteamId(steamId) ? steamId : undefined
}

/** When a nonce was issued, in milliseconds since 1970: a UTC time, then anything printable (section 10.1). */
function timeOfNonce(nonce: string): number | undefined {
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z[\x21-\x7e]*$/.exec(nonce)?.[1]
  if (time === undefined || nonce.length > NONCE_MAX_LENGTH) return undefined
  const issuedAt = Date.parse(`${time}Z`)
  // Dates such as the 30th of February do not come back as they went in.
  return !Number.isNaN(issuedAt) && new Date(issuedAt).toISOString() === `${time}.000Z` ? issuedAt : undefined
}

/**
 * Has the configured endpoint confirm its own signature (OpenID 2.0, section 11.4.2). All its parameters go back,
 * percent-encoded anew, so that a `+` stays one. `Origin` and `User-Agent` are sent because it has answered 403
 * without them.
 */
async function providerConfirms(
  parameters: URLSearchParams,
  openidUrl: string,
  { fetch, signal, log }: { fetch: typeof globalThis.fetch; signal: AbortSignal; log: SteamLog },
): Promise<boolean> {
  const body = new URLSearchParams([...parameters].filter(([name]) => name.startsWith('openid.')))
  body.set('openid.mode', 'check_authentication')
  const { origin } = new URL(openidUrl)
  try {
    const response = await fetch(openidUrl, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal,
      headers: { accept: 'text/plain, */*', 'user-agent': 'Mozilla/5.0', origin, referer: `${origin}/` },
    })
    const text = await readText(response, CHECK_MAX_BYTES)
    if (response.status === 200) return saysValid(text)
    log.warn({ status: response.status }, 'the sign-in provider did not answer check_authentication')
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the sign-in provider did not answer check_authentication')
  }
  return false
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError') return 'timeout'
  return name === 'AbortError' ? 'the visitor left' : connectionFault(error)
}

/** Key-value text with exactly one line about validity, and that line says yes. */
function saysValid(text: string): boolean {
  const verdicts = text.split(/\r?\n/).filter((line) => line.startsWith('is_valid:'))
  return verdicts.length === 1 && verdicts[0] === 'is_valid:true'
}
