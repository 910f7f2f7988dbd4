import { expect, test } from 'vitest'
import type { Changes } from '../database/database.ts'
import { EVERYTHING } from '../database/cache-tags.ts'
import { createPolls, createTagCache } from './tag-cache.ts'

type Value = { name: string; owner?: string }

/** A database whose changes the test writes. */
function changingDatabase() {
  const log: string[] = []
  return {
    change: (...tags: string[]) => log.push(...tags),
    changesSince: (position: Changes['position'] | undefined): Changes => ({
      position: { opaque: log.length },
      changes: position ? log.slice(position.opaque as number) : [EVERYTHING],
    }),
  }
}

/** A cache of players, and the ids of each read. */
function cacheOf(
  database: ReturnType<typeof changingDatabase>,
  options: { bytes?: number; owned?: true } = {},
) {
  const polls = createPolls(database)
  const reads: string[][] = []
  let during: (() => unknown) | undefined
  const cache = createTagCache<string, Value>(polls, {
    kind: 'person',
    bytes: options.bytes ?? 100,
    weigh: () => 10,
    read: async (ids) => {
      reads.push([...ids])
      const first = during
      during = undefined
      await first?.()
      return new Map(ids.filter((id) => id !== 'nobody').map((id) => [id, { name: id, owner: id[0]! }]))
    },
    keyOf: (id) => id,
    ...(options.owned && { ownerOf: (value) => value.owner! }),
  })
  const names = async (...ids: string[]) => (await cache.load(ids)).map((value) => value?.name)
  return { polls, reads, names, whileReading: (work: () => unknown) => (during = work) }
}

test('a value is dropped by the poll that finds its tag, or everything, changed', async () => {
  const database = changingDatabase()
  const { polls, reads, names } = cacheOf(database)
  await polls.refreshNow()
  await names('ada', 'bob')
  database.change('person:bob', 'friends:ada', 'persons:ada')
  await names('ada', 'bob')
  await polls.refreshNow()
  await names('ada', 'bob')
  database.change(EVERYTHING)
  await polls.refreshNow()
  await names('ada', 'bob')
  expect(reads).toEqual([['ada', 'bob'], ['bob'], ['ada', 'bob']])
})

test.each(['person:ada', EVERYTHING])('a value during whose reading %s changed is not kept', async (tag) => {
  const database = changingDatabase()
  const { polls, reads, names, whileReading } = cacheOf(database)
  await polls.refreshNow()
  whileReading(() => {
    database.change(tag)
    void polls.refreshNow()
  })
  await names('ada')
  await names('ada')
  await names('ada')
  expect(reads).toEqual([['ada'], ['ada']])
})

test('several values of one owner are dropped together, and not kept where that changed while they were read', async () => {
  const database = changingDatabase()
  const { polls, reads, names, whileReading } = cacheOf(database, { owned: true })
  await polls.refreshNow()
  await names('a1', 'a2', 'b1')
  database.change('person:a')
  await polls.refreshNow()
  whileReading(() => {
    database.change('person:a')
    void polls.refreshNow()
  })
  await names('a1', 'b1')
  await names('a1', 'a2', 'b1')
  expect(reads).toEqual([['a1', 'a2', 'b1'], ['a1'], ['a1', 'a2']])
})

test('a poll that completes after a later one is ignored', async () => {
  const finish: ((found: Changes) => void)[] = []
  const asked: unknown[] = []
  const polls = createPolls({
    changesSince: (position) => {
      asked.push(position?.opaque)
      return new Promise<Changes>((resolve) => finish.push(resolve))
    },
  })
  const heard: (readonly string[])[] = []
  polls.onChange((tags) => heard.push(tags))
  const [early, late] = [polls.refreshNow(), polls.refreshNow()]
  finish[1]!({ position: { opaque: 2 }, changes: [EVERYTHING] })
  await late
  finish[0]!({ position: { opaque: 1 }, changes: ['person:ada'] })
  await early
  void polls.refreshNow()
  expect(heard).toEqual([[EVERYTHING]])
  expect(asked).toEqual([undefined, undefined, 2])
})
