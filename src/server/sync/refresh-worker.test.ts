/** The refresh list, with the real client against the simulator and a clock that tests set. */
import { expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { newPlayer } from '../../../tests/support/product.ts'
import { writeRows } from '../../../tests/support/rows.ts'
import type { FaultRule } from '../../simulator/faults.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { createPolls } from '../cache/tag-cache.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { createSteamClient, type SteamTiming } from '../steam/client.ts'
import type { Database } from '../database/database.ts'
import { readLibrary } from '../storage/players/libraries.ts'
import { ensurePlayers } from '../storage/players/players.ts'
import { claimRefresh, enqueueRefreshes, refreshPriority } from '../storage/players/refreshes.ts'
import { createCallBudget, type CallLimits } from './budget.ts'
import { createReads } from './reads.ts'
import { createRefreshWorker } from './refresh-worker.ts'

const ADA = '76561198000000001'
const START = Date.UTC(2026, 0, 31, 12)
const MINUTE = 60_000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const unlimited = { perSecond: 1000, interactiveBurst: 100_000, backgroundBurst: 100_000 }

const friends = (count: number) =>
  Array.from({ length: count }, (_, nth) => String(76561198000001000n + BigInt(nth)))

/** A simulator where every player owns one game, and any number of servers that read from it. */
async function refreshing(database: Database, ids: string[]) {
  const player = (steamid: string) => ({
    ...newPlayer(steamid),
    games: [{ appid: 400, minutes: 90, recentMinutes: 0, lastPlayed: 0 }],
  })
  const simulator = await startSimulator({ world: { players: ids.map(player), apps: [] }, apiKey: 'key' })
  onTestFinished(() => simulator.close())
  const time = { now: START, onRead: (_nth: number): void => {} }
  const clock = () => time.now

  const server = (limits: Partial<CallLimits> = unlimited, timing?: Partial<SteamTiming>) => {
    const budget = createCallBudget({ database, limits, clock, log: silent })
    const steam = createSteamClient({
      apiUrl: simulator.apiUrl,
      apiKey: 'key',
      budget,
      log: silent,
      timing,
    })
    const catalogue = createCatalogue({ database, polls: createPolls(database), bytes: 0, steam, clock })
    const { read } = createReads({ database, steam, catalogue, clock, log: silent })
    const reads: Promise<unknown>[] = []
    let clockReads = 0
    const worker = createRefreshWorker({
      database,
      read: (...call) => {
        const reading = read(...call)
        reads.push(reading)
        return reading
      },
      // Every run of the loop starts by reading the clock.
      clock: () => {
        time.onRead(++clockReads)
        return time.now
      },
      log: silent,
    })
    onTestFinished(() => worker.stop())
    /** Starts a stopped worker for one run of its loop and stops it; returns how many reads it started. */
    const runOnce = async () => {
      const [readsBefore, before] = [reads.length, clockReads]
      worker.start()
      await expect.poll(() => clockReads).toBeGreaterThan(before)
      await worker.stop()
      return reads.length - readsBefore
    }
    return { ...worker, reads, runOnce }
  }

  const enqueue = async () => {
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, ids)
      await enqueueRefreshes(tx, ids, { by: ADA, priority: refreshPriority.friends, at: time.now })
    })
  }
  await enqueue()

  return {
    simulator,
    time,
    server,
    enqueue,
    waiting: () =>
      database.queries
        .selectFrom('refreshes')
        .select(['steam_id', 'attempts', 'next_attempt_at', 'lease_owner', 'lease_until'])
        .orderBy('steam_id')
        .execute(),
    gamesOf: async (steamId: string) => (await readLibrary(database.queries, steamId))?.game_count,
    calls: () => simulator.callsTo('GetOwnedGames').length,
  }
}

