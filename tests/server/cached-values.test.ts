/**
 * Cached values are never out of date. Two servers share one database; everything is requested before a change, so that
 * what it is made of is cached.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

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
    }
    return { ada, bob, group_id, portal, paths }
  }

  const sendRequest = (player: TestPlayer, path: string) => there.callsOf(player.token).request(path)

  /** Requests something of the other server, so that its parts are cached there; returns it. */
  async function warm(player: TestPlayer, path: string): Promise<unknown> {
    const response = await sendRequest(player, path)
    expect(response.status).toBe(200)
    return response.json()
  }

  function play(player: TestPlayer, game: string, minutes: number) {
    here.giveGames(player, { [game]: minutes }, 1_700_000_000)
    return player.call(api.library.fetchGames, player.user)
  }

  test.each(['games', 'total', 'playtime', 'compare', 'shared', 'page'] as const)(
    'a person’s sync on one server is in the next response of the other: %s',
    async (name) => {
      const { ada, paths } = await friends()
      await warm(ada, paths[name])
      await play(ada, 'Portal', 7777)
      const after = await sendRequest(ada, paths[name])
      expect(JSON.stringify(await after.json())).toContain('77')
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
    ['page', { friends: [], groups: [] }],
  ] as const)('a library that its owner hides is not in the next response: %s', async (name, expected) => {
    const { ada, bob, paths } = await friends()
    expect(await warm(ada, paths[name])).not.toMatchObject(expected)
    await setVisibility(bob, 'nobody')
    expect(await (await sendRequest(ada, paths[name])).json()).toMatchObject(expected)
  })

  test('what friends share is, in the next response, without a library that its owner hides', async () => {
    const { ada, bob, paths } = await friends()
    const { steam_id } = bob
    expect(JSON.stringify(await warm(ada, paths.shared))).toContain(steam_id)
    await setVisibility(bob, 'nobody')
    expect(await (await sendRequest(ada, paths.shared)).text()).not.toContain(steam_id)
  })

  test('a new friend is in the next friend list', async () => {
    const { ada, paths } = await friends()
    await warm(ada, paths.friends)
    const cal = await here.player({ name: 'Cal' })
    here.simulator.befriend(ada.steam_id, cal.steam_id)
    await ada.call(api.friends.syncFriends, ada.user)
    expect(await (await sendRequest(ada, paths.friends)).json()).toMatchObject({
      friends: [{ display_name: 'Bob' }, { display_name: 'Cal' }],
    })
  })

  test('a new group and a new member are in the next lists', async () => {
    const { ada, bob, group_id, paths } = await friends()
    const before = (await warm(ada, paths.groups)) as { groups: unknown[] }
    await here.group({ owner: ada, name: 'Saturday' })
    const after = (await (await sendRequest(ada, paths.groups)).json()) as { groups: { name: string }[] }
    expect(after.groups).toHaveLength(before.groups.length + 1)
    expect(after.groups[0]?.name).toBe('Saturday')
    await warm(ada, paths.members)
    await ada.call(api.groups.removeMember, { id: group_id, steamId: bob.steam_id })
    expect(await (await sendRequest(ada, paths.members)).json()).toMatchObject([{ steam_id: ada.steam_id }])
  })

  test('a removed member gets the same response as a stranger', async () => {
    const { ada, bob, group_id, paths } = await friends()
    await warm(bob, paths.shared)
    await ada.call(api.groups.removeMember, { id: group_id, steamId: bob.steam_id })
    expect((await sendRequest(bob, paths.shared)).status).toBe(404)
  })

  test('a former friend may not see the games', async () => {
    const bob = await here.player({ games: { Portal: 1 } })
    const ada = await here.player({ friends: [bob] })
    const path = `/api/users/${bob.steam_id}/games`
    await warm(ada, path)
    here.simulator.unfriend(ada.steam_id, bob.steam_id)
    await ada.call(api.friends.syncFriends, ada.user)
    expect((await sendRequest(ada, path)).status).toBe(403)
  })

  test('a session that ends on one server is refused by the other with its next request', async () => {
    const { ada, paths } = await friends()
    await warm(ada, paths.games)
    await ada.call(api.session.logOut, {})
    expect((await sendRequest(ada, paths.games)).status).toBe(401)
  })

  test('a deleted account has no cached responses left', async () => {
    const { ada, bob, paths } = await friends()
    await warm(ada, paths.games)
    await warm(ada, paths.theirs)
    await bob.call(api.privacy.deleteAccount, bob.user)
    expect(await (await sendRequest(ada, paths.theirs)).json()).toMatchObject({ games: [] })
    await ada.call(api.privacy.deleteAccount, ada.user)
    expect((await sendRequest(ada, paths.games)).status).toBe(401)
  })

  test('a stranger gets nothing that was cached for another person', async () => {
    const { ada, group_id, paths } = await friends()
    const mallory = await here.player()
    for (const path of Object.values(paths)) {
      await warm(ada, path)
      const expected = path.includes(`/groups/${group_id}/`) ? 404 : 403
      expect([path, (await sendRequest(mallory, path)).status]).toEqual([path, expected])
      const ifNoneMatch = { headers: { 'if-none-match': '*' } }
      expect((await there.callsOf(mallory.token).request(path, ifNoneMatch)).status).toBe(expected)
      expect((await fetch(there.url + path, ifNoneMatch)).status).toBe(401)
    }
  })
})
