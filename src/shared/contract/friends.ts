/** Friends of the user and their games (API-13 to API-18, API-47). */
import { z } from 'zod'
import { appidInPath, friend, friendOverlap, friendsTopGame, friendWithGame, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'
import { syncOutcome } from './library.ts'

const self = z.object({ steamId })

const friendList = z.object({
  friends: z.array(friend),
  /** 'never': not synced yet; 'private': Steam refuses the list, and the stored one is kept. */
  status: z.enum(['ok', 'private', 'never']),
  synced_at: z.iso.datetime().nullable(),
})

export const friendsContract = {
  friends: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends',
    summary: 'My friends, with presence refreshed from Steam if it is stale',
    access: 'self',
    params: self,
    response: friendList,
  }),
  friendsCached: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends_cached',
    summary: 'My friends as stored; sends no request to Steam',
    access: 'self',
    heavy: true,
    params: self,
    response: friendList,
  }),
  syncFriends: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/sync_friends',
    summary: 'Sync my friend list from Steam; counts as one of the ten daily syncs',
    access: 'self',
    params: self,
    response: z.object({ status: syncOutcome, friend_count: z.int() }),
  }),
  topGames: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends_top_games',
    summary: 'Games that my friends played most in total, largest total first, at most five',
    access: 'self',
    heavy: true,
    params: self,
    response: z.array(friendsTopGame),
  }),
  gameFriends: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games/:gameId/friends',
    summary: 'Friends who own a game, most played first; those who never played it are included with 0',
    access: 'self',
    heavy: true,
    params: self.extend({ gameId: appidInPath }),
    response: z.array(friendWithGame),
  }),
  overlaps: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/friends_overlap',
    summary: 'How many games I have in common with each friend whose library can be looked at, most first',
    access: 'self',
    heavy: true,
    params: self,
    response: z.array(friendOverlap),
  }),
}
