/**
 * Revoked sessions, memberships, friendships, library visibility and accounts have effect at once on all servers, even
 * for responses that were cached.
 */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'

/** Sends a request often enough for its response to be cached. */
async function warm(sendRequest: () => Promise<{ status: number }>): Promise<void> {
  for (let n = 0; n < 3; n++) expect((await sendRequest()).status).toBe(200)
}

describe.each(engines)('on %s', (engine) => {
  /** Two servers of one database, and Ada and Bob, who are friends and members of one group. */
  async function cast() {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ engine, besides: app })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60 } })
    const bob = await app.player({ name: 'Bob', games: { Portal: 30 }, friends: [ada] })
    const group = await app.group({ owner: bob, members: [ada] })
    const at = (player: TestPlayer): TestPlayer => ({ ...player, ...other.callsOf(player.token) })
    return { app, ada, bob, group, elsewhere: { ada: at(ada), bob: at(bob) } }
  }

  test('VIS-1: a library that its owner hides is not shown any more', async () => {
    const { app, ada, bob, elsewhere, group } = await cast()
    await ada.call(api.friends.syncFriends, ada.user)
    const shared = async () => {
      const games = await ada.call(api.groups.sharedGames, { id: group.group_id })
      return Object.keys(games[0]?.playtimes ?? {}).sort()
    }
    const seen = async () => (await ada.call(api.library.games, bob.user)).games.length
    const compared = async () =>
      (await ada.call(api.comparison.compare, { mySteamId: ada.steam_id, friendSteamId: bob.steam_id }))
        .length
    const portal = app.appidOf('Portal')
    const friends = async () =>
      (await ada.call(api.friends.gameFriends, { steamId: ada.steam_id, gameId: portal })).length
    const together = async () => {
      const page = await ada.call(api.games.read, { steamId: ada.steam_id, gameId: portal })
      const overlaps = await ada.call(api.friends.overlaps, ada.user)
      return [page.friends, page.groups, overlaps].map((list) => list.length)
    }
    for (let n = 0; n < 3; n++) {
      expect(await together()).toEqual([1, 1, 1])
      expect(await seen()).toBe(1)
      expect(await compared()).toBe(1)
      expect(await shared()).toEqual([ada.steam_id, bob.steam_id].sort())
      expect(await friends()).toBe(1)
    }
    await elsewhere.bob.call(api.privacy.changeSettings, bob.user, { library_visibility: 'nobody' })
    expect(await together()).toEqual([0, 0, 0])
    expect([await seen(), await compared(), await friends(), await shared()]).toEqual([
      0,
      0,
      0,
      [ada.steam_id],
    ])
  })

  test('a friendship that ended on Steam gives no access once it was synced', async () => {
    const { app, ada, bob, elsewhere, group } = await cast()
    await elsewhere.bob.call(api.groups.removeMember, { id: group.group_id, steamId: ada.steam_id })
    const games = () => ada.attempt(api.library.games, bob.user)
    await warm(games)
    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    await elsewhere.bob.call(api.friends.syncFriends, bob.user)
    await elsewhere.ada.call(api.friends.syncFriends, ada.user)
    expect((await games()).status).toBe(403)
  })

  test('one person never gets a response cached for another, even for the same URL', async () => {
    const { app, ada, bob } = await cast()
    const eve = await app.player()
    const path = `/api/users/${ada.steam_id}/games`
    for (let n = 0; n < 3; n++) {
      expect((await ada.request(path)).status).toBe(200)
      expect((await bob.request(path)).status).toBe(200)
      expect((await eve.request(path)).status).toBe(403)
      expect((await fetch(app.url + path)).status).toBe(401)
    }
    const etag = (await ada.request(path)).headers.get('etag')
    const conditional = await eve.request(path, { headers: { 'if-none-match': etag ?? '*' } })
    expect(conditional.status).toBe(403)
    expect((await fetch(app.url + path, { headers: { 'if-none-match': '*' } })).status).toBe(401)
  })
})
