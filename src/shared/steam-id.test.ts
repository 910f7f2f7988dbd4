import { expect, test } from 'vitest'
import { steamIdIn } from './steam-id.ts'

const ID = '76561197960265730'

test.each([
  ID,
  ` ${ID}\n`,
  `https://steamcommunity.com/profiles/${ID}`,
  `http://www.steamcommunity.com/profiles/${ID}/games/?tab=all`,
  `steamcommunity.com/profiles/${ID}#top`,
])('the steam id in %j', (text) => {
  expect(steamIdIn(text)).toBe(ID)
})

test.each([
  '',
  '7656119796026573',
  `${ID}0`,
  '00000000000000000',
  'https://steamcommunity.com/id/gabelogannewell',
  `https://example.org/profiles/${ID}`,
  `https://steamcommunity.com/groups/${ID}`,
])('no steam id in %j', (text) => {
  expect(steamIdIn(text)).toBeUndefined()
})
