import { expect, test } from 'vitest'
import type { Changes } from '../database/database.ts'
import { EVERYTHING, dependsOn } from '../database/cache-tags.ts'
import { createTrackedCache, createValidity } from './validity.ts'

/** A database whose changes the test writes. */
function changingDatabase() {
  const log: string[] = []
  return {
    change: (...names: string[]) => log.push(...names),
    changesSince: (position: Changes['position'] | undefined): Changes => ({
      position: { opaque: log.length },
      changes: position ? log.slice(position.opaque as number) : [EVERYTHING],
    }),
  }
}

const weigh = () => 1
const of = (tag: 'ada' | 'bob', value: string) => () => {
  dependsOn('person', [tag])
  return Promise.resolve(value)
}

test('before the first poll nothing is cached', async () => {
  const cache = createTrackedCache<string, string>(createValidity(changingDatabase(), 0), 100, weigh)
  expect(await cache.load('ada', of('ada', 'first'))).toBe('first')
  expect(cache.get('ada')).toBeUndefined()
})

test('a value is valid until something it is derived from changes', async () => {
  const database = changingDatabase()
  const validity = createValidity(database, 0)
  const cache = createTrackedCache<string, string>(validity, 100, weigh)
  await validity.refreshNow()
  await cache.load('ada', of('ada', 'first'))
  database.change('person:bob', 'friends:ada')
  await validity.refreshNow()
  expect(cache.get('ada')).toBe('first')
  database.change('person:ada')
  expect(cache.get('ada')).toBe('first')
  await validity.refreshNow()
  expect(cache.get('ada')).toBeUndefined()
  await cache.load('ada', of('ada', 'second'))
  database.change(EVERYTHING)
  await validity.refreshNow()
  expect(cache.get('ada')).toBeUndefined()
})

test('a value is derived from all that the cached values in it are derived from', async () => {
  const database = changingDatabase()
  const validity = createValidity(database, 0)
  const players = createTrackedCache<string, string>(validity, 100, weigh)
  const pages = createTrackedCache<string, string>(validity, 100, weigh)
  await validity.refreshNow()
  const page = async () => `page of ${await players.load('ada', of('ada', 'Ada'))}`
  await players.load('ada', of('ada', 'Ada'))
  await pages.load('page', page)
  database.change('person:bob')
  await validity.refreshNow()
  expect(pages.get('page')).toBe('page of Ada')
  database.change('person:ada')
  await validity.refreshNow()
  expect(pages.get('page')).toBeUndefined()
})

test('a value during whose reading something changed is not valid', async () => {
  const database = changingDatabase()
  const validity = createValidity(database, 0)
  const cache = createTrackedCache<string, string>(validity, 100, weigh)
  await validity.refreshNow()
  for (const when of ['for the first time', 'again'])
    await cache.load('ada', async () => {
      database.change('person:ada')
      await validity.refreshNow()
      return of('ada', when)()
    })
  expect(cache.get('ada')).toBeUndefined()
})

test('what is derived from a tag that is not tracked any more is invalid', async () => {
  const database = changingDatabase()
  const validity = createValidity(database, 0)
  const cache = createTrackedCache<string, string>(validity, 100, weigh)
  await validity.refreshNow()
  await cache.load('ada', of('ada', 'first'))
  for (let nth = 0; nth < 20_000; nth++) validity.tagOf(`person:${nth}`)
  database.change('person:ada')
  await validity.refreshNow()
  expect(cache.get('ada')).toBeUndefined()
})

test('a poll that completes after a later one is ignored', async () => {
  const polls: ((found: Changes) => void)[] = []
  const asked: unknown[] = []
  const validity = createValidity(
    {
      changesSince: (position) => {
        asked.push(position?.opaque)
        return new Promise<Changes>((resolve) => polls.push(resolve))
      },
    },
    0,
  )
  const [early, late] = [validity.refreshNow(), validity.refreshNow()]
  polls[1]!({ position: { opaque: 2 }, changes: [EVERYTHING] })
  await late
  const now = validity.now()
  polls[0]!({ position: { opaque: 1 }, changes: [EVERYTHING] })
  await early
  expect(validity.now()).toBe(now)
  void validity.refreshNow()
  expect(asked).toEqual([undefined, undefined, 2])
})
