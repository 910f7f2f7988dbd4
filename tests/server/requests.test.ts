/** What each request costs, and how it is counted. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'

test.each(engines)('each request polls the database once (%s)', async (engine) => {
  const app = await startTestApp({ engine, oneServer: 'polls of one server are counted' })
  const ada = await app.player()
  const { group_id } = await app.group({ owner: ada })
  const database = { ...app.database }
  let polls = 0
  app.database.changesSince = (position) => {
    polls++
    return database.changesSince(position)
  }
  const pollsOf = async (token: string | undefined, path: string, init?: RequestInit) => {
    const before = polls
    await (await app.callsOf(token).request(path, init)).text()
    return polls - before
  }
  const members = `/api/groups/${group_id}/members`
  const invite = `/api/invites/${'x'.repeat(32)}`
  expect(await pollsOf(ada.token, members)).toBe(1)
  expect(await pollsOf(ada.token, members)).toBe(1)
  expect(await pollsOf(ada.token, `/api/users/${ada.steam_id}/sessions`)).toBe(1)
  expect(await pollsOf(ada.token, invite)).toBe(1)
  expect(await pollsOf(undefined, invite)).toBe(1)
  expect(await pollsOf(ada.token, '/auth/logout', { method: 'POST' })).toBe(1)
  expect(await pollsOf(undefined, members)).toBe(0)
})

test('a request that is refused counts once', async () => {
  const app = await startTestApp({
    oneServer: 'requests are counted in memory',
    requestLimits: { perAddress: 1000, perToken: 40 },
  })
  const ada = await app.player()
  const stranger = await app.player()
  const status = async () => (await stranger.request(`/api/users/${ada.steam_id}/total_playtime`)).status
  // Signing in used some of the forty.
  const statuses = await Promise.all(Array.from({ length: 30 }, status))
  expect(new Set(statuses)).toEqual(new Set([403]))
  const later: number[] = []
  for (let n = 0; n < 11; n++) later.push(await status())
  expect(later.at(-1)).toBe(429)
})

test('responses are counted in the metrics by route', async () => {
  const app = await startTestApp({ oneServer: 'metrics are of one server' })
  const ada = await app.player()
  for (let n = 0; n < 3; n++) await ada.request(`/api/users/${ada.steam_id}/total_playtime`)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/users\/:steamId\/total_playtime",status="200"\} 3/,
  )
})

test('refusals are counted in the metrics by route and status', async () => {
  const app = await startTestApp({ oneServer: 'metrics are of one server' })
  const ada = await app.player()
  const stranger = await app.player()
  for (let n = 0; n < 2; n++) await stranger.request(`/api/users/${ada.steam_id}/total_playtime`)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/users\/:steamId\/total_playtime",status="403"\} 2/,
  )
})

test('an unexpected error is logged once, with the request id of the response', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const app = await startTestApp({ logger })
  const ada = await app.player()
  const { group_id } = await app.group({ owner: ada })
  await app.database.queries.schema.dropTable('libraries').execute()
  const response = await ada.request(`/api/groups/${group_id}/members`)
  const { request_id } = (await response.json()) as { request_id: string }
  expect([response.status, request_id]).toEqual([500, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  const failures = lines
    .map((line) => JSON.parse(line) as { level: number; reqId: string; msg: string })
    .filter(({ level }) => level >= 50)
  expect(failures).toMatchObject([{ reqId: request_id, msg: 'request failed' }])
})
