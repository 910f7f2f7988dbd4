/**
 * SIGKILL during mixed writes on SQLite: every acknowledged write is stored, and the database is intact. CHAOS_ROUNDS
 * (3) and CHAOS_SEED set how often and when.
 */
import { expect, test } from 'vitest'
import { randomFrom } from '../../bench/population.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { expectIntact } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { lost, signInWriters, type Writer, writeUntil } from './mixed-writes.ts'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 3)
const SEED = Number(process.env.CHAOS_SEED ?? 1)
const WRITERS = 4

test(`NIGHT-14, DATA-3: ${ROUNDS} kills lose nothing`, { timeout: 60_000 + ROUNDS * 20_000 }, async () => {
  const place = await freshOptions('sqlite', { onDisk: true })
  const { simulator, steam } = await startSteam()
  const env = { ...place.env, ...steam }
  const random = randomFrom(SEED)
  const ledger = createLedger()
  const allWriters: Writer[] = []
  let checked = 0

  for (let round = 0; round < ROUNDS; round++) {
    const server = await startProcess(env)
    // Only values written since can have changed; the last round checks everything.
    const names = [...ledger.touched]
    expect(await lost(server.url, ledger, allWriters, names)).toEqual([])
    checked += names.length
    ledger.touched.clear()

    const writers = await signInWriters({ url: server.url, simulator }, ledger, WRITERS)
    allWriters.push(...writers)
    const enough = ledger.acknowledged + 10 + Math.floor(random() * 120)
    const kill = () => {
      if (ledger.acknowledged >= enough) server.child.kill('SIGKILL')
      return false
    }
    await Promise.all(
      writers.map((writer) =>
        writeUntil(kill, { url: server.url, simulator }, ledger, writer, Math.floor(random() * 2 ** 31)),
      ),
    )
    // Also when a failure ended all writers early, which the checks below detect.
    await server.stop('SIGKILL')
    expect(server.child.signalCode).toBe('SIGKILL')
    await expectIntact(place, async ({ queries }) => {
      // Calls to Steam are limited to one a second on average, which is not what is tried here.
      await queries.deleteFrom('platform_hosts').execute()
    })
  }

  const server = await startProcess(env)
  expect(await lost(server.url, ledger, allWriters, ledger.names())).toEqual([])
  expect(ledger.acknowledged).toBeGreaterThan(ROUNDS * 10)
  console.log(
    `${ROUNDS} kills, seed ${SEED}: ${ledger.acknowledged} acknowledged writes of ${allWriters.length} people, ` +
      `${checked + ledger.names().length} lookups, none lost`,
  )
})
