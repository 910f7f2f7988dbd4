import { describe, expect, test } from 'vitest'
import { friendNamed, namesOf } from '../../../tests/support/friend.ts'
import { inPickingOrder, peopleMatching } from './people.ts'

describe('people to choose from', () => {
  test('PAGE-20: in game first, then online, then busy, away and snoozing, then offline', () => {
    const friends = [
      friendNamed('Offline'),
      friendNamed('Away', { personastate: 3 }),
      friendNamed('Busy', { personastate: 2 }),
      friendNamed('Online', { personastate: 1 }),
      friendNamed('Snoozing', { personastate: 4 }),
      friendNamed('Looking to play', { personastate: 6 }),
      friendNamed('In game', { personastate: 3, playing: 'Portal' }),
    ]
    expect(namesOf(inPickingOrder(friends))).toEqual([
      'In game',
      'Looking to play',
      'Online',
      'Away',
      'Busy',
      'Snoozing',
      'Offline',
    ])
  })

  test('FRI-10: without those who are no friends any more', () => {
    const friends = [
      friendNamed('Ada', { connected: false }),
      friendNamed('Bob'),
      friendNamed('Cal', { connected: true }),
    ]
    expect(namesOf(inPickingOrder(friends))).toEqual(['Bob', 'Cal'])
  })

  test('PAGE-20: of the same presence by name, those that begin with no letter or digit last', () => {
    const friends = [
      friendNamed('[BRICK] Otter'),
      friendNamed(null),
      friendNamed('🎮 Zoe'),
      friendNamed('zoe'),
      friendNamed('Émile'),
      friendNamed('player 10'),
      friendNamed('player 9'),
      friendNamed('لعبة'),
      friendNamed('\u202Eright'),
      friendNamed('_x_'),
      friendNamed('Frank'),
    ]
    const order = namesOf(inPickingOrder(friends))
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
    const friends = [friendNamed('Bob'), friendNamed('Ada')]
    inPickingOrder(friends)
    expect(namesOf(friends)).toEqual(['Bob', 'Ada'])
  })

  test('PAGE-21: names that begin with what is typed come before names that contain it', () => {
    const people = [
      friendNamed('Cassandra'),
      friendNamed('Anders'),
      friendNamed('Sandy'),
      friendNamed('SANDOR'),
    ]
    expect(namesOf(peopleMatching(people, ' sand '))).toEqual(['Sandy', 'SANDOR', 'Cassandra'])
    expect(namesOf(peopleMatching(people, 'AN'))).toEqual(['Anders', 'Cassandra', 'Sandy', 'SANDOR'])
    expect(peopleMatching(people, '  ')).toBe(people)
    expect(peopleMatching(people, 'zz')).toEqual([])
  })

  test('people without a name are found by their id', () => {
    const nameless = friendNamed(null)
    expect(peopleMatching([friendNamed('Ada'), nameless], nameless.steam_id.slice(3))).toEqual([nameless])
  })
})
