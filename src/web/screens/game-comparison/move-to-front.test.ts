import { expect, test } from 'vitest'
import { inFront } from './in-front.ts'

const games = [10, 20, 30].map((appid) => ({
  appid,
  name: `Game ${appid}`,
  image_url: null,
  user_playtime: 60,
  friend_playtime: 120,
  modes: [],
}))
const appids = (of: number) => inFront(games, of).map((game) => game.appid)

test('the game one came for stands first, the others keep their order', () => {
  expect(appids(30)).toEqual([30, 10, 20])
  expect(appids(10)).toEqual([10, 20, 30])
})

test('a game that is not in common changes nothing', () => {
  expect(appids(1)).toEqual([10, 20, 30])
  expect(appids(NaN)).toEqual([10, 20, 30])
})
