/**
 * `npm run bench:sync`: how long it takes to read the libraries of 300 friends after one click, with a Steam latency
 * of 200 ms, compared with the time that the limits allow (REF-6, REF-7). Exits with 1 when a run takes
 * more than 10 % longer.
 *
 * Two runs: 'concurrency' without the rate limit, where two concurrent background requests are the limit; and 'rate'
 * with the default limits, about one request per second after a burst of a hundred. The second takes three and a half
 * minutes; `npm run bench:sync -- concurrency` skips it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { friendsContract } from '#shared/contract/friends.ts'
import { syncContract } from '#shared/contract/sync.ts'
import type { CallLimits } from '../src/server/sync/budget.ts'
import { newPlayer, nextSteamId, startProduct } from '../tests/support/product.ts'

const FRIENDS = 300
const LATENCY_MS = 200
const CONCURRENT_BACKGROUND_CALLS = 2
/** The default limits (sync/budget.ts). */
const PER_SECOND = 1
const BURST = 100
const TOLERANCE = 1.1

type Run = { name: string; limits: Partial<CallLimits>; planned: (calls: number) => number }
const runs: Run[] = [
  {
    name: 'concurrency',
    limits: { perSecond: 1000, interactiveBurst: 10_000, backgroundBurst: 10_000 },
    planned: (calls) => (calls * LATENCY_MS) / 1000 / CONCURRENT_BACKGROUND_CALLS,
  },
  { name: 'rate', limits: {}, planned: (calls) => (calls - BURST) / PER_SECOND },
]

/** Seconds from the click to the last library, and the number of requests to Steam. */
async function measure(limits: Partial<CallLimits>): Promise<{ seconds: number; calls: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfmates-bench-'))
  const place = { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) }
  const product = await startProduct({ place, background: true, callLimits: limits })
  try {
    const me = await product.player({ synced: false })
    for (let nth = 0; nth < FRIENDS; nth++) {
      const id = nextSteamId()
      const games = [{ appid: 400, minutes: nth, recentMinutes: 0, lastPlayed: 0 }]
      product.simulator.addPlayer({ ...newPlayer(id), games })
      product.simulator.befriend(me.steam_id, id)
    }
    product.simulator.setLatency(LATENCY_MS)
    product.simulator.clearCalls()
    const started = performance.now()
    await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
    for (;;) {
      const { libraries } = await me.call(syncContract.status, { steamId: me.steam_id })
      if (libraries.waiting === 0 && libraries.read === FRIENDS) break
      await pause(100)
    }
    return { seconds: (performance.now() - started) / 1000, calls: product.simulator.calls.length }
  } finally {
    await product.close()
  }
}

const [only] = process.argv.slice(2)
console.log(`${FRIENDS} friends' libraries, ${LATENCY_MS} ms latency`)
for (const { name, limits, planned } of runs) {
  if (only !== undefined && only !== name) continue
  const { seconds, calls } = await measure(limits)
  const plan = planned(calls)
  const ratio = seconds / plan
  console.log(
    `${name.padEnd(12)} ${calls} calls  planned ${plan.toFixed(1)} s  actual ${seconds.toFixed(1)} s  ratio ${ratio.toFixed(2)}`,
  )
  if (ratio > TOLERANCE) {
    console.log(`${name}: more than 10 % longer than planned`)
    process.exitCode = 1
  }
}
