/** Syncs that happen at the same time, by several people and on several servers (SYNC-9, REF-5). */
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import {
  friendsOf,
  gamesOf,
  quick,
  status,
  syncFriends,
  syncGames,
  syncGroup,
} from '../support/sync-calls.ts'

describe.each(engines)('on %s', (engine) => {
  describe('two at once', () => {
    const asked = (app: TestApp, player: TestPlayer) =>
      app.simulator.callsTo('GetOwnedGames', player.steam_id).length

    test('for one library: one call, both answered, and each has used one of theirs', async () => {
      const app = await startTestApp({ engine })
      const bob = await app.player({ games: { Portal: 60 } })
      const ada = await app.player({ friends: [bob] })
      app.simulator.setLatency(300)
      app.simulator.clearCalls()
      const responses = await Promise.all([syncGames(ada, bob), syncGames(bob), syncGroup(ada, bob)])
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200])
      expect(await responses[0].json()).toEqual({ status: 'ok', game_count: 1 })
      expect(await responses[1].json()).toEqual({ status: 'ok', game_count: 1 })
      expect(asked(app, bob)).toBe(1)
      expect([(await status(ada)).left, (await status(bob)).left]).toEqual([8, 9])
    })

    test('on two servers: one call, both answered', async () => {
      const app = await startTestApp({ engine })
      const other = await startTestApp({ engine, besides: app })
      const bob = await app.player({ games: { Portal: 60 } })
      const ada = await app.player({ friends: [bob] })
      const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
      app.simulator.setLatency(300)
      app.simulator.clearCalls()
      const responses = await Promise.all([syncGames(bob), syncGames(there, bob)])
      expect(responses.map((response) => response.status)).toEqual([200, 200])
      for (const response of responses) expect(await response.json()).toEqual({ status: 'ok', game_count: 1 })
      expect(asked(app, bob)).toBe(1)
    })

    test('for one friend list: one call; when it fails both are told, and neither is charged', async () => {
      const app = await startTestApp({ engine, steamTiming: quick })
      const ada = await app.player()
      app.simulator.setLatency(100)
      app.simulator.clearCalls()
      app.simulator.fail({ endpoint: 'GetFriendList', kind: 'status', status: 500 })
      const responses = await Promise.all([syncFriends(ada), syncFriends(ada)])
      expect(responses.map((response) => response.status)).toEqual([502, 502])
      expect(app.simulator.callsTo('GetFriendList')).toHaveLength(4)
      expect((await status(ada)).left).toBe(10)
    })

    test('for a library that is being read in the background: one call, and the list is done with it', async () => {
      const app = await startTestApp({ engine, background: true })
      const bob = await app.player({ games: { Portal: 60 }, synced: false })
      const ada = await app.player({ friends: [bob], synced: false })
      app.simulator.setLatency(300)
      expect((await syncFriends(ada)).status).toBe(200)
      await expect.poll(() => asked(app, bob)).toBe(1)
      expect(await (await syncGames(ada, bob)).json()).toEqual({ status: 'ok', game_count: 1 })
      expect((await status(ada)).libraries).toEqual({ total: 1, read: 1, waiting: 0 })
      expect(asked(app, bob)).toBe(1)
    })

    test('one after the other asks again: a sync that a person starts always asks', async () => {
      const app = await startTestApp({ engine })
      const ada = await app.player()
      app.simulator.clearCalls()
      for (let nth = 0; nth < 3; nth++) expect((await syncGames(ada)).status).toBe(200)
      expect(asked(app, ada)).toBe(3)
    })
  })

  test('a storm: everybody syncs everything on two servers at once, with the refresh list at work', async () => {
    const app = await startTestApp({ engine, background: true })
    const other = await startTestApp({ engine, besides: app, background: true })
    const crowd: TestPlayer[] = []
    for (let nth = 0; nth < 12; nth++)
      crowd.push(
        await app.player({
          games: { Portal: nth, Rust: 1, [`${1000 + nth}`]: 5 },
          friends: crowd,
          synced: false,
        }),
      )
    const there = crowd.map((one): TestPlayer => ({ ...one, ...other.callsOf(one.token) }))
    const everything = (player: TestPlayer, nth: number) => [
      syncFriends(player),
      syncGames(player),
      syncGames(player, player),
      syncGroup(player, ...(nth % 2 === 0 ? crowd : crowd.toReversed())),
    ]
    // Whoever is connected by their own list alone may ask for the others only once that list is there.
    for (const response of await Promise.all(crowd.map(syncFriends))) expect(response.status).toBe(200)
    const responses = await Promise.all([...crowd, ...there].flatMap(everything))
    // Ten each, of which the first was one: eight more are within the limit.
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200))
    for (const player of crowd) {
      expect((await friendsOf(player)).length).toBe(11)
      expect((await gamesOf(player)).length).toBe(3)
      // A list that was stored a moment before a library may still have asked for it.
      await expect
        .poll(() => status(player))
        .toMatchObject({ left: 1, libraries: { total: 11, read: 11, waiting: 0 } })
    }
  })
})
