/** What members say of a game for their group: how many can play it (API-54), and that they want to play it (WISH-1). */
import { z } from 'zod'
import { appidInPath, groupGamePlayers, groupIdInPath, wantedGame } from '../entities.ts'
import { PLAYERS_MAX } from '../limits.ts'
import { endpoint } from './endpoint.ts'

const ofGame = z.object({ id: groupIdInPath, gameId: appidInPath })

export const wishesContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/groups/:id/wanted',
    summary:
      'Games that members want to play, or have on their Steam wishlists while another wants or has them; most wanted first (members who have joined)',
    access: 'group_member',
    heavy: true,
    params: z.object({ id: groupIdInPath }),
    response: z.array(wantedGame),
  }),
  want: endpoint({
    method: 'PUT',
    path: '/api/groups/:id/wanted/:gameId',
    summary: 'Want to play a game with this group, until it was played in a night (members who have joined)',
    access: 'group_member',
    params: ofGame,
  }),
  unwant: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/wanted/:gameId',
    summary: 'Take back that I want to play a game with this group',
    access: 'group_member',
    params: ofGame,
  }),
}

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
