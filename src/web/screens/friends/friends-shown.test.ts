import { describe, expect, test } from 'vitest'
import type { Friend } from '#shared/entities.ts'
import { countPresent, friendsShown } from './friends-shown.ts'

function friend(display_name: string | null, part: Partial<Friend> = {}): Friend {
  return {
    steam_id: '76561197960265801',
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
const names = (friends: Friend[]) => friends.map((one) => one.display_name)

describe('the friends shown', () => {
  test('are sorted by presence, then by name', () => {
    const friends = [
      friend('Ada'),
      friend('Ben', { personastate: 3 }),
      friend('Cat', { personastate: 1 }),
      friend('Dan', { personastate: 1, playing: 'Portal' }),
      friend('Eve', { personastate: 4 }),
      friend('Fay', { personastate: 6 }),
      friend('Gus'),
    ]
    expect(names(friendsShown(friends, ''))).toEqual(['Dan', 'Cat', 'Fay', 'Ben', 'Eve', 'Ada', 'Gus'])
    expect(names(friends)[0]).toBe('Ada')
  })

  test('are those whose name contains the search, ignoring case and surrounding spaces', () => {
    const friends = [friend('Quartz Heron'), friend('tin_kettle'), friend('[BRICK] Otter')]
    expect(names(friendsShown(friends, ' HERON '))).toEqual(['Quartz Heron'])
    expect(names(friendsShown(friends, '['))).toEqual(['[BRICK] Otter'])
    expect(friendsShown(friends, 'no match')).toEqual([])
    expect(friendsShown(friends, '   ')).toHaveLength(3)
  })

  test('are found by their id when they have no name, and only then', () => {
    const nameless = friend(null, { steam_id: '76561197960299999' })
    const named = friend('Ada', { steam_id: '76561197960299998' })
    expect(friendsShown([nameless, named], '2999')).toEqual([nameless])
  })

  test('are counted as present unless they are offline', () => {
    expect(
      countPresent([
        friend('Ada'),
        friend('Ben', { personastate: 3 }),
        friend('Cat', { personastate: 1 }),
        friend('Dan', { playing: 'Portal' }),
      ]),
    ).toBe(3)
  })
})
