/** My friends, what they play and own (API-13 to API-18). */
import { z } from 'zod'
import { appidInPath, friend, friendsTopGame, friendWithGame, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'
import { syncOutcome } from './library.ts'

const self = z.object({ steamId })
const none = z.undefined()

const friendList = z.object({
  friends: z.array(friend),
  /** 'never': not synced yet; 'private': the platform refuses the list, what was stored stays. */
  status: z.enum(['ok', 'private', 'never']),
  synced_at: z.iso.datetime().nullable(),
})

export const friendsContract = {
  friends: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends',
    summary: 'My friends; refreshes who is online from the platform when that is stale',
    access: 'self',
    params: self,
    body: none,
    response: friendList,
  }),
  friendsCached: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends_cached',
    summary: 'My friends as stored; never asks the platform',
    access: 'self',
    cacheable: true,
    heavy: true,
    params: self,
    body: none,
    response: friendList,
  }),
  syncFriends: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/sync_friends',
    summary: 'Read my friend list from the platform now; counts as one of the ten syncs a day',
    access: 'self',
    params: self,
    body: none,
    response: z.object({ status: syncOutcome, friend_count: z.int() }),
  }),
  topGames: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends_top_games',
    summary: 'Games my friends played most together, largest total first, at most five',
    access: 'self',
    cacheable: true,
    heavy: true,
    params: self,
    body: none,
    response: z.array(friendsTopGame),
  }),
  gameFriends: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games/:gameId/friends',
    summary: 'Friends who own a game, most played first; those who never played it are there with 0',
    access: 'self',
    cacheable: true,
    heavy: true,
    params: self.extend({ gameId: appidInPath }),
    body: none,
    response: z.array(friendWithGame),
  }),
}
