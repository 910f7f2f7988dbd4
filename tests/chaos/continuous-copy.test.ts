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
import { expectIntact } from './invariants.ts'
import type { Ledger } from './ledger.ts'
import { call, lost, startWriting, type Writer } from './mixed-writes.ts'

/** A server with people who write, and another program that has its file open. */
async function running(people?: number) {
  const freshFolder = async () => (await freshOptions('sqlite', { onDisk: true })).dataDir
  const dataDir = await freshFolder()
  const written = await startWriting({ DATA_DIR: dataDir }, people === undefined ? {} : { people })
  const other = new DatabaseSync(sqliteFileIn(dataDir), { timeout: 20_000 })
  onTestFinished(() => other.close())
  return { ...written, freshFolder, dataDir, other }
}

test('OPS-30: file and log, copied while people write, are a database with every write acknowledged before', async () => {
  const { start, freshFolder, dataDir, other, writers, write, keepWriting } = await running()
  const endWriting = await keepWriting()
  // From now on the log only grows.
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM people').get()

  const copies: { folder: string; values: Ledger }[] = []
  for (let round = 1; round <= 3; round++) {
    const values = await write(10, 10 * round)
    const folder = await freshFolder()
    // In this order: a page that a checkpoint writes to the file in between is in the log too.
    for (const ending of ['', '-wal']) {
      copyFileSync(sqliteFileIn(dataDir) + ending, sqliteFileIn(folder) + ending)
      await nextTurn()
    }
    copies.push({ folder, values })
  }
  await endWriting()

  for (const { folder, values } of copies) {
    const restored = await start({ DATA_DIR: folder })
    expect(await lost(restored.url, values, writers, values.names())).toEqual([])
    await restored.stop()
    await expectIntact({ dataDir: folder })
  }
})

test('OPS-30: no write fails while another program takes the write lock and checkpoints', async () => {
  const { server, dataDir, other, ledger, writers, write } = await running(3)
  other.exec('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  let ended = false
  // Fails after a response that is neither success nor refusal.
  const writing = write(150, 0).finally(() => (ended = true))
  let rounds = 0
  for (const modes = ['PASSIVE', 'RESTART', 'TRUNCATE']; !ended; rounds++) {
    other.exec('BEGIN IMMEDIATE; INSERT OR REPLACE INTO _litestream_seq VALUES (1, 1)')
    await nextTurn()
    other.exec(`COMMIT; PRAGMA wal_checkpoint(${modes[rounds % 3]})`)
    await nextTurn()
  }
  await writing
  expect(rounds).toBeGreaterThan(10)
  expect(await lost(server.url, ledger, writers, ledger.names())).toEqual([])
  expect(server.output()).not.toContain('"level":50')
  await server.stop()
  await expectIntact({ dataDir })
})

test('OPS-30: an account is deleted while another program reads', async () => {
  const { server, other, writers } = await running(1)
  const [writer] = writers as [Writer]
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM people').get()
  const response = await call(server.url, writer.token, 'DELETE', `/api/users/${writer.steamId}`)
  expect(response.status).toBe(204)
  other.exec('COMMIT')
  expect(server.output()).not.toContain('"level":50')
})
