/** The simulator rejects pages of other sites, over real HTTP. */
import { rawRequest } from '../../tests/support/http.ts'
import { expect, onTestFinished, test } from 'vitest'
import { newPlayer } from '../../tests/support/product.ts'
import { startSimulator } from './simulator.ts'

const ADA = '76561198000000001'
const PLAYER_PATH = `/_simulator/players/${ADA}`

const statusOf = async (url: string, path: string, options: Parameters<typeof rawRequest>[1] = {}) =>
  (await rawRequest(`${url}${path}`, options)).status

async function simulator({ control }: { control: boolean }) {
  const world = { players: [newPlayer(ADA)], apps: [] }
  const started = await startSimulator({ world, control })
  onTestFinished(() => started.close())
  const rename = (headers: Record<string, string>) =>
    statusOf(started.url, PLAYER_PATH, { method: 'POST', body: '{"personaname":"Renamed"}', headers })
  return { ...started, rename, nameNow: () => started.player(ADA)?.personaname }
}

const FOREIGN_HOSTS: Record<string, string>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:3001' },
  { host: 'localhost.evil.example' },
]
const FOREIGN_SITES: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

test('programs can use the control API where it is enabled', async () => {
  const off = await simulator({ control: false })
  expect(await off.rename({})).toBe(404)
  const on = await simulator({ control: true })
  expect([await on.rename({}), on.nameNow()]).toEqual([204, 'Renamed'])
})

test.each([...FOREIGN_HOSTS, ...FOREIGN_SITES])('DEMO-5: other sites cannot use it: %o', async (headers) => {
  const { rename, nameNow } = await simulator({ control: true })
  expect(await rename(headers)).toBe(403)
  expect(nameNow()).not.toBe('Renamed')
})

test('DEMO-5: forms and links of other sites cannot sign in; the form of the sign-in page can', async () => {
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
    statusOf(url, '/openid/login/as', { method: 'POST', body: fields, headers: { ...form, ...headers } })

  expect(await post({ origin: url, 'sec-fetch-site': 'same-origin' })).toBe(302)
  for (const headers of [...FOREIGN_HOSTS, ...FOREIGN_SITES]) {
    expect(await post(headers)).toBe(403)
    expect(await statusOf(url, `/openid/login/as?${fields}`, { headers })).toBe(403)
  }
  // Links of other sites to the page work, since a sign-in starts with one, but only with the simulator's host name.
  const page = (headers: Record<string, string>) => statusOf(url, `/openid/login?${fields}`, { headers })
  expect(await page({ 'sec-fetch-site': 'cross-site' })).toBe(200)
  for (const headers of FOREIGN_HOSTS) expect(await page(headers)).toBe(403)
})
