import { expect, test } from 'vitest'
import { gameKind } from '#shared/entities.ts'
import { kindOf } from './kinds.ts'

test('API-45: demos, tools and software are told apart from games, and an unknown type is not a game', () => {
  const ofType = (type: number | null) => kindOf(type, 'Any Game')
  expect([0, 1, 13, 6].map(ofType)).toEqual(['game', 'demo', 'tool', 'software'])
  expect([null, 15, 4_294_967_295].map(ofType)).toEqual([null, null, null])
  const all = Array.from({ length: 15 }, (_, type) => ofType(type))
  expect(new Set(all)).toEqual(new Set(gameKind.options))
})

test('API-45: servers, soundtracks, SDKs and playtests are known by the ends of their names too', () => {
  const ofName = (name: string) => [kindOf(0, name), kindOf(null, name)]
  expect(ofName('Rust Dedicated Server')).toEqual(['tool', 'tool'])
  expect(ofName('Source SDK')).toEqual(['tool', 'tool'])
  expect(ofName('Portal 2 Soundtrack™')).toEqual(['other', 'other'])
  expect(ofName('Deep Rock Playtest')).toEqual(['beta', 'beta'])
  expect(ofName('Ghost')).toEqual(['game', null])
  expect(ofName('Soundtrack Manager')).toEqual(['game', null])
  expect(kindOf(4, 'Portal 2 Soundtrack')).toBe('dlc')
})