describeOnEachEngine('refresh list', (fresh) => {
  test('PLAT-3, REF-1: a hundred libraries are read by two servers together, none twice', async () => {
    const ids = friends(100)
    const { server, simulator, waiting, gamesOf } = await refreshing(await fresh(), ids)
    for (const one of [server(), server()]) one.start()
    await expect.poll(waiting).toEqual([])
    for (const id of ids) expect(simulator.callsTo('GetOwnedGames', id)).toHaveLength(1)
    expect(await Promise.all(ids.map(gamesOf))).toEqual(ids.map(() => 1))
  })

  test("REF-2: a killed server's libraries are read by another server once its lease has ended, not before", async () => {
    const database = await fresh()
    const ids = friends(5)
    const { server, simulator, time, waiting } = await refreshing(database, ids)
    const claim = () => claimRefresh(database, { owner: 'killed', now: START, leaseMs: MINUTE })
    const claimedIds = [await claim(), await claim()].map((row) => row!.steam_id).sort()

    const other = server()
    other.start()
    await expect.poll(async () => (await waiting()).map((row) => row.steam_id)).toEqual(claimedIds)
    time.now += MINUTE - 1
    await other.runOnce()
    expect(other.reads).toHaveLength(3)
    expect((await waiting()).map((row) => row.lease_owner)).toEqual(['killed', 'killed'])

    time.now += 1
    other.start()
    await expect.poll(waiting).toEqual([])
    for (const id of ids) expect(simulator.callsTo('GetOwnedGames', id)).toHaveLength(1)
  })

  test('OPS-35: a server that was suspended until its lease had ended does not read the library', async () => {
    const { server, time, waiting, calls } = await refreshing(await fresh(), friends(1))
    const one = server()
    // Both workers have read the clock twice when one of them has claimed the library.
    time.onRead = (nth) => {
      if (nth === 5) time.now += MINUTE
    }
    expect(await one.runOnce()).toBe(0)
    expect(await waiting()).toMatchObject([{ lease_owner: null, attempts: 0 }])
    one.start()
    await expect.poll(waiting).toEqual([])
    expect(calls()).toBe(1)
  })

  const faults: [string, FaultRule][] = [
    ['500', { kind: 'status', status: 500 }],
    ['HTML', { kind: 'html_200' }],
    ['broken JSON', { kind: 'truncated' }],
    ['a count that differs', { kind: 'wrong_shape', shape: 'count_differs' }],
    ['a broken connection', { kind: 'reset' }],
    ['a body that breaks off', { kind: 'cut_off' }],
    ['no response in time', { kind: 'slow', ms: MINUTE }],
  ]
  test.each(faults)('after %s data stays, and the read is retried in a minute', async (_name, rule) => {
    const [id = ''] = friends(1)
    const { server, simulator, time, waiting, gamesOf, calls, enqueue } = await refreshing(await fresh(), [
      id,
    ])
    // Short only where Steam never responds, so that a busy machine does not matter.
    const one = server(unlimited, rule.kind === 'slow' ? { backgroundTimeoutMs: 2000 } : undefined)
    one.start()
    await expect.poll(() => gamesOf(id)).toBe(1)
    await expect.poll(waiting).toEqual([])

    simulator.clearCalls()
    simulator.setGames(id, [])
    simulator.fail({ ...rule, times: 1 })
    await enqueue()
    one.wake()
    const postponed = {
      steam_id: id,
      attempts: 1,
      next_attempt_at: START + MINUTE,
      lease_owner: null,
      lease_until: 0,
    }
    await expect.poll(waiting).toEqual([postponed])
    expect([await gamesOf(id), calls()]).toEqual([1, 1])

    time.now += MINUTE
    one.wake()
    await expect.poll(waiting).toEqual([])
    expect([await gamesOf(id), calls()]).toEqual([0, 2])
  })

  test('REF-4: a library that keeps failing is read less and less often, then not until it is requested again', async () => {
    const [id = ''] = friends(1)
    const { server, simulator, time, waiting, calls, enqueue, gamesOf } = await refreshing(await fresh(), [
      id,
    ])
    simulator.fail({ kind: 'status', status: 500 })
    const one = server()
    one.start()
    const pauses: number[] = []
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect
        .poll(async () => (await waiting())[0])
        .toMatchObject({ attempts: attempt, lease_owner: null })
      expect(calls()).toBe(attempt)
      const next = (await waiting())[0]!.next_attempt_at
      pauses.push((next - time.now) / MINUTE)
      time.now = next
      one.wake()
    }
    expect(pauses).toEqual([1, 4, 16, 64])
    await expect.poll(waiting).toEqual([])
    expect(calls()).toBe(5)

    simulator.clearFaults()
    await enqueue()
    one.wake()
    await expect.poll(() => gamesOf(id)).toBe(1)
  })

  test.each([
    [
      'a refusal with Retry-After',
      { kind: 'status', status: 429, headers: { 'retry-after': '120' } } as const,
      120,
    ],
    [
      'an outage with Retry-After',
      { kind: 'status', status: 503, headers: { 'retry-after': '120' } } as const,
      120,
    ],
    ['a refusal without Retry-After', { kind: 'status', status: 403 } as const, 60],
  ])('after %s the whole list waits, without using up attempts', async (_name, rule, seconds) => {
    const { server, simulator, time, waiting, calls } = await refreshing(await fresh(), friends(20))
    simulator.fail(rule)
    const one = server()
    one.start()
    const unread = friends(20).map((steam_id) => ({ steam_id, attempts: 0, lease_owner: null }))
    // Both workers may have had a request in flight.
    await expect.poll(calls).toBeGreaterThan(0)
    await expect.poll(async () => (await waiting()).filter((row) => row.lease_owner !== null)).toEqual([])
    // The second worker may only now be claiming its first row.
    await one.stop()
    const sent = calls()
    // The first page with 403 counts as that player's own (PLAT-19).
    const own = rule.status === 403 ? 1 : 0
    expect(sent).toBeLessThanOrEqual(2 + own)

    simulator.clearFaults()
    time.now += seconds * 1000 - 1
    expect([await one.runOnce(), calls()]).toEqual([0, sent])
    const rows = await waiting()
    expect(rows.filter((row) => row.attempts === 0)).toHaveLength(unread.length - own)
    expect(rows.map((row) => row.steam_id)).toEqual(unread.map((row) => row.steam_id))

    time.now += 1
    one.start()
    await expect.poll(waiting).toEqual([])
  })

  test('nothing is stored about a player whose row was deleted', async () => {
    const database = await fresh()
    const [id = ''] = friends(1)
    const { server, simulator, calls, waiting } = await refreshing(database, [id])
    simulator.setLatency(150)
    const one = server()
    one.start()
    await expect.poll(calls).toBe(1)
    await writeRows(database, async (tx) => {
      await tx.deleteFrom('refreshes').execute()
      await tx.deleteFrom('people').where('steam_id', '=', id).execute()
    })
    expect(await Promise.all(one.reads)).toEqual([{ status: 'deleted' }])
    expect(await waiting()).toEqual([])
    expect(await readLibrary(database.queries, id)).toBeUndefined()
  })

  test('a stopped server releases the rows it was reading, without counting an attempt', async () => {
    const ids = friends(4)
    const { server, simulator, waiting, calls } = await refreshing(await fresh(), ids)
    simulator.setLatency(5000)
    const stopped = server()
    stopped.start()
    await expect.poll(calls).toBe(2)
    await stopped.stop()
    expect(await waiting()).toMatchObject(
      ids.map((steam_id) => ({ steam_id, attempts: 0, lease_owner: null, lease_until: 0 })),
    )
    simulator.setLatency(0)
    server().start()
    await expect.poll(waiting).toEqual([])
  })
})
