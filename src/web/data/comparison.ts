/** Games two people both own. */
import { queryOptions } from '@tanstack/react-query'
import type { ComparisonEntry } from '#shared/entities.ts'
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

/** Those that both really play come first: by the smaller of the two playtimes, equals as they are given (COMP-7). */
export function mostPlayedByBoth(games: readonly ComparisonEntry[]): readonly ComparisonEntry[] {
  const both = ({ user_playtime, friend_playtime }: ComparisonEntry) =>
    Math.min(user_playtime, friend_playtime)
  return games.toSorted((a, b) => both(b) - both(a))
}
