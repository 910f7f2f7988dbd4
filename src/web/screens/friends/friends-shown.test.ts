import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Friend } from '#shared/entities.ts'
import { compareNames } from '#shared/names.ts'
import { friendNamed } from '../../../../tests/support/friend.ts'
import { nameOf } from '../../ui/people/name.tsx'
import { readView } from '../../ui/query-string.ts'
import {
  countFriends,
  friendParams,
  friendsShown,
  type FriendFilter,
  type FriendSort,
  type FriendView,
  type Overlaps,
} from './friends-shown.ts'

const view = (part: Partial<FriendView> = {}): FriendView => ({
  search: '',
  show: 'all',
  sort: 'presence',
  ...part,
})

describe('the friends shown', () => {
  test('LIST-1: a view that makes no sense in the address is ignored, the rest stays', () => {
    expect(readView(friendParams, '?show=nobody&sort=constructor&search=ada')).toEqual(
      view({ search: 'ada' }),
    )
    expect(readView(friendParams, '?show=joined&sort=common')).toEqual(
      view({ show: 'joined', sort: 'common' }),
    )
  })

  test('FRI-1, FRI-7: are those that a naive search, filter and sort find', () => {
    const friends = fc.array(
      fc
        .record({
          display_name: fc.constantFrom('Ada', 'ben', 'Portal', ' ', null),
          personastate: fc.integer({ min: 0, max: 6 }),
          playing: fc.constantFrom('Portal', 'Dota', null),
          library_status: fc.constantFrom('ok', 'private', 'never', 'hidden'),
          joined_here: fc.boolean(),
          overlap: fc.option(fc.nat(3)),
        })
        .map(({ display_name, overlap, ...part }) => ({
          friend: friendNamed(display_name, part as Partial<Friend>),
          overlap,
        })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        friends,
        fc.constantFrom('', 'a', 'PORT', '7656'),
        fc.constantFrom<FriendFilter[]>('all', 'playing', 'online', 'private', 'joined'),
        fc.constantFrom<FriendSort[]>('presence', 'name', 'common'),
        (rows, search, show, sort) => {
          const overlaps: Overlaps = new Map(
            rows.flatMap(({ friend: { steam_id }, overlap }) =>
              overlap === null ? [] : [[steam_id, overlap] as const],
            ),
          )
          const wanted = rows
            .filter(({ friend: one }) => {
              const isFound = [nameOf(one), one.playing ?? ''].some((text) =>
                text.toLowerCase().includes(search.toLowerCase()),
              )
              if (show === 'playing') return isFound && one.playing !== null
              if (show === 'online') return isFound && (one.personastate > 0 || one.playing !== null)
              if (show === 'private') return isFound && one.library_status === 'private'
              return isFound && (show === 'all' || one.joined_here)
            })
            .map((row) => row.friend)
          wanted.sort((a, b) => compareNames(nameOf(a), nameOf(b)))
          // Repeatedly takes the first of the best.
          const rank = (one: Friend) => {
            if (sort === 'name') return 0
            if (sort === 'presence')
              return one.playing !== null ? 0 : [3, 1, 2, 2, 2, 1, 1][one.personastate]!
            return -(overlaps.get(one.steam_id) ?? -1)
          }
          const expected: Friend[] = []
          while (wanted.length > 0) {
            const best = Math.min(...wanted.map(rank))
            expected.push(
              ...wanted.splice(
                wanted.findIndex((one) => rank(one) === best),
                1,
              ),
            )
          }
          const friends = rows.map((row) => row.friend)
          expect(friendsShown(friends, { search, show, sort }, overlaps)).toEqual(expected)
          expect(countFriends(friends)[show]).toBe(friendsShown(friends, view({ show })).length)
        },
      ),
    )
  })
})

test('PLAT-27, FRI-7: friends are counted by filter; those not offline are online', () => {
  expect(
    countFriends([
      friendNamed('Ada', { library_status: 'private', joined_here: true }),
      friendNamed('Ben', { personastate: 3, library_status: 'hidden' }),
      friendNamed('Cat', { personastate: 1 }),
      friendNamed('Dan', { playing: 'Portal', joined_here: true }),
    ]),
  ).toEqual({ all: 4, playing: 1, online: 3, private: 1, joined: 2 })
})
