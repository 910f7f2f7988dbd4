/** PostgreSQL stops, crashes and comes back while the product runs (OPS-31). */
import { expect, onTestFinished, test } from 'vitest'
import { api, startTestApp } from '../support/app.ts'
import { cutOnCommit } from '../support/cut-on-commit.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startPostgres } from '../support/postgres.ts'

/** More than a server has connections, fewer than a person may have requests in progress. */
const REQUESTS_AT_ONCE = 40

test.each(['fast', 'immediate'] as const)('OPS-31: after a stop (%s) each request is a 503', async (mode) => {
  const { cluster, app } = await startOnOwnCluster()
  const ada = await app.player({ games: { Portal: 60 } })
  const setVisibility = (library_visibility: string) =>
    ada.request(`/api/users/${ada.steam_id}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ library_visibility }),
    })
  const requests = [
    () => ada.request(`/api/users/${ada.steam_id}/games`),
    () => ada.request(`/api/users/${ada.steam_id}/groups`),
    () => setVisibility('groups'),
    () => app.callsOf('x'.repeat(43)).request(`/api/users/${ada.steam_id}/games`),
  ]
  const statuses = async () => {
    const sent = Array.from({ length: REQUESTS_AT_ONCE }, (_, nth) => requests[nth % requests.length]!())
    return new Set((await Promise.all(sent)).map((response) => response.status))
  }
  // Opens the connections of the pool, which break below.
  expect(await statuses()).toEqual(new Set([200, 401]))

  cluster.halt(mode)
  for (const send of requests) {
    const response = await send()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.json()).toMatchObject({ code: 'unavailable' })
  }
  expect(await statuses()).toEqual(new Set([503]))
  expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)

  cluster.resume()
  expect((await setVisibility('nobody')).status).toBe(200)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  expect(await (await requests[0]!()).json()).toMatchObject({ games: [{ name: 'Portal' }] })
  expect(await statuses()).toEqual(new Set([200, 401]))
})

test('OPS-31: a write that may be stored, because its commit was cut off, is no refusal', async () => {
  const { cluster, app: prepared } = await startOnOwnCluster()
  const ada = await prepared.player()
  const cut = await cutOnCommit(cluster.url, 'response')
  onTestFinished(cut.close)
  const place = { dataDir: temporaryFolder('data'), databaseUrl: cut.url, drop: async () => {} }
  const app = await startTestApp({ place, besides: prepared })
  const group = await prepared.group({ owner: ada })
  const { attempt } = app.callsOf(ada.token)
  cut.arm()
  const response = await attempt(api.nights.start, {}, { group_id: group.group_id })
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ code: 'internal' })
  // It was stored, so a 503, after which programs try again, would have started two.
  const { nights } = await ada.call(api.nights.listOfGroup, { id: group.group_id })
  expect(nights).toHaveLength(1)
})

async function startOnOwnCluster() {
  // Otherwise a crash loses the last commits.
  const cluster = await startPostgres({ durable: true })
  onTestFinished(cluster.stop)
  const place = { dataDir: temporaryFolder('data'), databaseUrl: cluster.url, drop: async () => {} }
  return { cluster, app: await startTestApp({ place, background: true }) }
}
