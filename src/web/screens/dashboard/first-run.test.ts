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

describe('LOOK-31: a new user', () => {
  test('first syncs their games', () =>
    expect(firstStep({ ...nothing, status: status('never', 'never') })).toEqual({
      step: 'games',
      isPrivate: false,
      isSyncing: false,
    }))

  test('sees that games and friends are synced automatically', () => {
    const reading = (games: Read, friends: Read) => status(games, friends, undefined, true)
    expect(firstStep({ ...nothing, status: reading('never', 'never') })).toMatchObject({
      step: 'games',
      isSyncing: true,
    })
    expect(firstStep({ ...nothing, games: 12, status: reading('ok', 'never') })).toMatchObject({
      step: 'friends',
      isSyncing: true,
    })
  })

  test('then syncs their friends', () =>
    expect(firstStep({ ...nothing, games: 12, status: status('ok', 'never') })).toEqual({
      step: 'friends',
      isPrivate: false,
      isSyncing: false,
    }))

  test('then sees the progress of their friends’ libraries', () =>
    expect(
      firstStep({
        games: 12,
        friends: 120,
        groups: 0,
        status: status('ok', 'ok', { total: 120, read: 34, waiting: 86 }),
      }),
    ).toEqual({ step: 'libraries', read: 34, total: 120, areGamesPrivate: false }))

  test('then creates their first group', () =>
    expect(firstStep({ games: 12, friends: 3, groups: 0, status: status('ok', 'ok') })).toEqual({
      step: 'group',
      areGamesPrivate: false,
    }))

  test('is done with a group, also while libraries are synced again', () =>
    expect(
      firstStep({
        games: 12,
        friends: 3,
        groups: 1,
        status: status('ok', 'ok', { total: 3, read: 1, waiting: 2 }),
      }),
    ).toBeUndefined())
})

describe('private data', () => {
  test('LOOK-11: private games do not block the first group, and do not count as synced', () => {
    const withFriends = (libraries?: SyncStatus['libraries']) =>
      firstStep({ ...nothing, friends: 3, status: status('private', 'ok', libraries) })
    expect(withFriends()).toEqual({ step: 'group', areGamesPrivate: true })
    const reading = { total: 3, read: 1, waiting: 2 }
    expect(withFriends(reading)).toMatchObject({ step: 'libraries', areGamesPrivate: true })
  })

  test('games synced before they were made private count as synced', () =>
    expect(firstStep({ games: 12, friends: 3, groups: 0, status: status('private', 'ok') })).toEqual({
      step: 'group',
      areGamesPrivate: false,
    }))

  test('is marked when nothing was ever synced', () => {
    expect(firstStep({ ...nothing, status: status('private', 'never') })).toEqual({
      step: 'games',
      isPrivate: true,
      isSyncing: false,
    })
    expect(firstStep({ ...nothing, games: 1, status: status('ok', 'private') })).toEqual({
      step: 'friends',
      isPrivate: true,
      isSyncing: false,
    })
  })

  test('does not matter after an earlier sync', () =>
    expect(
      firstStep({ games: 12, friends: 3, groups: 1, status: status('private', 'private') }),
    ).toBeUndefined())
})
