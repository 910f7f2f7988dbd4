/** Commits are acknowledged when the disk has them (DATA-3); flushes are held up and made to fail here. */
import { open, type FileHandle } from 'node:fs/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogFlusher } from './sqlite.ts'
import { openDatabase } from './open.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'shelfmates-flush-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Holds up every flush of this process until `release` is called for it; `release` may make it fail. */
async function heldFlushes() {
  const probe = await open(join(folder(), 'probe'), 'w')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const datasync: (this: FileHandle) => Promise<void> = Reflect.get(prototype, 'datasync')
  const held: ((error?: Error) => void)[] = []
  const spy = vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
    await new Promise<void>((resolve, reject) => held.push((error) => (error ? reject(error) : resolve())))
    return datasync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  return { count: () => held.length, release: (nth: number, error?: Error) => held[nth]!(error) }
}

/** A flusher of a log of its own, whose flushes are held up. */
async function heldFlusher() {
  const path = join(folder(), 'log')
  writeFileSync(path, '')
  const log = createLogFlusher(path)
  onTestFinished(() => log.close())
  return { log, ...(await heldFlushes()) }
}

/** Whether a promise has been settled by the end of this turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  const turn = new Promise((resolve) => setImmediate(() => resolve(pending)))
  return (await Promise.race([promise.catch(() => {}), turn])) !== pending
}

test('a transaction and a single write are acknowledged after the flush, and do not hold up reads', async () => {
  const database = await openDatabase({ dataDir: folder() })
  onTestFinished(() => database.close())
  const { count, release } = await heldFlushes()
  const apps = () => database.queries.selectFrom('installation').selectAll().execute()
  const before = await apps()

  const transaction = database.transaction(async (tx) => {
    await tx.deleteFrom('installation').execute()
  })
  await expect.poll(count).toBe(1)
  expect(await isSettled(transaction)).toBe(false)
  expect(before).not.toEqual([])
  expect(await apps()).toEqual([])

  const single = database.queries.deleteFrom('installation').execute()
  release(0)
  await transaction
  await expect.poll(count).toBe(2)
  expect(await isSettled(single)).toBe(false)
  release(1)
  await single
})

test('writes during a flush share the next one', async () => {
  const { log, count, release } = await heldFlusher()
  const first = log.flush()
  await expect.poll(count).toBe(1)
  const others = Promise.all([log.flush(), log.flush(), log.flush()])
  release(0)
  await first
  await expect.poll(count).toBe(2)
  expect(await isSettled(others)).toBe(false)
  // Asked for while the second is under way, so that one may have come too early for it.
  const later = log.flush()
  release(1)
  await others
  await expect.poll(count).toBe(3)
  release(2)
  await later
  expect(count()).toBe(3)
  const alone = log.flush()
  await expect.poll(count).toBe(4)
  release(3)
  await alone
})

test('after a flush that failed no write is acknowledged', async () => {
  const { log, count, release } = await heldFlusher()
  const first = log.flush()
  const second = log.flush()
  await expect.poll(count).toBe(1)
  release(0, new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  await expect(second).rejects.toThrow('EIO')
  await expect(log.flush()).rejects.toThrow('EIO')
  expect(count()).toBe(1)
})

test('a transaction whose flush fails does not roll back the one after it', async () => {
  const database = await openDatabase({ dataDir: folder() })
  onTestFinished(() => database.close())
  const { count, release } = await heldFlushes()
  const first = database.transaction(async (tx) => {
    await tx.deleteFrom('installation').execute()
  })
  await expect.poll(count).toBe(1)
  const { promise: failed, resolve: hasFailed } = Promise.withResolvers<void>()
  let isFound = false
  const second = database.transaction(async (tx) => {
    await tx.insertInto('installation').values({ name: 'demo_reset_at', value: '1' }).execute()
    await failed
    isFound = (await tx.selectFrom('installation').selectAll().execute()).length === 1
  })
  release(0, new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  hasFailed()
  await expect(second).rejects.toThrow('EIO')
  expect(isFound).toBe(true)
  await expect(database.ready()).rejects.toThrow('EIO')
})
