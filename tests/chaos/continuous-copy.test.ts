/**
 * What programs need that copy a SQLite database continuously, such as Litestream (OPS-30): they read the file and its
 * write-ahead log while a read transaction of theirs keeps the log from starting again, and now and then they take the
 * write lock and checkpoint by themselves.
 */
import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteFileIn } from '../../src/server/database/open.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { expectIntact } from './invariants.ts'
import { createLedger, known, type Ledger } from './ledger.ts'
import { call, lost, signInWriters, type Writer, writeUntil } from './mixed-writes.ts'

async function running() {
  const { simulator, steam } = await startSteam()
  const startOn = (dataDir: string) => startProcess({ DATA_DIR: dataDir, ...steam })
  const freshFolder = async () => (await freshOptions('sqlite', { onDisk: true })).dataDir
  const dataDir = await freshFolder()
  const server = await startOn(dataDir)
  const other = new DatabaseSync(sqliteFileIn(dataDir), { timeout: 20_000 })
  onTestFinished(() => other.close())
  return { simulator, startOn, freshFolder, dataDir, server, other, target: { url: server.url, simulator } }
}

test('OPS-30: file and log, copied while people write, are a database with every write acknowledged before', async () => {
  const { startOn, freshFolder, dataDir, other, target } = await running()
  const ledger = createLedger()
  const writers = await signInWriters(target, ledger, 2)
  const others = await signInWriters(target, createLedger(), 2)
  let done = false
  const writing = Promise.all(
    others.map((writer, n) => writeUntil(() => done, target, createLedger(), writer, n)),
  )
  // From now on the log only grows.
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM people').get()

  const copies: { folder: string; values: Ledger }[] = []
  for (let round = 1; round <= 3; round++) {
    const enough = ledger.acknowledged + 10
    const stop = () => ledger.acknowledged >= enough
    await Promise.all(writers.map((writer, n) => writeUntil(stop, target, ledger, writer, 10 * round + n)))
    const values = known(ledger)
    const folder = await freshFolder()
    // In this order: a page that a checkpoint writes to the file in between is in the log too.
    for (const ending of ['', '-wal']) {
      copyFileSync(sqliteFileIn(dataDir) + ending, sqliteFileIn(folder) + ending)
      await nextTurn()
    }
    copies.push({ folder, values })
  }
  done = true
  await writing

  for (const { folder, values } of copies) {
    const restored = await startOn(folder)
    expect(await lost(restored.url, values, writers, values.names())).toEqual([])
    await restored.stop()
    await expectIntact({ dataDir: folder })
  }
})

test('OPS-30: no write fails while another program takes the write lock and checkpoints', async () => {
  const { server, dataDir, other, target } = await running()
  const ledger = createLedger()
  const writers = await signInWriters(target, ledger, 3)
  other.exec('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  const enough = () => ledger.acknowledged >= 150
  // A writer ends early after a response that is neither success nor refusal.
  let ended = false
  const writing = Promise.all(
    writers.map((writer, n) => writeUntil(enough, target, ledger, writer, n)),
  ).finally(() => (ended = true))
  let rounds = 0
  for (const modes = ['PASSIVE', 'RESTART', 'TRUNCATE']; !ended; rounds++) {
    other.exec('BEGIN IMMEDIATE; INSERT OR REPLACE INTO _litestream_seq VALUES (1, 1)')
    await nextTurn()
    other.exec(`COMMIT; PRAGMA wal_checkpoint(${modes[rounds % 3]})`)
    await nextTurn()
  }
  await writing
  expect(ledger.acknowledged).toBeGreaterThanOrEqual(150)
  expect(rounds).toBeGreaterThan(10)
  expect(await lost(server.url, ledger, writers, ledger.names())).toEqual([])
  expect(server.output()).not.toContain('"level":50')
  await server.stop()
  await expectIntact({ dataDir })
})

test('OPS-30: an account is deleted while another program reads', async () => {
  const { server, other, target } = await running()
  const [writer] = (await signInWriters(target, createLedger(), 1)) as [Writer]
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM people').get()
  const response = await call(server.url, writer.token, 'DELETE', `/api/users/${writer.steamId}`)
  expect(response.status).toBe(204)
  other.exec('COMMIT')
  expect(server.output()).not.toContain('"level":50')
})
