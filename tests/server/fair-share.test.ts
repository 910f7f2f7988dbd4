/** One person's syncs leave room for everybody's: of the calls at once, and of the calls ahead of the average rate. */
import { expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { startTestApp } from '../support/app.ts'
import { status, syncGames, syncGroup } from '../support/sync-calls.ts'

/** The product's own limits of calls to the platform. */
const asShipped = { callLimits: {} }

async function synced(answer: Response) {
  expect(answer.status).toBe(200)
  return groupsContract.syncGames.response.parse(await answer.json()).synced
}

test('five group syncs of a hundred leave somebody else’s Sync Games what it needs', async () => {
  const app = await startTestApp(asShipped)
  const ada = await app.player()
  const crowd = await app.strangersConnectedWith(ada, 500)
  const bob = await app.player({ games: { Portal: 60 } })
  app.simulator.clearCalls()
  app.simulator.setLatency(50)

  const groups = Promise.all(
    [0, 1, 2, 3, 4].map((nth) => syncGroup(ada, ...crowd.slice(nth * 100, (nth + 1) * 100))),
  )
  let over = false
  void groups.then(() => (over = true))
  await expect.poll(() => app.simulator.callsTo('GetOwnedGames').length).toBeGreaterThan(10)
  expect(await (await syncGames(bob)).json()).toEqual({ status: 'ok', game_count: 1 })
  expect(over).toBe(false)

  const told = await Promise.all((await groups).map(synced))
  const one = told.flat()
  expect(one).toHaveLength(500)
  const read = one.filter((entry) => entry.success)
  expect(read.length).toBeGreaterThan(90)
  expect(read.length).toBeLessThanOrEqual(160)
  for (const { success, message } of one)
    expect(message).toMatch(success ? /^\d+ games?$/ : /read in the background/)
  expect((await status(ada)).libraries.waiting).toBe(500 - read.length)

  // Nor when all of it is over: what is left of the calls is for clicks.
  for (let nth = 0; nth < 8; nth++) expect((await syncGames(bob)).status).toBe(200)
})

test('ten syncs of one person at once leave a call free for somebody else', async () => {
  const app = await startTestApp(asShipped)
  const ada = await app.player()
  const friends = await app.strangersConnectedWith(ada, 9)
  const bob = await app.player({ games: { Portal: 60 } })
  app.simulator.clearCalls()
  app.simulator.setLatency(1_500)

  let ended = 0
  const clicks = [ada.steam_id, ...friends].map(async (id) => {
    const answer = await syncGames(ada, id)
    ended++
    return answer.status
  })
  await expect.poll(() => app.simulator.calls.length).toBeGreaterThanOrEqual(3)
  expect(await (await syncGames(bob)).json()).toEqual({ status: 'ok', game_count: 1 })
  expect(ended).toBeLessThanOrEqual(3)
  expect(await Promise.all(clicks)).toEqual(Array(10).fill(200))
})

test(
  'a group of ten is read although the calls are used up: it waits its turn',
  { timeout: 60_000 },
  async () => {
    const app = await startTestApp(asShipped)
    const ada = await app.player({ games: { Portal: 60 } })
    const friends = await app.strangersConnectedWith(ada, 9)
    const usedUp = Date.now() + 200 * 1000
    await app.database.queries.updateTable('platform_hosts').set({ next_call_at: usedUp }).execute()
    app.simulator.clearCalls()
    const started = performance.now()
    const answers = await synced(await syncGroup(ada, ada, ...friends))
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(answers.filter((one) => !one.success)).toEqual([])
    expect(app.simulator.callsTo('GetOwnedGames')).toHaveLength(10)
  },
)
