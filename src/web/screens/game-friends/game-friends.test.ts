import { expect, test } from 'vitest'
import type { Friend, LibraryStatus } from '#shared/entities.ts'
import { readNavigationState, unknownLibraries } from './game-friends.ts'

const friends = (...statuses: LibraryStatus[]) =>
  statuses.map((library_status, index): Friend => ({
    steam_id: String(76561197960265801n + BigInt(index)),
    display_name: null,
    avatar_url: null,
    personastate: 0,
    playing: null,
    playing_appid: null,
    joined_here: false,
    library_status,
  }))

test('friends whose libraries are not known are counted by reason', () => {
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

test('navigation state is read if it has the form of ROUTE-10, and ignored otherwise', () => {
  expect(readNavigationState({ myPlaytime: 0, gameName: 'Portal' })).toEqual({
    myPlaytime: 0,
    gameName: 'Portal',
  })
  expect(readNavigationState({ gameName: 'Portal' })).toEqual({ gameName: 'Portal' })
  for (const state of [null, undefined, 'Portal', 7, { myPlaytime: '60', gameName: 5 }, { gameName: '' }])
    expect(readNavigationState(state)).toEqual({})
  expect(readNavigationState({ myPlaytime: NaN })).toEqual({})
})
