/** /healthz and /readyz, also while the server is full (OPS-15 to OPS-17). */
import { expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'

test('OPS-15, OPS-17: a full server is healthy while slots become free, and unhealthy when none does for a while', async () => {
  const app = await startTestApp({
    oneServer: 'requests in progress are counted in memory',
    slotLimits: { requests: { total: 2 } },
    overloadTimes: { stuckMs: 500 },
    steamTiming: { timeoutMs: 3000, tries: 1 },
  })
  const people = [await app.player(), await app.player()]
  app.simulator.fail({ endpoint: 'GetFriendList', kind: 'slow', ms: 60_000 })
  const status = async (path: string) => (await fetch(app.url + path)).status
  const syncs = people.map((person) =>
    person.request(`/api/users/${person.steam_id}/sync_friends`, { method: 'POST' }),
  )
  await expect.poll(() => status('/api/groups/1')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  await expect.poll(() => status('/healthz'), { timeout: 3000 }).toBe(503)
  expect(await status('/readyz')).toBe(200)
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  expect(metrics).toContain('http_request_duration_seconds_count')
  expect(await status('/api/groups/1')).toBe(503)
  await Promise.all(syncs)
  expect(await status('/healthz')).toBe(200)
})
