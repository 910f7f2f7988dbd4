import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryAppid, arbitraryLibrary } from '../../../tests/support/arbitrary-libraries.ts'
import { nearMisses, ownersOf, sharedGames, topGames } from './algebra.ts'
import { gamesIn, type Library } from './library.ts'

const minutesOf = (library: Library) =>
  new Map(Array.from(gamesIn(library), ({ appid, minutes }) => [appid, minutes]))
const arbitraryLibraries = fc.array(arbitraryLibrary, { maxLength: 6 })

describe('games that a few of a group lack', () => {
  /** The definition: for each game of anybody, who owns it and who does not. */
  function expected(libraries: readonly Library[], most: number) {
    const all = libraries.map(minutesOf)
    return [...new Set(all.flatMap((library) => [...library.keys()]))]
      .map((appid) => {
        const minutes = all.map((library) => library.get(appid))
        const owned = minutes.filter((value) => value !== undefined)
        const total = owned.reduce((sum, value) => sum + value, 0)
        return { appid, total, minutes, missing: minutes.length - owned.length }
      })
      .filter(({ missing, minutes }) => missing >= 1 && missing <= most && missing <= minutes.length / 2)
      .sort((x, y) => x.missing - y.missing || y.total - x.total || x.appid - y.appid)
  }

  test('API-44: match the definition, for any number of members', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLibraries, fc.integer({ min: 0, max: 3 }), async (libraries, most) => {
        expect(await nearMisses(libraries, most)).toEqual(expected(libraries, most))
      }),
      { numRuns: 500 },
    )
  })
})

describe('games a whole group shares', () => {
  async function gamesOf(libraries: Iterable<Library>) {
    const games = await sharedGames(libraries)
    return games.map(({ appid, total, minutes }) => ({ appid, total, minutes }))
  }

  /** The definition: a game of the first that each of the others has too. */
  function expected(libraries: readonly Library[]) {
    const all = libraries.map(minutesOf)
    return [...(all[0]?.keys() ?? [])]
      .filter((appid) => all.every((minutes) => minutes.has(appid)))
      .map((appid) => {
        const minutes = all.map((library) => library.get(appid)!)
        return { appid, total: Number(minutes.reduce((sum, value) => sum + BigInt(value), 0n)), minutes }
      })
      .sort((x, y) => y.total - x.total || x.appid - y.appid)
  }

  test('API-44: match the definition, for any number of members', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLibraries, async (libraries) => {
        expect(await gamesOf(libraries)).toEqual(expected(libraries))
      }),
      { numRuns: 500 },
    )
  })
})

describe('owners of a game', () => {
  test('match the definition', () => {
    const owner = fc.record({
      player: fc.record({ steam_id: fc.stringMatching(/^[0-9]{1,2}$/) }),
      library: arbitraryLibrary,
    })
    const players = fc.uniqueArray(owner, { selector: ({ player }) => player.steam_id, maxLength: 12 })
    fc.assert(
      fc.property(players, arbitraryAppid, (libraries, appid) => {
        const expected = libraries
          .flatMap(({ player, library }) => {
            const minutes = minutesOf(library).get(appid)
            return minutes === undefined ? [] : [{ player, minutes }]
          })
          .sort((x, y) => y.minutes - x.minutes || (x.player.steam_id > y.player.steam_id ? 1 : -1))
        expect(ownersOf(libraries, appid)).toEqual(expected)
      }),
    )
  })
})

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

  test('API-16: match the definition', () => {
    fc.assert(
      fc.property(
        arbitraryLibraries,
        fc.nat(30),
        fc.option(arbitraryAppid, { nil: undefined }),
        (libraries, limit, excludedAppid) => {
          expect(topGames(libraries, { limit, excludedAppid })).toEqual(
            expected(libraries, limit, excludedAppid),
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})
