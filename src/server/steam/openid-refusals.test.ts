/** Assertions that are refused without asking the provider: one test per broken check (OID-2 to OID-12). */
import { describe, expect, test } from 'vitest'
import {
  NOW,
  openidProvider,
  type Parameters,
  RETURN_TO,
  STATE,
  STEAM_ID,
  VALID,
} from '../../../tests/support/openid-provider.ts'
import { verifyAssertion } from './openid.ts'

describe('refused without a request', () => {
  type Break = (valid: Parameters, url: string) => Parameters | string
  const with_ =
    (changes: Parameters): Break =>
    (valid) => ({ ...valid, ...changes })
  /** Changes the value of one field. */
  const changing =
    (name: string, change: (value: string) => string): Break =>
    (valid) => ({ ...valid, [`openid.${name}`]: change(valid[`openid.${name}`]!) })
  const without =
    (name: string): Break =>
    ({ [name]: _, ...rest }) =>
      rest
  /** Sets claimed id and identity to a value made from the provider's URL. */
  const claiming =
    (claim: (url: string) => string): Break =>
    (valid, url) => ({ ...valid, 'openid.claimed_id': claim(url), 'openid.identity': claim(url) })
  const twice =
    (name: string, value?: string): Break =>
    (valid) =>
      `${new URLSearchParams(valid).toString()}&${new URLSearchParams({ [name]: value ?? valid[name]! }).toString()}`
  const at = (time: number) => new Date(time).toISOString().replace('.000', '')
  const MINUTE = 60 * 1000
  const [OTHER_ID, OTHER_STATE] = ['76561197960265731', 'b3RoZXItb2YtMTYtYnl0ZQ']

  const SIGNED = 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle'.split(',')

  test.each<[string, Break]>([
    ['an empty query', () => ''],
    ['ns is missing', without('openid.ns')],
    ['ns is of OpenID 1', with_({ 'openid.ns': 'http://openid.net/signon/1.1' })],
    ['mode is missing', without('openid.mode')],
    ['mode is cancel', with_({ 'openid.mode': 'cancel' })],
    ['mode is setup_needed', with_({ 'openid.mode': 'setup_needed' })],
    ['mode is error', with_({ 'openid.mode': 'error' })],

    ['op_endpoint is missing', without('openid.op_endpoint')],
    ['op_endpoint is another provider', with_({ 'openid.op_endpoint': 'https://evil.example/openid/login' })],
    ['op_endpoint has a trailing slash', changing('op_endpoint', (value) => `${value}/`)],
    ['op_endpoint has another case', changing('op_endpoint', (value) => value.toUpperCase())],

    ['claimed_id is missing', without('openid.claimed_id')],
    ['identity is missing', without('openid.identity')],
    ['identity is another account', changing('identity', (value) => value.replace(STEAM_ID, OTHER_ID))],
    ['claimed_id is another account', changing('claimed_id', (value) => value.replace(STEAM_ID, OTHER_ID))],
    [
      'a claimed id of another host',
      claiming((url) => `${url.replace('127.0.0.1', 'evil.example')}/openid/id/${STEAM_ID}`),
    ],
    ['a look-alike host', claiming((url) => `${url}.evil.example/openid/id/${STEAM_ID}`)],
    ['the host as a user name', claiming((url) => `${url}@evil.example/openid/id/${STEAM_ID}`)],
    ['the other scheme', claiming((url) => `${url.replace('http:', 'https:')}/openid/id/${STEAM_ID}`)],
    ['a prefix before the URL', claiming((url) => `https://evil.example/${url}/openid/id/${STEAM_ID}`)],
    ['a slash after the id', claiming((url) => `${url}/openid/id/${STEAM_ID}/`)],
    ['a query after the id', claiming((url) => `${url}/openid/id/${STEAM_ID}?a=1`)],
    ['a line break after the id', claiming((url) => `${url}/openid/id/${STEAM_ID}\n`)],
    ['a NUL after the id', claiming((url) => `${url}/openid/id/${STEAM_ID}\0`)],
    ['another path', claiming((url) => `${url}/openid/other/${STEAM_ID}`)],
    ['a profile’s path', claiming((url) => `${url}/profiles/${STEAM_ID}`)],
    ['16 digits', claiming((url) => `${url}/openid/id/7656119796026573`)],
    ['18 digits', claiming((url) => `${url}/openid/id/765611979602657300`)],
    ['an id below all accounts', claiming((url) => `${url}/openid/id/76561197960265728`)],
    ['an id above all accounts', claiming((url) => `${url}/openid/id/76561202255233024`)],
    ['a group’s id', claiming((url) => `${url}/openid/id/10358279142952140`)],
    ['digits of another script', claiming((url) => `${url}/openid/id/７６５６１１９７９６０２６５７３０`)],
    ['no id', claiming((url) => `${url}/openid/id/`)],
    ['identifier_select', claiming(() => 'http://specs.openid.net/auth/2.0/identifier_select')],

    ['return_to is missing', without('openid.return_to')],
    ['return_to is another site', with_({ 'openid.return_to': 'https://evil.example/auth/steam/return' })],
    [
      'return_to has another path',
      changing('return_to', (value) => value.replace('/auth/steam/return', '/elsewhere')),
    ],
    ['return_to has another scheme', changing('return_to', (value) => value.replace('https:', 'http:'))],
    ['return_to has no state', changing('return_to', (value) => value.split('?')[0]!)],
    [
      'return_to has another browser’s state',
      changing('return_to', (value) => value.replace(STATE, OTHER_STATE)),
    ],
    ['return_to has an extra parameter', with_({ 'openid.return_to': `${RETURN_TO}&a=1` })],
    ['the query has no state', without('state')],
    ['the query has another state', with_({ state: OTHER_STATE })],

    ['signed is missing', without('openid.signed')],
    ...SIGNED.map((name): [string, Break] => [
      `signed does not cover ${name}`,
      changing('signed', (value) =>
        value
          .split(',')
          .filter((field) => field !== name)
          .join(),
      ),
    ]),
    ['signed names a missing field', changing('signed', (value) => `${value},sreg.nickname`)],
    ['signed names a field twice', changing('signed', (value) => `${value},identity`)],
    ['signed has spaces', changing('signed', (value) => value.replaceAll(',', ', '))],
    ['sig is missing', without('openid.sig')],
    ['sig is empty', with_({ 'openid.sig': '' })],
    ['assoc_handle is missing', without('openid.assoc_handle')],

    ['response_nonce is missing', without('openid.response_nonce')],
    ['a nonce without time', with_({ 'openid.response_nonce': 'rUXDT9swQx8yxq2VR' })],
    ['a nonce without zone', with_({ 'openid.response_nonce': '2025-06-01T11:59:30' })],
    ['a nonce of another zone', with_({ 'openid.response_nonce': '2025-06-01T11:59:30+00:00abc' })],
    ['a nonce of an invalid date', with_({ 'openid.response_nonce': '2025-06-31T11:59:30Zabc' })],
    ['a nonce with a space', with_({ 'openid.response_nonce': `${at(NOW)}a b` })],
    ['a nonce that is too long', with_({ 'openid.response_nonce': at(NOW) + 'a'.repeat(240) })],
    ['a nonce of a day ago', with_({ 'openid.response_nonce': `${at(NOW - 24 * 60 * MINUTE)}abc` })],
    ['a nonce of 6 minutes ago', with_({ 'openid.response_nonce': `${at(NOW - 6 * MINUTE)}abc` })],
    ['a nonce in the future', with_({ 'openid.response_nonce': `${at(NOW + 2 * MINUTE)}abc` })],

    ...SIGNED.concat('ns', 'mode', 'sig').map((name): [string, Break] => [
      `${name} is given twice`,
      twice(`openid.${name}`),
    ]),
    ['the state is given twice', twice('state')],
    [
      'claimed_id is given again with another value',
      twice('openid.claimed_id', 'https://evil.example/openid/id/1'),
    ],
    [
      'a name is given again in its encoded form',
      (valid) => `${new URLSearchParams(valid).toString()}&openid%2Emode=id_res`,
    ],
    [
      'a + in the nonce that was not encoded',
      (valid) => new URLSearchParams(valid).toString().replace('VR%2B76', 'VR+76'),
    ],
    ['a query that is far too long', with_({ a: 'a'.repeat(10_000) })],
  ])('OPS-1, OID-2 to OID-10: %s', async (_name, damage) => {
    const { verify, valid, url, requests, nonces } = await openidProvider()
    const verdict = await verify(damage(valid(), url))
    expect(verdict.ok).toBe(false)
    expect(requests).toEqual([])
    expect(nonces.size).toBe(0)
  })

  test('a date that does not exist, although a lenient parser would read it as today', async () => {
    const { verify, valid } = await openidProvider()
    const verdict = await verify(
      { ...valid(), 'openid.response_nonce': '2025-02-30T11:59:30Zabc' },
      { now: Date.UTC(2025, 2, 2, 12, 0, 0) },
    )
    expect(verdict).toMatchObject({ ok: false, reason: 'response_nonce is malformed' })
  })

  test('OID-5: the http form of an https origin', async () => {
    const secure = { openidUrl: 'https://steamcommunity.com/openid/login', returnTo: RETURN_TO, now: NOW }
    const claim = `http://steamcommunity.com/openid/id/${STEAM_ID}`
    const { valid } = await openidProvider()
    const query = new URLSearchParams({
      ...valid(),
      'openid.op_endpoint': secure.openidUrl,
      'openid.claimed_id': claim,
      'openid.identity': claim,
    }).toString()
    const verdict = await verifyAssertion({
      query,
      expected: secure,
      useNonce: async () => true,
      log: { warn: () => undefined },
      fetch: async () => new Response(VALID),
    })
    expect(verdict).toMatchObject({ ok: false, reason: 'claimed_id is not an account of the provider' })
  })

  test('OID-10, SIGN-33: a nonce of another time is a matter of the clock', async () => {
    const { verify, valid } = await openidProvider()
    const nonceOf = (time: number) => verify({ ...valid(), 'openid.response_nonce': `${at(time)}abc` })
    expect(await nonceOf(NOW - 6 * MINUTE)).toEqual({
      ok: false,
      reason: 'response_nonce is 360 s old',
      failure: 'clock',
    })
    expect(await nonceOf(NOW + 61_000)).toEqual({
      ok: false,
      reason: 'response_nonce is 61 s in the future',
      failure: 'clock',
    })
  })

  test.each([
    ['a nonce of 5 minutes ago', at(NOW - 5 * MINUTE)],
    ['a nonce of a clock that is a minute ahead', at(NOW + MINUTE)],
  ])('OID-10: but %s is accepted', async (_name, time) => {
    const { verify, valid } = await openidProvider()
    expect((await verify({ ...valid(), 'openid.response_nonce': `${time}abc` })).ok).toBe(true)
  })

  test.each(['76561197960265729', '76561202255233023', '76561201960466210'])(
    'OID-6: and so is the account %s',
    async (steamId) => {
      const { verify, valid, url } = await openidProvider()
      expect(await verify(claiming(() => `${url}/openid/id/${steamId}`)(valid(), url))).toEqual({
        ok: true,
        steamId,
      })
    },
  )
})
