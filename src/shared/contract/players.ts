/** How many can play a game, as the members of a group correct it for the group (API-54). */
import { z } from 'zod'
import { appidInPath, groupGamePlayers, groupIdInPath } from '../entities.ts'
import { PLAYERS_MAX } from '../limits.ts'
import { endpoint } from './endpoint.ts'

const ofGame = z.object({ id: groupIdInPath, gameId: appidInPath })

export const playersContract = {
  read: endpoint({
    method: 'GET',
    path: '/api/groups/:id/games/:gameId/players',
    summary: 'How many can play a game, and who corrected it for this group and when',
    access: 'group_member',
    params: ofGame,
    response: groupGamePlayers,
  }),
  correct: endpoint({
    method: 'PUT',
    path: '/api/groups/:id/games/:gameId/players',
    summary:
      'Correct how many can play a game, for this group; null takes the correction back (members who have joined)',
    access: 'group_member',
    params: ofGame,
    body: z.object({ players_max: z.int().min(1).max(PLAYERS_MAX).nullable() }),
    response: groupGamePlayers,
  }),
}
