/** Syncs over HTTP: which ones count, and what they store (LIM-2, SYNC-4). */
import { describe, expect, test } from 'vitest'
import { SYNCS_PER_DAY } from '#shared/limits.ts'
import { api, engines, makeCalls, newPlayer, startAt, startTestApp, type TestPlayer } from '../support/app.ts'
import { insertSync } from '../support/rows.ts'
import {
  friendsOf,
  gamesOf,
  quick,
  status,
  syncFriends,
  syncGames,
  syncGroup,
} from '../support/sync-calls.ts'

const DAY_MS = 24 * 60 * 60_000

async function useUp(player: TestPlayer, syncs: number): Promise<void> {
  for (let nth = 0; nth < syncs; nth++) expect((await syncGames(player)).status).toBe(200)
}

describe.each(engines)('on %s', (engine) => {
  describe('ten syncs in any 24 hours:', () => {
    test('LIM-2, SYNC-4, SYNC-12: the three kinds count together; the 11th is refused until the oldest leaves the window', async () => {
      const { app, time } = await startAt(Date.now(), { engine })
      const bob = await app.player({ games: { Portal: 1 } })
      const ada = await app.player({ friends: [bob] })
      await useUp(ada, 1)
      time.now += 60 * 60_000
      await useUp(ada, 7)
      expect((await syncFriends(ada)).status).toBe(200)
      expect(await status(ada)).toMatchObject({ limit: 10, left: 1, next_free_at: null })
      expect((await syncGroup(ada, ada, bob)).status).toBe(200)

      const refusal = await syncFriends(ada)
      expect(refusal.status).toBe(429)
      expect(await refusal.json()).toMatchObject({
        code: 'sync_limit_reached',
        error: 'Daily sync limit reached.',
      })
      expect(refusal.headers.get('retry-after')).toBe(String(23 * 60 * 60))
      expect(await status(ada)).toMatchObject({
        left: 0,
        next_free_at: new Date(time.now + 23 * 60 * 60_000).toISOString(),
      })
      // No request was sent and nothing was stored.
      expect((await syncGroup(ada, bob)).status).toBe(429)
      expect((await syncGames(ada, bob)).status).toBe(429)
      // Other people have their own.
      expect((await syncGames(bob)).status).toBe(200)

      time.now += 23 * 60 * 60_000 - 1
      expect((await syncGames(ada)).headers.get('retry-after')).toBe('1')
      time.now += 1
      await useUp(ada, 1)
      expect((await syncGames(ada)).status).toBe(429)
    })

    test('LIM-2: with one left, exactly one of 20 concurrent syncs passes, on two servers together', async () => {
      const app = await startTestApp({ engine })
      const other = await startTestApp({ engine, besides: app })
      const ada = await app.player()
      const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
      await useUp(ada, 9)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => syncGames(nth % 2 === 0 ? ada : there)),
      )
      expect(responses.map((response) => response.status).sort()).toEqual([
        200,
        ...Array<number>(19).fill(429),
      ])
      for (const response of responses.filter((one) => one.status === 429)) {
        const seconds = Number(response.headers.get('retry-after'))
        expect(seconds).toBeGreaterThan(DAY_MS / 1000 - 60)
        expect(seconds).toBeLessThanOrEqual(DAY_MS / 1000)
      }
    })

    test('LIM-2: a new session or a restarted server does not reset them', async () => {
      const app = await startTestApp({ engine })
      const ada = await app.player()
      await useUp(ada, SYNCS_PER_DAY)
      const restarted = await startTestApp({ engine, besides: app })
      const again = restarted.callsOf(await restarted.signIn(ada.steam_id))
      const response = await again.attempt(api.library.fetchGames, ada.user)
      expect(response.status).toBe(429)
    })

    test('SYNC-4: a sync refused with 400 or 403 does not count and sends no request to Steam', async () => {
      const app = await startTestApp({ engine })
      const [ada, stranger] = [await app.player(), await app.player()]
      app.simulator.clearCalls()
      expect((await syncGames(ada, stranger)).status).toBe(403)
      expect((await syncGames(ada, '123')).status).toBe(400)
      expect((await syncGroup(ada, ada, stranger)).status).toBe(403)
      expect((await syncGroup(ada)).status).toBe(400)
      expect((await status(ada)).left).toBe(10)
      expect(app.simulator.calls).toEqual([])
    })

    test('a sync of a private library counts', async () => {
      const app = await startTestApp({ engine })
      const ada = await app.player({ gamesPrivate: true })
      expect(await (await syncGames(ada)).json()).toEqual({ status: 'private', game_count: 0 })
      expect((await status(ada)).left).toBe(9)
    })

    test('a sync that a killed server left running does not count', async () => {
      const { app, time } = await startAt(Date.now(), { engine })
      const ada = await app.player()
      const { steam_id } = ada
      await app.write((tx) => insertSync(tx, { steam_id, kind: 'friends', started_at: time.now }))
      expect((await status(ada)).left).toBe(9)
      time.now += 3 * 60_000
      expect((await status(ada)).left).toBe(10)
    })
  })

  describe('friends', () => {
    test('API-8, SYNC-10: former friends disappear; an empty list empties, a private one does not', async () => {
      const app = await startTestApp({ engine })
      const [bob, cal] = [await app.player({ name: 'Bob' }), await app.player({ name: 'Cal' })]
      const ada = await app.player({ friends: [bob, cal] })
      const names = async () => (await friendsOf(ada)).map((friend) => friend.display_name)
      expect(await names()).toEqual(['Bob', 'Cal'])

      app.simulator.unfriend(ada.steam_id, cal.steam_id)
      expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 1 })
      expect(await names()).toEqual(['Bob'])

      app.simulator.updatePlayer(ada.steam_id, { friendsPrivate: true })
      expect(await (await syncFriends(ada)).json()).toMatchObject({ status: 'private' })
      expect(await names()).toEqual(['Bob'])
      expect((await status(ada)).friends.status).toBe('private')

      app.simulator.updatePlayer(ada.steam_id, { friendsPrivate: false })
      app.simulator.unfriend(ada.steam_id, bob.steam_id)
      expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 0 })
      expect(await names()).toEqual([])
    })

    test('SYNC-15: when only the profiles fail, known names stay and the rest of the sync counts', async () => {
      const app = await startTestApp({ engine, steamTiming: quick })
      const bob = await app.player({ name: 'Bob' })
      const ada = await app.player({ friends: [bob] })
      const cal = newPlayer('76561198000000001')
      app.simulator.addPlayer(cal)
      app.simulator.befriend(ada.steam_id, cal.steamid)
      app.simulator.fail({ endpoint: 'GetPlayerSummaries', kind: 'status', status: 500 })
      expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 2 })
      const named = Object.fromEntries(
        (await friendsOf(ada)).map((friend) => [friend.steam_id, friend.display_name]),
      )
      expect(named).toEqual({ [bob.steam_id]: 'Bob', [cal.steamid]: null })
      expect((await status(ada)).left).toBe(9)
    })

    test('API-13: presence older than a minute is read again for the friends page, and only for it', async () => {
      const { app, time } = await startAt(Date.now(), { engine })
      const bob = await app.player({ personastate: 0 })
      const ada = await app.player({ friends: [bob] })
      // When presence was last requested is in the memory of each server.
      const onOneServer = makeCalls(app.url, ada.token)
      const page = async () =>
        (await onOneServer.call(api.friends.friends, ada.user)).friends[0]!.personastate
      app.simulator.updatePlayer(bob.steam_id, { personastate: 1 })
      expect(await page()).toBe(0)
      time.now += 61_000
      app.simulator.clearCalls()
      expect((await friendsOf(ada))[0]!.personastate).toBe(0)
      expect(app.simulator.calls).toEqual([])
      expect(await page()).toBe(1)
      expect((await status(ada)).left).toBe(10)

      // A failing platform gets one request a minute, and the page shows the stored presence.
      time.now += 61_000
      app.simulator.clearCalls()
      app.simulator.fail({ kind: 'status', status: 500 })
      for (let nth = 0; nth < 3; nth++) expect(await page()).toBe(1)
      expect(app.simulator.calls).toHaveLength(1)
    })
  })

  describe('a group sync', () => {
    test('SYNC-15: with one bad library responds with 200, and the reason for that one', async () => {
      const app = await startTestApp({ engine, steamTiming: quick })
      const bob = await app.player({ name: 'Bob', games: { Portal: 1 } })
      const cal = await app.player({ name: 'Cal', gamesPrivate: true })
      const ada = await app.player({ games: { Portal: 1, Rust: 2 }, friends: [bob, cal] })
      const before = await gamesOf(bob)
      app.simulator.fail({ endpoint: 'GetOwnedGames', steamId: bob.steam_id, kind: 'status', status: 500 })
      const { synced } = await ada.call(
        api.groups.syncGames,
        {},
        { steam_ids: [bob.steam_id, cal.steam_id, ada.steam_id, ada.steam_id] },
      )
      expect(synced).toEqual([
        {
          steam_id: bob.steam_id,
          success: false,
          message: "Steam did not return Bob's games.",
          code: 'steam_unavailable',
        },
        {
          steam_id: cal.steam_id,
          success: false,
          message: "Cal's game details are private.",
          code: 'private',
        },
        { steam_id: ada.steam_id, success: true, message: '2 games', code: 'synced', count: 2 },
      ])
      expect(await gamesOf(bob)).toEqual(before)
      expect((await status(ada)).left).toBe(9)
    })

    test('stops when Steam fails in the middle, and leaves the rest to the refresh list', async () => {
      const app = await startTestApp({ engine, steamTiming: { ...quick, tries: 1 } })
      const ada = await app.player({ games: { Portal: 1 } })
      const strangers = await app.strangersConnectedWith(ada, 60)
      await app.write((tx) => tx.deleteFrom('refreshes').execute())
      app.simulator.clearCalls()
      for (const id of strangers.slice(20))
        app.simulator.fail({ endpoint: 'GetOwnedGames', steamId: id, kind: 'status', status: 500 })
      const { synced } = await ada.call(api.groups.syncGames, {}, { steam_ids: strangers })
      expect(synced.filter((one) => one.success).length).toBe(20)
      const asked = app.simulator.callsTo('GetOwnedGames').length
      expect(asked).toBeLessThan(50)
      expect(synced.at(-1)!.code).toBe('no_time')
      expect(synced.at(-1)!.message).toMatch(/background/)
      expect(await status(ada)).toMatchObject({ libraries: { waiting: 60 - asked }, left: 9 })
    })
  })

  test('DASH-31: Recent Activity has the two groups synced last and the friend who last played a new game', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const bob = await app.player({ name: 'Bob', games: { Portal: 5, Rust: 0 } })
    const cal = await app.player({ name: 'Cal', games: { Portal: 5 } })
    const ada = await app.player({ friends: [bob, cal] })
    const activity = () => ada.call(api.sync.activity, ada.user)
    expect(await activity()).toEqual([])

    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await app.group({ owner: ada, members: [bob], name })).group_id)
    app.giveGames(bob, { Portal: 5, Rust: 30 })
    app.giveGames(cal, { Portal: 50 })
    for (const group_id of ids) {
      time.now += 1000
      await ada.call(api.groups.syncGames, {}, { group_id })
    }
    time.now += 1000
    await syncGames(ada, cal)
    const entries = await activity()
    expect(entries.map((entry) => entry.kind)).toEqual(['group_synced', 'group_synced', 'friend_played'])
    const groups = entries.flatMap((entry) => (entry.kind === 'group_synced' ? [entry.group_name] : []))
    expect(groups).toEqual(['Three', 'Two'])
    expect(entries[2]).toMatchObject({
      steam_id: bob.steam_id,
      display_name: 'Bob',
      appid: app.appidOf('Rust'),
      game_name: 'Rust',
      at: new Date(time.now - 3000).toISOString(),
    })

    app.giveGames(cal, { Portal: 50, Dota: 1 })
    time.now += 1000
    await syncGames(ada, cal)
    expect((await activity()).filter((entry) => entry.kind === 'friend_played')).toMatchObject([
      { display_name: 'Cal', game_name: 'Dota' },
    ])
    // A week later none of it is recent.
    time.now += 8 * DAY_MS
    expect(await activity()).toEqual([])
  })

  test('DASH-31: a first sync fills Recent Activity: a group with two libraries read, and a game that a friend began in the last two weeks', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ name: 'Bob', games: { Portal: 5 }, synced: false })
    const yesterday = Math.floor(Date.now() / 1000) - 86_400
    app.simulator.setGames(bob.steam_id, [
      { appid: app.appidOf('Portal'), minutes: 900, recentMinutes: 90, lastPlayed: yesterday },
      { appid: app.appidOf('Rust'), minutes: 90, recentMinutes: 90, lastPlayed: yesterday },
      { appid: app.appidOf('Old'), minutes: 90, recentMinutes: 90, lastPlayed: yesterday - 30 * 86_400 },
    ])
    const ada = await app.player({ games: { Portal: 5 }, friends: [bob] })
    await app.group({ owner: ada, members: [bob], name: 'Two' })
    await app.group({ owner: ada, name: 'Alone' })
    const activity = () => ada.call(api.sync.activity, ada.user)
    expect(await activity()).toEqual([])
    await syncGames(ada, bob)
    expect(await activity()).toMatchObject([
      { kind: 'group_synced', group_name: 'Two' },
      {
        kind: 'friend_played',
        display_name: 'Bob',
        game_name: 'Rust',
        at: new Date(yesterday * 1000).toISOString(),
      },
    ])
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId: app.appidOf('Rust') })
    expect((await activity()).map(({ kind }) => kind)).toEqual(['group_synced'])
  })
})
