/** Everything about one game (API-50). */
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'

export const gamePageQuery = (steamId: string, appid: number) =>
  queryOptions({
    queryKey: keys.gamePage(steamId, appid),
    queryFn: ({ signal }) =>
      query('GET /api/users/:steamId/games/:gameId', { params: { steamId, gameId: appid } }, signal),
  })
