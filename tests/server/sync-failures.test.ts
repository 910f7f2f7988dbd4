/** Syncs while Steam fails are reported, do not count, and lose no stored data (DATA-1). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/simulator/faults.ts'
import {
  api,
  engines,
  makeCalls,
  newPlayer,
  nextSteamId,
  startAt,
  startTestApp,
  type TestApp,
  type TestPlayer,
} from '../support/app.ts'
import {
  friendsOf,
  gamesOf,
  impatient,
  quick,
  status,
  syncFriends,
  syncGames,
  syncGroup,
} from '../support/sync-calls.ts'

/** Steam's own text (PLAT-20). */
const ABOUT_THE_KEY = 'Access is denied. Please verify your <pre>key=</pre> parameter.'
const MINUTE = 60_000
const owning = (...appids: number[]) =>
  appids.map((appid) => ({ appid, minutes: 1, recentMinutes: 0, lastPlayed: 0 }))

/** Each fault with the status of the response and the number of requests sent to Steam. */
const faults: [name: string, status: number, tries: number, rule: FaultRule][] = [
  ['500 with HTML', 502, 4, { kind: 'status', status: 500 }],
  ['502 with HTML', 502, 4, { kind: 'status', status: 502 }],
  ['503 with HTML', 502, 4, { kind: 'status', status: 503 }],
  ['429 with HTML', 429, 4, { kind: 'status', status: 429 }],
  ['403 with HTML', 502, 1, { kind: 'status', status: 403 }],
  ['403 about the key', 503, 1, { kind: 'status', status: 403, body: ABOUT_THE_KEY }],
  ['401 about the key', 503, 1, { kind: 'status', status: 401, body: ABOUT_THE_KEY }],
  ['200 with HTML', 502, 4, { kind: 'html_200' }],
  ['200 with nothing', 502, 4, { kind: 'empty' }],
  ['broken JSON', 502, 4, { kind: 'truncated' }],
  ['an incomplete body', 502, 4, { kind: 'cut_off' }],
  ['an object instead of the list', 502, 4, { kind: 'wrong_shape', shape: 'list_is_object' }],
  ['no list', 502, 4, { kind: 'wrong_shape', shape: 'list_missing' }],
  ['no object', 502, 4, { kind: 'wrong_shape', shape: 'not_an_object' }],
  ['a broken connection', 502, 4, { kind: 'reset' }],
  ['a redirect', 502, 1, { kind: 'redirect', location: 'http://127.0.0.1:1/' }],
  ['no response in time', 504, 4, { kind: 'slow', ms: 10_000 }],
  ['a slow body', 504, 4, { kind: 'slow', ms: 10_000, part: 'body' }],
]

const isSilence = ([, , , rule]: (typeof faults)[number]) => rule.kind === 'slow'

