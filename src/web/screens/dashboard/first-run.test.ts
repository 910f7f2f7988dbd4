import { describe, expect, test } from 'vitest'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { firstStep } from './first-run.ts'

type Read = SyncStatus['games']['status']

function status(
  games: Read,
  friends: Read,
  libraries = { total: 0, read: 0, waiting: 0 },
  reading = false,
): SyncStatus {
  const read = (status: Read) => ({ status, synced_at: null, reading })
  return {
    limit: 10,
    left: 10,
    next_free_at: null,
    libraries,
    games: read(games),
    friends: read(friends),
  }
}

const nothing = { games: 0, friends: 0, groups: 0 }

describe('a new person is led', () => {
  test('first to their games', () =>
    expect(firstStep({ ...nothing, status: status('never', 'never') })).toEqual({
      step: 'games',
      isPrivate: false,
      isReading: false,
    }))

  test('and sees that they are being read by themselves', () => {
    const reading = (games: Read, friends: Read) => status(games, friends, undefined, true)
    expect(firstStep({ ...nothing, status: reading('never', 'never') })).toMatchObject({
      step: 'games',
      isReading: true,
    })
    expect(firstStep({ ...nothing, games: 12, status: reading('ok', 'never') })).toMatchObject({
      step: 'friends',
      isReading: true,
    })
  })

  test('then to their friends', () =>
    expect(firstStep({ ...nothing, games: 12, status: status('ok', 'never') })).toEqual({
      step: 'friends',
      isPrivate: false,
      isReading: false,
    }))

  test('then waits for friends’ libraries and sees how far they are', () =>
    expect(
      firstStep({
        games: 12,
        friends: 120,
        groups: 0,
        status: status('ok', 'ok', { total: 120, read: 34, waiting: 86 }),
      }),
    ).toEqual({ step: 'libraries', read: 34, total: 120, areGamesPrivate: false }))

  test('then to their first group', () =>
    expect(firstStep({ games: 12, friends: 3, groups: 0, status: status('ok', 'ok') })).toEqual({
      step: 'group',
      areGamesPrivate: false,
    }))

  test('and is done with a group, also while libraries are being read again', () =>
    expect(
      firstStep({
        games: 12,
        friends: 3,
        groups: 1,
        status: status('ok', 'ok', { total: 3, read: 1, waiting: 2 }),
      }),
    ).toBeUndefined())
})

describe('what is private', () => {
  test('games that cannot be read do not keep anybody from a group, and are not taken for read', () => {
    const withFriends = (libraries?: SyncStatus['libraries']) =>
      firstStep({ ...nothing, friends: 3, status: status('private', 'ok', libraries) })
    expect(withFriends()).toEqual({ step: 'group', areGamesPrivate: true })
    const reading = { total: 3, read: 1, waiting: 2 }
    expect(withFriends(reading)).toMatchObject({ step: 'libraries', areGamesPrivate: true })
  })

  test('games read before they were made private are still there', () =>
    expect(firstStep({ games: 12, friends: 3, groups: 0, status: status('private', 'ok') })).toEqual({
      step: 'group',
      areGamesPrivate: false,
    }))

  test('is said where nothing was ever read', () => {
    expect(firstStep({ ...nothing, status: status('private', 'never') })).toEqual({
      step: 'games',
      isPrivate: true,
      isReading: false,
    })
    expect(firstStep({ ...nothing, games: 1, status: status('ok', 'private') })).toEqual({
      step: 'friends',
      isPrivate: true,
      isReading: false,
    })
  })

  test('is in nobody’s way who was read before', () =>
    expect(
      firstStep({ games: 12, friends: 3, groups: 1, status: status('private', 'private') }),
    ).toBeUndefined())
})

test('an empty library and an empty friend list are answers too', () =>
  expect(firstStep({ ...nothing, status: status('ok', 'ok') })).toBeUndefined())

test('nothing is claimed before all is known', () => {
  expect(firstStep({ ...nothing, status: undefined })).toBeUndefined()
  expect(firstStep({ ...nothing, groups: undefined, status: status('never', 'never') })).toBeUndefined()
})
