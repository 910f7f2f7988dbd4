import { expect, test } from 'vitest'
import { missingIn, moveToFront } from './parts.ts'

const games = [10, 20, 30].map((appid) => ({
  appid,
  name: `Game ${appid}`,
  image_url: null,
  user_playtime: 60,
  friend_playtime: 120,
  modes: [],
  features: [],
  kind: null,
  players_max: null,
}))
const appids = (of: number) => moveToFront(games, of).map((game) => game.appid)

test('COMP-7: the game moves to the front, the others keep their order', () => {
  expect(appids(30)).toEqual([30, 10, 20])
  expect(appids(10)).toEqual([10, 20, 30])
})

test('a game that is not in the list changes nothing', () => {
  expect(appids(1)).toEqual([10, 20, 30])
  expect(appids(NaN)).toEqual([10, 20, 30])
})

test('COMP-8: what only one owns is what the other library lacks, in its order', () => {
  expect(missingIn([{ appid: 20 }, { appid: 7 }], games).map(({ appid }) => appid)).toEqual([10, 30])
  expect(missingIn([], games)).toEqual(games)
  expect(missingIn(games, games)).toEqual([])
})
