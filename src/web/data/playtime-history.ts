/** My playtime by month (SYNC-22). */
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'

export const playtimeHistoryQuery = (steamId: string) =>
  queryOptions({
    // Below the library: a sync of it changes this.
    queryKey: [...keys.library(steamId), 'history'],
    queryFn: ({ signal }) =>
      query('GET /api/users/:steamId/playtime_history', { params: { steamId } }, signal),
  })
