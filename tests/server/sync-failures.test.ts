/** Syncs while the platform fails: told, not charged, and nothing stored is lost (CONTRACT.md 'Data that is never lost'). */
import { describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/simulator/faults.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'
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

const faults: [string, number, FaultRule][] = [
  ['500 with HTML', 502, { kind: 'status', status: 500 }],
  ['503 with HTML', 502, { kind: 'status', status: 503 }],
  ['429 with HTML', 429, { kind: 'status', status: 429 }],
  ['403 with HTML', 429, { kind: 'status', status: 403 }],
  ['a key that is refused', 503, { kind: 'status', status: 403, body: 'Please verify your <pre>key=</pre>' }],
  ['200 with HTML', 502, { kind: 'html_200' }],
  ['broken JSON', 502, { kind: 'truncated' }],
  ['an entry without id', 502, { kind: 'wrong_shape', shape: 'entry_without_id' }],
  ['another list', 502, { kind: 'wrong_shape', shape: 'list_is_object' }],
  ['no object', 502, { kind: 'wrong_shape', shape: 'not_an_object' }],
  ['a broken connection', 502, { kind: 'reset' }],
  ['a redirect', 502, { kind: 'redirect', location: 'http://127.0.0.1:1/' }],
  ['nothing in time', 504, { kind: 'slow', ms: 10_000 }],
]

describe.each(engines)('on %s', (engine) => {
  test.each(faults)('%s: %i, not counted, and everything stored stays', async (_name, expected, rule) => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const bob = await app.player({ name: 'Bob' })
    const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
    const before = [await gamesOf(ada), await friendsOf(ada)]
    app.simulator.setGames(ada.steam_id, [])
    app.simulator.clearCalls()
    app.simulator.fail(rule)

    for (const answer of [await syncGames(ada), await syncFriends(ada), await syncGroup(ada, ada, bob)])
      expect(answer.status).toBe(expected)
    expect(app.simulator.callsTo('GetFriendList').length).toBeLessThanOrEqual(4)
    expect([await gamesOf(ada), await friendsOf(ada)]).toEqual(before)
    expect(await status(ada)).toMatchObject({
      left: 10,
      games: { status: 'ok' },
      friends: { status: 'ok' },
    })

    app.simulator.clearFaults()
    expect(await (await syncGames(ada)).json()).toEqual({ status: 'ok', game_count: 0 })
    expect(await gamesOf(ada)).toEqual([])
  })

  test.each([
    ['count_differs' as const, [['Portal', 60]]],
    ['list_missing' as const, [['Portal', 60]]],
    ['numbers_as_text' as const, [['Portal', 60]]],
    ['entry_twice' as const, [['Portal', 60]]],
  ])('a library with %s is not stored, not even in part', async (shape, kept) => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const ada = await app.player({ games: { Portal: 60 } })
    app.simulator.setGames(ada.steam_id, [
      { appid: 10, minutes: 1, recentMinutes: 0, lastPlayed: 0 },
      { appid: 20, minutes: 2, recentMinutes: 0, lastPlayed: 0 },
    ])
    app.simulator.fail({ endpoint: 'GetOwnedGames', kind: 'wrong_shape', shape })
    expect((await syncGames(ada)).status).toBe(502)
    expect(await gamesOf(ada)).toEqual(kept)
  })

  test('it is tried four times at most; a sync that succeeds within them is one like any other', async () => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const ada = await app.player({ games: { Portal: 60 } })
    app.simulator.clearCalls()
    app.simulator.fail({ endpoint: 'GetOwnedGames', kind: 'status', status: 500, times: 3 })
    expect((await syncGames(ada)).status).toBe(200)
    expect(app.simulator.callsTo('GetOwnedGames')).toHaveLength(4)

    app.simulator.fail({ endpoint: 'GetOwnedGames', kind: 'status', status: 500 })
    expect((await syncGames(ada)).status).toBe(502)
    expect(app.simulator.callsTo('GetOwnedGames')).toHaveLength(8)
    expect((await status(ada)).left).toBe(9)
  })

  test('after Retry-After nobody asks again before, however often the button is pressed', async () => {
    const time = { now: Date.now() }
    const app = await startTestApp({ engine, clock: () => time.now, steamTiming: quick })
    const other = await startTestApp({ engine, besides: app, clock: () => time.now })
    const [ada, bob] = [await app.player({ games: { Portal: 1 } }), await app.player()]
    app.simulator.clearCalls()
    app.simulator.fail({ kind: 'status', status: 429, headers: { 'retry-after': '120' }, times: 1 })
    const first = await syncGames(ada)
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '120'])

    time.now += 30_000
    const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
    for (const press of [
      syncGames(ada),
      syncFriends(ada),
      syncGroup(ada, ada),
      syncGames(bob),
      syncGames(there),
    ]) {
      const answer = await press
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '90'])
      expect(await answer.json()).toMatchObject({ code: 'steam_rate_limited' })
    }
    expect(app.simulator.calls).toHaveLength(1)
    expect((await status(ada)).left).toBe(10)

    time.now += 90_000
    expect((await syncGames(ada)).status).toBe(200)
  })

  test('after 503 with Retry-After the next press is told the same, without asking', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    app.simulator.clearCalls()
    app.simulator.fail({ kind: 'status', status: 503, headers: { 'retry-after': '60' }, times: 1 })
    expect((await syncGames(ada)).status).toBe(502)
    expect((await syncGames(ada)).status).toBe(502)
    expect(app.simulator.calls).toHaveLength(1)
  })

  test('a long outage does not keep the next sync from asking', async () => {
    const app = await startTestApp({ engine, steamTiming: { ...quick, tries: 1 } })
    const ada = await app.player({ games: { Portal: 1 } })
    app.simulator.fail({ kind: 'status', status: 500, times: 30 })
    for (let press = 0; press < 30; press++) expect((await syncGames(ada)).status).toBe(502)
    expect((await syncGames(ada)).status).toBe(200)
    expect((await status(ada)).left).toBe(9)
  })
})
