import { expect, test } from 'vitest'
import { sharedGames } from './algebra.ts'
import { libraryFrom } from './library.ts'
import { inSlices, mapInSlices, sortInSlices } from './slices.ts'

const library = (games: number, factor: number) =>
  libraryFrom(
    Array.from({ length: games }, (_, n) => ({
      appid: 10 + n,
      minutes: n * factor,
      recentMinutes: 0,
      lastPlayed: 0,
    })),
  )

function* slow(steps: number): Generator<void, string> {
  for (let n = 0; n < steps; n++) {
    for (const until = performance.now() + 6; performance.now() < until;);
    yield
  }
  return 'done'
}

/** Counts the turns of the event loop while `work` runs. */
async function turnsDuring<Result>(work: Promise<Result>) {
  let turns = 0
  const count = () => {
    turns++
    running = setImmediate(count)
  }
  let running = setImmediate(count)
  const result = await work
  clearImmediate(running)
  return { result, turns }
}

test('the event loop runs between slices', async () => {
  const { result, turns } = await turnsDuring(inSlices(slow(5)))
  expect(result).toBe('done')
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('several pieces of work share one clock: only one of them runs in a turn of the event loop', async () => {
  const { turns } = await turnsDuring(Promise.all([1, 2, 3, 4].map(() => inSlices(slow(5)))))
  expect(turns).toBeGreaterThanOrEqual(15)
})

test('many short pieces of work in a row take turns, too', async () => {
  const inARow = async () => {
    for (let n = 0; n < 10; n++) await inSlices(slow(1))
  }
  expect((await turnsDuring(inARow())).turns).toBeGreaterThanOrEqual(9)
})

test('of many short pieces of work that wait, as many go on in a turn as fit a slice', async () => {
  const busy = inSlices(slow(2))
  const short = Array.from({ length: 40 }, () => mapInSlices(Array<0>(300), () => 0))
  expect((await turnsDuring(Promise.all([busy, ...short]))).turns).toBeLessThan(20)
})

test('comparing and intersecting large libraries takes turns', async () => {
  const [mine, theirs] = [library(60_000, 1), library(60_000, 7919)]
  const many = Array.from({ length: 40 }, (_, n) => library(30_000, n))
  expect((await turnsDuring(sharedGames([mine, theirs]))).turns).toBeGreaterThanOrEqual(3)
  expect((await turnsDuring(sharedGames(many))).turns).toBeGreaterThanOrEqual(3)
})

test('a list is mapped and sorted in slices as at once', async () => {
  const items = Array.from({ length: 3000 }, (_, n) => ({ key: (n * 7919) % 100, n }))
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
  expect(await sortInSlices(items, byKey)).toEqual(items.toSorted(byKey))
  expect(await mapInSlices(items, ({ n }, index) => n + index)).toEqual(items.map(({ n }) => 2 * n))
})
