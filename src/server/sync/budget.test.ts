/** The call budget that all servers share (REF-6). */
import { describe, expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { SteamError, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import { readCalls, dayOf } from '../storage/players/steam-hosts.ts'
import { type CallLimits, createCallBudget } from './budget.ts'

const HOST = 'api.example.org'
const START = Date.UTC(2026, 0, 31, 12)
const silent = { warn: () => {} }

/** A budget with the test's clock, which records its waits instead of waiting. */
function budgetAt(database: Database, time: { now: number }, limits: Partial<CallLimits> = {}) {
  const waits: number[] = []
  const budget = createCallBudget({
    database,
    limits,
    clock: () => time.now,
    log: silent,
    sleep: async (ms) => void waits.push(ms),
  })
  const refusal = (urgency: Urgency) =>
    budget.take(HOST, urgency).then(
      () => undefined,
      (error: unknown) => error as SteamError,
    )
  return { ...budget, waits, refusal }
}

async function takeMany(budget: ReturnType<typeof budgetAt>, urgency: Urgency, count: number) {
  for (let nth = 0; nth < count; nth++) await budget.take(HOST, urgency)
}

describeOnEachEngine('budget', (fresh) => {
  test('interactive calls may use their burst; then each waits, and one that would wait too long is refused', async () => {
    const time = { now: START }
    const budget = budgetAt(await fresh(), time, { perSecond: 1, interactiveBurst: 5 })
    await takeMany(budget, 'interactive', 5)
    expect(budget.waits).toEqual([])

    await takeMany(budget, 'interactive', 8)
    expect(budget.waits).toEqual([1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000])
    const refusal = await budget.refusal('interactive')
    expect(refusal).toBeInstanceOf(SteamError)
    expect(refusal).toMatchObject({ failure: 'throttled', retryAfterSeconds: 9 })
  })

  test('REF-6: the average holds: twenty minutes of constant requests send no more than rate and burst allow', async () => {
    const time = { now: START }
    const budget = budgetAt(await fresh(), time, {
      perSecond: 0.1,
      interactiveBurst: 20,
      backgroundBurst: 10,
    })
    let calls = 0
    for (; time.now < START + 1_200_000; time.now += 10_000) {
      while ((await budget.refusal('background')) === undefined) calls++
    }
    expect(calls).toBeGreaterThanOrEqual(120)
    expect(calls).toBeLessThanOrEqual(130)
  })

  test('group calls have more than background calls, and leave as many to interactive ones', async () => {
    const limits = { perSecond: 0.01, interactiveBurst: 10, backgroundBurst: 4 }
    const budget = budgetAt(await fresh(), { now: START }, limits)
    await takeMany(budget, 'background', 4)
    expect(await budget.refusal('background')).toMatchObject({ failure: 'throttled' })
    await takeMany(budget, 'group', 3)
    expect(await budget.refusal('group')).toMatchObject({ failure: 'throttled' })
    await takeMany(budget, 'interactive', 3)
    expect(budget.waits).toEqual([])
    expect(await budget.refusal('interactive')).toMatchObject({ failure: 'throttled' })
  })

  test('REF-6: two servers share one budget, also for concurrent calls', async () => {
    const database = await fresh()
    const time = { now: START }
    const limits = { perSecond: 0.01, interactiveBurst: 12 }
    const servers = [budgetAt(database, time, limits), budgetAt(database, time, limits)]
    const refusals = await Promise.all(
      Array.from({ length: 30 }, (_, nth) => servers[nth % 2]!.refusal('interactive')),
    )
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(12)
    expect(await readCalls(database.queries, HOST, dayOf(START))).toBe(12)
  })

  test('REF-7: a day has a quota of calls with a reserve for interactive ones, and the next day starts again', async () => {
    const time = { now: START }
    const limits = { perSecond: 1000, perDay: 10, interactiveReserve: 3 }
    const budget = budgetAt(await fresh(), time, limits)
    await takeMany(budget, 'background', 7)
    const midnight = 12 * 60 * 60
    expect(await budget.refusal('background')).toMatchObject({
      failure: 'throttled',
      retryAfterSeconds: midnight,
    })
    await takeMany(budget, 'group', 2)
    expect(await budget.refusal('group')).toMatchObject({ retryAfterSeconds: midnight })
    await budget.take(HOST, 'interactive')
    expect(await budget.refusal('interactive')).toMatchObject({
      failure: 'throttled',
      retryAfterSeconds: midnight,
    })
    time.now += midnight * 1000
    expect(await budget.refusal('background')).toBeUndefined()
  })

  test.each([
    ['rate_limited', 'rate_limited'],
    ['unavailable', 'unavailable'],
    ['forbidden', 'forbidden'],
    ['invalid_key', 'invalid_key'],
  ] as const)('after Retry-After (%s) no server sends a request until then', async (failure, refusedAs) => {
    const database = await fresh()
    const time = { now: START }
    const [one, other] = [budgetAt(database, time), budgetAt(database, time)]
    await one.take(HOST, 'interactive')
    await one.report(HOST, { ok: false, failure, retryAfterSeconds: 90 })
    for (const urgency of ['interactive', 'background'] as const)
      expect(await other.refusal(urgency)).toMatchObject({ failure: refusedAs, retryAfterSeconds: 90 })
    time.now += 89_000
    expect(await one.refusal('interactive')).toMatchObject({ retryAfterSeconds: 1 })
    // A later, shorter block does not shorten it.
    await one.report(HOST, { ok: false, failure, retryAfterSeconds: 0 })
    expect(await one.refusal('interactive')).toBeDefined()
    time.now += 1000
    expect(await one.refusal('interactive')).toBeUndefined()
  })

  test('a call that was waiting when Retry-After arrived is refused too', async () => {
    const database = await fresh()
    const time = { now: START }
    const other = budgetAt(database, time)
    const waiting = createCallBudget({
      database,
      limits: { perSecond: 1, interactiveBurst: 1 },
      clock: () => time.now,
      log: silent,
      sleep: () => other.report(HOST, { ok: false, failure: 'rate_limited', retryAfterSeconds: 60 }),
    })
    await waiting.take(HOST, 'interactive')
    await expect(waiting.take(HOST, 'interactive')).rejects.toMatchObject({ failure: 'rate_limited' })
  })

  describe('while Steam keeps failing', () => {
    const failing = { ok: false, failure: 'unavailable' } as const

    test('REF-7: pauses background calls, longer with each failure, and never interactive ones', async () => {
      const time = { now: START }
      const budget = budgetAt(await fresh(), time, { perSecond: 1000, failuresToOpen: 3 })
      for (let nth = 0; nth < 2; nth++) await budget.report(HOST, failing)
      expect(await budget.refusal('background')).toBeUndefined()

      const waits: (number | undefined)[] = []
      for (let nth = 0; nth < 8; nth++) {
        await budget.report(HOST, failing)
        waits.push((await budget.refusal('background'))?.retryAfterSeconds)
        expect(await budget.refusal('interactive')).toBeUndefined()
      }
      expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300])
      time.now += 300_000
      expect(await budget.refusal('background')).toBeUndefined()
    })

    test('is not assumed for single failures between successes', async () => {
      const budget = budgetAt(await fresh(), { now: START }, { failuresToOpen: 3 })
      for (let nth = 0; nth < 10; nth++) {
        await budget.report(HOST, failing)
        await budget.report(HOST, { ok: true })
      }
      expect(await budget.refusal('background')).toBeUndefined()
    })

    test('is no longer assumed after one success, and counted anew', async () => {
      const budget = budgetAt(await fresh(), { now: START }, { failuresToOpen: 3 })
      for (let nth = 0; nth < 5; nth++) await budget.report(HOST, failing)
      expect(await budget.refusal('background')).toMatchObject({ failure: 'throttled' })
      await budget.report(HOST, { ok: true })
      for (let nth = 0; nth < 2; nth++) await budget.report(HOST, failing)
      expect(await budget.refusal('background')).toBeUndefined()
    })

    test('is reported to interactive calls until it succeeds', async () => {
      const budget = budgetAt(await fresh(), { now: START }, { failuresToTryOnce: 3 })
      for (let nth = 0; nth < 2; nth++) await budget.report(HOST, failing)
      expect(await budget.take(HOST, 'interactive')).toEqual({ failing: false })
      await budget.report(HOST, failing)
      expect(await budget.take(HOST, 'interactive')).toEqual({ failing: true })
      await budget.report(HOST, { ok: true })
      expect(await budget.take(HOST, 'interactive')).toEqual({ failing: false })
    })

    test('REF-12: is not assumed for accounts that always fail, however often', async () => {
      const budget = budgetAt(await fresh(), { now: START }, { failuresToOpen: 3 })
      for (let nth = 0; nth < 10; nth++)
        for (const steamId of ['76561197960265731', '76561197960265732'])
          await budget.report(HOST, { ...failing, steamId })
      expect(await budget.refusal('background')).toBeUndefined()
      await budget.report(HOST, { ...failing, steamId: '76561197960265733' })
      expect(await budget.refusal('background')).toMatchObject({ failure: 'throttled' })
    })
  })
})
