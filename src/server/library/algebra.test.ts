import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryAppid,
  arbitraryLibrary,
  hugeLibrary,
  owning,
  UINT32_MAX,
} from '../../../tests/support/arbitrary-libraries.ts'
import { compareLibraries, nearMisses, ownersOf, sharedGames } from './algebra.ts'
import { gamesIn, type Library } from './library.ts'

const minutesOf = (library: Library) =>
  new Map(Array.from(gamesIn(library), ({ appid, minutes }) => [appid, minutes]))
const arbitraryLibraries = fc.array(arbitraryLibrary, { maxLength: 6 })
const empty = owning({})

describe('comparing two libraries', () => {
  /** The definition, game by game. */
  function expected(mine: Library, theirs: Library) {
    const theirMinutes = minutesOf(theirs)
    return [...gamesIn(mine)]
      .filter(({ appid }) => theirMinutes.has(appid))
      .map(({ appid, minutes }) => ({ appid, mine: minutes, theirs: theirMinutes.get(appid)! }))
      .sort((x, y) => y.mine + y.theirs - x.mine - x.theirs || x.appid - y.appid)
  }

  test('API-12: gives the games both own, largest sum first', async () => {
    expect(
      await compareLibraries(owning({ 10: 1, 20: 50, 30: 2 }), owning({ 10: 60, 30: 3, 40: 9 })),
    ).toEqual([
      { appid: 10, mine: 1, theirs: 60 },
      { appid: 30, mine: 2, theirs: 3 },
    ])
  })

  test('matches the definition, and gives the mirror image when the two are swapped', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLibrary, arbitraryLibrary, async (mine, theirs) => {
        const common = await compareLibraries(mine, theirs)
        expect(common).toEqual(expected(mine, theirs))
        expect(await compareLibraries(theirs, mine)).toEqual(
          common.map((game) => ({ appid: game.appid, mine: game.theirs, theirs: game.mine })),
        )
      }),
    )
  })

  test('orders ties by appid', async () => {
    const common = await compareLibraries(owning({ 1: 5, 2: 6, 3: 4 }), owning({ 1: 5, 2: 4, 3: 6 }))
    expect(common.map(({ appid }) => appid)).toEqual([1, 2, 3])
  })

  test('orders by sums beyond 2^32', async () => {
    const common = await compareLibraries(owning({ 1: 9, 2: UINT32_MAX }), owning({ 1: 9, 2: UINT32_MAX }))
    expect(common.map(({ appid }) => appid)).toEqual([2, 1])
  })

  test('gives nothing when either is empty', async () => {
    expect(await compareLibraries(empty, owning({ 1: 1 }))).toEqual([])
    expect(await compareLibraries(owning({ 1: 1 }), empty)).toEqual([])
  })

  test('matches the definition for 30,000 games each', async () => {
    const [mine, theirs] = [hugeLibrary(), hugeLibrary(15_000)]
    expect(await compareLibraries(mine, theirs)).toEqual(expected(mine, theirs))
  })
})

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

  test('are those that all but one or two own, fewest lacking first, then largest total', async () => {
    const members = [
      owning({ 10: 1, 20: 2, 30: 0, 40: 9 }),
      owning({ 10: 1, 20: 2, 30: 7, 50: 9 }),
      owning({ 10: 1, 20: 2 }),
      owning({ 10: 1, 20: 3 }),
      owning({ 20: 4 }),
    ]
    expect(await nearMisses(members, 2)).toEqual([
      { appid: 10, total: 4, minutes: [1, 1, 1, 1, undefined], missing: 1 },
    ])
    expect(await nearMisses(members.slice(0, 4), 2)).toEqual([
      { appid: 30, total: 7, minutes: [0, 7, undefined, undefined], missing: 2 },
    ])
  })

  test('API-44: match the definition, for any number of members', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLibraries, fc.integer({ min: 0, max: 3 }), async (libraries, most) => {
        expect(await nearMisses(libraries, most)).toEqual(expected(libraries, most))
      }),
      { numRuns: 500 },
    )
  })

  test('of one member there are none', async () => {
    expect(await nearMisses([owning({ 1: 1 })], 2)).toEqual([])
  })

  test('match the definition for members with 30,000 games', async () => {
    const members = [hugeLibrary(), hugeLibrary(10_000), hugeLibrary(20_000), owning({ 10: 3 })]
    expect(await nearMisses(members, 2)).toEqual(expected(members, 2))
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

  test('are the games each member owns, with the minutes of each, largest total first', async () => {
    const members = [
      owning({ 10: 1, 20: 2, 30: 0 }),
      owning({ 5: 1, 10: 2, 20: 3 }),
      owning({ 10: 3, 20: 4 }),
    ]
    expect(await gamesOf(members)).toEqual([
      { appid: 20, total: 9, minutes: [2, 3, 4] },
      { appid: 10, total: 6, minutes: [1, 2, 3] },
    ])
  })

  test('API-44: match the definition, for any number of members', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLibraries, async (libraries) => {
        expect(await gamesOf(libraries)).toEqual(expected(libraries))
      }),
      { numRuns: 500 },
    )
  })

  test('can be computed from any iterable, such as the values of a map', async () => {
    const members = new Map([
      ['ada', owning({ 1: 1 })],
      ['bob', owning({ 1: 2 })],
    ])
    expect(await gamesOf(members.values())).toEqual([{ appid: 1, total: 3, minutes: [1, 2] }])
  })

  test('are none without members, or when a member owns no games', async () => {
    expect(await gamesOf([])).toEqual([])
    expect(await gamesOf([owning({ 1: 1 }), empty, owning({ 1: 1 })])).toEqual([])
  })

  test('of one member are that member’s games', async () => {
    expect(await gamesOf([owning({ 1: 0, 2: 7 })])).toEqual([
      { appid: 2, total: 7, minutes: [7] },
      { appid: 1, total: 0, minutes: [0] },
    ])
  })

  test('order ties by appid and keep totals beyond 2^32 exact', async () => {
    const shared = await gamesOf(Array.from({ length: 100 }, () => owning({ 1: UINT32_MAX, 2: UINT32_MAX })))
    expect(shared.map(({ appid, total }) => [appid, total])).toEqual([
      [1, 100 * UINT32_MAX],
      [2, 100 * UINT32_MAX],
    ])
  })

  test('match the definition for members with 30,000 games', async () => {
    const members = [hugeLibrary(), hugeLibrary(10_000), hugeLibrary(20_000)]
    expect(await gamesOf(members)).toEqual(expected(members))
  })
})

describe('owners of a game', () => {
  test('are most played first, ties by id, never-played included', () => {
    const friends = [
      { player: { steam_id: '2' }, library: owning({ 7: 0 }) },
      { player: { steam_id: '1' }, library: owning({ 7: 0, 8: 99 }) },
      { player: { steam_id: '3' }, library: owning({ 8: 99 }) },
      { player: { steam_id: '4' }, library: owning({ 7: UINT32_MAX }) },
    ]
    expect(ownersOf(friends, 7)).toEqual([
      { player: { steam_id: '4' }, minutes: UINT32_MAX },
      { player: { steam_id: '1' }, minutes: 0 },
      { player: { steam_id: '2' }, minutes: 0 },
    ])
    expect(ownersOf([...friends].reverse(), 7)).toEqual(ownersOf(friends, 7))
  })

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
