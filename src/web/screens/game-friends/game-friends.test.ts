import { expect, test } from 'vitest'
import { readView } from '../../ui/query-string.ts'
import type { FriendWithGame, LibraryStatus } from '#shared/entities.ts'
import { friendNamed } from '../../../../tests/support/friend.ts'
import { ownerParams, ownersShown, readNavigationState, unknownLibraries } from './game-friends.ts'

const friends = (...statuses: LibraryStatus[]) =>
  statuses.map((library_status, index) =>
    friendNamed(null, { steam_id: String(76561197960265801n + BigInt(index)), library_status }),
  )

test('PLAY-6: friends whose libraries are not known are counted by reason', () => {
  expect(unknownLibraries(friends('never', 'ok', 'private', 'never', 'hidden', 'ok'))).toEqual({
    total: 4,
    reasons: [
      ['private', 1],
      ['never', 2],
      ['hidden', 1],
    ],
  })
  expect(unknownLibraries(friends('ok', 'ok'))).toEqual({ total: 0, reasons: [] })
})

test('ROUTE-10: navigation state is read if it has the form of ROUTE-10, and ignored otherwise', () => {
  expect(readNavigationState({ myPlaytime: 0, gameName: 'Portal' })).toEqual({
    myPlaytime: 0,
    gameName: 'Portal',
  })
  expect(readNavigationState({ gameName: 'Portal' })).toEqual({ gameName: 'Portal' })
  for (const state of [null, undefined, 'Portal', 7, { myPlaytime: '60', gameName: 5 }, { gameName: '' }])
    expect(readNavigationState(state)).toEqual({})
  expect(readNavigationState({ myPlaytime: NaN })).toEqual({})
})

test('PLAY-6: those who have played are parted from those who own it, whatever the search and sort', () => {
  const owner = (nth: number, display_name: string, playtime_minutes: number): FriendWithGame => ({
    steam_id: String(76561197960265801n + BigInt(nth)),
    display_name,
    avatar_url: null,
    playtime_minutes,
  })
  const owners = [owner(0, 'Zoe', 90), owner(1, 'Ada', 5), owner(2, 'Eve', 0), owner(3, 'Ben', 0)]
  const list = friends('ok', 'ok', 'ok')
  const known = new Map(list.map((friend) => [friend.steam_id, friend]))
  known.get(owners[1]!.steam_id)!.personastate = 1
  const names = (part: Partial<Parameters<typeof ownersShown>[1]>) => {
    const { plays, owns } = ownersShown(owners, { search: '', sort: 'hours', ...part }, known)
    return [plays, owns].map((people) => people.map(({ display_name }) => display_name))
  }
  expect(names({})).toEqual([
    ['Zoe', 'Ada'],
    ['Eve', 'Ben'],
  ])
  expect(names({ sort: 'name' })).toEqual([
    ['Ada', 'Zoe'],
    ['Ben', 'Eve'],
  ])
  expect(names({ sort: 'presence' })).toEqual([
    ['Ada', 'Zoe'],
    ['Eve', 'Ben'],
  ])
  expect(names({ search: ' E ' })).toEqual([['Zoe'], ['Eve', 'Ben']])
  expect(readView(ownerParams, '?sort=height&search=a')).toEqual({ search: 'a', sort: 'hours' })
})
