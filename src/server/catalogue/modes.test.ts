import { expect, test } from 'vitest'
import { featuresOf, modesOf } from './modes.ts'

test('a game is played in every way that one of its categories names, in one order', () => {
  expect(modesOf('38,2,9')).toEqual(['single', 'coop', 'online'])
  expect(modesOf('20')).toEqual(['online', 'mmo'])
  expect(modesOf('999')).toEqual([])
  expect(modesOf(null)).toEqual([])
})

test('API-45: its badges say how it is played with others', () => {
  expect(featuresOf('27,38,36,39,44,2')).toEqual([
    'online_coop',
    'online_versus',
    'same_screen',
    'remote_play',
    'cross_platform',
  ])
  expect(featuresOf('24,37')).toEqual(['same_screen'])
  expect(featuresOf('1,2,9,47')).toEqual([])
  expect(featuresOf(null)).toEqual([])
})
