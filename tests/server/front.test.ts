/**
 * Reading calls are answered before the framework is asked (docs/decisions/008). An address with a query goes to the
 * framework, so each call can be asked both ways: nobody may be able to tell which way an answer came.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'

describe.each(engines)('the front (%s)', (engine) => {
  let app: TestApp
  let ada: TestPlayer
  let stranger: TestPlayer
  let paths: string[]
  beforeAll(async () => {
    app = await startTestApp({ engine, lasting: true, keptAnswersBytes: 0 })
    const bob = await app.player({ name: 'Bob', games: { Portal: 30, Rust: 5 } })
    ada = await app.player({ name: 'Ada', games: { Portal: 60, Dota: 9 }, friends: [bob] })
    stranger = await app.player({ name: 'Mallory' })
    const { group_id } = await app.group({ owner: ada, members: [bob] })
    const portal = app.appidOf('Portal')
    const mine = `/api/users/${ada.steam_id}`
    paths = [
      `${mine}/games`,
      `/api/users/${bob.steam_id}/games`,
      `${mine}/summary_local`,
      `${mine}/total_playtime`,
      `${mine}/games/${portal}/playtime`,
      `${mine}/games/${portal}/friends`,
      `${mine}/friends_cached`,
      `${mine}/friends_top_games`,
      `${mine}/groups`,
      `/api/compare/${ada.steam_id}/${bob.steam_id}`,
      `/api/groups/${group_id}`,
      `/api/groups/${group_id}/members`,
      `/api/groups/${group_id}/shared_games`,
    ]
    return () => app.close()
  }, 60_000)

  /** An answer without what differs from answer to answer. */
  async function answerTo(token: string | undefined, path: string) {
    const response = await app.callsOf(token).request(path)
    const { date: _date, etag, ...headers } = Object.fromEntries(response.headers)
    return { status: response.status, headers, tagged: etag !== undefined, body: await response.text() }
  }

  test('answers as the framework does', async () => {
    for (const path of paths) {
      const answer = await answerTo(ada.token, path)
      expect([path, answer.status]).toEqual([path, 200])
      expect([path, answer]).toEqual([path, await answerTo(ada.token, `${path}?`)])
    }
  })

  test.each([
    ['a stranger', () => stranger.token],
    ['somebody with an invented token', () => 'f'.repeat(43)],
    ['nobody', () => undefined],
  ])('refuses %s as the framework does', async (_who, token) => {
    for (const path of paths) {
      const answer = await answerTo(token(), path)
      expect([path, answer.status >= 400]).toEqual([path, true])
      expect([path, answer]).toEqual([path, await answerTo(token(), `${path}?`)])
    }
  })

  test('refuses what is no id as the framework does', async () => {
    for (const path of ['/api/users/7/games', '/api/groups/x/members', '/api/groups/0', '/api/compare/1/2']) {
      const answer = await answerTo(ada.token, path)
      expect([path, answer.status]).toEqual([path, 400])
      expect([path, answer]).toEqual([path, await answerTo(ada.token, `${path}?`)])
    }
  })
})

test('a request that is refused behind the front counts once', async () => {
  const app = await startTestApp({ requestLimits: { perAddress: 1000, perToken: 40 } })
  const ada = await app.player()
  const stranger = await app.player()
  const status = async () => (await stranger.request(`/api/users/${ada.steam_id}/total_playtime`)).status
  // Signing in took some of the forty.
  const statuses = await Promise.all(Array.from({ length: 30 }, status))
  expect(new Set(statuses)).toEqual(new Set([403]))
  const later: number[] = []
  for (let n = 0; n < 11; n++) later.push(await status())
  expect(later.at(-1)).toBe(429)
})

test('what is answered in front is counted in the metrics', async () => {
  const app = await startTestApp({ keptAnswersBytes: 0 })
  const ada = await app.player()
  for (let n = 0; n < 3; n++) await ada.request(`/api/users/${ada.steam_id}/total_playtime`)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/users\/:steamId\/total_playtime",status="200"\} 3/,
  )
})
