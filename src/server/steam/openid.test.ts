/** Verification of sign-ins: a recorded assertion, and one test per broken check (OID-1 to OID-16). */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answer, scriptedServer, type Script } from '../../../tests/support/scripted-server.ts'
import { signInUrl, verifyAssertion } from './openid.ts'

const FIXTURES = join(import.meta.dirname, '../../../../shared/data/fixtures/openid')
const recorded = existsSync(FIXTURES)
if (!recorded)
  process.stderr.write('openid.test.ts: the recorded responses are not here, so their tests are skipped\n')

const NS = 'http://specs.openid.net/auth/2.0'
const STATE = 'c3RhdGUtb2YtMTYtYnl0ZQ'
const RETURN_TO = `https://games.example.org/auth/steam/return?state=${STATE}`
const STEAM_ID = '76561197960265730'
const NOW = Date.UTC(2025, 5, 1, 12, 0, 0)
const NONCE = '2025-06-01T11:59:30ZrUXDT9sw/Qx8yxq2VR+76wkBXAw='
const SIG = 'uj0iEOi1A6+xjFAE/fapOhArZOFk='
const VALID = `ns:${NS}\nis_valid:true\n`

type Parameters = Record<string, string>

/** A provider that responds to check_authentication, and `verify` for assertions of it. */
async function provider(
  script: Script = (response) => answer(response, 200, VALID),
  { timeoutMs }: { timeoutMs?: number } = {},
) {
  const server = await scriptedServer(script)
  const openidUrl = `${server.url}/openid/login`
  const nonces = new Map<string, number>()
  const warnings: unknown[] = []

  /** The parameters of a valid assertion. */
  const valid = (): Parameters => ({
    state: STATE,
    'openid.ns': NS,
    'openid.mode': 'id_res',
    'openid.op_endpoint': openidUrl,
    'openid.claimed_id': `${server.url}/openid/id/${STEAM_ID}`,
    'openid.identity': `${server.url}/openid/id/${STEAM_ID}`,
    'openid.return_to': RETURN_TO,
    'openid.response_nonce': NONCE,
    'openid.assoc_handle': '1234567890',
    'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
    'openid.sig': SIG,
  })
  const verify = (query: string | Parameters, expected: Partial<{ returnTo: string; now: number }> = {}) =>
    verifyAssertion({
      query: typeof query === 'string' ? query : new URLSearchParams(query).toString(),
      expected: { openidUrl, returnTo: RETURN_TO, now: NOW, ...expected },
      useNonce: async (nonce, expiresAt) => {
        if (nonces.has(nonce)) return false
        nonces.set(nonce, expiresAt)
        return true
      },
      log: { debug: () => undefined, warn: (fields) => void warnings.push(fields) },
      timeoutMs,
    })
  return { ...server, openidUrl, nonces, warnings, valid, verify }
}

test('the sign-in URL lets the visitor choose an account and returns with the state', () => {
  const url = new URL(
    signInUrl({
      openidUrl: 'https://steamcommunity.com/openid/login',
      publicUrl: 'https://games.example.org',
      state: STATE,
    }),
  )
  expect(url.origin + url.pathname).toBe('https://steamcommunity.com/openid/login')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    'openid.ns': NS,
    'openid.mode': 'checkid_setup',
    'openid.return_to': RETURN_TO,
    'openid.realm': 'https://games.example.org',
    'openid.identity': `${NS}/identifier_select`,
    'openid.claimed_id': `${NS}/identifier_select`,
  })
})

describe.skipIf(!recorded)('recorded', () => {
  const file = (name: string) => readFileSync(join(FIXTURES, name), 'utf8').trimEnd()
  const expected = {
    openidUrl: 'https://steamcommunity.com/openid/login',
    returnTo: 'http://example.com/callback',
    now: Date.UTC(2015, 7, 17, 0, 46, 20),
  }

  /** Verifies the recorded assertion; a server of the test responds in place of the provider. */
  async function replay(reply: string, now = expected.now) {
    const server = await scriptedServer((response) =>
      answer(response, 200, readFileSync(join(FIXTURES, reply)), { 'content-type': 'text/plain' }),
    )
    const urls: unknown[] = []
    const verdict = await verifyAssertion({
      query: file('positive_assertion.2015.query.txt'),
      expected: { ...expected, now },
      useNonce: async () => true,
      log: { debug: () => undefined, warn: () => undefined },
      fetch: (input, init) => {
        urls.push(input)
        return fetch(server.url, init)
      },
    })
    return { verdict, urls, requests: server.requests }
  }

  test('the assertion of 2015 is valid at its time when the provider confirms it', async () => {
    const { verdict, urls, requests } = await replay('check_authentication.valid.txt')
    expect(verdict).toEqual({ ok: true, steamId: '76561201960466210' })
    expect(urls).toEqual(['https://steamcommunity.com/openid/login'])
    // The same fields with the same values and encoding as in the recorded request; their order is free.
    const fields = (body: string) => body.split('&').toSorted()
    expect(fields(requests[0]!.body)).toEqual(fields(file('check_authentication.request_body.txt')))
  })

  test('it is refused when the provider does not confirm it', async () => {
    const { verdict } = await replay('check_authentication.invalid.txt')
    expect(verdict).toEqual({ ok: false, reason: 'the provider did not confirm it' })
  })

  test('ten years later it is refused without a request', async () => {
    const { verdict, requests } = await replay('check_authentication.valid.txt', NOW)
    expect(verdict.ok).toBe(false)
    expect(requests).toEqual([])
  })

  test('a visitor who cancelled is not signed in', async () => {
    const { verify, requests } = await provider()
    expect(await verify(file('cancelled.not_recorded.query.txt'))).toEqual({
      ok: false,
      reason: 'the visitor cancelled',
    })
    expect(requests).toEqual([])
  })
})

