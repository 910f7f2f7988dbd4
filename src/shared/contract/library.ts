/** Games and playtime of one person (API-5 to API-11). */
import { z } from 'zod'
import { appidInPath, game, libraryStatus, person, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const user = z.object({ steamId })
const none = z.undefined()

export const syncOutcome = z.enum(['ok', 'private'])

export const libraryContract = {
  games: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games',
    summary: 'Games of a player, most played first, then by name',
    access: 'self_or_connected',
    cacheable: true,
    heavy: true,
    params: user,
    body: none,
    response: z.object({
      games: z.array(game),
      /** Why the list may be empty: never read, private on the platform, or hidden by its owner here. */
      status: libraryStatus,
      /** When the platform last gave this library; null when it never did. */
      synced_at: z.iso.datetime().nullable(),
    }),
  }),
  fetchGames: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/fetch_games',
    summary: 'Read a library from the platform now; counts as one of the ten syncs a day',
    access: 'self_or_connected',
    params: user,
    body: none,
    response: z.object({ status: syncOutcome, game_count: z.int() }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/summary_local',
    summary: 'Name and avatar of a player, from the database',
    access: 'self_or_connected',
    cacheable: true,
    params: user,
    body: none,
    response: person,
  }),
  totalPlaytime: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/total_playtime',
    summary: 'Minutes played in all my games together',
    access: 'self',
    cacheable: true,
    params: user,
    body: none,
    response: z.object({ total_playtime_minutes: z.int() }),
  }),
  gamePlaytime: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games/:gameId/playtime',
    summary: 'My minutes in one game; 0 and the name the catalogue knows when it is not mine',
    access: 'self',
    cacheable: true,
    params: user.extend({ gameId: appidInPath }),
    body: none,
    response: z.object({ playtime_minutes: z.int(), game_name: z.string() }),
  }),
}
