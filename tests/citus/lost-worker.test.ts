/**
 * A worker is lost while two servers serve reads and writes: what needs it is refused with 503 until it is back, a write
 * whose commit the loss cut off is a 500 (OPS-31), and no response is out of date, during the loss or after it.
 * LOST_SECONDS: how long the worker runs, is lost, and runs again, 5 by default.
 */
import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const SECONDS = Number(process.env.LOST_SECONDS ?? 5)
const GROUPS = 6
/** The folder of the second worker. */
const WORKER = join(process.env.TEST_CITUS_FOLDER!, '2')

/** Stops a machine at once, as a crash does. */
function crash(): void {
  process.kill(Number(readFileSync(join(WORKER, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
}

/** Starts it again with the options it had. */
function restart(options: string): void {
  const { uid, gid } = statSync(WORKER)
  spawn('sh', ['-c', options], { uid, gid, cwd: WORKER, stdio: 'ignore', detached: true }).unref()
}

/** A group, what it may be called, and what its last write was acknowledged with. */
type Named = { id: number; possible: Set<string>; failed: number }

test('a lost worker', { timeout: (3 * SECONDS + 180) * 1000 }, async () => {
  const options = readFileSync(join(WORKER, 'postmaster.opts'), 'utf8').trim()
  const limits = { requestLimits: { perAddress: 1e9, perToken: 1e9 } }
  const first = await startTestApp(limits)
  const second = await startTestApp({ besides: first, ...limits })
  const uncached = await startTestApp({ besides: first, memoryBytes: 0, ...limits })
  const owner: TestPlayer = await first.player({ name: 'Ada' })
  const groups: Named[] = []
  for (let nth = 0; nth < GROUPS; nth++) {
    const { group_id, name } = await first.group({ owner })
    groups.push({ id: group_id, possible: new Set([name]), failed: 0 })
  }
  const seen = new Map<number, number>()
  let compared = 0

  const call = async (app: TestApp, path: string, init?: RequestInit) => {
    const response = await app.callsOf(owner.token).request(path, init)
    const body = await response.text()
    seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    if (response.status !== 200) {
      if (response.status === 500 && init?.method === 'PATCH') return undefined
      expect([response.status, response.headers.get('retry-after')], `${path} ${body}`).toEqual([503, '5'])
      return undefined
    }
    return JSON.parse(body) as { name: string }
  }
  const nameAt = async (app: TestApp, { id }: Named) => (await call(app, `/api/groups/${id}`))?.name

  let number = 0
  async function renameAndRead(group: Named, turn: number): Promise<void> {
    const name = `Name ${number++}`
    const [writer, reader] = turn % 2 === 0 ? [first, second] : [second, first]
    const done = await call(writer, `/api/groups/${group.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    // A write that failed may have been made or not.
    if (done) group.possible = new Set([name])
    else group.possible.add(name)
    for (const app of [reader, writer]) {
      const read = await nameAt(app, group)
      if (read === undefined) continue
      expect([...group.possible]).toContain(read)
      compared++
    }
  }
  let isRunning = true
  const clients = groups.map(async (group) => {
    for (let turn = 0; isRunning; turn++) {
      await renameAndRead(group, turn)
      await pause(10)
    }
  })
  const failed = Promise.all(clients)
  const during = (ms: number) => Promise.race([pause(ms), failed])

  await during(SECONDS * 1000)
  expect([...seen.keys()]).toEqual([200])
  crash()
  try {
    await during(SECONDS * 1000)
    expect(seen.get(503)).toBeGreaterThan(0)
  } finally {
    restart(options)
  }
  await during(SECONDS * 1000)
  isRunning = false
  await failed

  // Every group works again, and what was interrupted is completed or undone on all machines.
  await expect
    .poll(
      async () => (await Promise.all(groups.map((group) => nameAt(uncached, group)))).includes(undefined),
      {
        timeout: 60_000,
      },
    )
    .toBe(false)
  const unfinished = async () =>
    (
      await sql<{ count: number }>`SELECT count(*) AS count FROM pg_dist_transaction`.execute(
        uncached.database.queries,
      )
    ).rows[0]!.count
  await expect.poll(unfinished, { timeout: 120_000, interval: 500 }).toBe(0)
  const answersOf = (app: TestApp) => Promise.all(groups.map((group) => nameAt(app, group)))
  // Servers look for what was completed every five seconds.
  await expect
    .poll(async () => [await answersOf(first), await answersOf(second)], { timeout: 10_000, interval: 200 })
    .toEqual(Array(2).fill(await answersOf(uncached)))
  for (const [turn, group] of groups.entries()) await renameAndRead(group, turn)
  // Every client has at most one commit under way when the machine is lost.
  expect(seen.get(500) ?? 0).toBeLessThanOrEqual(GROUPS)
  console.log(`responses by status: ${JSON.stringify([...seen])}, names compared: ${compared}`)
})
