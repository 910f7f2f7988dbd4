import { expect, test } from 'vitest'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { firstStep } from './first-run.ts'

type Read = SyncStatus['games']['status']

/** The step of a user with so much, whose games and friends were read so. */
function stepOf(
  [games, friends, groups]: [number, number, number],
  read: [games: Read, friends: Read],
  { libraries = { total: 0, read: 0, waiting: 0 }, reading = false } = {},
) {
  const [ofGames, ofFriends] = read.map((status) => ({ status, synced_at: null, reading }))
  const status = { limit: 10, left: 10, next_free_at: null, libraries, games: ofGames!, friends: ofFriends! }
  return firstStep({ games, friends, groups, status })
}
const [AT_REST, SYNCING] = [
  { isPrivate: false, isSyncing: false },
  { isPrivate: false, isSyncing: true },
]
const LIBRARIES = { libraries: { total: 120, read: 34, waiting: 86 } }
const PROGRESS = { step: 'libraries', read: 34, total: 120 }

test.each([
  ['first syncs their games', stepOf([0, 0, 0], ['never', 'never']), { step: 'games', ...AT_REST }],
  [
    'sees that games are synced automatically',
    stepOf([0, 0, 0], ['never', 'never'], { reading: true }),
    { step: 'games', ...SYNCING },
  ],
  [
    'sees that friends are synced automatically',
    stepOf([12, 0, 0], ['ok', 'never'], { reading: true }),
    { step: 'friends', ...SYNCING },
  ],
  ['then syncs their friends', stepOf([12, 0, 0], ['ok', 'never']), { step: 'friends', ...AT_REST }],
  [
    'then sees the progress of their friends’ libraries',
    stepOf([12, 120, 0], ['ok', 'ok'], LIBRARIES),
    { ...PROGRESS, areGamesPrivate: false },
  ],
  [
    'then creates their first group',
    stepOf([12, 3, 0], ['ok', 'ok']),
    { step: 'group', areGamesPrivate: false },
  ],
  [
    'is done with a group, also while libraries are synced again',
    stepOf([12, 3, 1], ['ok', 'ok'], LIBRARIES),
    undefined,
  ],
])('LOOK-31: a new user %s', (_, found, expected) => expect(found).toEqual(expected))

test.each([
  [
    'do not block the first group',
    stepOf([0, 3, 0], ['private', 'ok']),
    { step: 'group', areGamesPrivate: true },
  ],
  [
    'do not count as synced',
    stepOf([0, 3, 0], ['private', 'ok'], LIBRARIES),
    { ...PROGRESS, areGamesPrivate: true },
  ],
  [
    'count as synced when they were before',
    stepOf([12, 3, 0], ['private', 'ok']),
    { step: 'group', areGamesPrivate: false },
  ],
  [
    'are marked when nothing was ever synced',
    stepOf([0, 0, 0], ['private', 'never']),
    { step: 'games', isPrivate: true, isSyncing: false },
  ],
  [
    'and private friends are',
    stepOf([1, 0, 0], ['ok', 'private']),
    { step: 'friends', isPrivate: true, isSyncing: false },
  ],
  ['do not matter after an earlier sync', stepOf([12, 3, 1], ['private', 'private']), undefined],
])('LOOK-11: private games %s', (_, found, expected) => expect(found).toEqual(expected))
