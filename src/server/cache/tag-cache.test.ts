import { expect, test } from 'vitest'
import type { Changes } from '../database/database.ts'
import { EVERYTHING } from '../database/cache-tags.ts'
import { createPolls, createTagCache } from './tag-cache.ts'

type Value = { name: string; owner?: string }

/** A database that the test changes. */
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

test('a poll drops the values whose tags have changed, or all values', async () => {
  const database = changingDatabase()
  const { polls, reads, names } = cacheOf(database)
  await polls.refresh()
  await names('ada', 'bob')
  database.change('person:bob', 'friends:ada', 'persons:ada')
  await names('ada', 'bob')
  await polls.refresh()
  await names('ada', 'bob')
  database.change(EVERYTHING)
  await polls.refresh()
  await names('ada', 'bob')
  expect(reads).toEqual([['ada', 'bob'], ['bob'], ['ada', 'bob']])
})

test.each(['person:ada', EVERYTHING])('a value is not kept if %s changes while it is read', async (tag) => {
  const database = changingDatabase()
  const { polls, reads, names, whileReading } = cacheOf(database)
  await polls.refresh()
  whileReading(() => {
    database.change(tag)
    void polls.refresh()
  })
  await names('ada')
  await names('ada')
  await names('ada')
  expect(reads).toEqual([['ada'], ['ada']])
})

test('values of one owner are dropped together, and not kept if the owner changes while they are read', async () => {
  const database = changingDatabase()
  const { polls, reads, names, whileReading } = cacheOf(database, { owned: true })
  await polls.refresh()
  await names('a1', 'a2', 'b1')
  database.change('person:a')
  await polls.refresh()
  whileReading(() => {
    database.change('person:a')
    void polls.refresh()
  })
  await names('a1', 'b1')
  await names('a1', 'a2', 'b1')
  expect(reads).toEqual([['a1', 'a2', 'b1'], ['a1'], ['a1', 'a2']])
})

/** Polls of a database that answers when the test says so; `asked` has the position of each poll. */
function slowPolls() {
  const polled: PromiseWithResolvers<Changes>[] = []
  const asked: unknown[] = []
  const polls = createPolls({
    changesSince: (position) => {
      asked.push(position?.opaque)
      polled.push(Promise.withResolvers())
      return polled.at(-1)!.promise
    },
  })
  return { polls, polled, asked }
}

test('whoever comes during a poll shares the next one, which begins after it', async () => {
  const { polls, polled, asked } = slowPolls()
  const first = polls.refresh()
  const others = [polls.refresh(), polls.refresh()]
  polled[0]!.resolve({ position: { opaque: 1 }, changes: [EVERYTHING] })
  await first
  const late = polls.refresh()
  polled[1]!.resolve({ position: { opaque: 2 }, changes: [] })
  for (const other of others) await other
  polled[2]!.resolve({ position: { opaque: 3 }, changes: [] })
  await late
  expect(asked).toEqual([undefined, 1, 2])
})

test('a poll that fails fails those who wait for the next, and later ones are tried', async () => {
  const { polls, polled } = slowPolls()
  const failing = [polls.refresh(), polls.refresh()]
  polled[0]!.reject(new Error('gone'))
  for (const poll of failing) await expect(poll).rejects.toThrow('gone')
  const later = polls.refresh()
  polled[1]!.resolve({ position: { opaque: 1 }, changes: [] })
  await expect(later).resolves.toBeUndefined()
})
