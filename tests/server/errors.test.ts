/** ERR-1: invalid input is refused with the right status and a text that names the field, and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { watch } from '../support/events.ts'

const json = { 'content-type': 'application/json' }
const post = (body: string): RequestInit => ({ method: 'POST', headers: json, body })

type Bad = [string, (me: TestPlayer) => [string, RequestInit?], { status: number; field?: string }]

const bad: Bad[] = [
  ['malformed JSON', () => ['/api/groups', post('{"name": ')], { status: 400, field: 'body' }],
  ['ERR-5: a body over its limit', () => ['/api/groups', post(`"${'x'.repeat(200_000)}"`)], { status: 413 }],
  ['ERR-5: a malformed steam id', () => ['/api/users/123/games'], { status: 400, field: 'steamId' }],
  [
    'a steam id out of range',
    () => ['/api/users/76561197960265728/games'],
    { status: 400, field: 'steamId' },
  ],
  ['a very long steam id', () => [`/api/users/${'7'.repeat(300)}/games`], { status: 400, field: 'steamId' }],
  [
    'ERR-5: a malformed game id',
    (me) => [`/api/users/${me.steam_id}/games/-1/playtime`],
    { status: 400, field: 'gameId' },
  ],
  [
    'a game id beyond 32 bits',
    (me) => [`/api/users/${me.steam_id}/games/4294967296/friends`],
    { status: 400, field: 'gameId' },
  ],
  ['ERR-5: a malformed group id', () => ['/api/groups/1e3'], { status: 400, field: 'id' }],
  ['a group id of 0', () => ['/api/groups/0'], { status: 400, field: 'id' }],
  ['a broken escape', () => ['/api/users/%zz/games'], { status: 400 }],
  ['ERR-6: an unknown route', () => ['/api/nothing'], { status: 404 }],
  ['ERR-6: an unknown route with malformed JSON', () => ['/api/nothing', post('{')], { status: 404 }],
  ['ERR-6: a wrong method', (me) => [`/api/users/${me.steam_id}/games`, { method: 'POST' }], { status: 404 }],
]

describe('ERR-1: refused in the format of the contract', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ lasting: true })
  })
  afterAll(() => app.close())

  test.each(bad)('%s', async (_name, make, expected) => {
    const me = await app.player()
    const response = await me.request(...make(me))
    expect(response.status).toBe(expected.status)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const body = (await response.json()) as { error: string; code: string; field?: string }
    expect(body.error).toEqual(expect.stringMatching(/\S/))
    expect(body.code).toMatch(/^[a-z_]+$/)
    if (expected.field !== undefined) {
      expect(body.field).toBe(expected.field)
      if (body.code === 'invalid_input') expect(body.error).toContain(expected.field)
    }
    expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts|sqlite|select |stack/i)
  })
})

test('ERR-2: an unexpected error is a plain 500 with a request id', async () => {
  const app = await startTestApp()
  const ada = await app.player()
  await app.db.schema.dropTable('library_changes').execute()
  const response = await ada.request(`/api/users/${ada.steam_id}/export`)
  expect(response.status).toBe(500)
  const body = (await response.json()) as Record<string, string>
  expect(body).toEqual({
    error: 'Something went wrong on our side.',
    code: 'internal',
    request_id: body.request_id,
  })
  expect(body.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('endpoints without input accept an empty body with the JSON content type', async () => {
  const app = await startTestApp()
  const ada = await app.player()
  const response = await ada.request(`/api/users/${ada.steam_id}/fetch_games`, {
    method: 'POST',
    headers: json,
  })
  expect(response.status).toBe(200)
})

test('LIM-15: a token beyond its limit of requests is refused with the time to retry', async () => {
  const app = await startTestApp({
    oneServer: 'requests are counted in memory',
    requestLimits: { perAddress: 1000, perToken: 20 },
  })
  const ada = await app.player({ synced: false })
  const statuses: number[] = []
  for (let n = 0; n < 22; n++) statuses.push((await ada.attempt(api.library.summary, ada.user)).status)
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200))
  const refusal = await ada.refused(api.library.summary, ada.user)
  expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refusal.headers.get('retry-after'))).toBeLessThanOrEqual(60)
})

test('LIM-17: one address can make 150 sign-ins and 3,000 calls a minute', async () => {
  // Other tests take the CPU.
  const app = await startTestApp({ overloadTimes: { delayMs: 60_000 } })
  const people = await Promise.all(Array.from({ length: 3 }, () => app.player({ synced: false })))
  const signIns = await Promise.all(
    Array.from({ length: 150 }, () => fetch(`${app.url}/auth/steam`, { redirect: 'manual' })),
  )
  expect(new Set(signIns.map((response) => response.status))).toEqual(new Set([302]))
  const statuses = new Set<number>()
  for (let round = 0; round < 50; round++) {
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const person = people[n % people.length]!
        return person.attempt(api.library.summary, person.user)
      }),
    )
    for (const { status } of responses) statuses.add(status)
  }
  expect(statuses).toEqual(new Set([200]))
})

test('LIM-17: 150 open pages of one address each read four things at once', async () => {
  // Other tests take the CPU.
  const slotLimits = { requestsOfNetwork: { waitMs: 60_000 } }
  const overloadTimes = { delayMs: 60_000 }
  const app = await startTestApp({ slotLimits, overloadTimes, oneServer: 'all come to one' })
  const people = await Promise.all(Array.from({ length: 150 }, () => app.player({ synced: false })))
  const streams = await Promise.all(people.map((person) => watch(person)))
  const reads = people.flatMap((person) =>
    ['nights', 'groups', 'friends_cached', 'sync_status'].map((list) =>
      person.request(`/api/users/${person.steam_id}/${list}`),
    ),
  )
  const statuses = [...streams, ...(await Promise.all(reads))].map((response) => response.status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
