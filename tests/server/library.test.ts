/** Games, friends and comparison over HTTP: API-1 to API-18. */
import { describe, expect, test } from 'vitest'
import { api, engines, newPlayer, setVisibility, startTestApp } from '../support/app.ts'

describe.each(engines)('on %s', (engine) => {
  test('API-5, ENT-4, PROD-12: games are sorted by playtime, then by name; never-played ones have 0 minutes; id equals appid', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Zork: 0, abzu: 0, Portal: 60, Rust: 600 } })
    const { games, status, synced_at } = await ada.call(api.library.games, ada.user)
    expect(games.map((game) => [game.name, game.playtime_minutes])).toEqual([
      ['Rust', 600],
      ['Portal', 60],
      ['abzu', 0],
      ['Zork', 0],
    ])
    expect(games.every((game) => game.id === game.appid)).toBe(true)
    expect(status).toBe('ok')
    expect(Date.parse(synced_at!)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('a name that changes later is in the next list, in the right order', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Zork: 0, abzu: 0 } })
    const names = async () => (await ada.call(api.library.games, ada.user)).games.map((game) => game.name)
    expect(await names()).toEqual(['abzu', 'Zork'])
    app.simulator.app(app.appidOf('Zork'))!.name = 'A Zork'
    await app.player({ games: { 'A Zork': 5 } })
    expect(await names()).toEqual(['A Zork', 'abzu'])
  })

  test('API-7: before the first sync there are no games, and the status is never', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Portal: 60 }, synced: false })
    expect(await ada.call(api.library.games, ada.user)).toEqual({
      games: [],
      status: 'never',
      synced_at: null,
      hidden: [],
    })
    expect(await ada.call(api.library.totalPlaytime, ada.user)).toEqual({
      total_playtime_minutes: 0,
    })
  })

  test('API-8, SYNC-10: a sync stores the current library; games no longer owned disappear', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Portal: 60, Rust: 5 } })
    app.simulator.setGames(ada.steam_id, [
      { appid: app.appidOf('Portal'), minutes: 90, recentMinutes: 30, lastPlayed: 1_700_000_000 },
    ])
    expect(await ada.call(api.library.fetchGames, ada.user)).toEqual({
      status: 'ok',
      game_count: 1,
    })
    const { games } = await ada.call(api.library.games, ada.user)
    expect(games).toMatchObject([
      {
        name: 'Portal',
        playtime_minutes: 90,
        playtime_2weeks_minutes: 30,
        last_played_at: '2023-11-14T22:13:20.000Z',
      },
    ])
  })

  test('SYNC-10: a private library keeps the stored games; a truly empty one is emptied', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Portal: 60 } })
    app.simulator.updatePlayer(ada.steam_id, { gamesPrivate: true })
    expect((await ada.call(api.library.fetchGames, ada.user)).status).toBe('private')
    const kept = await ada.call(api.library.games, ada.user)
    expect(kept).toMatchObject({ status: 'private', games: [{ name: 'Portal' }] })

    app.simulator.updatePlayer(ada.steam_id, { gamesPrivate: false })
    app.simulator.setGames(ada.steam_id, [])
    expect(await ada.call(api.library.fetchGames, ada.user)).toEqual({
      status: 'ok',
      game_count: 0,
    })
    expect(await ada.call(api.library.games, ada.user)).toMatchObject({
      status: 'ok',
      games: [],
    })
  })

  test('API-9: playtime of one game: the person’s own, or 0 with the name from the catalogue, or 0 without a name', async () => {
    const app = await startTestApp({ engine })
    await app.player({ games: { Rust: 5 } })
    const ada = await app.player({ games: { Portal: 60 } })
    const playtime = (gameId: number) => ada.call(api.library.gamePlaytime, { ...ada.user, gameId })
    expect(await playtime(app.appidOf('Portal'))).toEqual({ playtime_minutes: 60, game_name: 'Portal' })
    expect(await playtime(app.appidOf('Rust'))).toEqual({ playtime_minutes: 0, game_name: 'Rust' })
    expect(await playtime(4_000_000)).toEqual({ playtime_minutes: 0, game_name: '' })
  })

  test('API-7: a game without a name gets one', async () => {
    const app = await startTestApp({ engine })
    app.simulator.addApp({ appid: 12345, name: '', iconHash: '', kind: 0, categories: [] })
    const ada = await app.player({ games: { 12345: 3 } })
    const { games } = await ada.call(api.library.games, ada.user)
    expect(games[0]!.name).toBe('App 12345')
  })

  test('API-9, ENT-1: totals beyond 2^32 minutes are exact', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Portal: 4_294_967_295, Rust: 4_294_967_295 } })
    const total = await ada.call(api.library.totalPlaytime, ada.user)
    expect(total.total_playtime_minutes).toBe(8_589_934_590)
  })

  test('API-7: a friend’s private games: 200 with an empty list and the reason', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 5 } })
    const ada = await app.player({ friends: [bob] })
    app.simulator.updatePlayer(bob.steam_id, { gamesPrivate: true })
    await ada.call(api.library.fetchGames, bob.user)
    expect(await ada.call(api.library.games, bob.user)).toMatchObject({
      games: [],
      status: 'private',
    })
  })

  test('API-13, ENT-6: friends are listed with name, avatar and presence, online ones first', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ name: 'Bob', personastate: 0 })
    const cal = await app.player({ name: '<b>Cal</b>', personastate: 3 })
    const ada = await app.player({ friends: [bob, cal] })
    const { friends, status } = await ada.call(api.friends.friendsCached, ada.user)
    expect(status).toBe('ok')
    expect(friends.map((friend) => [friend.display_name, friend.personastate])).toEqual([
      ['<b>Cal</b>', 3],
      ['Bob', 0],
    ])
    expect(friends.every((friend) => /^http/.test(friend.avatar_url ?? ''))).toBe(true)
  })

  test('API-18: friends who own a game: most played first, never-played owners with 0', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ name: 'Bob', games: { Portal: 0 } })
    const cal = await app.player({ name: 'Cal', games: { Portal: 50 } })
    const dan = await app.player({ name: 'Dan', games: { Rust: 1 } })
    const ada = await app.player({ friends: [bob, cal, dan] })
    const owners = await ada.call(api.friends.gameFriends, {
      steamId: ada.steam_id,
      gameId: app.appidOf('Portal'),
    })
    expect(owners.map((owner) => [owner.display_name, owner.playtime_minutes])).toEqual([
      ['Cal', 50],
      ['Bob', 0],
    ])
    expect(await ada.call(api.friends.gameFriends, { ...ada.user, gameId: 4_000_000 })).toEqual([])
  })

  test('API-16, DASH-21: friends’ top games: at most five, largest total first, 431960 left out', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, 431960: 9999 } })
    const cal = await app.player({ games: { a: 100 } })
    const ada = await app.player({ games: { z: 5000 }, friends: [bob, cal] })
    const top = await ada.call(api.friends.topGames, ada.user)
    expect(top.map((game) => [game.name, game.total_playtime])).toEqual([
      ['a', 101],
      ['f', 6],
      ['e', 5],
      ['d', 4],
      ['c', 3],
    ])
  })

  test('API-47: games in common with each friend whose library can be looked at, most first; none while mine is private', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 300, Dota: 100, Rust: 0 } })
    const cal = await app.player({ games: { Portal: 0, Factorio: 50 } })
    const eve = await app.player({ games: { Portal: 9 }, gamesPrivate: true })
    const fay = await app.player({ games: { Portal: 9 }, synced: false })
    const ada = await app.player({ games: { Portal: 50, Rust: 0, Dota: 150 }, friends: [cal, bob, eve, fay] })
    const overlaps = () => ada.call(api.friends.overlaps, ada.user)
    const [ofBob, ofCal] = [
      { steam_id: bob.steam_id, common: 3 },
      { steam_id: cal.steam_id, common: 1 },
    ]
    expect(await overlaps()).toEqual([ofBob, ofCal])
    await setVisibility(bob, 'nobody')
    expect(await overlaps()).toEqual([ofCal])
    // Although my games are still stored.
    app.simulator.updatePlayer(ada.steam_id, { gamesPrivate: true })
    await ada.call(api.library.fetchGames, ada.user)
    expect(await overlaps()).toEqual([])
  })

  test('API-12, ENT-10: comparison: games both own, largest sum first, each one’s minutes', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 5, Dota: 90, Quake: 7 } })
    const ada = await app.player({ games: { Portal: 60, Dota: 0, Rust: 8 }, friends: [bob] })
    const entries = await ada.call(api.comparison.compare, {
      mySteamId: ada.steam_id,
      friendSteamId: bob.steam_id,
    })
    expect(entries.map((entry) => [entry.name, entry.user_playtime, entry.friend_playtime])).toEqual([
      ['Dota', 0, 90],
      ['Portal', 60, 5],
    ])
  })

  test('API-40, VIS-1: a hidden library is visible to nobody, one for groups only to people who joined a group with its owner', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 5 } })
    const ada = await app.player({ games: { Portal: 1 }, friends: [bob] })
    // Bob's page and Ada's friend list show the same status.
    const statusSeen = async () => {
      const { status } = await ada.call(api.library.games, bob.user)
      const { friends } = await ada.call(api.friends.friendsCached, ada.user)
      expect(friends).toMatchObject([{ steam_id: bob.steam_id, library_status: status }])
      return status
    }
    const share = (library_visibility: 'connected' | 'groups' | 'nobody') =>
      setVisibility(bob, library_visibility)

    expect(await statusSeen()).toBe('ok')
    await share('nobody')
    expect(await statusSeen()).toBe('hidden')
    expect(
      await ada.call(api.comparison.compare, { mySteamId: ada.steam_id, friendSteamId: bob.steam_id }),
    ).toEqual([])
    await share('groups')
    expect(await statusSeen()).toBe('hidden')
    await app.group({ owner: ada, members: [bob] })
    expect(await statusSeen()).toBe('ok')
  })

  test('API-38, SYNC-20: the status has the syncs left and the progress of friends’ libraries', async () => {
    const app = await startTestApp({ engine, background: true })
    const ada = await app.player({ synced: false })
    const bob = newPlayer('76561197960999991')
    app.simulator.addPlayer({ ...bob, gamesPrivate: true })
    app.simulator.befriend(ada.steam_id, bob.steamid)
    await ada.call(api.friends.syncFriends, ada.user)
    await expect
      .poll(async () => (await ada.call(api.sync.status, ada.user)).libraries, {
        timeout: 10_000,
      })
      .toEqual({ total: 1, read: 1, waiting: 0 })
    expect((await ada.call(api.sync.status, ada.user)).left).toBe(9)
  })
})
