/** Lists of game nights; apart from the nights themselves, because the dashboard needs only these. */
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'

export const nightListQueries = {
  /** My nights: open ones first, by their time, then past ones. */
  mine: (steamId: string) =>
    queryOptions({
      queryKey: keys.nights(steamId),
      queryFn: async ({ signal }) =>
        (await query('GET /api/users/:steamId/nights', { params: { steamId } }, signal)).nights,
    }),

  /** The same of a group. */
  ofGroup: (groupId: number) =>
    queryOptions({
      queryKey: keys.groupNights(groupId),
      queryFn: async ({ signal }) =>
        (await query('GET /api/groups/:id/nights', { params: { id: groupId } }, signal)).nights,
    }),
}
