/** Concurrent syncs by several people and on several servers (SYNC-9, REF-5). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { status, syncFriends, syncGames, syncGroup } from '../support/sync-calls.ts'

describe.each(engines)('on %s', (engine) => {
  describe('concurrent syncs', () => {
    const callsFor = (app: TestApp, player: TestPlayer) =>
      app.simulator.callsTo('GetOwnedGames', player.steam_id).length

    test('SYNC-9: of one library make one call, all succeed, and each person uses one of their syncs', async () => {
      const app = await startTestApp({ engine })
      const bob = await app.player({ games: { Portal: 60 } })
      const ada = await app.player({ friends: [bob] })
      // Longer than it takes until all of them have begun, also on a busy machine.
      app.simulator.setLatency(1500)
      app.simulator.clearCalls()
      const responses = await Promise.all([syncGames(ada, bob), syncGames(bob), syncGroup(ada, bob)])
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200])
      expect(await responses[0].json()).toEqual({ status: 'ok', game_count: 1 })
      expect(await responses[1].json()).toEqual({ status: 'ok', game_count: 1 })
      expect(callsFor(app, bob)).toBe(1)
      expect([(await status(ada)).left, (await status(bob)).left]).toEqual([8, 9])
    })

    test('SYNC-9: on two servers make one call, and both succeed', async () => {
      const app = await startTestApp({ engine })
      const other = await startTestApp({ engine, besides: app })
      const bob = await app.player({ games: { Portal: 60 } })
      const ada = await app.player({ friends: [bob] })
      const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
      app.simulator.setLatency(1500)
      app.simulator.clearCalls()
      const responses = await Promise.all([syncGames(bob), syncGames(there, bob)])
      expect(responses.map((response) => response.status)).toEqual([200, 200])
      for (const response of responses) expect(await response.json()).toEqual({ status: 'ok', game_count: 1 })
      expect(callsFor(app, bob)).toBe(1)
    })

    test.each(['owner', 'friend'])('VIS-8: joined syncs have numbers of their own (%s)', async (first) => {
      const app = await startTestApp({ engine })
      const other = await startTestApp({ engine, besides: app })
      const bob = await app.player({ games: { Portal: 60, Rust: 1, Dota: 5 } })
      const ada = await app.player({ friends: [bob] })
      const gameId = app.appidOf('Portal')
      await bob.call(api.privacy.hideGame, { ...bob.user, gameId })
      const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
      app.simulator.clearCalls()
      const { promise, resolve: release } = Promise.withResolvers<void>()
      app.simulator.fail({ endpoint: 'GetOwnedGames', kind: 'held', until: promise })
      const calls = [() => syncGames(bob), () => syncGames(there, bob)]
      const [one, two] = first === 'owner' ? calls : calls.toReversed()
      const responses = [one!()]
      await expect.poll(() => callsFor(app, bob)).toBe(1)
      responses.push(two!())
      const running = () =>
        app.db.selectFrom('syncs').select('sync_id').where('result', '=', 'running').execute()
      await expect.poll(running).toHaveLength(2)
      release()
      const counts = await Promise.all(
        responses.map(
          async (response) => ((await (await response).json()) as { game_count: number }).game_count,
        ),
      )
      expect(counts).toEqual(first === 'owner' ? [3, 2] : [2, 3])
      const stored = await app.db
        .selectFrom('syncs')
        .select(['steam_id', 'item_count'])
        .orderBy('item_count')
        .execute()
      expect(stored).toEqual([
        { steam_id: ada.steam_id, item_count: 2 },
        { steam_id: bob.steam_id, item_count: 3 },
      ])
    })

    test('REF-5: of a library being read in the background make one call, which takes it off the refresh list', async () => {
      const oneServer = 'background reads are shared in memory (REF-5)'
      const app = await startTestApp({ engine, oneServer, background: true })
      const bob = await app.player({ games: { Portal: 60 }, synced: false })
      const ada = await app.player({ friends: [bob], synced: false })
      app.simulator.setLatency(300)
      expect((await syncFriends(ada)).status).toBe(200)
      await expect.poll(() => callsFor(app, bob)).toBe(1)
      expect(await (await syncGames(ada, bob)).json()).toEqual({ status: 'ok', game_count: 1 })
      expect((await status(ada)).libraries).toEqual({ total: 1, read: 1, waiting: 0 })
      expect(callsFor(app, bob)).toBe(1)
    })
  })
})
