/** Lists of game nights; apart from the nights themselves, because the dashboard needs only these. */
import { queryOptions } from '@tanstack/react-query'
import { query, type ResponseTo } from './http.ts'
import { keys } from './keys.ts'

/** Nights, current ones first, and how many more each host asks me to. */
export type NightList = ResponseTo<'GET /api/users/:steamId/nights'>
/** Whose list it is: mine, or a group's. */
export type NightListOf = { steamId: string } | { groupId: number }

/** How often a page that is open looks for nights and members that are new (NIGHT-137). */
const NEWS_EVERY_MS = 4_000

/** Refetches what is shown every few seconds; not what could not be loaded, which has a button for it. */
export const refetchForNews = {
  refetchInterval: ({ state }: { state: { data: unknown } }) => state.data !== undefined && NEWS_EVERY_MS,
}

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
