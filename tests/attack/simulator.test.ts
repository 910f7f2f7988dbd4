/** Any input to the simulator's pages (DEMO-14). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoWorld } from '../../src/simulator/demo-world.ts'
import { startTestApp } from '../support/app.ts'
import { type RawResponse, sendRequest } from './raw-http.ts'

const REQUESTS = 500
const OPENID = 'http://specs.openid.net/auth/2.0'
const PLAYER = demoWorld().players[0]!.steamid
const FORM = 'Content-Type: application/x-www-form-urlencoded'

const paths = fc.constantFrom(
  ...Array<string>(8).fill('/openid/login'),
  ...Array<string>(8).fill('/openid/login/as'),
  ...['/openid/login/', '/pictures/apps/730/header.svg', '/pictures/x'],
  ...['/pictures/avatars/fef49e7fa7e1997310d705b2a6158ff8dc1cdfeb.svg', '/pictures/apps/9999999999/icon/a'],
  ...['/', '//', '/\\', '/%', '/%00', '/%e9', '/%E4%B8%AD', '/\xe9', '/*', '/:80/', '/@x/', '/?', '/#', '/;'],
  ...['/ISteamUser/GetPlayerSummaries/v2/', '/IStoreBrowseService/GetItems/v1/', '/_simulator/calls'],
  ...['/IPlayerService/GetOwnedGames/v1/', '/ISteamUser/GetFriendList/v1/', '/_simulator/faults'],
)

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '中',
    '\r\nX: b',
    '\0',
    '\xe9',
    '\ud800',
    '[',
    'https://',
    '💥'.repeat(500),
    'a'.repeat(3000),
  ),
)
/** Addresses to return to: of the site, nearly of it, and of no site. */
const addresses = (site: string) =>
  fc.oneof(
    fc.constant(`${site}/auth/steam/return`),
    odd.map((text) => `${site}/${text}`),
    odd.map((text) => `${site}/?${text}#${text}`),
    odd.map((text) => `${site}${text}`),
    odd.map((text) => `http://${text}`),
    odd,
  )

/** Parameters of a sign-in, valid ones at first, with changes; any of them twice, missing or huge. */
const parameters = (site: string) =>
  fc
    .tuple(
      addresses(site),
      fc.boolean(),
      fc.array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom(
              ...[
                'openid.ns',
                'openid.mode',
                'openid.return_to',
                'openid.realm',
                'openid.identity',
                'openid.',
              ],
              ...[
                'openid.signed',
                'openid.sig',
                'openid.assoc_handle',
                'openid.response_nonce',
                'q',
                'cancel',
              ],
              ...['steamid', 'steamids', 'key', 'input_json', 'include_appinfo'],
            ),
            odd,
          ),
          fc.oneof(
            addresses(site),
            fc.constantFrom(
              ...['checkid_setup', 'check_authentication', PLAYER, `${PLAYER},1`, '{"ids":[null]}'],
              ...['{"ids":[{"appid":{}},{"appid":"__proto__"}]}', 'null'],
            ),
          ),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([returnTo, cancels, changes]) => [
      ...(changes.length % 2 === 0 ? [] : changes),
      ['openid.ns', OPENID],
      ['openid.mode', 'checkid_setup'],
      ['openid.identity', `${OPENID}/identifier_select`],
      ['openid.claimed_id', `${OPENID}/identifier_select`],
      ['openid.return_to', returnTo],
      ['steamid', PLAYER],
      ...(cancels ? [['cancel', '1']] : []),
      ...(changes.length % 2 === 0 ? changes : []),
    ])

const encodings: ((text: string) => string)[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  // As Latin-1, which is no UTF-8.
  (text) => text.replace(/[^\w]/g, (each) => `%${(each.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`),
  // As it is, but for what would end the line.
  (text) => text.replace(/[^\x21-\x7e\x80-\xff]/g, (each) => encodeURIComponent(each.toWellFormed())),
  (text) => text.replace(/[^\w]/g, '%u4e2d%zz'),
]

const requests = (site: string) =>
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
    path: paths,
    query: fc.boolean(),
    text: fc
      .tuple(parameters(site), fc.constantFrom(...encodings))
      .map(([pairs, encoded]) => pairs.map((pair) => pair.map((text) => encoded(text)).join('=')).join('&')),
    type: fc.constantFrom(FORM, FORM, FORM, 'Content-Type: application/json', 'X-None: 1'),
  })

type Sent = (line: string, headers: string[], body: string) => Promise<RawResponse>

/** Sends any requests, each of which must get an answer that `check` accepts. */
async function sendAny(site: string, base: string, sent: Sent, check: (response: RawResponse) => void) {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(requests(site), async ({ method, path, query, text, type }) => {
      const inUrl = query || method === 'GET' || method === 'HEAD'
      const body = inUrl ? '' : text
      const response = await sent(
        `${method} ${base}${path}${inUrl ? `?${text}` : ''}`,
        [type, `Content-Length: ${Buffer.byteLength(body)}`],
        body,
      )
      statuses.add(response.status)
      const location = response.headers.get('location')
      if (location !== null) {
        expect(location).toMatch(/^https?:\/\/[!-~]{1,16000}$/)
        expect(new URL(location).searchParams.get('openid.mode')).toMatch(/^(id_res|cancel)$/)
      }
      if (method !== 'HEAD') check(response)
      else expect(response.status).toBeLessThan(500)
    }),
    { numRuns: REQUESTS },
  )
  // Checks the requests themselves.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]))
}

/** What the product refuses is refused in its own format. */
function isOfTheProduct({ status, headers, body }: RawResponse): void {
  if (status === 200 || status === 302 || status === 304) return
  expect([400, 403, 404, 413, 414, 415, 431]).toContain(status)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const { error, code, ...rest } = JSON.parse(body) as Record<string, unknown>
  expect([error, code, rest]).toEqual([expect.any(String), expect.stringMatching(/^[a-z_]+$/), {}])
}

test('DEMO-14: on the product’s port any input is answered in the product’s format, never with a server error', async () => {
  const app = await startTestApp({
    demo: true,
    engine: 'sqlite',
    world: demoWorld(),
    requestLimits: { perAddress: 1_000_000, perToken: 1_000_000 },
  })
  await sendAny(app.url, '/simulator', (...request) => sendRequest(app.address, ...request), isOfTheProduct)
})
