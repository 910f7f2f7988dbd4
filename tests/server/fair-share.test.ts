/** One person's syncs leave calls for other people: concurrent calls as well as bursts. */
import { expect, test } from 'vitest'
import { api, startTestApp } from '../support/app.ts'
import { status, syncGames, syncGroup } from '../support/sync-calls.ts'

/** The product's own limits of calls to Steam. */
const asShipped = { callLimits: {} }

async function synced(response: Response) {
  expect(response.status).toBe(200)
  return api.groups.syncGames.response.parse(await response.json()).synced
}

test('LIM-29: five group syncs of a hundred libraries leave calls for another person’s Sync Games', async () => {
  const app = await startTestApp(asShipped)
  const ada = await app.player()
  const friends = await app.strangersConnectedWith(ada, 500)
  const bob = await app.player({ games: { Portal: 60 } })
  app.simulator.clearCalls()
  app.simulator.setLatency(50)

  const groups = Promise.all(
    [0, 1, 2, 3, 4].map((nth) => syncGroup(ada, ...friends.slice(nth * 100, (nth + 1) * 100))),
  )
  let over = false
  void groups.then(() => (over = true))
  await expect.poll(() => app.simulator.callsTo('GetOwnedGames').length).toBeGreaterThan(10)
  expect(await (await syncGames(bob)).json()).toEqual({ status: 'ok', game_count: 1 })
  expect(over).toBe(false)

  const results = (await Promise.all((await groups).map(synced))).flat()

  expect(results).toHaveLength(500)
  const read = results.filter((entry) => entry.success)
  expect(read.length).toBeGreaterThan(90)
  expect(read.length).toBeLessThanOrEqual(160)
  for (const { success, message } of results)
    expect(message).toMatch(success ? /^\d+ games?$/ : /read in the background/)
  expect((await status(ada)).libraries.waiting).toBe(500 - read.length)

  // Even afterwards calls are left for single syncs.
  for (let nth = 0; nth < 8; nth++) expect((await syncGames(bob)).status).toBe(200)
})

test('LIM-29: ten concurrent syncs of one person leave a call free for another person', async () => {
  const app = await startTestApp({ ...asShipped, oneServer: 'the calls that run are counted in memory' })
  const ada = await app.player()
  const friends = await app.strangersConnectedWith(ada, 9)
  const bob = await app.player({ games: { Portal: 60 } })
  app.simulator.clearCalls()
  app.simulator.setLatency(1_500)

  let ended = 0
  const clicks = [ada.steam_id, ...friends].map(async (id) => {
    const response = await syncGames(ada, id)
    ended++
    return response.status
  })
  await expect.poll(() => app.simulator.calls.length).toBeGreaterThanOrEqual(3)
  expect(await (await syncGames(bob)).json()).toEqual({ status: 'ok', game_count: 1 })
  expect(ended).toBeLessThanOrEqual(3)
  expect(await Promise.all(clicks)).toEqual(Array(10).fill(200))
})
