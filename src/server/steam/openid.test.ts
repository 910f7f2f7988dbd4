/** Verification of sign-ins: a recorded assertion, and what the provider responds (OID-2 to OID-12). */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NONCE, NOW, NS, openidProvider, STEAM_ID, VALID } from '../../../tests/support/openid-provider.ts'
import { answer, scriptedServer, type Script } from '../../../tests/support/scripted-server.ts'
import { verifyAssertion } from './openid.ts'

const FIXTURES = join(import.meta.dirname, '../../../../shared/data/fixtures/openid')
const recorded = existsSync(FIXTURES)
if (!recorded)
  process.stderr.write('openid.test.ts: the recorded responses are not here, so their tests are skipped\n')

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
      log: { warn: () => undefined },
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

  test('SIGN-7, OID-4: ten years later it is refused without a request', async () => {
    const { verdict, requests } = await replay('check_authentication.valid.txt', NOW)
    expect(verdict.ok).toBe(false)
    expect(requests).toEqual([])
  })
})

test('a valid assertion proves the steam id, and its nonce is stored for longer than it is accepted', async () => {
  const { verify, valid, nonces } = await openidProvider()
  expect(await verify(valid())).toEqual({ ok: true, steamId: STEAM_ID })
  expect([...nonces.keys()]).toEqual([NONCE])
  expect(nonces.get(NONCE)! - NOW).toBeGreaterThan(30 * 60 * 1000)
})

test('OID-12: all fields are posted back to the provider, with + preserved and an ordinary browser’s headers', async () => {
  const { verify, valid, requests, url } = await openidProvider()
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

const text =
  (body: string, status = 200, headers = {}): Script =>
  (response) =>
    answer(response, status, body, headers)
/** Sends the headers and the beginning of a confirmation, and then closes the connection or nothing. */
const begun =
  (closes: boolean): Script =>
  (response) => {
    response.writeHead(200, { 'content-length': VALID.length }).write(VALID.slice(0, -1), () => {
      if (closes) response.socket!.destroy()
    })
  }
const FAULTS: [name: string, script: Script, fault: object][] = [
  ['HTML', text('<html>is_valid:true</html>'), { reason: 'the response is not understood' }],
  ['an empty body', text(''), { reason: 'the response is not understood' }],
  ['half a body', text(VALID.slice(0, 20)), { reason: 'the response is not understood' }],
  ['status 500', text(VALID, 500), { status: 500 }],
  ['status 502', text(VALID, 502), { status: 502 }],
  ['status 503 with Retry-After', text(VALID, 503, { 'retry-after': '1' }), { status: 503 }],
  ['status 429', text(VALID, 429), { status: 429 }],
  ['a reset', (response) => response.socket!.resetAndDestroy(), { reason: 'ECONNRESET' }],
  ['a body that is cut off', begun(true), { reason: 'UND_ERR_SOCKET' }],
  ['a response that never ends', begun(false), { reason: 'timeout' }],
  ['no response in time', () => undefined, { reason: 'timeout' }],
]

describe('OID-12: only an unambiguous confirmation by the provider counts', () => {
  test.each<[string, Script]>([
    ['is_valid:false', text(`ns:${NS}\nis_valid:false\n`)],
    ['is_valid:true and is_valid:false', text(`ns:${NS}\nis_valid:true\nis_valid:false\n`)],
    ['is_valid:true twice', text('is_valid:true\nis_valid:true\n')],
    ['is_valid:true with a suffix', text('is_valid:true!\n')],
    ['is_valid:true with a space', text('is_valid: true\n')],
    ['is_valid:true with status 403', text(VALID, 403)],
    ['is_valid:true with status 201', text(VALID, 201)],
    ['status 503, for a minute', text(VALID, 503, { 'retry-after': '60' })],
  ])('%s is refused without asking again, and no nonce is stored', async (_name, script) => {
    const { verify, valid, requests, nonces } = await openidProvider(script)
    expect((await verify(valid())).ok).toBe(false)
    expect(requests).toHaveLength(1)
    expect(nonces.size).toBe(0)
  })

  test.each<[string, Script]>([
    ['is_valid:true within a line', text(`ns:${NS} is_valid:true\n`)],
    ['another case', text('IS_VALID:TRUE\n')],
    ['too much text', text(VALID + 'a:b\n'.repeat(10_000))],
    ...FAULTS.map(([name, script]): [string, Script] => [name, script]),
  ])('%s three times is refused, and no nonce is stored', async (_name, script) => {
    const { verify, valid, requests, nonces } = await openidProvider(script, { tryMs: 200 })
    const refused = { ok: false, reason: 'the provider could not be asked', failure: 'not_confirmed' }
    expect(await verify(valid())).toEqual(refused)
    expect(requests.length).toBe(_name.includes('Retry-After') ? 1 : 3)
    expect(nonces.size).toBe(0)
  })

  test.each(FAULTS)('OID-17: %s once is logged as that, and asked again', async (_name, script, fault) => {
    const { verify, valid, warnings } = await openidProvider(
      (response, request, nth) => (nth === 1 ? script : text(VALID))(response, request, nth),
      { tryMs: 1_500 },
    )
    expect((await verify(valid())).ok).toBe(true)
    expect(warnings).toEqual([fault])
  })

  test('OID-17: a provider that does not answer is given up on in time', async () => {
    const { verify, valid } = await openidProvider(() => undefined, { tryMs: 200, totalMs: 300 })
    const started = performance.now()
    expect((await verify(valid())).ok).toBe(false)
    expect(performance.now() - started).toBeLessThan(550)
  })

  test('OID-12: a redirect is not followed', async () => {
    const elsewhere = await scriptedServer(text(VALID))
    for (const status of [301, 302, 307, 308]) {
      const { verify, valid, requests, warnings } = await openidProvider((response) =>
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

test('SIGN-7: one of ten simultaneous copies of an assertion is accepted, even if all are confirmed', async () => {
  const { verify, valid } = await openidProvider()
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => verify(valid())))
  expect(verdicts.filter((verdict) => verdict.ok)).toHaveLength(1)
  expect(await verify(valid())).toMatchObject({ ok: false, reason: 'response_nonce was accepted before' })
})

test('the reason of a refusal contains nothing that the visitor sent', async () => {
  const reasons: string[] = []
  const names = Object.keys((await openidProvider()).valid())
  for (const name of names) {
    const { verify, valid } = await openidProvider((response) => answer(response, 200, 'is_valid:false\n'))
    const verdict = await verify({ ...valid(), [name]: 'attack\n{"level":60}' })
    if (!verdict.ok) reasons.push(verdict.reason)
  }
  expect(reasons).toHaveLength(names.length)
  expect(reasons.join('\n')).not.toContain('attack')
})
