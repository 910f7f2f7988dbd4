/** What members say of a game for their group: how many can play it (API-54), that they want to play it (WISH-1), and games that they add. */
import { z } from 'zod'
import { addedGame, appidInPath, groupGamePlayers, groupIdInPath, wantedGame } from '../entities.ts'
import { ADDED_GAME_LINK_MAX, ADDED_GAME_NAME_MAX, PLAYERS_MAX } from '../limits.ts'
import { visibleName } from '../names.ts'
import { endpoint } from './endpoint.ts'
import { shortText } from './groups.ts'

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

/** Games that are not on Steam, for members who have joined. */
export const addedGamesContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/groups/:id/added_games',
    summary: 'Games that are not on Steam and that members have added, by name (members who have joined)',
    access: 'group_member',
    params: z.object({ id: groupIdInPath }),
    response: z.array(addedGame),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/groups/:id/added_games',
    summary: 'Add a game that is not on Steam and that all members can play (members who have joined)',
    access: 'group_member',
    status: 201,
    params: z.object({ id: groupIdInPath }),
    body: z.object({
      name: shortText(ADDED_GAME_NAME_MAX).refine(
        (name) => visibleName(name) !== undefined,
        'must not be blank',
      ),
      link: shortText(ADDED_GAME_LINK_MAX).refine(
        isWebLink,
        'must be a link that begins with http:// or https://',
      ),
    }),
    response: addedGame,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/added_games/:gameId',
    summary: 'Take away a game that is not on Steam (whoever added it, and the owner)',
    access: 'group_member',
    params: ofGame,
  }),
}

/**
 * Whether a text is a link of the web, without what would make its host look like another one: a name before it, and
 * characters that nobody sees or that turn the text round.
 */
export function isWebLink(text: string): boolean {
  const link = URL.parse(text)
  return (
    link !== null && /^https?:\/\/[^\s\p{C}]+$/iu.test(text) && link.username === '' && link.password === ''
  )
}
