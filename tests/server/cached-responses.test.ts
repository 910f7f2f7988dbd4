/**
 * Cached responses are never out of date and never another person's. Two servers share one database; everything is
 * requested twice before a change, so that it is cached.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { setSettings } from '../../src/server/storage/players.ts'

describe.each(engines)('two servers on one database (%s)', (engine) => {
  let here: TestApp
  let there: TestApp
  beforeAll(async () => {
    here = await startTestApp({ engine, lasting: true })
    there = await startTestApp({ besides: here, lasting: true })
    return async () => {
      await there.close()
      await here.close()
    }
  }, 60_000)

  /** Ada and Bob are friends and in one group; both own Portal. */
  async function friends() {
    const bob = await here.player({ name: 'Bob', games: { Portal: 30, Rust: 5 } })
    const ada = await here.player({ name: 'Ada', games: { Portal: 60, Dota: 9 }, friends: [bob] })
    const { group_id } = await here.group({ owner: ada, members: [bob] })
    const portal = here.appidOf('Portal')
    const users = `/api/users/${ada.steam_id}`
    const paths = {
      games: `${users}/games`,
      total: `${users}/total_playtime`,
      playtime: `${users}/games/${portal}/playtime`,
      owners: `${users}/games/${portal}/friends`,
      friends: `${users}/friends_cached`,
      top: `${users}/friends_top_games`,
      groups: `${users}/groups`,
      summary: `/api/users/${bob.steam_id}/summary_local`,
      theirs: `/api/users/${bob.steam_id}/games`,
      compare: `/api/compare/${ada.steam_id}/${bob.steam_id}`,
      shared: `/api/groups/${group_id}/shared_games`,
      members: `/api/groups/${group_id}/members`,
      page: `${users}/games/${portal}`,
      overlaps: `${users}/friends_overlap`,
      overlap: `/api/compare/${ada.steam_id}/${bob.steam_id}/overlap`,
      matrix: `/api/groups/${group_id}/overlap`,
    }
    return { ada, bob, group_id, portal, paths }
  }

  const sendRequest = (player: TestPlayer, path: string, headers: Record<string, string> = {}) =>
    there.callsOf(player.token).request(path, { headers })

  /** Sends a request to the other server twice, so that its response is cached there; returns it. */
  async function warm(player: TestPlayer, path: string): Promise<{ body: unknown; etag: string }> {
    const first = await sendRequest(player, path)
    const second = await sendRequest(player, path)
    expect([first.status, second.status]).toEqual([200, 200])
    const etag = second.headers.get('etag')!
    expect(etag).toBe(first.headers.get('etag'))
    const body: unknown = await first.json()
    expect(await second.json()).toEqual(body)
    return { body, etag }
  }

  function play(player: TestPlayer, game: string, minutes: number) {
    here.simulator.setGames(player.steam_id, [
      { appid: here.appidOf(game), minutes, recentMinutes: 0, lastPlayed: 1_700_000_000 },
    ])
    return player.call(libraryContract.fetchGames, { steamId: player.steam_id })
  }

  test.each(['games', 'total', 'playtime', 'compare', 'shared', 'page'] as const)(
    'a person’s sync on one server is in the next response of the other: %s',
    async (name) => {
      const { ada, paths } = await friends()
      const before = await warm(ada, paths[name])
      await play(ada, 'Portal', 7777)
      const after = await sendRequest(ada, paths[name])
      expect(JSON.stringify(await after.json())).toContain('77')
      expect(after.headers.get('etag')).not.toBe(before.etag)
    },
  )

  test.each(['owners', 'top', 'theirs', 'compare', 'shared', 'page'] as const)(
    'a friend’s sync on one server is in the next response of the other: %s',
    async (name) => {
      const { ada, bob, paths } = await friends()
      await warm(ada, paths[name])
      await play(bob, 'Portal', 888_888)
      expect(JSON.stringify(await (await sendRequest(ada, paths[name])).json())).toContain('8888')
    },
  )

  test.each([
    ['theirs', { games: [], status: 'hidden', synced_at: null, hidden: [] }],
    ['compare', []],
    ['owners', []],
    ['top', []],
    ['overlaps', []],
    ['overlap', { my_status: 'ok', their_status: 'hidden', overlap: null }],
  ] as const)('a library that its owner hides is not in the next response: %s', async (name, expected) => {
    const { ada, bob, paths } = await friends()
    expect((await warm(ada, paths[name])).body).not.toEqual(expected)
    await bob.call(
      privacyContract.changeSettings,
      { steamId: bob.steam_id },
      { library_visibility: 'nobody' },
    )
    expect(await (await sendRequest(ada, paths[name])).json()).toEqual(expected)
  })

  test.each(['overlaps', 'overlap', 'matrix'] as const)(
    'a friend’s sync on one server changes the next response of the other: %s',
    async (name) => {
      const { ada, bob, paths } = await friends()
      const before = (await warm(ada, paths[name])).body
      await play(bob, 'Dota', 5)
      expect(await (await sendRequest(ada, paths[name])).json()).not.toEqual(before)
    },
  )

  test('a new friend is in the next friend list', async () => {
    const { ada, paths } = await friends()
    await warm(ada, paths.friends)
    const cal = await here.player({ name: 'Cal' })
    here.simulator.befriend(ada.steam_id, cal.steam_id)
    await ada.call(friendsContract.syncFriends, { steamId: ada.steam_id })
    expect(await (await sendRequest(ada, paths.friends)).json()).toMatchObject({
      friends: [{ display_name: 'Bob' }, { display_name: 'Cal' }],
    })
  })

  test('a new group and a new member are in the next lists', async () => {
    const { ada, bob, group_id, paths } = await friends()
    const before = (await warm(ada, paths.groups)).body as { groups: unknown[] }
    await here.group({ owner: ada, name: 'Saturday' })
    const after = (await (await sendRequest(ada, paths.groups)).json()) as { groups: { name: string }[] }
    expect(after.groups).toHaveLength(before.groups.length + 1)
    expect(after.groups[0]?.name).toBe('Saturday')
    await warm(ada, paths.members)
    await ada.call(groupsContract.removeMember, { id: group_id, steamId: bob.steam_id })
    expect(await (await sendRequest(ada, paths.members)).json()).toMatchObject([{ steam_id: ada.steam_id }])
  })

  test('a removed member gets the same response as a stranger', async () => {
    const { ada, bob, group_id, paths } = await friends()
    await warm(bob, paths.shared)
    await ada.call(groupsContract.removeMember, { id: group_id, steamId: bob.steam_id })
    expect((await sendRequest(bob, paths.shared)).status).toBe(404)
  })

  test('a former friend may not see the games', async () => {
    const bob = await here.player({ games: { Portal: 1 } })
    const ada = await here.player({ friends: [bob] })
    const path = `/api/users/${bob.steam_id}/games`
    await warm(ada, path)
    here.simulator.unfriend(ada.steam_id, bob.steam_id)
    await ada.call(friendsContract.syncFriends, { steamId: ada.steam_id })
    expect((await sendRequest(ada, path)).status).toBe(403)
  })

  test('a session that ends on one server is refused by the other with its next request', async () => {
    const { ada, paths } = await friends()
    const { etag } = await warm(ada, paths.games)
    await ada.call(sessionContract.logOut, {})
    expect((await sendRequest(ada, paths.games)).status).toBe(401)
    expect((await sendRequest(ada, paths.games, { 'if-none-match': etag })).status).toBe(401)
  })

  test('a deleted account has no cached responses left', async () => {
    const { ada, bob, paths } = await friends()
    await warm(ada, paths.games)
    await warm(ada, paths.theirs)
    await bob.call(privacyContract.deleteAccount, { steamId: bob.steam_id })
    expect(await (await sendRequest(ada, paths.theirs)).json()).toMatchObject({ games: [] })
    await ada.call(privacyContract.deleteAccount, { steamId: ada.steam_id })
    expect((await sendRequest(ada, paths.games)).status).toBe(401)
  })

  test('a stranger gets neither a response cached for another person nor a 304 for it', async () => {
    const { ada, group_id, paths } = await friends()
    const mallory = await here.player()
    for (const path of Object.values(paths)) {
      const { etag } = await warm(ada, path)
      const expected = path.includes(`/groups/${group_id}/`) ? 404 : 403
      expect([path, (await sendRequest(mallory, path)).status]).toEqual([path, expected])
      expect([path, (await sendRequest(mallory, path, { 'if-none-match': etag })).status]).toEqual([
        path,
        expected,
      ])
      expect((await fetch(there.url + path)).status).toBe(401)
    }
  })
})

