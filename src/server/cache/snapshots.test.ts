import { expect, test } from 'vitest'
import type { SnapshotToken } from '../database/database.ts'
import { createSnapshotCache, createSnapshots } from './snapshots.ts'

/** A database whose polls the test completes. */
function slowDatabase() {
  const polls: ((token: SnapshotToken) => void)[] = []
  return { polls, state: () => new Promise<SnapshotToken>((resolve) => polls.push(resolve)) }
}

const weigh = () => 1

test('before the first poll nothing is cached', async () => {
  const snapshots = createSnapshots({ state: () => 1 }, () => {})
  const cache = createSnapshotCache<string, string>(snapshots, 100, weigh)
  expect(await cache.load('ada', () => Promise.resolve('first'))).toBe('first')
  expect(cache.get('ada')).toBeUndefined()
  expect(await cache.load('ada', () => Promise.resolve('second'))).toBe('second')
})

test('a row is valid until the snapshot changes', async () => {
  let state = 1
  let changes = 0
  const snapshots = createSnapshots({ state: () => state }, () => changes++)
  const cache = createSnapshotCache<string, string>(snapshots, 100, weigh)
  await snapshots.refreshNow()
  await cache.load('ada', () => Promise.resolve('first'))
  await snapshots.refreshNow()
  expect(await cache.load('ada', () => Promise.resolve('unread'))).toBe('first')
  state = 2
  await snapshots.refreshNow()
  expect(await cache.load('ada', () => Promise.resolve('second'))).toBe('second')
  expect(changes).toBe(2)
})

test('a poll that completes after a later one is ignored', async () => {
  const database = slowDatabase()
  const snapshots = createSnapshots(database, () => {})
  const [early, late] = [snapshots.refreshNow(), snapshots.refreshNow()]
  database.polls[1]!(2)
  await late
  database.polls[0]!(1)
  expect(await early).toBe(1)
  expect(snapshots.current()).toBe(2)
})

test('a row that was read while the snapshot changed is read again', async () => {
  let state = 1
  const snapshots = createSnapshots({ state: () => state }, () => {})
  const cache = createSnapshotCache<string, string>(snapshots, 100, weigh)
  await snapshots.refreshNow()
  await cache.load('ada', async () => {
    state = 2
    await snapshots.refreshNow()
    return 'of an unknown snapshot'
  })
  expect(cache.get('ada')).toBeUndefined()
})
