import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryAppid,
  arbitraryGames,
  arbitraryLibrary,
  UINT32_MAX,
} from '../../../tests/support/arbitrary-libraries.ts'
import { findGame, gamesIn, indexOfGame, libraryFrom, totalMinutes, type OwnedGame } from './library.ts'

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
})
