/** Security headers of every kind of response, failures included (PIC-1). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { sendRaw } from './raw-http.ts'
import { imageOf, upload } from '../support/png.ts'

let app: TestApp
let https: TestApp
let ada: TestPlayer
let media: string
let calendar: string
/** A server without a free slot. */
let full: TestApp
let pagesFolder: string

beforeAll(async () => {
  pagesFolder = mkdtempSync(join(tmpdir(), 'shelfmates-pages-'))
  mkdirSync(join(pagesFolder, 'assets'))
  writeFileSync(join(pagesFolder, 'index.html'), '<!doctype html><html><head></head></html>')
  writeFileSync(join(pagesFolder, 'assets', 'app-abc123.js'), 'app()')
  app = await startTestApp({ lasting: true, pagesFolder })
  https = await startTestApp({ lasting: true, pagesFolder, env: { PUBLIC_URL: 'https://games.example.org' } })
  full = await startTestApp({ lasting: true, slotLimits: { requests: { total: 0 } } })
  ada = await app.player()
  const { group_id } = await app.group({ owner: ada })
  const uploaded = await upload(ada, group_id, await imageOf('red', 4, 4))
  calendar = (await ada.call(api.calendar.renewFeed, ada.user)).url
  media = ((await uploaded.json()) as { picture_image_url: string }).picture_image_url
})
afterAll(async () => {
  await app.close()
  await https.close()
  await full.close()
  rmSync(pagesFolder, { recursive: true })
})

type SendRequest = () => Promise<Response>
const get =
  (path: string): SendRequest =>
  () =>
    ada.request(path, { redirect: 'manual' })

const responses: [string, number, SendRequest][] = [
  ['the page', 200, get('/')],
  ['NIGHT-58: the page of a link', 200, get(`/join/${'A'.repeat(32)}`)],
  ['a link', 404, get(`/api/invites/${'A'.repeat(32)}`)],
  ['an asset', 200, get('/assets/app-abc123.js')],
  ['a missing asset', 404, get('/assets/gone.js')],
  ['an API response', 200, () => ada.request(`/api/users/${ada.steam_id}/games`)],
  ['an API request without a token', 401, () => fetch(`${app.url}/api/users/${ada.steam_id}/games`)],
  ['a refusal', 403, () => ada.request('/api/users/76561197960265730/games')],
  ['bad input', 400, get('/api/users/1/games')],
  ['a broken escape', 400, get('/api/users/%zz/games')],
  ['an API request without a free slot', 503, () => fetch(`${full.url}/api/groups/1`)],
  ['a picture without a free slot', 503, () => fetch(`${full.url}/media/nothing`)],
  ['an unknown endpoint', 404, get('/api/nothing')],
  ['an uploaded picture', 200, () => fetch(`${app.url}${media}`)],
  ['a missing picture', 404, get('/media/nothing')],
  ['a missing shared page', 404, get('/share/nothing')],
  ['a missing calendar', 404, get('/calendar/nothing.ics')],
  ['a calendar', 200, () => fetch(calendar)],
  ['the redirect to Steam', 302, get('/auth/steam')],
  ['the return from it', 302, get('/auth/steam/return')],
  ['health', 200, get('/healthz')],
  ['metrics', 200, get('/metrics')],
  ['the API description', 200, get('/api/openapi.json')],
]

describe('every response has the security headers:', () => {
  test.each(responses)('%s', async (_name, status, sendRequest) => {
    const { status: given, headers } = await headOf(sendRequest)
    expect(given).toBe(status)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\)/)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
    const policy = policyOf(headers)
    expect(policy.get('default-src')).toMatch(/^'(none|self)'$/)
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|(^| )(https?|wss?):( |$)/)
  })

  test('a request without a host is refused in our format', async () => {
    const { status, headers, body } = await sendRaw(
      app.address,
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    )
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid_input' }])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(policyOf(headers).get('default-src')).toBe("'none'")
  })

  test('errors and personal data are not cached', async () => {
    for (const [name, status, sendRequest] of responses) {
      const { headers } = await headOf(sendRequest)
      if (status >= 300 || name === 'an API response') expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('the content security policy', () => {
  test('PIC-1, PIC-9, PLAT-33: allows only our own code, and pictures only from us and Steam', async () => {
    const policy = policyOf((await fetch(`${https.address}/`)).headers)
    for (const directive of [
      'default-src',
      'script-src',
      'style-src',
      'connect-src',
      'font-src',
      'form-action',
    ])
      expect(policy.get(directive)).toBe("'self'")
    for (const directive of ['object-src', 'base-uri', 'frame-ancestors'])
      expect(policy.get(directive)).toBe("'none'")
    const elsewhere = policy
      .get('img-src')!
      .split(' ')
      .filter((source) => !/^('self'|data:|blob:)$/.test(source))
    // The simulator stands for Steam here; the others are hosts of Steam's pictures and their mirrors.
    expect(elsewhere).toContain(https.simulator.url)
    const hosts = elsewhere.filter((source) => source !== https.simulator.url)
    for (const host of hosts)
      expect(host).toMatch(
        /^https:\/\/(avatars|cdn|shared|media|steamcdn-a)\.([\w-]+\.)?(steamstatic\.com|steampowered\.com|akamaihd\.net|dl\.eccdnx\.com)$/,
      )
    for (const of of ['avatars.steamstatic.com', 'media.steampowered.com', 'shared.akamai.steamstatic.com'])
      expect(hosts).toContain(`https://${of}`)
  })

  test('PIC-1: of a picture opened as a page allows nothing', async () => {
    const { headers } = await fetch(`${app.url}${media}`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })
})

describe('https', () => {
  test('is enforced for a year when PUBLIC_URL is https, and only then', async () => {
    const secure = await fetch(`${https.address}/`)
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
    expect((await fetch(`${app.url}/`)).headers.get('strict-transport-security')).toBeNull()
  })
})

/** A response whose body was read completely, so that its connection is free again. */
async function headOf(sendRequest: SendRequest): Promise<Response> {
  const response = await sendRequest()
  await response.arrayBuffer()
  return response
}

function policyOf(headers: Headers): Map<string, string> {
  const directives = (headers.get('content-security-policy') ?? '').split(';').map((text) => text.trim())
  return new Map(
    directives.filter(Boolean).map((text) => {
      const [name = '', ...sources] = text.split(/\s+/)
      return [name, sources.join(' ')]
    }),
  )
}
