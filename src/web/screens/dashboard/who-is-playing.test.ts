import { describe, expect, test } from 'vitest'
import type { Friend } from '#shared/entities.ts'
import { friendNamed, namesOf } from '../../../../tests/support/friend.ts'
import { inOrderToOffer, inTheirPlaces, SUGGESTED, suggestedFriends } from './who-is-playing.ts'

const friend = (name: string, part: Partial<Friend> = {}) =>
  friendNamed(name, { steam_id: `id of ${name}`, ...part })
const noOne: ReadonlySet<string> = new Set()

describe('LOOK-31: friends to play with tonight', () => {
  test('LOOK-31: in game, then online, then away, then offline; known libraries and letters first', () => {
    const friends = [
      friend('Offline'),
      friend('Away', { personastate: 3 }),
      friend('Private', { personastate: 1, library_status: 'private' }),
      friend('[TAG] Online', { personastate: 1 }),
      friend('zoe', { personastate: 1 }),
      friend('Ann', { personastate: 1 }),
      friend('Playing', { personastate: 1, playing: 'Dota' }),
    ]
    expect(namesOf(inOrderToOffer(friends, []))).toEqual([
      'Playing',
      'Ann',
      'zoe',
      '[TAG] Online',
      'Private',
      'Away',
      'Offline',
    ])
  })

  test('LOOK-31: owners of the game that most of those present own come first', () => {
    const friends = ['A', 'B', 'C', 'D'].map((name) => friend(name, { personastate: name === 'D' ? 0 : 1 }))
    const owners = [['A'], ['B', 'C'], ['A', 'D']].map((all) => new Set(all.map((name) => `id of ${name}`)))
    expect(namesOf(inOrderToOffer(friends, owners))).toEqual(['B', 'C', 'A', 'D'])
  })

  test('those chosen stay in sight, after those offered or found', () => {
    const friends = Array.from({ length: 12 }, (_, number) => friend(`Friend ${number}`))
    const chosen = new Set(['id of Friend 3', 'id of Friend 11'])
    expect(suggestedFriends(friends, friends, noOne)).toEqual(friends.slice(0, SUGGESTED))
    expect(namesOf(suggestedFriends(friends, friends, chosen)).at(-1)).toBe('Friend 11')
    expect(suggestedFriends(friends, friends, chosen)).toHaveLength(SUGGESTED + 1)
    expect(namesOf(suggestedFriends(friends, [friends[5]!], chosen))).toEqual([
      'Friend 5',
      'Friend 3',
      'Friend 11',
    ])
  })

  test('keep their places while the suggestions change; new ones take the places of those who leave', () => {
    const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((name) => friend(name)) as [
      Friend,
      Friend,
      Friend,
      Friend,
      Friend,
    ]
    const before = [a, b, c].map(({ steam_id }) => steam_id)
    expect(inTheirPlaces([], [b, a])).toEqual([b, a])
    expect(inTheirPlaces(before, [c, d, a])).toEqual([a, d, c])
    expect(inTheirPlaces(before, [e, d, c, b])).toEqual([e, b, c, d])
    expect(inTheirPlaces(before, [c])).toEqual([c])
  })
})
