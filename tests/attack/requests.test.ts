/** Paths, headers and request lines that no browser sends are refused safely. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { sendRequest, type RawResponse, rawRequest, sendRaw } from './raw-http.ts'

const SECRET = 'the content of a file outside the pages'
const PAGE = '<!doctype html><html><head></head><body>the page</body></html>'

/** The page without what it loads early. */
const withoutLinks = (body: string) => body.replaceAll(/<link [^>]*>/g, '')

/** A pages folder with secret files beside it, which a successful path traversal would find. */
function pagesBesideSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmates-pages-'))
  const pages = join(folder, 'web')
  mkdirSync(join(pages, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  writeFileSync(join(folder, 'secret'), SECRET)
  writeFileSync(join(pages, 'index.html'), PAGE)
  writeFileSync(join(pages, 'robots.txt'), 'User-agent: *\n')
  writeFileSync(join(pages, 'assets', 'app-abc123.js'), 'app()')
  return folder
}

let app: TestApp
let folder: string
let ada: TestPlayer
let eve: TestPlayer
beforeAll(async () => {
  folder = pagesBesideSecrets()
  app = await startTestApp({ lasting: true, pagesFolder: join(folder, 'web') })
  ada = await app.player({ games: { Portal: 60 } })
  eve = await app.player()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const as = (player: TestPlayer) => `Authorization: Bearer ${player.token}`
const codeOf = (response: RawResponse) => (JSON.parse(response.body) as { code: string }).code

describe('files outside the pages folder are not served', () => {
  const ups = [
    '../secret.txt',
    '../secret',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    '%2e%2e%2fsecret',
    '..%5csecret.txt',
    '..\\secret.txt',
    '%252e%252e%252fsecret.txt',
    '....//secret.txt',
    '..;/secret.txt',
    '%c0%ae%c0%ae/secret.txt',
    '..%00/secret.txt',
    '../secret.txt%00.js',
    './/../secret.txt',
  ]
  const prefixes = ['/', '/assets/', '/assets/../', '/media/', '/media/../', '//', '/assets/%2e%2e/']
  const targets = prefixes.flatMap((prefix) => ups.map((up) => prefix + up))

  test.each(targets)('%s', async (target) => {
    const response = await sendRequest(app.address, `GET ${target}`)
    expect([400, 404]).toContain(response.status)
    expect(response.body).not.toContain(SECRET)
    expect(codeOf(response)).toMatch(/^(not_found|invalid_input)$/)
  })
})

describe('OPS-19: the page is served for paths of pages only', () => {
  test.each(['/', '/dashboard', '/groups/7', '/no/such/page', '/login?error=steam_auth_failed'])(
    '%s is a page',
    async (target) => {
      const response = await sendRequest(app.address, `GET ${target}`)
      expect([response.status, withoutLinks(response.body)]).toEqual([200, PAGE])
    },
  )

  test('also for an absolute URL, as proxies send it', async () => {
    const { body } = await sendRequest(app.address, 'GET http://shelfmates.example/dashboard')
    expect(withoutLinks(body)).toBe(PAGE)
  })

  test.each([
    '/api',
    '/api/nothing',
    '/API/groups/1',
    '/%61pi/nothing',
    '//api/groups/1',
    '/auth/nothing',
    '/auth/steam/nothing',
    '/media/nothing',
    `/media/${'0'.repeat(32)}.webp`,
    `/media/${'0'.repeat(32)}.webp%00`,
    "/media/'%20or%20'1'='1",
    '/assets/gone-abc123.js',
    '/assets/nothing',
    '/favicon.ico',
    '/.env',
    '/.git/config',
    '/wp-login.php',
    '/%00',
    '*',
  ])('%s is not a page', async (target) => {
    const response = await sendRequest(app.address, `GET ${target}`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('robots.txt and hashed assets are served as files', async () => {
    expect((await sendRequest(app.address, 'GET /robots.txt')).body).toBe('User-agent: *\n')
    const asset = await sendRequest(app.address, 'GET /assets/app-abc123.js')
    expect(asset.body).toBe('app()')
    expect(asset.headers.get('cache-control')).toContain('immutable')
  })
})

describe('no spelling of a URL bypasses the access rules', () => {
  const games = () => `/api/users/${ada.steam_id}/games`
  const spellings: [string, () => string][] = [
    ['unchanged', games],
    ['letters escaped', () => games().replace('api', '%61pi').replace('games', '%67ames')],
    ['an absolute URL', () => `http://evil.example${games()}`],
    ['an absolute URL of this server', () => `${app.url}${games()}`],
    ['a fragment', () => `${games()}#${eve.steam_id}`],
    ['a query with another id', () => `${games()}?steamId=${eve.steam_id}`],
    ['a query with a prototype', () => `${games()}?__proto__[steamId]=${eve.steam_id}`],
    ['steps back', () => `/api/users/${eve.steam_id}/../${ada.steam_id}/games`],
    ['escaped steps back', () => `/api/users/${eve.steam_id}%2f..%2f${ada.steam_id}/games`],
    ['a doubled slash', () => `/api/users//${ada.steam_id}/games`],
    ['a slash at the end', () => `${games()}/`],
    ['a semicolon', () => `${games()};steamId=${eve.steam_id}`],
    ['an id with a blank', () => `/api/users/${ada.steam_id}%20/games`],
    ['an id with a line feed', () => `/api/users/${ada.steam_id}%0a/games`],
    ['other digits', () => `/api/users/${ada.steam_id.replace(/^7/, '%EF%BC%97')}/games`],
  ]

  test.each(spellings)('%s', async (_name, target) => {
    const stranger = await sendRequest(app.address, `GET ${target()}`)
    expect([400, 401, 404]).toContain(stranger.status)
    const signedIn = await sendRequest(app.address, `GET ${target()}`, [as(eve)])
    expect([400, 403, 404]).toContain(signedIn.status)
    for (const { body } of [stranger, signedIn]) expect(body).not.toContain('Portal')
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s without a token returns no data',
    async (method) => {
      const response = await sendRequest(app.address, `${method} ${games()}`, ['Content-Length: 0'])
      expect([400, 401, 404]).toContain(response.status)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test('a method in a header or in the query is ignored', async () => {
    const before = await ada.call(api.library.games, ada.user)
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      for (const method of ['GET', 'POST']) {
        const target = `/api/users/${ada.steam_id}${method === 'POST' ? '/nothing' : '/settings'}`
        await sendRequest(app.address, `${method} ${target}?_method=DELETE`, [
          as(ada),
          `${header}: DELETE`,
          'Content-Length: 0',
        ])
        await sendRequest(app.address, `${method} /api/users/${ada.steam_id}`, [
          as(ada),
          `${header}: DELETE`,
          'Content-Length: 0',
        ])
      }
    expect(await ada.call(api.library.games, ada.user)).toEqual(before)
  })
})

describe('SIGN-28: only one bearer token in the Authorization header counts', () => {
  const tricks: [string, () => string[]][] = [
    ['two tokens in one header', () => [`Authorization: Bearer ${eve.token}, Bearer ${ada.token}`]],
    ['a forged token before the right one', () => [`Authorization: Bearer ${'x'.repeat(43)}`, as(ada)]],
    ['another scheme', () => [`Authorization: Basic ${ada.token}`]],
    ['no scheme', () => [`Authorization: ${ada.token}`]],
    ['two blanks', () => [`Authorization: Bearer  ${ada.token}`]],
    ['a trailing character', () => [`Authorization: Bearer ${ada.token}=`]],
    [
      'another header',
      () => [`X-Authorization: Bearer ${ada.token}`, `Proxy-Authorization: Bearer ${ada.token}`],
    ],
    ['a header of the proxy', () => [`X-Forwarded-User: ${ada.steam_id}`, `X-Remote-User: ${ada.steam_id}`]],
    ['a cookie', () => [`Cookie: token=${ada.token}; steam_id=${ada.steam_id}`]],
  ]
  test.each(tricks)('%s does not sign in', async (_name, headers) => {
    const response = await sendRequest(app.address, `GET /api/users/${ada.steam_id}/games`, headers())
    expect([response.status, codeOf(response)]).toEqual([401, 'not_signed_in'])
  })

  test('of two headers only the first counts', async () => {
    const headers = [as(eve), as(ada)]
    const target = (one: TestPlayer) => `GET /api/users/${one.steam_id}/total_playtime`
    const status = async (one: TestPlayer) => (await sendRequest(app.address, target(one), headers)).status
    expect([await status(ada), await status(eve)]).toEqual([403, 200])
  })
})

describe('SIGN-10: request headers do not change the host of a redirect', () => {
  test.each([
    ['another Host', ['Host: evil.example']],
    ['two hosts', ['Host: evil.example', 'Host: localhost']],
    ['a host with a user', ['Host: localhost@evil.example']],
    [
      'forwarding headers',
      ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 1'],
    ],
    ['Forwarded', ['Forwarded: host=evil.example;proto=https']],
    ['another host after the first redirect', ['Host: evil.example', 'Cookie: shelfmates_moved=1']],
    ['a rewritten URL', ['X-Original-URL: //evil.example', 'X-Rewrite-URL: //evil.example']],
  ])('%s', async (_name, headers) => {
    for (const target of [
      '/auth/steam',
      '/auth/steam/return?openid.mode=id_res&return=http://evil.example',
    ]) {
      const response = await sendRequest(app.address, `GET ${target}`, headers)
      const location = response.headers.get('location') ?? ''
      expect(response.status).toBe(302)
      expect(decodeURIComponent(location)).not.toContain('evil')
      expect([app.url, app.simulator.url]).toContain(new URL(location).origin)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('HTTP/1.0 without a host is redirected to PUBLIC_URL', async () => {
    const response = await sendRaw(app.address, 'GET /auth/steam HTTP/1.0\r\n\r\n')
    expect([response.status, response.headers.get('location')]).toEqual([302, `${app.url}/auth/steam`])
  })
})

describe('clients cannot fake their address', () => {
  const limits = { perAddress: 5, perToken: 1000 }
  /** Statuses of eight requests, each with its own X-Forwarded-For. */
  async function statuses(env: Record<string, string>, header: (n: number) => string) {
    const limited = await startTestApp({ requestLimits: limits, env })
    const responses: number[] = []
    for (let n = 0; n < 8; n++)
      responses.push((await sendRequest(limited.address, 'GET /api/users/1/games', [header(n)])).status)
    return responses
  }
  const allowedThenNot = [401, 401, 401, 401, 401, 429, 429, 429]

  test('OPS-1: without a trusted proxy no forwarding header counts', async () => {
    expect(await statuses({}, (n) => `X-Forwarded-For: 203.0.113.${n}`)).toEqual(allowedThenNot)
  })

  test('behind a trusted proxy the last address counts, which the proxy added', async () => {
    const proxied = { TRUST_PROXY: '127.0.0.0/8,::1' }
    expect(await statuses(proxied, (n) => `X-Forwarded-For: 203.0.113.${n}, 198.51.100.7`)).toEqual(
      allowedThenNot,
    )
    expect(await statuses(proxied, (n) => `X-Forwarded-For: 203.0.113.${n}`)).toEqual(Array(8).fill(401))
  })

  test('all addresses of one IPv6 /64 count as one', async () => {
    const proxied = { TRUST_PROXY: '127.0.0.0/8,::1' }
    expect(await statuses(proxied, (n) => `X-Forwarded-For: 2001:db8:1:2:${n}::${n}`)).toEqual(allowedThenNot)
    expect(await statuses(proxied, (n) => `X-Forwarded-For: 2001:db8:1:${n}::1`)).toEqual(Array(8).fill(401))
  })
})

describe('invalid requests are refused like any other failure, and the connection is closed', () => {
  const CHUNKED = 'Transfer-Encoding: chunked'
  const smuggled = '0\r\n\r\nGET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
  const raw =
    (line: string, headers: string[] = [], body = '') =>
    (address: string) =>
      rawRequest(address, line, headers, body)
  const cases: [string, number, (address: string) => string | Uint8Array][] = [
    ['two lengths', 400, raw('POST /api/groups', ['Content-Length: 4', 'Content-Length: 5'], 'abcd')],
    ['a length and chunks', 400, raw('POST /api/groups', ['Content-Length: 4', CHUNKED], smuggled)],
    ['chunks under another name', 400, raw('POST /api/groups', [`${CHUNKED}, identity`], smuggled)],
    ['a chunk without a size', 400, raw('POST /auth/logout', [CHUNKED], 'zz\r\n')],
    ['a negative length', 400, raw('POST /api/groups', ['Content-Length: -1'])],
    ['a header without a name', 400, raw('GET /', [': x'])],
    ['a header with a blank before its colon', 400, raw('GET /', ['Content-Length : 1'])],
    ['headers of 40 kB', 431, raw('GET /', [`X-Long: ${'x'.repeat(40_000)}`])],
    ['a URL of 40 kB', 431, raw(`GET /${'x'.repeat(40_000)}`)],
    ['an unknown method', 400, raw('HACK /')],
    ['another protocol', 400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ]
  test.each(cases)('%s', async (_name, status, bytes) => {
    const response = await sendRaw(app.address, bytes(app.address))
    expect(response.status).toBe(status)
    expect(codeOf(response)).toBe('invalid_input')
    expect(response.headers.get('connection')).toBe('close')
    // Only one response: the smuggled request was not served.
    expect(response.body).not.toMatch(/HTTP\/1\.1|openapi/)
  })
})
