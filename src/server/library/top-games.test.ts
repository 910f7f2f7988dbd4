import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryAppid, arbitraryLibrary, owning } from '../../../tests/support/arbitrary-libraries.ts'
import { topGames } from './algebra.ts'
import { gamesIn, type Library } from './library.ts'

const arbitraryLibraries = fc.array(arbitraryLibrary, { maxLength: 6 })

describe('top games', () => {
  /** The definition: sum, filter, sort, slice. */
  function expected(libraries: readonly Library[], limit: number, excludedAppid?: number) {
    const totals = new Map<number, bigint>()
    for (const { appid, minutes } of libraries.flatMap((library) => [...gamesIn(library)]))
      totals.set(appid, (totals.get(appid) ?? 0n) + BigInt(minutes))
    return Array.from(totals, ([appid, total]) => ({ appid, total: Number(total) }))
      .filter(({ appid, total }) => total > 0 && appid !== excludedAppid)
      .sort((x, y) => y.total - x.total || x.appid - y.appid)
      .slice(0, limit)
  }

  test('API-16: leave out the excluded game without shortening the list', () => {
    const libraries = [owning({ 431960: 900, 1: 10, 2: 5 })]
    expect(topGames(libraries, { limit: 2, excludedAppid: 431960 })).toEqual([
      { appid: 1, total: 10 },
      { appid: 2, total: 5 },
    ])
  })

  test('match the definition', () => {
    fc.assert(
      fc.property(
        arbitraryLibraries,
        fc.nat(30),
        fc.option(arbitraryAppid, { nil: undefined }),
        (libraries, limit, excludedAppid) => {
          expect(topGames(libraries, { limit, excludedAppid })).toEqual(
            expected(libraries, limit, excludedAppid),
          )
          expect(topGames(libraries.values(), { limit, excludedAppid })).toHaveLength(
            expected(libraries, limit, excludedAppid).length,
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})
