import { describe, expect, test } from 'vitest'
import { parseCsv, readRealWorld } from './real-world.ts'
import { readWorld } from '../../src/simulator/world.ts'

describe('CSV', () => {
  test('fields may be quoted, and quoted ones hold commas, line breaks and quotes', () => {
    expect(parseCsv('a,"b,1","c ""2""","d\r\n3",""\r\ne,f,g,h,i\r\n')).toEqual([
      ['a', 'b,1', 'c "2"', 'd\r\n3', ''],
      ['e', 'f', 'g', 'h', 'i'],
    ])
  })

  test('fields may be empty anywhere, and the last line break may be missing', () => {
    expect(parseCsv(',\n,,\na,,\n"x",')).toEqual([
      ['', ''],
      ['', '', ''],
      ['a', '', ''],
      ['x', ''],
    ])
    expect(parseCsv('')).toEqual([])
    expect(parseCsv('a')).toEqual([['a']])
  })

  test.each(['"open', '"closed"more,b\n'])('%j is refused', (text) => {
    expect(() => parseCsv(text)).toThrow()
  })
})

const world = readRealWorld()
if (!world) console.warn('real-world.test.ts: ../shared/data is not there, skipped')

describe.skipIf(!world)('the real world', () => {
  test('has every player and game of the data, and each game is a known app', () => {
    const { players, apps } = world!
    const appids = new Set(apps.map((app) => app.appid))
    const rows = players.flatMap((player) => player.games)
    expect(players).toHaveLength(989)
    expect(rows).toHaveLength(88_139)
    expect(appids.size).toBe(5_396)
    expect(rows.filter((game) => !appids.has(game.appid))).toEqual([])
    expect(rows.filter((game) => game.recentMinutes > 0)).toHaveLength(4_005)
  })

  test('is a valid world file, the same in every run', () => {
    expect(readWorld(JSON.parse(JSON.stringify(world)))).toEqual(world)
    expect(readRealWorld()).toEqual(world)
  })

  test('friendships are mutual, and everyone has a friend', () => {
    const friendsOf = new Map(
      world!.players.map((player) => [
        player.steamid,
        new Set(player.friends.map((friend) => friend.steamid)),
      ]),
    )
    for (const [steamid, friends] of friendsOf) {
      expect(friends.size).toBeGreaterThan(0)
      for (const friend of friends) expect(friendsOf.get(friend)?.has(steamid)).toBe(true)
    }
  })

  test('former and current category names become the store’s numbers', () => {
    const categoriesOf = (appid: number) => world!.apps.find((app) => app.appid === appid)?.categories
    expect(categoriesOf(10)).toEqual([1, 49, 36, 37])
    expect(categoriesOf(204360)).toEqual(expect.arrayContaining([1, 2, 9, 36, 37, 38, 39, 24]))
  })
})
