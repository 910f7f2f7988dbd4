/** Lists of game nights; apart from the nights themselves, because the dashboard needs only these. */
import { queryOptions } from '@tanstack/react-query'
import { query, type ResponseTo } from './http.ts'
import { keys } from './keys.ts'

/** Nights, current ones first, and how many more each host asks me to. */
export type NightList = ResponseTo<'GET /api/users/:steamId/nights'>
/** Whose list it is: mine, or a group's. */
export type NightListOf = { steamId: string } | { groupId: number }

export const nightListQueries = {
  mine: (steamId: string) =>
    queryOptions({
      queryKey: keys.nights(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/nights', { params: { steamId } }, signal),
    }),

  ofGroup: (groupId: number) =>
    queryOptions({
      queryKey: keys.groupNights(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id/nights', { params: { id: groupId } }, signal),
    }),
}
