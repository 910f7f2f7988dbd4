/** Servers of one PostgreSQL whose machines' clocks are a minute apart work as one (OPS-35). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { type ServerProcess, startCluster } from '../support/cluster.ts'
import { newPlayer, nextSteamId } from '../support/product.ts'
import { writeRows } from '../support/rows.ts'
import { begin, handoverOf, signInAt, swap } from '../support/sign-in.ts'

/** Nothing listens there: requests are sent to one of the servers, as a proxy does. */
const PUBLIC_URL = 'http://games.test'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

type Server = Pick<ServerProcess, 'url'>
let cluster: Awaited<ReturnType<typeof startCluster>>
let database: Database
let right: Server
let behind: Server
let ahead: Server

beforeAll(async () => {
  cluster = await startCluster({ publicUrl: PUBLIC_URL })
  right = await cluster.start('right')
  behind = await cluster.start('behind', { aheadMs: -MINUTE })
  ahead = await cluster.start('ahead', { aheadMs: MINUTE })
  database = await openDatabase({ dataDir: '.', databaseUrl: cluster.databaseUrl })
})

afterAll(async () => {
  await database.close()
  await cluster.close()
})

/** A new player who has signed in, and whose first reads are done. */
async function newcomer() {
  const steamId = nextSteamId()
  cluster.simulator.addPlayer(newPlayer(steamId))
  const token = await signInAt(PUBLIC_URL, cluster.simulator, steamId, () => right.url)
  const refreshes = () => database.queries.selectFrom('refreshes').select('steam_id').execute()
  await expect.poll(refreshes).toEqual([])
  const headers = { authorization: `Bearer ${token}` }
  const sync = (server: Server) =>
    fetch(`${server.url}/api/users/${steamId}/fetch_games`, { method: 'POST', headers })
  return { steamId, sync }
}

test('OPS-35: the ten syncs are those of the same 24 hours', async () => {
  const ada = await newcomer()
  for (let nth = 0; nth < 10; nth++)
    expect((await ada.sync([right, behind, ahead][nth % 3]!)).status).toBe(200)
  const age = (ms: number) =>
    writeRows(database, (tx) =>
      tx
        .updateTable('syncs')
        .set((eb) => ({ started_at: eb('started_at', '-', ms) }))
        .where('steam_id', '=', ada.steamId)
        .execute(),
    )
  await age(DAY - MINUTE / 2)
  for (const server of [right, behind, ahead]) {
    const refusal = await ada.sync(server)
    expect(refusal.status).toBe(429)
    expect(Number(refusal.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  }
  await age(MINUTE / 2)
  expect((await ada.sync(behind)).status).toBe(200)
})

/** Signs a new player in, at one server after the other, with a nonce of that age. */
async function signInAcross([begins, returns, completes]: readonly Server[], nonceAgeMs: number) {
  const { simulator } = cluster
  const steamId = nextSteamId()
  simulator.addPlayer(newPlayer(steamId))
  const { state, returnTo } = await begin(PUBLIC_URL, begins!.url)
  const issued = new Date(Date.now() - nonceAgeMs).toISOString().replace(/\.\d+Z/, 'Z')
  const asserted = { response_nonce: `${issued}${steamId}` }
  const address = simulator.assertionFor(steamId, returnTo, { asserted }).replace(PUBLIC_URL, returns!.url)
  const response = await fetch(address, { headers: { cookie: state.cookie }, redirect: 'manual' })
  const landing = response.headers.get('location') ?? ''
  if (landing.includes('error=')) return 'refused'
  const header = response.headers.getSetCookie().find((set) => set.includes('shelfmates_browser='))!
  const browser = { header, cookie: header.split(';')[0]! }
  const { status } = await swap(completes!.url, handoverOf(steamId, { state, browser, landing }))
  return status === 200 ? 'signed in' : `the swap responded with ${status}`
}

test('OPS-35: the window of nonces is the same (OID-10)', async () => {
  for (const server of [right, behind, ahead]) {
    const there = [server, server, server]
    expect(await signInAcross(there, 4.5 * MINUTE)).toBe('signed in')
    expect(await signInAcross(there, 5.5 * MINUTE)).toBe('refused')
    expect(await signInAcross(there, -0.5 * MINUTE)).toBe('signed in')
    expect(await signInAcross(there, -1.5 * MINUTE)).toBe('refused')
  }
})
