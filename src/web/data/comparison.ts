/** Games two people both own, and how much they have in common. */
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

  /** Numbers of games that only one or both of us own, and how alike our playing time is; null while a library is not known. */
  overlap: (me: string, friend: string) =>
    queryOptions({
      queryKey: keys.overlap(me, friend),
      queryFn: ({ signal }) =>
        query(
          'GET /api/compare/:mySteamId/:friendSteamId/overlap',
          { params: { mySteamId: me, friendSteamId: friend } },
          signal,
        ),
    }),
}
