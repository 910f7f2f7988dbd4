/** What a slow or frozen server has read from Steam never replaces what was requested later (SYNC-25). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsOf, gamesOf, status, syncFriends, syncGames, syncGroup } from '../support/sync-calls.ts'

describe.each(engines)('on %s', (engine) => {
  /** Two servers; the first gets its next response of an endpoint only after `release`. */
  async function twoServers(endpoint: 'GetOwnedGames' | 'GetFriendList' | 'GetPlayerSummaries') {
    const slow = await startTestApp({ engine })
    const other = await startTestApp({ engine, besides: slow })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const hold = () => {
      slow.simulator.clearCalls()
      slow.simulator.fail({ endpoint, kind: 'held', until: promise, times: 1 })
    }
    const isAsked = () => expect.poll(() => slow.simulator.callsTo(endpoint).length).toBe(1)
    const through = (player: TestPlayer): TestPlayer => ({ ...player, ...other.callsOf(player.token) })
    return { slow, hold, release, isAsked, through }
  }

  /** Two servers, and a group's sync on the slow one that has requested Bob's library and waits for it. */
  async function earlyGroupSync() {
    const servers = await twoServers('GetOwnedGames')
    const bob = await servers.slow.player({ games: { Portal: 60 } })
    const ada = await servers.slow.player({ friends: [bob] })
    servers.hold()
    const early = syncGroup(ada, bob)
    await servers.isAsked()
    return { ...servers, bob, early }
  }

  test('SYNC-25: a library that was requested earlier is not stored over a later one', async () => {
    const { slow, release, through, bob, early } = await earlyGroupSync()
    slow.giveGames(bob, { Portal: 90, Rust: 1 }, 1_700_000_000)
    expect((await syncGames(through(bob))).status).toBe(200)
    release()
    // It says what is stored, which is at least as new as what it has asked for.
    expect(await (await early).json()).toMatchObject({ synced: [{ success: true, message: '2 games' }] })
    expect(await gamesOf(bob)).toEqual([
      ['Portal', 90],
      ['Rust', 1],
    ])
  })

  test('SYNC-25: nor over the news that it has become private', async () => {
    const { slow, release, through, bob, early } = await earlyGroupSync()
    slow.simulator.updatePlayer(bob.steam_id, { gamesPrivate: true })
    expect(await (await syncGames(through(bob))).json()).toMatchObject({ status: 'private' })
    release()
    expect(await (await early).json()).toMatchObject({ synced: [{ success: false }] })
    expect((await bob.call(api.library.games, bob.user)).status).toBe('private')
  })

  /** Two servers, and a sync of Ada's friend list, with Bob, on the slow one that has been requested and waits for it. */
  async function earlyFriendsSync({ friendsPrivate = false } = {}) {
    const servers = await twoServers('GetFriendList')
    const [bob, cal] = [await servers.slow.player(), await servers.slow.player()]
    const ada = await servers.slow.player({ friends: [bob] })
    servers.slow.simulator.updatePlayer(ada.steam_id, { friendsPrivate })
    servers.hold()
    const early = syncFriends(ada)
    await servers.isAsked()
    // The other server would wait for this sync, as long as it can still succeed.
    await servers.slow.write((tx) => tx.updateTable('syncs').set({ started_at: 0 }).execute())
    return { ...servers, ada, bob, cal, early }
  }

  test('SYNC-25: a friend list that was requested earlier is not stored over a later one', async () => {
    const { slow, release, through, ada, cal, early } = await earlyFriendsSync()
    slow.simulator.befriend(ada.steam_id, cal.steam_id)
    expect(await (await syncFriends(through(ada))).json()).toEqual({ status: 'ok', friend_count: 2 })
    release()
    expect(await (await early).json()).toEqual({ status: 'ok', friend_count: 2 })
    expect(await friendsOf(ada)).toHaveLength(2)
  })

  test('SYNC-25: a friend list that was requested earlier is not stored over the news that it has become private', async () => {
    const { slow, release, through, ada, bob, early } = await earlyFriendsSync()
    slow.simulator.updatePlayer(ada.steam_id, { friendsPrivate: true })
    expect(await (await syncFriends(through(ada))).json()).toEqual({ status: 'private', friend_count: 0 })
    slow.simulator.unfriend(ada.steam_id, bob.steam_id)
    slow.simulator.updatePlayer(ada.steam_id, { friendsPrivate: false })
    release()
    expect(await (await early).json()).toEqual({ status: 'private', friend_count: 0 })
    expect((await status(ada)).friends.status).toBe('private')
    expect(await friendsOf(ada)).toHaveLength(1)
    // What is requested after that is stored.
    expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 0 })
    expect((await status(ada)).friends.status).toBe('ok')
  })

  test('SYNC-25: older news that a friend list is private is not stored over a later list', async () => {
    const { slow, release, through, ada, cal, early } = await earlyFriendsSync({ friendsPrivate: true })
    slow.simulator.updatePlayer(ada.steam_id, { friendsPrivate: false })
    slow.simulator.befriend(ada.steam_id, cal.steam_id)
    expect(await (await syncFriends(through(ada))).json()).toEqual({ status: 'ok', friend_count: 2 })
    slow.simulator.updatePlayer(ada.steam_id, { friendsPrivate: true })
    release()
    expect(await (await early).json()).toEqual({ status: 'ok', friend_count: 2 })
    expect((await status(ada)).friends.status).toBe('ok')
  })

  test('SYNC-25: a profile that was requested earlier is not stored over a later one', async () => {
    const { slow, hold, release, isAsked, through } = await twoServers('GetPlayerSummaries')
    const bob = await slow.player({ name: 'Bob' })
    const ada = await slow.player({ friends: [bob] })
    hold()
    const early = syncFriends(ada)
    await isAsked()
    slow.simulator.updatePlayer(bob.steam_id, { personaname: 'Bobby' })
    expect((await syncFriends(through(bob))).status).toBe(200)
    release()
    expect((await early).status).toBe(200)
    expect((await friendsOf(ada)).map((friend) => friend.display_name)).toEqual(['Bobby'])
  })

  test('SYNC-25: a time in the future, of a clock that was wrong, stops no later read', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 60 }, name: 'Bob' })
    const ada = await app.player({ friends: [bob] })
    const future = Date.now() + 3_600_000
    await app.write(async (tx) => {
      await tx.updateTable('libraries').set({ synced_at: future, checked_at: future }).execute()
      await tx.updateTable('people').set({ friends_at: future, profile_at: future }).execute()
    })
    app.giveGames(bob, { Portal: 90 }, 1_700_000_000)
    app.simulator.updatePlayer(bob.steam_id, { personaname: 'Bobby' })
    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    expect((await syncGames(bob)).status).toBe(200)
    expect((await syncFriends(bob)).status).toBe(200)
    expect((await syncFriends(ada)).status).toBe(200)
    expect(await gamesOf(bob)).toEqual([['Portal', 90]])
    expect((await bob.call(api.library.summary, bob.user)).display_name).toBe('Bobby')
    expect(await friendsOf(ada)).toEqual([])
  })
})
