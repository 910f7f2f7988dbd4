/** DEMO-6: demo mode at any address, with the simulator's pages on the product's own port. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { freshOptions } from '../support/databases.ts'
import { pathOf, type RawResponse, rawRequest } from '../support/http.ts'
import { startProcess } from '../support/process.ts'

const PUBLIC_URL = 'https://demo.example.org'
/** What a proxy for PUBLIC_URL sends. */
const FORWARDED = {
  host: 'demo.example.org',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'demo.example.org',
  'x-forwarded-proto': 'https',
}

/** A demo behind a proxy with this public URL, in a process of its own. */
async function startDemo(env: Record<string, string> = {}) {
  const place = await freshOptions('sqlite')
  const options = { PUBLIC_URL, TRUST_PROXY: '127.0.0.1', ...place.env, ...env }
  const { stop, port } = await startProcess(options)
  return { stop, options, visit: visitor(`http://127.0.0.1:${port}`) }
}

/** Requests as a proxy passes them on. */
function visitor(server: string) {
  return (
    url: string,
    { headers, ...options }: Parameters<typeof rawRequest>[1] = {},
  ): Promise<RawResponse> => {
    return rawRequest(`${server}${pathOf(url)}`, { ...options, headers: { ...FORWARDED, ...headers } })
  }
}

type Visit = ReturnType<typeof visitor>

const cookieOf = ({ headers }: RawResponse) => headers['set-cookie']?.[0]?.split(';')[0] ?? ''

/** Goes to the simulator's page, picks the first player and comes back, following what the pages say. */
async function signIn(visit: Visit, { origin = PUBLIC_URL } = {}) {
  const start = await visit('/auth/steam')
  const location = start.headers.location!
  const page = await visit(location)
  const [, action] = /<form action="([^"]+)" method="post">/.exec(page.body) ?? []
  const [, steamId] = /name="steamid" value="(\d+)"/.exec(page.body) ?? []
  const [, picture] = /<img src="([^"]+)"/.exec(page.body) ?? []
  const fields = new URL(location).searchParams
  fields.set('steamid', steamId!)
  const picked = await visit(action!, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      'sec-fetch-site': 'same-origin',
    },
    body: fields.toString(),
  })
  const back = await visit(picked.headers.location ?? '', { headers: { cookie: cookieOf(start) } })
  return { start, location, page, picture: picture!, picked, back, landing: new URL(back.headers.location!) }
}

test('DEMO-6: behind a proxy a visitor signs in on the public address alone, and sees the pictures', async () => {
  const { visit } = await startDemo()
  const { location, page, picture, picked, landing } = await signIn(visit)
  expect(location).toMatch(/^https:\/\/demo\.example\.org\/simulator\/openid\/login\?/)
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('pick a player')])

  const assertion = new URL(picked.headers.location!)
  expect(assertion.origin + assertion.pathname).toBe(`${PUBLIC_URL}/auth/steam/return`)
  expect(assertion.searchParams.get('openid.op_endpoint')).toBe(`${PUBLIC_URL}/simulator/openid/login`)
  expect(landing.origin + landing.pathname).toBe(`${PUBLIC_URL}/steam-auth-success`)

  const avatar = landing.searchParams.get('avatar_url')!
  expect(avatar).toMatch(/^https:\/\/demo\.example\.org\/simulator\/pictures\/avatars\//)
  for (const url of [avatar, picture]) {
    const { status, headers } = await visit(url)
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }

  const headers = { authorization: `Bearer ${landing.searchParams.get('token')}` }
  const steamId = landing.searchParams.get('steam_id')
  await expect
    .poll(async () => (await visit(`/api/users/${steamId}/games`, { headers })).body)
    .toContain(`"image_url":"${PUBLIC_URL}/simulator/pictures/apps/`)
})

test('DEMO-16, DEMO-2: a new demo has groups and game nights, and a second start adds nothing', async () => {
  const first = await startDemo()
  const signedIn = async (visit: Visit) => {
    const { page, landing } = await signIn(visit)
    const { token, steam_id } = Object.fromEntries(landing.searchParams)
    const read = async (path: string) =>
      JSON.parse((await visit(path, { headers: { authorization: `Bearer ${token}` } })).body) as {
        groups: { name: string; picture_url: string }[]
        nights: { status: string; title: string | null }[]
      }
    const { groups } = await read(`/api/users/${steam_id}/groups`)
    const { nights } = await read(`/api/users/${steam_id}/nights`)
    return { page: page.body, groups, nights }
  }
  const { page, groups, nights } = await signedIn(first.visit)
  expect(page).toContain('Starts from nothing')
  expect(groups.map(({ name }) => name)).toEqual(['Friday crew'])
  const picture = await first.visit(groups[0]!.picture_url)
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  expect(nights.map(({ status, title }) => [status, title])).toContainEqual(['open', 'Friday as always'])
  await first.stop()

  const second = await startProcess(first.options)
  onTestFinished(async () => {
    await second.stop()
  })
  const again = await signedIn(visitor(`http://127.0.0.1:${second.port}`))
  expect([again.groups, again.nights]).toEqual([groups, nights])
})

