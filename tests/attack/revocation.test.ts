/**
 * Revoked sessions, memberships, friendships, library visibility and accounts have effect at once on all servers, even
 * for responses that were cached.
 */
import { describe, expect, test } from 'vitest'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { gamesContract } from '#shared/contract/games.ts'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { engines } from '../support/databases.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'

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
    await ada.call(friendsContract.syncFriends, { steamId: ada.steam_id })
    const shared = async () => {
      const games = await ada.call(groupsContract.sharedGames, { id: group.group_id })
      return Object.keys(games[0]?.playtimes ?? {}).sort()
    }
    const seen = async () => (await ada.call(libraryContract.games, { steamId: bob.steam_id })).games.length
    const compared = async () =>
      (await ada.call(comparisonContract.compare, { mySteamId: ada.steam_id, friendSteamId: bob.steam_id }))
        .length
    const portal = app.appidOf('Portal')
    const friends = async () =>
      (await ada.call(friendsContract.gameFriends, { steamId: ada.steam_id, gameId: portal })).length
    const together = async () => {
      const page = await ada.call(gamesContract.read, { steamId: ada.steam_id, gameId: portal })
      const overlaps = await ada.call(friendsContract.overlaps, { steamId: ada.steam_id })
      return [page.friends, page.groups, overlaps].map((list) => list.length)
    }
    for (let n = 0; n < 3; n++) {
      expect(await together()).toEqual([1, 1, 1])
      expect(await seen()).toBe(1)
      expect(await compared()).toBe(1)
      expect(await shared()).toEqual([ada.steam_id, bob.steam_id].sort())
      expect(await friends()).toBe(1)
    }
    await elsewhere.bob.call(
      privacyContract.changeSettings,
      { steamId: bob.steam_id },
      { library_visibility: 'nobody' },
    )
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
    await elsewhere.bob.call(groupsContract.removeMember, { id: group.group_id, steamId: ada.steam_id })
    const games = () => ada.attempt(libraryContract.games, { steamId: bob.steam_id })
    await warm(games)
    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    await elsewhere.bob.call(friendsContract.syncFriends, { steamId: bob.steam_id })
    await elsewhere.ada.call(friendsContract.syncFriends, { steamId: ada.steam_id })
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
