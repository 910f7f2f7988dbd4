/** A third worker is added while people use two servers: shards move to it, and nothing is lost (OPS-52). */
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open.ts'
import { brokenInvariants } from '../chaos/invariants.ts'
import { createLedger } from '../chaos/ledger.ts'
import { lost, signInWriters, writeUntil } from '../chaos/mixed-writes.ts'
import { startTestApp } from '../support/app.ts'
import { startMachines } from './machines.ts'

const WRITERS = 4

test('OPS-52: a rebalance to a third worker while people use it', { timeout: 300_000 }, async () => {
  const machines = await startMachines({ shards: 3 })
  const limits = { requestLimits: { perAddress: 1e9, perToken: 1e9 } }
  const one = await startTestApp({ place: machines.place, ...limits })
  const two = await startTestApp({ besides: one, ...limits })
  const urls = [one.url, two.url]
  const { simulator } = one
  const ledger = createLedger()
  const writers = await signInWriters({ url: one.url, simulator }, ledger, WRITERS)

  let isDone = false
  const written: number[] = []
  // A writer ends early after a response that is neither success nor refusal, which must not happen.
  const writing = Promise.all(
    writers.map(async (writer, nth) => {
      await writeUntil(() => isDone, { url: urls[nth % 2]!, simulator }, ledger, writer, nth)
      written.push(Number(isDone))
    }),
  )
  const enough = async (more: number) => {
    const before = ledger.acknowledged
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + more)
  }
  await enough(50)
  const { port } = await machines.addMachine(3)
  // Four shards at a time, so that the test is short.
  await machines.query(
    0,
    'ALTER SYSTEM SET citus.max_background_task_executors_per_node = 4',
    'SELECT pg_reload_conf()',
  )
  await machines.query(0, `SELECT citus_add_node('127.0.0.1', ${port})`, 'SELECT citus_rebalance_start()')
  const before = ledger.acknowledged
  const state = async () => (await machines.query(0, 'SELECT state FROM citus_rebalance_status()'))[0]?.state
  await expect.poll(state, { timeout: 180_000, interval: 500 }).toBe('finished')
  const during = ledger.acknowledged - before
  await enough(50)
  isDone = true
  await writing

  expect(written).toEqual(Array(WRITERS).fill(1))
  expect(during).toBeGreaterThan(0)
  const moved = await machines.query(
    0,
    `SELECT count(*) AS shards FROM citus_shards WHERE nodeport = ${port}`,
  )
  expect(Number(moved[0]!.shards)).toBeGreaterThan(5)
  for (const url of urls) expect(await lost(url, ledger, writers, ledger.names())).toEqual([])
  const database = await openDatabase({ dataDir: '', databaseUrl: machines.url })
  onTestFinished(() => database.close())
  expect(await brokenInvariants(database)).toEqual([])
  console.log(`${ledger.acknowledged} writes, ${during} while ${Number(moved[0]!.shards)} shards moved`)
})
