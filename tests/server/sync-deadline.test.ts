/**
 * Every sync responds within 20 seconds, whatever Steam does and however many people sync (SYNC-12). These tests
 * use the product's own time limits and run in parallel, because they take as long as a person would wait.
 */
import { expect, test } from 'vitest'
import type { FaultRule } from '../../src/simulator/faults.ts'
import { api, type EngineName, engines, startTestApp } from '../support/app.ts'
import { friendsOf, gamesOf, status, syncFriends, syncGames, syncGroup } from '../support/sync-calls.ts'

const WITHIN_MS = 20_000
const MINUTE = 60_000
/** Four calls at a time; two full rounds and a started one fit, and one more may start as that one is cancelled. */
const CALLS_AT_MOST = 16

/** A response that came in time. */
async function timely(call: Promise<Response>): Promise<Response> {
  const started = performance.now()
  const response = await call
  expect(performance.now() - started).toBeLessThan(WITHIN_MS)
  return response
}

async function silence(engine: EngineName, rule: FaultRule): Promise<void> {
  const app = await startTestApp({ engine })
  const bob = await app.player({ name: 'Bob' })
  const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
  const strangers = await app.strangersConnectedWith(ada, 98)
  const before = [await gamesOf(ada), await friendsOf(ada)]
  app.simulator.clearCalls()
  app.simulator.fail(rule)

  const responses = await Promise.all([
    timely(syncGames(ada)),
    timely(syncFriends(ada)),
    timely(syncGroup(ada, bob, ...strangers)),
  ])

  expect(responses.map((response) => response.status)).toEqual([504, 504, 504])
  expect((await status(ada)).left).toBe(10)
  expect([await gamesOf(ada), await friendsOf(ada)]).toEqual(before)
  expect(app.simulator.calls.length).toBeLessThanOrEqual(CALLS_AT_MOST)
}

async function slowness(engine: EngineName): Promise<void> {
  const app = await startTestApp({ engine })
  const bob = await app.player({ name: 'Bob' })
  const ada = await app.player({ friends: [bob] })
  const strangers = await app.strangersConnectedWith(ada, 99)
  app.simulator.setLatency(6_000)

  const [games, friends, group] = await Promise.all([
    timely(syncGames(ada)),
    timely(syncFriends(ada)),
    timely(syncGroup(ada, bob, ...strangers)),
  ])

  expect(await games.json()).toEqual({ status: 'ok', game_count: 0 })
  expect(await friends.json()).toEqual({ status: 'ok', friend_count: 100 })
  const { synced } = api.groups.syncGames.response.parse(await group.json())
  expect(synced).toHaveLength(100)
  const read = synced.filter((one) => one.success)
  expect(read.length).toBeGreaterThan(0)
  // Each library is read once: now, or in the background, as the response says.
  const { libraries, left } = await status(ada)
  expect(libraries.waiting).toBe(100 - read.length)
  for (const one of synced.filter((other) => !other.success)) expect(one.message).toMatch(/background/)
  expect(left).toBe(7)
}

async function manyPeople(engine: EngineName): Promise<void> {
  const app = await startTestApp({ engine, oneServer: 'calls that run are counted in memory' })
  const people = await Promise.all(Array.from({ length: 30 }, () => app.player({ synced: false })))
  app.simulator.clearCalls()
  app.simulator.setLatency(6_000)

  const responses = await Promise.all(people.map((person) => timely(syncGames(person))))

  const statuses = responses.map((response) => response.status)
  expect(new Set(statuses)).toEqual(new Set([200, 504]))
  // For those that timed out while waiting, no request was sent, and the sync did not count.
  expect(app.simulator.calls.length).toBeLessThanOrEqual(CALLS_AT_MOST)
  const left = await Promise.all(people.map(async (person) => (await status(person)).left))
  expect(left).toEqual(statuses.map((one) => (one === 200 ? 9 : 10)))
}

test('SYNC-12: every sync responds within 20 seconds', { timeout: MINUTE }, async () => {
  await Promise.all(
    engines.flatMap((engine) => [
      silence(engine, { kind: 'slow', ms: MINUTE }),
      silence(engine, { kind: 'slow', ms: MINUTE, part: 'body' }),
      slowness(engine),
      manyPeople(engine),
    ]),
  )
})