describe.each(engines)('on %s', (engine) => {
  describe.each([
    ['at every call, with a failure', faults.filter((fault) => !isSilence(fault)), quick],
    ['at every call, without a response', faults.filter(isSilence), impatient],
  ])('%s', (_where, list, timing) => {
    let ahead = 0
    let app: TestApp
    beforeAll(async () => {
      app = await startTestApp({
        engine,
        steamTiming: timing,
        clock: () => Date.now() + ahead,
        lasting: true,
      })
    })
    afterAll(() => app.close())
    afterEach(() => {
      app.simulator.clearFaults()
      ahead = 0
    })

    test.each(list)('DATA-1, PLAT-40, SYNC-4, SYNC-12: after %s', async (_name, expected, tries, rule) => {
      const bob = await app.player({ name: 'Bob' })
      const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
      const stored = async () => [await gamesOf(ada), await friendsOf(ada)]
      const before = await stored()
      // Changes that would show if any part of the failing responses were stored.
      app.simulator.setGames(ada.steam_id, owning(10, 20))
      app.simulator.unfriend(ada.steam_id, bob.steam_id)
      for (const steamid of [nextSteamId(), nextSteamId()]) {
        app.simulator.addPlayer(newPlayer(steamid))
        app.simulator.befriend(ada.steam_id, steamid)
      }
      app.simulator.clearCalls()
      app.simulator.fail(rule)

      for (const response of [await syncGames(ada), await syncFriends(ada), await syncGroup(ada, ada, bob)]) {
        expect(response.status).toBe(expected)
        const text = await response.text()
        expect(JSON.parse(text)).toMatchObject({ code: expect.stringMatching(/^steam_/) as string })
        expect(text).not.toMatch(/[<>]|key=|127\.0\.0\.1/)
      }
      expect([
        app.simulator.callsTo('GetOwnedGames', ada.steam_id).length,
        app.simulator.callsTo('GetOwnedGames', bob.steam_id).length,
        app.simulator.callsTo('GetFriendList').length,
        app.simulator.callsTo('GetPlayerSummaries').length,
      ]).toEqual([2 * tries, tries, tries, 0])
      expect(await stored()).toEqual(before)
      expect(await status(ada)).toMatchObject({
        left: 10,
        games: { status: 'ok' },
        friends: { status: 'ok' },
      })

      app.simulator.clearFaults()
      expect(await (await syncGames(ada)).json()).toEqual({ status: 'ok', game_count: 2 })
      expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 2 })
    })

    test.each(list)('%s for profiles: names stay, all else works', async (_name, _expected, tries, rule) => {
      const bob = await app.player({ name: 'Bob' })
      const ada = await app.player({ name: 'Ada', friends: [bob] })
      app.simulator.updatePlayer(bob.steam_id, { personaname: 'Robert', personastate: 0 })
      const newcomer = newPlayer(nextSteamId())
      app.simulator.addPlayer(newcomer)
      app.simulator.befriend(ada.steam_id, newcomer.steamid)
      app.simulator.clearCalls()
      app.simulator.fail({ ...rule, endpoint: 'GetPlayerSummaries' })

      expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 2 })
      expect(app.simulator.callsTo('GetPlayerSummaries')).toHaveLength(tries)
      const friends = async () =>
        (await friendsOf(ada)).map((friend) => [friend.steam_id, friend.display_name, friend.personastate])
      const known = [
        [bob.steam_id, 'Bob', 1],
        [newcomer.steamid, null, 0],
      ]
      expect(await friends()).toEqual(known)

      // The friends page sends one request from each server, even when it is opened several times.
      ahead = 61_000
      app.simulator.clearCalls()
      const onOneServer = makeCalls(app.url, ada.token)
      const openPage = () => onOneServer.call(api.friends.friends, ada.user)
      await Promise.all([openPage(), openPage()])
      await openPage()
      expect(app.simulator.callsTo('GetPlayerSummaries')).toHaveLength(1)
      expect(await friends()).toEqual(known)

      const again = app.callsOf(await app.signIn(ada.steam_id))
      expect((await again.call(api.library.summary, ada.user)).display_name).toBe('Ada')
      expect((await status(ada)).left).toBe(9)
      app.simulator.clearFaults()
      expect((await syncFriends(ada)).status).toBe(200)
      expect(await friends()).toContainEqual([bob.steam_id, 'Robert', 0])
    })
  })

  test('PLAT-19, PLAT-20: a 401 not about the key means a private friend list, and private games', async () => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const bob = await app.player({ name: 'Bob' })
    const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
    app.simulator.fail({ kind: 'status', status: 401 })
    expect(await (await syncFriends(ada)).json()).toMatchObject({ status: 'private' })
    expect(await (await syncGames(ada)).json()).toMatchObject({ status: 'private' })
    expect((await friendsOf(ada)).length).toBe(1)
    app.simulator.clearFaults()
    expect(await (await syncGames(ada)).json()).toMatchObject({ status: 'ok' })
    expect(await gamesOf(ada)).toEqual([['Portal', 60]])
  })

  test('SYNC-17: null in one game of a library, and in one friend and one profile, is no failure', async () => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const [bob, cy] = [await app.player({ name: 'Bob' }), await app.player({ name: 'Cy' })]
    const ada = await app.player({ games: { Portal: 60, Rust: 5 }, friends: [bob, cy] })
    const nulls = { rtime_last_played: null, playtime_2weeks: null, friend_since: null, personastate: null }
    for (const endpoint of ['GetOwnedGames', 'GetFriendList', 'GetPlayerSummaries'] as const)
      app.simulator.fail({ endpoint, kind: 'fields', set: nulls })
    expect(await (await syncGames(ada)).json()).toEqual({ status: 'ok', game_count: 2 })
    expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 2 })

    app.simulator.clearFaults()
    app.simulator.fail({ endpoint: 'GetFriendList', kind: 'fields', set: { steamid: null } })
    expect(await (await syncFriends(ada)).json()).toEqual({ status: 'ok', friend_count: 1 })
    expect(await gamesOf(ada)).toEqual([
      ['Portal', 60],
      ['Rust', 5],
    ])
  })

  test('PLAT-22: an empty object means a private friend list, but is a failure for games', async () => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const bob = await app.player({ name: 'Bob' })
    const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
    app.simulator.fail({ kind: 'wrong_shape', shape: 'empty_object' })
    expect((await syncGames(ada)).status).toBe(502)
    expect(await (await syncFriends(ada)).json()).toMatchObject({ status: 'private' })
    expect([await gamesOf(ada), (await friendsOf(ada)).length]).toEqual([[['Portal', 60]], 1])
  })

  test('DATA-2, SYNC-17: a library whose count differs from its games is not stored', async () => {
    const app = await startTestApp({ engine, steamTiming: quick })
    const ada = await app.player({ games: { Portal: 60 } })
    app.simulator.setGames(ada.steam_id, owning(10, 20))
    app.simulator.fail({ endpoint: 'GetOwnedGames', kind: 'wrong_shape', shape: 'count_differs' })
    expect((await syncGames(ada)).status).toBe(502)
    expect(await gamesOf(ada)).toEqual([['Portal', 60]])
  })

  test('SYNC-13: a sync makes at most four attempts, and counts if one of them succeeds', async () => {
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

  test('PLAT-2, SYNC-12, SYNC-13: after Retry-After no request is sent until then, however often the button is pressed', async () => {
    const { app, time } = await startAt(Date.now(), { engine, steamTiming: quick })
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
      const response = await press
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '90'])
      expect(await response.json()).toMatchObject({ code: 'steam_rate_limited' })
    }
    expect(app.simulator.calls).toHaveLength(1)
    expect((await status(ada)).left).toBe(10)

    time.now += 90_000
    expect((await syncGames(ada)).status).toBe(200)
  })

  test('SYNC-13: after 503 with Retry-After the next sync fails the same way, without a request', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    app.simulator.clearCalls()
    app.simulator.fail({ kind: 'status', status: 503, headers: { 'retry-after': '60' }, times: 1 })
    expect((await syncGames(ada)).status).toBe(502)
    expect((await syncGames(ada)).status).toBe(502)
    expect(app.simulator.calls).toHaveLength(1)
  })

  test('SYNC-8: after a long outage the next sync still sends a request', async () => {
    const { app, time } = await startAt(Date.now(), { engine, steamTiming: { ...quick, tries: 1 } })
    const ada = await app.player({ games: { Portal: 1 } })
    app.simulator.fail({ kind: 'status', status: 500, times: 30 })
    for (let press = 0; press < 30; press++, time.now += MINUTE)
      expect((await syncGames(ada)).status).toBe(502)
    expect((await syncGames(ada)).status).toBe(200)
    expect((await status(ada)).left).toBe(9)
  })

  describe('failed syncs', () => {
    test('LIM-28: are limited to fifteen in ten minutes; then the response has the reason and the time, and no request is sent', async () => {
      const { app, time } = await startAt(Date.now(), { engine, steamTiming: { ...quick, tries: 1 } })
      const [ada, bob] = [await app.player({ games: { Portal: 1 } }), await app.player()]
      app.simulator.fail({ kind: 'status', status: 500 })
      expect((await syncGames(ada)).status).toBe(502)
      time.now += MINUTE
      for (let press = 0; press < 7; press++)
        for (const failing of [syncFriends(ada), syncGroup(ada, ada)])
          expect((await failing).status).toBe(502)

      app.simulator.clearCalls()
      for (const refusal of [await syncGames(ada), await syncFriends(ada), await syncGroup(ada, ada)]) {
        expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '540'])
        expect(await refusal.json()).toEqual({
          code: 'too_many_requests',
          error: 'Steam has failed too often in the last minutes. Try again later.',
          reason: 'steam_fails_too_often',
        })
      }
      expect(app.simulator.calls).toEqual([])
      expect((await status(ada)).left).toBe(10)
      // Other people have their own limit.
      expect((await syncGames(bob)).status).toBe(502)

      app.simulator.clearFaults()
      time.now += 9 * MINUTE - 1
      expect((await syncGames(ada)).headers.get('retry-after')).toBe('1')
      time.now += 1
      expect((await syncGames(ada)).status).toBe(200)
    })
  })
})