test('DEMO-19: on two servers of one PostgreSQL a sign-in begins at one and comes back to the other', async () => {
  const { databaseUrl } = await freshOptions('postgres')
  const [first, second] = await Promise.all([1, 2].map(() => startDemo({ DATABASE_URL: databaseUrl! })))
  let turn = 0
  const { back, landing } = await signIn((...request) => [first, second][turn++ % 2]!.visit(...request))
  expect(String(back.headers.location)).not.toContain('error=')
  const headers = { authorization: `Bearer ${landing.searchParams.get('token')}` }
  const profile = `/api/users/${landing.searchParams.get('steam_id')}/summary_local`
  for (const { visit } of [first!, second!]) expect((await visit(profile, { headers })).status).toBe(200)
})

test('DEMO-6: the page allows only its own script and style, no frame, and sends its form with an origin', async () => {
  const { visit } = await startDemo()
  const { headers, body } = await visit((await visit('/auth/steam')).headers.location!)
  const policy = String(headers['content-security-policy'])
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).toMatch(/script-src 'sha256-[^' ]+';/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain(`form-action 'self' ${PUBLIC_URL}`)
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['cache-control']).toBe('no-store')
  // Of the whole page, nothing is loaded from elsewhere.
  expect(body).not.toMatch(/(?:src|href)="https?:/)
})

test('DEMO-6: forms of other sites, other host names and returns to other sites are refused', async () => {
  const { visit } = await startDemo()
  const { location } = await signIn(visit)
  const fields = new URL(location).searchParams
  fields.set('steamid', '76561198000000001')
  const post = (headers: Record<string, string>, body = fields.toString()) =>
    visit('/simulator/openid/login/as', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'x-forwarded-host': 'evil.example' },
  ]
  for (const headers of foreign) expect((await post(headers)).status, JSON.stringify(headers)).toBe(403)
  expect((await visit(location, { headers: { 'x-forwarded-host': 'evil.example' } })).status).toBe(403)

  fields.set('openid.realm', 'https://evil.example')
  fields.set('openid.return_to', 'https://evil.example/take')
  fields.set('cancel', '1')
  const elsewhere = await post({ origin: PUBLIC_URL }, fields.toString())
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([400, undefined])
})

/** What of the simulator is not for browsers. */
const NOT_PAGES = [
  ['GET', '/simulator'],
  ['GET', '/simulator/'],
  ['GET', '/simulator/ISteamUser/GetPlayerSummaries/v2/?key=demo&steamids=76561198000000001'],
  ['GET', '/simulator/IPlayerService/GetOwnedGames/v1/?key=demo&steamid=76561198000000001'],
  ['GET', '/simulator/_simulator/calls'],
  ['POST', '/simulator/_simulator/faults'],
  ['DELETE', '/simulator/_simulator/faults'],
  ['POST', '/simulator/_simulator/players/76561198000000001'],
  ['POST', '/simulator/openid/login'],
  ['GET', '/simulator/openid/login/as'],
  ['GET', '/simulator/openid/login/../../_simulator/calls'],
  ['GET', '/simulator/%2e%2e/_simulator/calls'],
] as const
const PAGES = [
  ['GET', '/simulator/openid/login'],
  ['POST', '/simulator/openid/login/as'],
  ['GET', '/simulator/pictures/apps/730/header.svg'],
  ['GET', '/simulator/pictures/avatars/fef49e7fa7e1997310d705b2a6158ff8dc1cdfeb_full.svg'],
] as const

describe('DEMO-6: what of the simulator can be reached', () => {
  test('DEMO-6: in demo mode its pages, and neither its Web API nor its controls', async () => {
    const { visit } = await startDemo()
    for (const [method, path] of NOT_PAGES)
      expect((await visit(path, { method })).status, `${method} ${path}`).toBe(404)
    for (const [method, path] of PAGES)
      expect((await visit(path, { method })).status, `${method} ${path}`).not.toBe(404)
  })

  test('DEMO-6: with a key nothing', async () => {
    const { url } = await startTestApp()
    for (const [method, path] of [...NOT_PAGES, ...PAGES]) {
      for (const accept of ['text/html', '*/*']) {
        const { status, headers } = await rawRequest(`${url}${path}`, { method, headers: { accept } })
        expect([status, headers['content-type']], `${method} ${path}`).toEqual([
          404,
          'application/json; charset=utf-8',
        ])
      }
    }
  })
})
