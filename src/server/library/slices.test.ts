import { expect, test } from 'vitest'
import { sharedGamesInSteps } from './algebra.ts'
import { libraryFrom } from './library.ts'
import { inSlices } from './slices.ts'

const library = (games: number, factor: number) =>
  libraryFrom(
    Array.from({ length: games }, (_, n) => ({
      appid: 10 + n,
      minutes: n * factor,
      recentMinutes: 0,
      lastPlayed: 0,
    })),
  )

test('intersecting many large libraries takes several steps', async () => {
  const libraries = Array.from({ length: 40 }, (_, n) => library(8000, n))
  expect(await inSlices(sharedGamesInSteps(libraries))).toHaveLength(8000)
  expect([...sharedGamesInSteps(libraries)].length).toBeGreaterThan(3)
})

test('the event loop runs between slices', async () => {
  function* slow(): Generator<void, string> {
    for (let n = 0; n < 5; n++) {
      for (const until = performance.now() + 12; performance.now() < until;);
      yield
    }
    return 'done'
  }
  let others = 0
  const count = () => {
    others++
    running = setImmediate(count)
  }
  let running = setImmediate(count)
  expect(await inSlices(slow())).toBe('done')
  clearImmediate(running)
  expect(others).toBeGreaterThanOrEqual(4)
})