describe('a cached response', () => {
  async function playerWithGames() {
    const app = await startTestApp({ oneServer: 'the response cache is in memory' })
    const games = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`Game ${n}`, n * 10]))
    const ada = await app.player({ games })
    return { app, ada, path: `/api/users/${ada.steam_id}/games` }
  }

  test('that the client has already gets a 304 without a body, until it changes', async () => {
    const { app, ada, path } = await playerWithGames()
    const etag = (await ada.request(path)).headers.get('etag')!
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const same = await ada.request(path, { headers: { 'if-none-match': known } })
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag])
      expect(same.headers.get('cache-control')).toBe('no-store')
    }
    expect((await ada.request(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    app.simulator.setGames(ada.steam_id, [])
    await ada.call(libraryContract.fetchGames, { steamId: ada.steam_id })
    const changed = await ada.request(path, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({ games: [] })
  })

  test('keeps its ETag when something else changes', async () => {
    const { app, ada, path } = await playerWithGames()
    const etag = (await ada.request(path)).headers.get('etag')!
    await app.player({ games: { Portal: 1 } })
    expect((await ada.request(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.9, br;q=0.1', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['br;q=0, *;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['BR', 'br'],
  ])('is the same in every content coding: %s', async (accepted, coding) => {
    const { ada, path } = await playerWithGames()
    const plain: unknown = await (
      await ada.request(path, { headers: { 'accept-encoding': 'identity' } })
    ).json()
    for (const _time of ['built', 'cached']) {
      const response = await ada.request(path, { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding')).toBe(coding)
      expect(response.headers.get('vary')).toContain('accept-encoding')
      expect(await response.json()).toEqual(plain)
    }
  })

  test('uses no more memory than its own bytes', async () => {
    const { ada } = await playerWithGames()
    const before = bufferedBytes()
    const responses = 200
    for (let game = 1; game <= responses; game++) {
      await ada.request(`/api/users/${ada.steam_id}/games/${game}/playtime`)
      // As other requests would: each response is allocated in another slab of small buffers.
      for (let n = 0; n < 40; n++) Buffer.from('x'.repeat(2000))
    }
    const growth = bufferedBytes() - before
    // A slab has 64 kB, one of these responses sixty bytes.
    expect(growth).toBeLessThan(responses * 4096)
  })

  test('does not keep many people in memory who have changed since', async () => {
    const app = await startTestApp({ oneServer: 'the response cache is in memory', env: { MEMORY_MB: '16' } })
    const bob = await app.player({ name: 'Bob' })
    const ada = await app.player({ friends: [bob] })
    const { readCache } = app.deps
    await readCache.refreshNow()
    const before = new WeakRef((await readCache.friends(ada.steam_id))[0]!)
    for (let nth = 0; nth < 400; nth++) {
      await app.database.transaction((tx) =>
        setSettings(tx, bob.steam_id, { library_visibility: 'connected' }),
      )
      await readCache.refreshNow()
      await readCache.players([bob.steam_id])
    }
    expect((await readCache.players([bob.steam_id]))[0]?.display_name).toBe('Bob')
    // A dereferenced WeakRef is kept alive until the next turn of the event loop.
    await new Promise(setImmediate)
    bufferedBytes()
    expect(before.deref()).toBeUndefined()
  })

  test('is weighed with its URL, whose length the client chooses', async () => {
    // Five megabytes: enough for six hundred of these responses, but not with their URLs.
    const app = await startTestApp({ oneServer: 'the response cache is in memory', env: { MEMORY_MB: '16' } })
    const ada = await app.player({})
    const path = `/api/users/${ada.steam_id}/total_playtime`
    for (let n = 0; n < 600; n++) await ada.request(`${path}?${n}=${'x'.repeat(10_000)}`)
    await ada.request(`${path}?0=${'x'.repeat(10_000)}`)
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    expect(metrics).not.toContain('http_cached_responses_total{')
  })

  test('counts against the rate limit like any other', async () => {
    const app = await startTestApp({
      oneServer: 'requests are counted in memory',
      requestLimits: { perAddress: 1000, perToken: 20 },
    })
    const ada = await app.player()
    const statuses: number[] = []
    for (let n = 0; n < 25; n++)
      statuses.push((await ada.request(`/api/users/${ada.steam_id}/total_playtime`)).status)
    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(429)
  })

  test('is counted in the metrics', async () => {
    const { app, ada, path } = await playerWithGames()
    // The first use of a session is written, which invalidates responses built before.
    await ada.request(`/api/users/${ada.steam_id}/total_playtime`)
    for (let n = 0; n < 3; n++) await ada.request(path)
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/users\/:steamId\/games",status="200"\} 1/,
    )
    expect(metrics).toContain('http_cached_responses_total{route="/api/users/:steamId/games",status="200"} 2')
  })

  test('has the same headers as one that was just built', async () => {
    const { ada, path } = await playerWithGames()
    const built = Object.fromEntries((await ada.request(path)).headers)
    const cached = Object.fromEntries((await ada.request(path)).headers)
    expect(cached).toEqual({ ...built, date: cached.date })
    expect(cached).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })
})

/** Memory of reachable buffers, after a garbage collection. */
function bufferedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}
