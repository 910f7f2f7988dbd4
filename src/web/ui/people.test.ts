import { describe, expect, test } from 'vitest'
import type { Friend } from '#shared/entities.ts'
import { inPickingOrder, peopleMatching } from './people.ts'

let nextId = 0
function friend(display_name: string | null, part: Partial<Friend> = {}): Friend {
  nextId += 1
  return {
    steam_id: String(76561197960265800 + nextId),
    display_name,
    avatar_url: null,
    personastate: 0,
    playing: null,
    playing_appid: null,
    joined_here: false,
    library_status: 'ok',
    ...part,
  }
}
const names = (people: readonly Friend[]) => people.map(({ display_name }) => display_name)

describe('people to choose from', () => {
  test('in game first, then online, then busy, away and snoozing, then offline', () => {
    const friends = [
      friend('Offline'),
      friend('Away', { personastate: 3 }),
      friend('Busy', { personastate: 2 }),
      friend('Online', { personastate: 1 }),
      friend('Snoozing', { personastate: 4 }),
      friend('Looking to play', { personastate: 6 }),
      friend('In game', { personastate: 3, playing: 'Portal' }),
    ]
    expect(names(inPickingOrder(friends))).toEqual([
      'In game',
      'Looking to play',
      'Online',
      'Away',
      'Busy',
      'Snoozing',
      'Offline',
    ])
  })

  test('of the same presence by name, those that begin with no letter or digit last', () => {
    const friends = [
      friend('[BRICK] Otter'),
      friend(null),
      friend('🎮 Zoe'),
      friend('zoe'),
      friend('Émile'),
      friend('player 10'),
      friend('player 9'),
      friend('لعبة'),
      friend('\u202Eright'),
      friend('_x_'),
      friend('Frank'),
    ]
    const order = names(inPickingOrder(friends))
    expect(order.slice(0, 7)).toEqual([
      'Émile',
      'Frank',
      'player 9',
      'player 10',
      '\u202Eright',
      'zoe',
      'لعبة',
    ])
    expect(new Set(order.slice(7, 10))).toEqual(new Set(['[BRICK] Otter', '🎮 Zoe', '_x_']))
    expect(order[10]).toBeNull()
  })

  test('the list given is not changed', () => {
    const friends = [friend('Bob'), friend('Ada')]
    inPickingOrder(friends)
    expect(names(friends)).toEqual(['Bob', 'Ada'])
  })

  test('names that begin with what is typed come before names that contain it', () => {
    const people = [friend('Cassandra'), friend('Anders'), friend('Sandy'), friend('SANDOR')]
    expect(names(peopleMatching(people, ' sand '))).toEqual(['Sandy', 'SANDOR', 'Cassandra'])
    expect(names(peopleMatching(people, 'AN'))).toEqual(['Anders', 'Cassandra', 'Sandy', 'SANDOR'])
    expect(peopleMatching(people, '  ')).toBe(people)
    expect(peopleMatching(people, 'zz')).toEqual([])
  })

  test('people without a name are found by their id', () => {
    const nameless = friend(null)
    expect(peopleMatching([friend('Ada'), nameless], nameless.steam_id.slice(3))).toEqual([nameless])
  })
})