test('a valid assertion proves the steam id, and its nonce is stored for longer than it is accepted', async () => {
  const { verify, valid, nonces } = await provider()
  expect(await verify(valid())).toEqual({ ok: true, steamId: STEAM_ID })
  expect([...nonces.keys()]).toEqual([NONCE])
  expect(nonces.get(NONCE)! - NOW).toBeGreaterThan(30 * 60 * 1000)
})

test('all fields are posted back to the provider, with + preserved and an ordinary browser’s headers', async () => {
  const { verify, valid, requests, url } = await provider()
  await verify({ ...valid(), 'openid.ns.ext': 'http://example.com/a+b c&d' })
  const [{ method, path, headers, body }] = requests as [(typeof requests)[0]]
  const { state: _, ...fields } = valid()
  expect([method, path]).toEqual(['POST', '/openid/login'])
  expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect(headers.origin).toBe(url)
  expect(headers['user-agent']).toMatch(/^Mozilla/)
  expect(headers.cookie).toBeUndefined()
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    ...fields,
    'openid.mode': 'check_authentication',
    'openid.ns.ext': 'http://example.com/a+b c&d',
  })
  expect(body).toContain('76wkBXAw%3D')
  expect(body).toContain('VR%2B76wk')
})

describe('refused without a request', () => {
  type Break = (valid: Parameters, url: string) => Parameters | string
  const with_ =
    (changes: Parameters): Break =>
    (valid) => ({ ...valid, ...changes })
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
    [
      'op_endpoint has a trailing slash',
      (valid) => ({ ...valid, 'openid.op_endpoint': `${valid['openid.op_endpoint']}/` }),
    ],
    [
      'op_endpoint has another case',
      (valid) => ({ ...valid, 'openid.op_endpoint': valid['openid.op_endpoint']!.toUpperCase() }),
    ],

    ['claimed_id is missing', without('openid.claimed_id')],
    ['identity is missing', without('openid.identity')],
    [
      'identity is another account',
      (valid, url) => ({ ...valid, 'openid.identity': `${url}/openid/id/76561197960265731` }),
    ],
    [
      'claimed_id is another account',
      (valid, url) => ({ ...valid, 'openid.claimed_id': `${url}/openid/id/76561197960265731` }),
    ],
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
      with_({ 'openid.return_to': RETURN_TO.replace('/auth/steam/return', '/elsewhere') }),
    ],
    ['return_to has another scheme', with_({ 'openid.return_to': RETURN_TO.replace('https:', 'http:') })],
    ['return_to has no state', with_({ 'openid.return_to': RETURN_TO.split('?')[0]! })],
    [
      'return_to has another browser’s state',
      with_({ 'openid.return_to': RETURN_TO.replace(STATE, 'b3RoZXItb2YtMTYtYnl0ZQ') }),
    ],
    ['return_to has an extra parameter', with_({ 'openid.return_to': `${RETURN_TO}&a=1` })],
    ['the query has no state', without('state')],
    ['the query has another state', with_({ state: 'b3RoZXItb2YtMTYtYnl0ZQ' })],

    ['signed is missing', without('openid.signed')],
    ...['signed', 'op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle'].map(
      (name): [string, Break] => [
        `signed does not cover ${name}`,
        (valid) => ({
          ...valid,
          'openid.signed': valid['openid.signed']!.split(',')
            .filter((field) => field !== name)
            .join(','),
        }),
      ],
    ),
    [
      'signed names a missing field',
      (valid) => ({ ...valid, 'openid.signed': `${valid['openid.signed']},sreg.nickname` }),
    ],
    [
      'signed names a field twice',
      (valid) => ({ ...valid, 'openid.signed': `${valid['openid.signed']},identity` }),
    ],
    [
      'signed has spaces',
      (valid) => ({ ...valid, 'openid.signed': valid['openid.signed']!.replaceAll(',', ', ') }),
    ],
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

    ...[
      'ns',
      'mode',
      'op_endpoint',
      'claimed_id',
      'identity',
      'return_to',
      'response_nonce',
      'assoc_handle',
      'signed',
      'sig',
    ].map((name): [string, Break] => [`${name} is given twice`, twice(`openid.${name}`)]),
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
  ])('%s', async (_name, damage) => {
    const { verify, valid, url, requests, nonces } = await provider()
    const verdict = await verify(damage(valid(), url))
    expect(verdict.ok).toBe(false)
    expect(requests).toEqual([])
    expect(nonces.size).toBe(0)
  })

  test('a date that does not exist, although a lenient parser would read it as today', async () => {
    const { verify, valid } = await provider()
    const verdict = await verify(
      { ...valid(), 'openid.response_nonce': '2025-02-30T11:59:30Zabc' },
      { now: Date.UTC(2025, 2, 2, 12, 0, 0) },
    )
    expect(verdict).toEqual({ ok: false, reason: 'response_nonce is malformed' })
  })

  test('the http form of an https origin', async () => {
    const secure = { openidUrl: 'https://steamcommunity.com/openid/login', returnTo: RETURN_TO, now: NOW }
    const claim = `http://steamcommunity.com/openid/id/${STEAM_ID}`
    const { valid } = await provider()
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
      log: { debug: () => undefined, warn: () => undefined },
      fetch: async () => new Response(VALID),
    })
    expect(verdict).toEqual({ ok: false, reason: 'claimed_id is not an account of the provider' })
  })

  test.each([
    ['a nonce of 4 minutes ago', at(NOW - 4 * MINUTE)],
    ['a nonce of a clock that is half a minute ahead', at(NOW + MINUTE / 2)],
  ])('but %s is accepted', async (_name, time) => {
    const { verify, valid } = await provider()
    expect((await verify({ ...valid(), 'openid.response_nonce': `${time}abc` })).ok).toBe(true)
  })

  test.each(['76561197960265729', '76561202255233023', '76561201960466210'])(
    'and so is the account %s',
    async (steamId) => {
      const { verify, valid, url } = await provider()
      expect(await verify(claiming(() => `${url}/openid/id/${steamId}`)(valid(), url))).toEqual({
        ok: true,
        steamId,
      })
    },
  )
})

