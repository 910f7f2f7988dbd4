/** Whose friend list counts when two contradict each other (PERM-2, PERM-20). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsOf, gamesOf, status, syncFriends, syncGroup } from '../support/sync-calls.ts'

describe.each(engines)('on %s', (engine) => {
  /** Ada's list, read first, has Bob; Bob's, read later, does not have Ada any more. */
  async function dropped() {
    const app = await startTestApp({ engine, background: false })
    const bob = await app.player({ name: 'Bob', games: { Portal: 600, Rust: 6 } })
    app.simulator.updatePlayer(bob.steam_id, { personastate: 1, playing: app.appidOf('Portal') })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60 }, friends: [bob] })
    expect(await gamesOf(bob)).toEqual(await gamesSeenBy(ada, bob))
    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    expect((await syncFriends(bob)).status).toBe(200)
    return { app, ada, bob }
  }

  const gamesSeenBy = async (viewer: TestPlayer, owner: TestPlayer) =>
    (await viewer.call(api.library.games, owner.user)).games.map((game) => [game.name, game.playtime_minutes])
  const statusOfGames = async (viewer: TestPlayer, owner: TestPlayer) =>
    (await viewer.attempt(api.library.games, owner.user)).status

  test('PERM-20: a later list that drops a friend outweighs an older one, in both directions', async () => {
    const { app, ada, bob } = await dropped()
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      const [steamId, friendSteamId] = [other.steam_id, other.steam_id]
      const calls = [
        one.attempt(api.library.games, { steamId }),
        one.attempt(api.library.summary, { steamId }),
        one.attempt(api.library.fetchGames, { steamId }),
        one.attempt(api.comparison.compare, { mySteamId: one.steam_id, friendSteamId }),
        one.attempt(api.nights.start, {}, { steam_ids: [steamId] }),
        syncGroup(one, other),
      ]
      expect((await Promise.all(calls)).map((response) => response.status)).toEqual(calls.map(() => 403))
      const { group_id: id } = await app.group({ owner: one, members: [] })
      const add = one.attempt(api.groups.addMembers, { id }, { steam_ids: [steamId] })
      expect((await add).status).toBe(403)
    }
  })

  test('PERM-20: a friend list shows a former friend as not connected, with name and picture only', async () => {
    const { app, ada, bob } = await dropped()
    const steamId = ada.steam_id
    const cal = await app.player({ name: 'Cal', games: { Portal: 5 } })
    expect(await friendsOf(ada)).toMatchObject([
      {
        steam_id: bob.steam_id,
        display_name: 'Bob',
        connected: false,
        joined_here: false,
        library_status: 'hidden',
        personastate: 0,
        playing: null,
        playing_appid: null,
      },
    ])
    expect(await ada.call(api.friends.topGames, { steamId })).toEqual([])
    expect(await ada.call(api.friends.overlaps, { steamId })).toEqual([])
    const gameId = app.appidOf('Portal')
    expect(await ada.call(api.friends.gameFriends, { steamId, gameId })).toEqual([])
    expect(await ada.call(api.sync.activity, { steamId })).toEqual([])
    expect((await status(ada)).libraries).toMatchObject({ total: 0, read: 0 })
    // Friends have no such field.
    app.simulator.befriend(ada.steam_id, cal.steam_id)
    await syncFriends(ada)
    expect(await friendsOf(ada)).toMatchObject([{ steam_id: cal.steam_id, library_status: 'ok' }])
    expect((await friendsOf(ada))[0]).not.toHaveProperty('connected')
  })

  test('PERM-2: whoever reads their list next decides, and a private list does not count as read', async () => {
    const { app, ada, bob } = await dropped()
    app.simulator.befriend(ada.steam_id, bob.steam_id)
    expect(await statusOfGames(ada, bob)).toBe(403)
    await syncFriends(ada)
    expect([await statusOfGames(ada, bob), await statusOfGames(bob, ada)]).toEqual([200, 200])
    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    app.simulator.updatePlayer(bob.steam_id, { friendsPrivate: true })
    await syncFriends(bob)
    expect([await statusOfGames(ada, bob), await statusOfGames(bob, ada)]).toEqual([200, 200])
    app.simulator.updatePlayer(bob.steam_id, { friendsPrivate: false })
    await syncFriends(bob)
    expect([await statusOfGames(ada, bob), await statusOfGames(bob, ada)]).toEqual([403, 403])
  })

  test('PERM-20: a friend who drops the user while their list is read is not put on the refresh list', async () => {
    const slow = await startTestApp({ engine })
    const other = await startTestApp({ engine, besides: slow })
    const bob = await slow.player({ synced: false })
    const ada = await slow.player({ friends: [bob], synced: false })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    slow.simulator.clearCalls()
    // After Ada's list has been answered and before it is stored.
    slow.simulator.fail({ endpoint: 'GetPlayerSummaries', kind: 'held', until: promise, times: 1 })
    const early = syncFriends(ada)
    await expect.poll(() => slow.simulator.callsTo('GetPlayerSummaries')).toHaveLength(1)
    slow.simulator.unfriend(ada.steam_id, bob.steam_id)
    expect((await syncFriends({ ...bob, ...other.callsOf(bob.token) })).status).toBe(200)
    release()
    expect((await early).status).toBe(200)
    expect(await friendsOf(ada)).toMatchObject([{ steam_id: bob.steam_id, connected: false }])
    expect(
      await slow.db
        .selectFrom('refreshes')
        .select('steam_id')
        .where('steam_id', '=', bob.steam_id)
        .where('games_due', '=', 1)
        .execute(),
    ).toEqual([])
  })
})
