/**
 * The platform's OpenID 2.0 provider (OID-1 to OID-16, as recorded): signs that somebody is
 * who they picked, and says later whether it did. Stateless: one private association, every nonce good for one
 * check.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { text, type Reply } from './reply.ts'

export const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const IDENTIFIER_SELECT = `${NAMESPACE}/identifier_select`
/** As recorded. */
const ASSOCIATION = '1234567890'
const SIGNED = 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle'

/** Fields by their name without `openid.`; null leaves one out. */
export type FieldChanges = Record<string, string | null>
export type AssertionOptions = {
  /** Changes made before signing: what a provider that lies would vouch for. */
  asserted?: FieldChanges
  /** Changes made after signing: a forgery. */
  forged?: FieldChanges
}

export type OpenidProvider = ReturnType<typeof createOpenidProvider>

/** A request to sign in that cannot be served, in words for whoever sent it. */
export class SignInRequestError extends Error {}

/**
 * `confirmsTwice`: an assertion is confirmed as often as it is asked about, so that nothing but the relying
 * party's own memory stands against a replay.
 */
export function createOpenidProvider({
  endpoint,
  confirmsTwice,
  now,
}: {
  endpoint: string
  confirmsTwice: boolean
  now: () => number
}) {
  const secret = randomBytes(20)
  /** Nonces that were confirmed. */
  const confirmed = new Set<string>()

  const sign = (fields: ReadonlyMap<string, string>, names: readonly string[]) =>
    createHmac('sha1', secret)
      .update(names.map((name) => `${name}:${fields.get(name) ?? ''}\n`).join(''))
      .digest('base64')

  /**
   * The address that the browser is sent back to after somebody signed in: `returnTo` with a positive assertion,
   * fields in the recorded order.
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

  /** Key-value text that says whether this provider made an assertion, and was not asked about it before. */
  function checkAuthentication(body: URLSearchParams): Reply {
    const fields = fieldsOf(body)
    const nonce = fields.get('response_nonce') ?? ''
    // The signature stands for the assertion as it was made, not for the question about it.
    const expected = Buffer.from(sign(fields, (fields.get('signed') ?? '').split(',')))
    const given = Buffer.from(fields.get('sig') ?? '')
    const valid =
      fields.get('assoc_handle') === ASSOCIATION &&
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      (confirmsTwice || !confirmed.has(nonce))
    if (valid) confirmed.add(nonce)
    return text(`ns:${NAMESPACE}\nis_valid:${valid}\n`)
  }

  return { assertionFor, checkAuthentication }
}

/**
 * Checks a request to sign in (`checkid_setup`) and gives its return address.
 * @throws SignInRequestError
 */
export function returnAddressOf(query: URLSearchParams): string {
  const fields = fieldsOf(query)
  if (fields.get('ns') !== NAMESPACE) throw new SignInRequestError(`openid.ns must be ${NAMESPACE}.`)
  if (fields.get('mode') !== 'checkid_setup')
    throw new SignInRequestError('openid.mode must be checkid_setup.')
  for (const name of ['identity', 'claimed_id'])
    if (fields.get(name) !== IDENTIFIER_SELECT)
      throw new SignInRequestError(`openid.${name} must be ${IDENTIFIER_SELECT}.`)
  const returnTo = fields.get('return_to') ?? ''
  if (!isHttp(returnTo)) throw new SignInRequestError('openid.return_to must be an http or https address.')
  const realm = fields.get('realm') ?? returnTo
  if (!isHttp(realm) || !isUnder(new URL(returnTo), new URL(realm)))
    throw new SignInRequestError('openid.return_to must lie under openid.realm.')
  return returnTo
}

/** The return address of somebody who did not want to sign in. */
export function cancelledAddress(returnTo: string): string {
  return withFields(
    returnTo,
    new Map([
      ['ns', NAMESPACE],
      ['mode', 'cancel'],
    ]),
  )
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}

/** OpenID 2.0, section 9.2, without wildcards. */
function isUnder(address: URL, realm: URL): boolean {
  const folder = realm.pathname.endsWith('/') ? realm.pathname : `${realm.pathname}/`
  return (
    address.origin === realm.origin &&
    (address.pathname === realm.pathname || address.pathname.startsWith(folder))
  )
}

/** Only the first of a field that is given twice counts here; telling them apart is the relying party's matter. */
function fieldsOf(parameters: URLSearchParams): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    const field = name.startsWith('openid.') ? name.slice('openid.'.length) : undefined
    if (field !== undefined && !fields.has(field)) fields.set(field, value)
  }
  return fields
}

/** Time and 20 random bytes; like the recorded one it has a plus and a slash, which careless encoding breaks. */
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

function withFields(returnTo: string, fields: ReadonlyMap<string, string>): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) query.set(`openid.${name}`, value)
  return `${returnTo}${returnTo.includes('?') ? '&' : '?'}${query.toString()}`
}
