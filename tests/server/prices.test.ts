/** What games cost, in near misses (API-44) and on the page of a game (API-50). */
import { describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/simulator/faults.ts'
import { api, type EngineName, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { purgeExpired } from '../../src/server/sync/engine.ts'

const HOUR = 60 * 60_000
const START = Date.UTC(2026, 10, 27, 12)
const THURSDAY = Date.UTC(2026, 11, 3, 18)
const game = { iconHash: '', kind: 0, categories: [36] }
const [ARENA, FREE, SINGLE, LOCAL] = [777_001, 777_002, 777_003, 777_004] as const
const APPS = [
  { ...game, appid: ARENA, name: 'Arena', price: 1996, sale: { percent: 75, until: THURSDAY / 1000 } },
  { ...game, appid: FREE, name: 'Free', free: true },
  { ...game, appid: SINGLE, name: 'Plain', price: 999 },
  { ...game, appid: LOCAL, name: 'Local', price: 500, onlyIn: ['US'] },
]
const IN_EUROS = {
  formatted: '4,99€',
  cents: 499,
  discount_percent: 75,
  discount_ends_at: new Date(THURSDAY).toISOString(),
  country: 'DE',
  read_at: new Date(START).toISOString(),
}

/** Ada and Bob own the games, Cal does not; nobody has looked at prices yet. */
async function crew(engine: EngineName) {
  const time = { now: START }
  const app = await startTestApp({
    engine,
    clock: () => time.now,
    env: { STORE_COUNTRY: 'DE' },
    oneServer: 'what was looked at is in the memory of a server',
  })
  for (const one of APPS) app.simulator.addApp(one)
  const games = Object.fromEntries(APPS.map(({ appid }) => [appid, 60]))
  const [bob, cal] = [await app.player({ games }), await app.player({ games: { 999: 5 } })]
  const ada = await app.player({ games, friends: [bob, cal] })
  const { group_id: id } = await app.group({ owner: ada, members: [bob, cal] })
  while ((await app.deps.catalogue.readStoreDetails()) > 0);
  app.simulator.clearCalls()
  return { app, time, ada, cal, id }
}

const pageOf = (me: TestPlayer, gameId: number) => me.call(api.games.read, { ...me.user, gameId })
const asked = (app: TestApp) => app.simulator.callsTo('GetItems').length

describe.each(engines)('prices (%s)', (engine) => {
  test('PLAT-46, API-44, API-50: a look is answered at once, has the store asked once for all of them, and later ones show what it said', async () => {
    const { app, time, ada, id } = await crew(engine)
    const near = async () =>
      Object.fromEntries(
        (await ada.call(api.groups.nearMisses, { id })).map(({ name, price }) => [name, price]),
      )
    const unknown = { Arena: null, Free: null, Plain: null, Local: null }
    expect(await near()).toEqual(unknown)
    expect(await near()).toEqual(unknown)
    expect(asked(app)).toBe(0)
    await app.deps.prices.readWanted()
    const known = {
      Arena: IN_EUROS,
      Free: null,
      Plain: {
        ...IN_EUROS,
        formatted: '9,99€',
        cents: 999,
        discount_percent: 0,
        discount_ends_at: null,
      },
      // Not sold in Germany.
      Local: null,
    }
    expect(await near()).toEqual(known)
    expect((await pageOf(ada, ARENA)).price).toEqual(IN_EUROS)
    await app.deps.prices.readWanted()
    expect(asked(app)).toBe(1)

    // After three hours a look shows the old ones and has them read again; after six it shows none.
    time.now += 3 * HOUR
    app.simulator.addApp({ ...APPS[0]!, price: 2000 })
    expect(await near()).toEqual(known)
    await app.deps.prices.readWanted()
    expect(asked(app)).toBe(2)
    expect((await near()).Arena).toMatchObject({ cents: 500, read_at: new Date(time.now).toISOString() })
    time.now += 6 * HOUR
    expect(await near()).toEqual(unknown)
    await app.deps.prices.readWanted()
    expect((await near()).Arena).toMatchObject({ cents: 500 })
    // A price whose discount has ended is none.
    time.now = THURSDAY - HOUR
    await near()
    await app.deps.prices.readWanted()
    time.now = THURSDAY
    expect(await near()).toMatchObject({ Arena: null, Plain: { cents: 999 } })
    // Each expires with nobody looking.
    time.now += 25 * HOUR
    await purgeExpired(app.deps)
    expect(await app.db.selectFrom('prices').selectAll().execute()).toEqual([])
  })

  test('PLAT-46: each user sees the prices of their country, and of what is unknown here the store is not asked', async () => {
    const { app, ada, cal } = await crew(engine)
    await cal.call(api.privacy.changeSettings, cal.user, { country: 'JP' })
    const both = async () => [(await pageOf(ada, ARENA)).price, (await pageOf(cal, ARENA)).price]
    expect(await both()).toEqual([null, null])
    for (const _ of [1, 2, 3]) await app.deps.prices.readWanted()
    expect(await both()).toMatchObject([
      { formatted: '4,99€', country: 'DE' },
      { formatted: '¥ 749', cents: 74_850, country: 'JP' },
    ])
    await cal.call(api.privacy.changeSettings, cal.user, { country: null })
    expect((await pageOf(cal, ARENA)).price).toMatchObject({ country: 'DE' })
    const calls = asked(app)
    expect(calls).toBe(2)
    expect((await pageOf(ada, 4_294_967)).known).toBe(false)
    expect((await pageOf(ada, FREE)).is_free).toBe(true)
    await app.deps.prices.readWanted()
    expect(asked(app)).toBe(calls)
  })

  test.each<[string, FaultRule]>([
    ['a 403', { endpoint: 'GetItems', kind: 'status', status: 403 }],
    ['a 429', { endpoint: 'GetItems', kind: 'status', status: 429, headers: { 'retry-after': '60' } }],
    ['HTML', { endpoint: 'GetItems', kind: 'html_200' }],
    ['half of the response', { endpoint: 'GetItems', kind: 'truncated' }],
    ['no list', { endpoint: 'GetItems', kind: 'wrong_shape', shape: 'list_missing' }],
  ])('PLAT-46: after %s there is no price, and no call for five minutes', async (_what, fault) => {
    const { app, time, ada } = await crew(engine)
    app.simulator.fail(fault)
    expect((await pageOf(ada, ARENA)).price).toBe(null)
    await expect(app.deps.prices.readWanted()).rejects.toThrow()
    app.simulator.clearFaults()
    expect((await pageOf(ada, ARENA)).price).toBe(null)
    await app.deps.prices.readWanted()
    expect(asked(app)).toBe(1)
    time.now += 5 * 60_000
    expect((await pageOf(ada, ARENA)).price).toBe(null)
    await app.deps.prices.readWanted()
    expect((await pageOf(ada, ARENA)).price).toMatchObject({ formatted: '4,99€' })
  })

  test.each<[string, FaultRule]>([
    ['success 15', { endpoint: 'GetItems', kind: 'fields', of: ARENA, set: { success: 15 } }],
    ['nothing of the game', { endpoint: 'GetItems', kind: 'fields', of: ARENA, set: { appid: 5 } }],
  ])('PLAT-46: %s is no price, and is asked again after three hours', async (_what, fault) => {
    const { app, time, ada } = await crew(engine)
    app.simulator.fail(fault)
    for (const _ of [1, 2]) {
      expect((await pageOf(ada, ARENA)).price).toBe(null)
      await app.deps.prices.readWanted()
    }
    expect(asked(app)).toBe(1)
    app.simulator.clearFaults()
    time.now += 3 * HOUR
    expect((await pageOf(ada, ARENA)).price).toBe(null)
    await app.deps.prices.readWanted()
    expect((await pageOf(ada, ARENA)).price).toMatchObject({ formatted: '4,99€' })
  })
})

test('PLAT-46: one of two servers asks the store', async () => {
  const { app, time, ada } = await crew('postgres')
  const other = await startTestApp({ besides: app, clock: () => time.now, env: { STORE_COUNTRY: 'DE' } })
  const there = other.callsOf(ada.token)
  for (const calls of [ada, there]) await calls.call(api.games.read, { ...ada.user, gameId: ARENA })
  await Promise.all([app.deps.prices.readWanted(), other.deps.prices.readWanted()])
  expect(asked(app)).toBe(1)
  const { price } = await there.call(api.games.read, { ...ada.user, gameId: ARENA })
  expect(price).toMatchObject({ formatted: '4,99€' })
})
