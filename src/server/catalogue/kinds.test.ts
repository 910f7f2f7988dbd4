import { expect, test } from 'vitest'
import { gameKind } from '#shared/entities.ts'
import { kindOf } from './kinds.ts'

test('API-46: demos, tools and software are told apart from games, and an unknown type is not a game', () => {
  expect([0, 1, 13, 6].map(kindOf)).toEqual(['game', 'demo', 'tool', 'software'])
  expect([null, 15, 4_294_967_295].map(kindOf)).toEqual([null, null, null])
  const all = Array.from({ length: 15 }, (_, type) => kindOf(type))
  expect(new Set(all)).toEqual(new Set(gameKind.options))
})
