/** Who may change the simulator's world, or sign somebody in there: nobody but its own visitors, over real HTTP. */
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabaseOptions } from '../../tests/support/databases.ts'
import { newPlayer } from '../../tests/support/product.ts'
import { startProcess } from '../../tests/support/process.ts'
import { startSimulator } from './simulator.ts'

const ADA = '76561198000000001'
const KNOB = `/_simulator/players/${ADA}`

type Sent = { method?: string; headers?: Record<string, string>; body?: string }

/** The status of an answer; `fetch` lets nobody choose `Host` and `Origin`. */
function ask(url: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function simulator({ control }: { control: boolean }) {
  const world = { players: [newPlayer(ADA)], apps: [] }
  const started = await startSimulator({ world, control })
  onTestFinished(() => started.close())
  const rename = (headers: Record<string, string>) =>
    ask(started.url, KNOB, { method: 'POST', body: '{"personaname":"Renamed"}', headers })
  return { ...started, rename, nameNow: () => started.player(ADA)?.personaname }
}

const NAMES: Record<string, string>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:3001' },
  { host: 'localhost.evil.example' },
]
const SITES: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

test('nobody changes the world of the demo: its simulator has no knobs', async () => {
  const { drop, dataDir } = await freshDatabaseOptions('sqlite')
  onTestFinished(drop)
  const server = await startProcess({ DATA_DIR: dataDir })
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.exit
  })
  const start = await fetch(`${server.url}/auth/steam`, { redirect: 'manual' })
  const { origin, pathname, search } = new URL(start.headers.get('location') ?? '')
  expect(await ask(origin, pathname + search)).toBe(200)
  expect(await ask(origin, KNOB, { method: 'POST', body: '{}' })).toBe(404)
  expect(await ask(origin, '/_simulator/calls')).toBe(404)
})

test('knobs are there where they were asked for, for programs', async () => {
  const off = await simulator({ control: false })
  expect(await off.rename({})).toBe(404)
  const on = await simulator({ control: true })
  expect([await on.rename({}), on.nameNow()]).toEqual([204, 'Renamed'])
})

test.each([...NAMES, ...SITES])('and never for pages of other sites: %o', async (headers) => {
  const { rename, nameNow } = await simulator({ control: true })
  expect(await rename(headers)).toBe(403)
  expect(nameNow()).not.toBe('Renamed')
})

test('a form or a link of another site signs nobody in; the page’s own form does', async () => {
  const { url } = await simulator({ control: false })
  const fields = new URLSearchParams({
    'openid.ns': 'http://specs.openid.net/auth/2.0',
    'openid.mode': 'checkid_setup',
    'openid.identity': 'http://specs.openid.net/auth/2.0/identifier_select',
    'openid.claimed_id': 'http://specs.openid.net/auth/2.0/identifier_select',
    'openid.return_to': 'http://localhost:3000/auth/steam/return?state=x',
    'openid.realm': 'http://localhost:3000',
    steamid: ADA,
  }).toString()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (headers: Record<string, string>) =>
    ask(url, '/openid/login/as', { method: 'POST', body: fields, headers: { ...form, ...headers } })

  expect(await post({ origin: url, 'sec-fetch-site': 'same-origin' })).toBe(302)
  for (const headers of [...NAMES, ...SITES]) {
    expect(await post(headers)).toBe(403)
    expect(await ask(url, `/openid/login/as?${fields}`, { headers })).toBe(403)
  }
  // Other sites lead to the page, which is how people get there, but only under its own name.
  const page = (headers: Record<string, string>) => ask(url, `/openid/login?${fields}`, { headers })
  expect(await page({ 'sec-fetch-site': 'cross-site' })).toBe(200)
  for (const headers of NAMES) expect(await page(headers)).toBe(403)
})
