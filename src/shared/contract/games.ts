/** A game's page: who plays it, who owns it, and which groups have it together (API-50). */
import { z } from 'zod'
import { appidInPath, gamePage, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

export const gamesContract = {
  read: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games/:gameId',
    summary: 'One game: my time in it, friends who own it, and my groups whose members all own it',
    access: 'self',
    heavy: true,
    params: z.object({ steamId, gameId: appidInPath }),
    response: gamePage,
  }),
}
