/** Games and playtime of one player (API-5 to API-11). */
import { z } from 'zod'
import { appidInPath, game, gameSummary, libraryStatus, player, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const user = z.object({ steamId })

export const syncOutcome = z.enum(['ok', 'private'])

const playtimeHistory = z.object({
  /** Oldest first, from the first month with playtime to the current one (UTC). */
  months: z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d{2}$/),
      minutes: z.int(),
      /** The games played most, at most five. */
      games: z.array(gameSummary.extend({ minutes: z.int() })),
    }),
  ),
  /** When minutes began to be counted by month; null before the first sync. */
  since: z.iso.datetime().nullable(),
})
export type PlaytimeHistory = z.infer<typeof playtimeHistory>

export const libraryContract = {
  games: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games',
    summary: 'Games of a person, most played first, then by name',
    access: 'self_or_connected',
    heavy: true,
    params: user,
    response: z.object({
      games: z.array(game),
      /** Why the list may be empty: never synced, private on Steam, or hidden by its owner. */
      status: libraryStatus,
      /** When the library was last synced; null if never. */
      synced_at: z.iso.datetime().nullable(),
      /** Appids of the games that I hide from everyone else; empty in the libraries of others (VIS-6). */
      hidden: z.array(z.int()),
    }),
  }),
  fetchGames: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/fetch_games',
    summary: 'Sync a library from Steam; counts as one of the ten daily syncs',
    access: 'self_or_connected',
    params: user,
    response: z.object({ status: syncOutcome, game_count: z.int() }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/summary_local',
    summary: 'Name and avatar of a person, as stored',
    access: 'self_or_connected',
    params: user,
    response: player,
  }),
  totalPlaytime: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/total_playtime',
    summary: 'Total minutes played in all my games',
    access: 'self',
    params: user,
    response: z.object({ total_playtime_minutes: z.int() }),
  }),
  playtimeHistory: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/playtime_history',
    summary: 'Minutes I played by month, in the last 24 months, with the games I played most',
    access: 'self',
    params: user,
    response: playtimeHistory,
  }),
  gamePlaytime: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/games/:gameId/playtime',
    summary: 'My minutes in one game; 0 and the name in the catalogue if I do not own it',
    access: 'self',
    params: user.extend({ gameId: appidInPath }),
    response: z.object({ playtime_minutes: z.int(), game_name: z.string() }),
  }),
}
