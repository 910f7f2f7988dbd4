import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryAppid,
  arbitraryGames,
  arbitraryLibrary,
  hugeLibrary,
  UINT32_MAX,
} from '../../../tests/support/arbitrary-libraries.ts'
import {
  blankLibrary,
  findGame,
  gamesIn,
  indexOfGame,
  libraryFrom,
  totalMinutes,
  type OwnedGame,
} from './library.ts'

const game = (appid: number, values: Partial<OwnedGame> = {}): OwnedGame => ({
  appid,
  minutes: 0,
  recentMinutes: 0,
  lastPlayed: 0,
  ...values,
})

/** The library by its definition: every appid once, ascending, with the larger of each value. */
function expectedGames(games: readonly OwnedGame[]): OwnedGame[] {
  const appids = [...new Set(games.map(({ appid }) => appid))].sort((a, b) => a - b)
  return appids.map((appid) => {
    const same = games.filter((one) => one.appid === appid)
    return {
      appid,
      minutes: Math.max(...same.map((one) => one.minutes)),
      recentMinutes: Math.max(...same.map((one) => one.recentMinutes)),
      lastPlayed: Math.max(...same.map((one) => one.lastPlayed)),
    }
  })
}

test('a blank library has the given number of games, with all columns zero', () => {
  expect([...gamesIn(blankLibrary(2))]).toEqual([game(0), game(0)])
  expect(blankLibrary(0)).toMatchObject({ length: 0, appids: new Uint32Array(0) })
})

describe('a library derived from games', () => {
  test('has each once, by ascending appid, with the larger of each value', () => {
    fc.assert(
      fc.property(arbitraryGames, (games) => {
        const library = libraryFrom(games)
        const expected = expectedGames(games)
        expect([...gamesIn(library)]).toEqual(expected)
        expect(library.length).toBe(expected.length)
      }),
    )
  })

  test('takes any iterable once', () => {
    expect([...gamesIn(libraryFrom(new Set([game(2), game(1)]).values()))]).toEqual([game(1), game(2)])
  })

  test.each([NaN, Infinity, -Infinity, -1, -0, 0, 0.5, 1.5, UINT32_MAX + 1, 2 ** 53])(
    'leaves out a game whose appid is %d',
    (appid) => {
      expect([...gamesIn(libraryFrom([game(7), game(appid, { minutes: 5 })]))]).toEqual([game(7)])
    },
  )

  test.each([1, UINT32_MAX])('takes a game whose appid is %d', (appid) => {
    expect([...gamesIn(libraryFrom([game(appid, { minutes: 5 })]))]).toEqual([game(appid, { minutes: 5 })])
  })

  test.each([
    [NaN, 0],
    [-0, 0],
    [-1, 0],
    [-Infinity, 0],
    [-(2 ** 32) + 5, 0],
    [0.9, 0],
    [59.99, 59],
    [1, 1],
    [UINT32_MAX, UINT32_MAX],
    [UINT32_MAX + 1, UINT32_MAX],
    [2 ** 53, UINT32_MAX],
    [Infinity, UINT32_MAX],
  ])('reads a value of %d as %d', (given, read) => {
    for (const name of ['minutes', 'recentMinutes', 'lastPlayed'] as const)
      expect([...gamesIn(libraryFrom([game(3, { [name]: given })]))]).toEqual([game(3, { [name]: read })])
  })

  test.each([NaN, -1, -Infinity])('keeps the valid values when a second entry has %d', (unusable) => {
    const known = game(3, { minutes: 5, recentMinutes: 6, lastPlayed: 7 })
    const second = game(3, { minutes: unusable, recentMinutes: unusable, lastPlayed: unusable })
    expect([...gamesIn(libraryFrom([known, second]))]).toEqual([known])
    expect([...gamesIn(libraryFrom([second, known]))]).toEqual([known])
  })

  test('has only whole 32-bit values, whatever the input', () => {
    const wild = fc.double()
    const wildGame = fc.record({ appid: wild, minutes: wild, recentMinutes: wild, lastPlayed: wild })
    fc.assert(
      fc.property(fc.array(wildGame), arbitraryGames, (games, usable) => {
        const valid = games.filter(
          ({ appid }) => Number.isInteger(appid) && appid >= 1 && appid <= UINT32_MAX,
        )
        const clamp = (value: number) => Math.floor(Math.min(Math.max(value || 0, 0), UINT32_MAX))
        const expected = expectedGames([
          ...usable,
          ...valid.map(({ appid, minutes, recentMinutes, lastPlayed }) => ({
            appid,
            minutes: clamp(minutes),
            recentMinutes: clamp(recentMinutes),
            lastPlayed: clamp(lastPlayed),
          })),
        ])
        expect([...gamesIn(libraryFrom([...games, ...usable]))]).toEqual(expected)
      }),
    )
  })
})

describe('one game of a library', () => {
  test('is found at its index, and only if it is there', () => {
    fc.assert(
      fc.property(arbitraryLibrary, arbitraryAppid, (library, appid) => {
        const games = [...gamesIn(library)]
        expect(indexOfGame(library, appid)).toBe(games.findIndex((one) => one.appid === appid))
        expect(findGame(library, appid)).toEqual(games.find((one) => one.appid === appid))
      }),
    )
  })

  test('is found at every index of every small library', () => {
    for (let length = 0; length <= 9; length++) {
      const library = libraryFrom(Array.from({ length }, (_, index) => game(2 + 2 * index)))
      for (let index = 0; index < length; index++) expect(indexOfGame(library, 2 + 2 * index)).toBe(index)
      for (let index = 0; index <= length; index++) expect(indexOfGame(library, 1 + 2 * index)).toBe(-1)
    }
  })

  test('is found among 30,000', () => {
    const library = hugeLibrary()
    const misplaced = Array.from(library.appids).filter(
      (appid, index) => indexOfGame(library, appid) !== index,
    )
    expect(misplaced).toEqual([])
    expect(findGame(library, UINT32_MAX)?.lastPlayed).toBe(UINT32_MAX)
    expect(findGame(library, UINT32_MAX - 1)).toBeUndefined()
  })
})

describe('total playtime', () => {
  test('is the sum of all minutes', () => {
    fc.assert(
      fc.property(arbitraryLibrary, (library) => {
        const expected = [...gamesIn(library)].reduce((sum, { minutes }) => sum + BigInt(minutes), 0n)
        expect(BigInt(totalMinutes(library))).toBe(expected)
      }),
    )
  })

  test('is exact far beyond 2^32', () => {
    expect(totalMinutes(hugeLibrary())).toBe(30_000 * UINT32_MAX - 30_000)
  })
})
