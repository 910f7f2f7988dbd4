import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryLibrary,
  hugeLibrary,
  owning,
  UINT32_MAX,
} from '../../../tests/support/arbitrary-libraries.ts'
import { gamesIn, type Library } from './library.ts'
import { commonGamesInSteps, overlapOf, overlapsInSteps, type Overlap } from './overlap.ts'
import { inSlices } from './slices.ts'

/** The definition, game by game, with shares as fractions of whole numbers. */
function expected(mine: Library, theirs: Library): Overlap {
  const both = [...gamesIn(mine)].flatMap((game) => {
    const other = [...gamesIn(theirs)].find(({ appid }) => appid === game.appid)
    return other ? [[game.minutes, other.minutes] as const] : []
  })
  const sum = (library: Library) =>
    [...gamesIn(library)].reduce((all, game) => all + BigInt(game.minutes), 0n)
  const [myTotal, theirTotal] = [sum(mine), sum(theirs)]
  const smaller = both.map(([my, their]) => {
    const [a, b] = [BigInt(my) * theirTotal, BigInt(their) * myTotal]
    return a < b ? a : b
  })
  const whole = myTotal * theirTotal
  const thousandths = (part: bigint) => (part * 100_000n) / whole
  return {
    common: both.length,
    playedByNeither: both.filter(([my, their]) => my + their === 0).length,
    alike:
      whole === 0n ? null : Number((thousandths(smaller.reduce((all, one) => all + one, 0n)) + 500n) / 1000n),
  }
}

/** Minutes as players have them, so that no product is too large for plain numbers. */
const ordinary = (most: number) =>
  fc
    .dictionary(fc.integer({ min: 1, max: 30 }).map(String), fc.integer({ min: 0, max: most }), {
      maxKeys: 20,
    })
    .map(owning)

describe('the overlap of two libraries', () => {
  test('API-47: counts what both own and what neither has played, and says how alike their playing time is', () => {
    // Half of my time and a quarter of theirs goes to 10, a quarter of mine and all the rest of theirs to 20.
    const mine = owning({ 10: 200, 20: 100, 30: 100, 40: 0, 50: 0 })
    const theirs = owning({ 10: 25, 20: 75, 40: 0, 50: 0, 60: 0 })
    expect(overlapOf(mine, theirs)).toEqual({ common: 4, playedByNeither: 2, alike: 50 })
    expect(overlapOf(mine, mine)).toEqual({ common: 5, playedByNeither: 2, alike: 100 })
    expect(overlapOf(mine, owning({ 60: 5 }))).toEqual({ common: 0, playedByNeither: 0, alike: 0 })
    // Half a percent is rounded up, however many minutes it is of.
    expect(overlapOf(owning({ 10: 57, 20: 143 }), owning({ 10: 9 })).alike).toBe(29)
    expect(overlapOf(owning({ 10: 57e6, 20: 143e6 }), owning({ 10: 9e6 })).alike).toBe(29)
  })

  test('says nothing of likeness when one of the two has never played', () => {
    const played = owning({ 10: 5 })
    for (const never of [owning({}), owning({ 10: 0 })]) {
      expect(overlapOf(played, never).alike).toBeNull()
      expect(overlapOf(never, played).alike).toBeNull()
      expect(overlapOf(never, never).alike).toBeNull()
    }
  })

  test.each([
    ['a few minutes', ordinary(20)],
    ['ordinary minutes', ordinary(300_000)],
  ])('API-47, API-12: matches the definition for %s, and is the same from both sides', (_what, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, arbitrary, (mine, theirs) => {
        expect(overlapOf(mine, theirs)).toEqual(expected(mine, theirs))
        expect(overlapOf(theirs, mine)).toEqual(overlapOf(mine, theirs))
      }),
      { numRuns: 500 },
    )
  })

  test('API-47: of the largest libraries', () => {
    const huge = hugeLibrary()
    expect(overlapOf(huge, huge)).toEqual({ common: huge.length, playedByNeither: 0, alike: 100 })
    const one = owning({ [UINT32_MAX]: UINT32_MAX })
    expect(overlapOf(huge, one)).toMatchObject({ common: 1, alike: 0 })
  })

  test('of one with many is that with each', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryLibrary,
        fc.array(arbitraryLibrary, { maxLength: 8 }),
        async (mine, others) => {
          expect(await inSlices(overlapsInSteps(mine, others))).toEqual(
            others.map((theirs) => overlapOf(mine, theirs)),
          )
        },
      ),
    )
  })
})

describe('the common games of every two libraries', () => {
  /** The definition, with sets. */
  function expectedMatrix(libraries: readonly Library[]): number[][] {
    const sets = libraries.map((library) => new Set([...gamesIn(library)].map(({ appid }) => appid)))
    return sets.map((one) => sets.map((other) => one.intersection(other).size))
  }

  test('are a symmetric matrix with each library’s own games on its diagonal', async () => {
    const libraries = [owning({ 1: 0, 2: 5, 3: 5 }), owning({ 2: 1, 3: 1 }), owning({})]
    expect(await inSlices(commonGamesInSteps(libraries))).toEqual([
      [3, 2, 0],
      [2, 2, 0],
      [0, 0, 0],
    ])
    expect(await inSlices(commonGamesInSteps([]))).toEqual([])
  })

  test('API-44: match the definition, for any number of libraries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryLibrary, { maxLength: 8 }), async (libraries) => {
        expect(await inSlices(commonGamesInSteps(libraries))).toEqual(expectedMatrix(libraries))
      }),
    )
  })

  test('can be interrupted after each pair, as overlaps can after each library', () => {
    const libraries = Array.from({ length: 10 }, (_, n) => owning({ [n + 1]: 1 }))
    const steps = (work: Iterator<void, unknown>) => {
      let count = 0
      while (!work.next().done) count++
      return count
    }
    expect(steps(commonGamesInSteps(libraries))).toBe(45)
    expect(steps(overlapsInSteps(libraries[0]!, libraries))).toBe(10)
  })
})
