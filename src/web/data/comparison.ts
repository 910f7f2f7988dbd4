/** Games two people both own. */
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'

export const comparisonQueries = {
  /** Games I and a friend both own, largest sum of playtime first; empty when a library is not known. */
  compare: (me: string, friend: string) =>
    queryOptions({
      queryKey: keys.comparison(me, friend),
      queryFn: ({ signal }) =>
        query(
          'GET /api/compare/:mySteamId/:friendSteamId',
          { params: { mySteamId: me, friendSteamId: friend } },
          signal,
        ),
    }),
}
