import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryAppid,
  arbitraryGames,
  arbitraryLibrary,
} from '../../../tests/support/arbitrary-libraries.ts'
import { findGame, gamesIn, indexOfGame, libraryFrom, totalMinutes } from './library.ts'

test('a library has its games by ascending appid', () => {
  fc.assert(
    fc.property(arbitraryGames, (games) => {
      expect([...gamesIn(libraryFrom(games))]).toEqual(games.toSorted((a, b) => a.appid - b.appid))
    }),
  )
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
