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

  /** What the other server responds, whose parts it then has in its caches. */
  async function warm(player: TestPlayer, path: string): Promise<unknown> {
    const response = await sendRequest(player, path)
    expect(response.status).toBe(200)
    return response.json()
  }

  function play(player: TestPlayer, game: string, minutes: number) {
    here.giveGames(player, { [game]: minutes }, 1_700_000_000)
    return player.call(api.library.fetchGames, player.user)
  }

  test('a sync on one server is in the next responses of the other', async () => {
    const { ada, bob, paths } = await friends()
    for (const [by, minutes, names] of [
      [ada, 7777, ['games', 'total', 'playtime', 'compare', 'shared', 'page']],
      [bob, 888_888, ['owners', 'top', 'theirs', 'compare', 'shared', 'page']],
    ] as const) {
      for (const name of names) await warm(ada, paths[name])
      await play(by, 'Portal', minutes)
      for (const name of names)
        expect(JSON.stringify(await warm(ada, paths[name])), name).toContain(String(minutes))
    }
  })

  test('a library that its owner hides is in none of the next responses', async () => {
    const { ada, bob, paths } = await friends()
    const without = {
      ...{ theirs: { games: [], status: 'hidden', synced_at: null, hidden: [] }, compare: [], owners: [] },
      ...{ top: [], overlaps: [], page: { friends: [], groups: [] } },
    }
    const names = Object.keys(without) as (keyof typeof without)[]
    for (const name of names) expect(await warm(ada, paths[name])).not.toMatchObject(without[name])
    expect(JSON.stringify(await warm(ada, paths.shared))).toContain(bob.steam_id)
    await setVisibility(bob, 'nobody')
    for (const name of names) expect(await warm(ada, paths[name]), name).toMatchObject(without[name])
    expect(JSON.stringify(await warm(ada, paths.shared))).not.toContain(bob.steam_id)
  })

  test('a new friend is in the next friend list, and the games of a former one are not shown', async () => {
    const { ada, paths } = await friends()
    const [cal, dan] = [await here.player({ name: 'Cal' }), await here.player({ games: { Portal: 1 } })]
    here.simulator.befriend(ada.steam_id, dan.steam_id)
    await ada.call(api.friends.syncFriends, ada.user)
    await warm(ada, paths.friends)
    const theirs = `/api/users/${dan.steam_id}/games`
    await warm(ada, theirs)
    here.simulator.befriend(ada.steam_id, cal.steam_id)
    here.simulator.unfriend(ada.steam_id, dan.steam_id)
    await ada.call(api.friends.syncFriends, ada.user)
    const { friends: listed } = (await warm(ada, paths.friends)) as { friends: { display_name: string }[] }
    expect(listed.map(({ display_name }) => display_name)).toEqual(['Bob', 'Cal'])
    expect((await sendRequest(ada, theirs)).status).toBe(403)
  })

  test('a new group and a removed member are in the next lists; to that member the group does not exist', async () => {
    const { ada, bob, group_id, paths } = await friends()
    const before = (await warm(ada, paths.groups)) as { groups: unknown[] }
    await here.group({ owner: ada, name: 'Saturday' })
    const after = (await warm(ada, paths.groups)) as { groups: { name: string }[] }
    expect(after.groups).toHaveLength(before.groups.length + 1)
    expect(after.groups[0]?.name).toBe('Saturday')
    await warm(ada, paths.members)
    await warm(bob, paths.shared)
    await ada.call(api.groups.removeMember, { id: group_id, steamId: bob.steam_id })
    expect(await warm(ada, paths.members)).toMatchObject([{ steam_id: ada.steam_id }])
    expect((await sendRequest(bob, paths.shared)).status).toBe(404)
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
