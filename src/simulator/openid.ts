/**
 * Steam's OpenID 2.0 provider (OID-2 to OID-12, as recorded): signs an assertion for the player that was picked,
 * and confirms it once. There is a single private association.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { text, type Reply } from './reply.ts'

export const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const IDENTIFIER_SELECT = `${NAMESPACE}/identifier_select`
/** The association handle of the recorded responses. */
const ASSOCIATION = '1234567890'
/** Confirmed nonces that are remembered; the relying party remembers them too. */
const CONFIRMED_MAX = 100_000
const SIGNED = 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle'

/** Fields by name, without the prefix `openid.`; null removes a field. */
export type FieldChanges = Record<string, string | null>
export type AssertionOptions = {
  /** Changes before signing, as a malicious provider could make. */
  asserted?: FieldChanges
  /** Changes after signing, as a forger could make. */
  forged?: FieldChanges
}

export type OpenidProvider = ReturnType<typeof createOpenidProvider>

/** An invalid sign-in request; the message is shown to the visitor. */
export class SignInRequestError extends Error {}

/**
 * Creates a provider. `confirmsTwice`: confirms an assertion any number of times, so that only the relying party's own
 * check prevents replays. Providers with the same `secret` confirm each other's assertions.
 */
export function createOpenidProvider({
  endpoint,
  confirmsTwice,
  secret,
  now,
}: {
  endpoint: string
  confirmsTwice: boolean
  secret: string | Buffer
  now: () => number
}) {
  /** Nonces that were confirmed. */
  const confirmed = new Set<string>()

  const sign = (fields: ReadonlyMap<string, string>, names: readonly string[]) =>
    createHmac('sha1', secret)
      .update(names.map((name) => `${name}:${fields.get(name) ?? ''}\n`).join(''))
      .digest('base64')

  /**
   * The URL that the browser is redirected to after signing in: `returnTo` with a positive assertion, its fields in the
   * recorded order.
   */
  function assertionFor(
    steamId: string,
    returnTo: string,
    { asserted = {}, forged = {} }: AssertionOptions = {},
  ): string {
    const identity = `${new URL(endpoint).origin}/openid/id/${steamId}`
    const fields = new Map(
      Object.entries({
        ns: NAMESPACE,
        mode: 'id_res',
        op_endpoint: endpoint,
        claimed_id: identity,
        identity,
        return_to: returnTo,
        response_nonce: newNonce(now()),
        assoc_handle: ASSOCIATION,
        signed: SIGNED,
      }),
    )
    change(fields, asserted)
    fields.set('sig', sign(fields, (fields.get('signed') ?? '').split(',')))
    change(fields, forged)
    return withFields(returnTo, fields)
  }

  /** Responds to check_authentication: valid if this provider signed the assertion and has not confirmed it before. */
  function checkAuthentication(body: URLSearchParams): Reply {
    const fields = fieldsOf(body)
    const nonce = fields.get('response_nonce') ?? ''
    // `mode` is not signed, so the fields of the request can be used as they are.
    const expected = Buffer.from(sign(fields, (fields.get('signed') ?? '').split(',')))
    const given = Buffer.from(fields.get('sig') ?? '')
    const valid =
      fields.get('assoc_handle') === ASSOCIATION &&
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      (confirmsTwice || !confirmed.has(nonce))
    if (valid) confirmed.add(nonce)
    const [oldest] = confirmed
    if (confirmed.size > CONFIRMED_MAX) confirmed.delete(oldest!)
    return text(`ns:${NAMESPACE}\nis_valid:${valid}\n`)
  }

  return { assertionFor, checkAuthentication }
}

/**
 * Validates a sign-in request (`checkid_setup`) and returns its return URL.
 * @param onlySite the only origin to return to; undefined: every origin may be returned to
 * @throws SignInRequestError
 */
export function returnUrlOf(query: URLSearchParams, onlySite: string | undefined): string {
  const fields = fieldsOf(query)
  if (fields.get('ns') !== NAMESPACE) throw new SignInRequestError(`openid.ns must be ${NAMESPACE}.`)
  if (fields.get('mode') !== 'checkid_setup')
    throw new SignInRequestError('openid.mode must be checkid_setup.')
  for (const name of ['identity', 'claimed_id'])
    if (fields.get(name) !== IDENTIFIER_SELECT)
      throw new SignInRequestError(`openid.${name} must be ${IDENTIFIER_SELECT}.`)
  const returnTo = fields.get('return_to') ?? ''
  if (!isHttp(returnTo)) throw new SignInRequestError('openid.return_to must be an http or https URL.')
  const realm = fields.get('realm') ?? returnTo
  if (!isHttp(realm) || !isWithin(new URL(returnTo), new URL(realm)))
    throw new SignInRequestError('openid.return_to must be within openid.realm.')
  if (onlySite !== undefined && new URL(returnTo).origin !== onlySite)
    throw new SignInRequestError(`openid.return_to must be of ${onlySite}.`)
  return returnTo
}

/** The URL that the browser is redirected to after cancelling. */
export function cancelledUrl(returnTo: string): string {
  return withFields(
    returnTo,
    new Map([
      ['ns', NAMESPACE],
      ['mode', 'cancel'],
    ]),
  )
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** OpenID 2.0, section 9.2, without wildcards. */
function isWithin(url: URL, realm: URL): boolean {
  const folder = realm.pathname.endsWith('/') ? realm.pathname : `${realm.pathname}/`
  return url.origin === realm.origin && (url.pathname === realm.pathname || url.pathname.startsWith(folder))
}

/** The `openid.` fields. Of duplicates the first counts; rejecting them is up to the relying party. */
function fieldsOf(parameters: URLSearchParams): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    const field = name.startsWith('openid.') ? name.slice('openid.'.length) : undefined
    if (field !== undefined && !fields.has(field)) fields.set(field, value)
  }
  return fields
}

/** The time and 20 random bytes in base64; always with a plus and a slash, as in the recording, to test encoding. */
function newNonce(now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+/, '')
  for (;;) {
    const random = randomBytes(20).toString('base64')
    if (random.includes('+') && random.includes('/')) return time + random
  }
}

function change(fields: Map<string, string>, changes: FieldChanges): void {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) fields.delete(name)
    else fields.set(name, value)
  }
}

/** `returnTo` with these fields as the last of its query: ASCII only, as a header must be, whatever letters it has. */
function withFields(returnTo: string, fields: ReadonlyMap<string, string>): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) query.set(`openid.${name}`, value)
  const url = new URL(returnTo)
  url.hash = ''
  return `${url.href}${url.href.includes('?') ? '&' : '?'}${query.toString()}`
}