describe('only an unambiguous confirmation by the provider counts', () => {
  const text =
    (body: string, status = 200): Script =>
    (response) =>
      answer(response, status, body, {})
  test.each<[string, Script, number?]>([
    ['is_valid:false', text(`ns:${NS}\nis_valid:false\n`)],
    ['is_valid:true and is_valid:false', text(`ns:${NS}\nis_valid:true\nis_valid:false\n`)],
    ['is_valid:true twice', text('is_valid:true\nis_valid:true\n')],
    ['is_valid:true within a line', text(`ns:${NS} is_valid:true\n`)],
    ['is_valid:true with a suffix', text('is_valid:true!\n')],
    ['is_valid:true with a space', text('is_valid: true\n')],
    ['another case', text('IS_VALID:TRUE\n')],
    ['HTML', text('<html>is_valid:true</html>')],
    ['an empty body', text('')],
    ['is_valid:true with status 403', text(VALID, 403)],
    ['is_valid:true with status 500', text(VALID, 500)],
    ['is_valid:true with status 201', text(VALID, 201)],
    ['too much text', text(VALID + 'a:b\n'.repeat(10_000))],
    ['a closed connection', (response) => response.socket!.destroy()],
    ['no response in time', () => undefined, 200],
    ['a response that never ends', (response) => void response.writeHead(200).write(VALID), 200],
  ])('%s is refused, and no nonce is stored', async (_name, script, timeoutMs) => {
    const { verify, valid, requests, nonces } = await provider(script, { timeoutMs })
    expect(await verify(valid())).toEqual({ ok: false, reason: 'the provider did not confirm it' })
    expect(requests).toHaveLength(1)
    expect(nonces.size).toBe(0)
  })

  test('a redirect is not followed', async () => {
    const elsewhere = await scriptedServer(text(VALID))
    for (const status of [301, 302, 307, 308]) {
      const { verify, valid, requests, warnings } = await provider((response) =>
        answer(response, status, '', { location: `${elsewhere.url}/openid/login` }),
      )
      expect((await verify(valid())).ok).toBe(false)
      expect(requests).toHaveLength(1)
      // The status is logged for the operator.
      expect(warnings).toEqual([{ status }])
    }
    expect(elsewhere.requests).toEqual([])
  })
})

test('of ten copies of an assertion at the same time one is accepted, even if the provider confirms all', async () => {
  const { verify, valid } = await provider()
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => verify(valid())))
  expect(verdicts.filter((verdict) => verdict.ok)).toHaveLength(1)
  expect(await verify(valid())).toEqual({ ok: false, reason: 'response_nonce was accepted before' })
})

test('the reason of a refusal contains nothing that the visitor sent', async () => {
  const reasons: string[] = []
  const names = Object.keys((await provider()).valid())
  for (const name of names) {
    const { verify, valid } = await provider((response) => answer(response, 200, 'is_valid:false\n'))
    const verdict = await verify({ ...valid(), [name]: 'attack\n{"level":60}' })
    if (!verdict.ok) reasons.push(verdict.reason)
  }
  expect(reasons).toHaveLength(names.length)
  expect(reasons.join('\n')).not.toContain('attack')
})
