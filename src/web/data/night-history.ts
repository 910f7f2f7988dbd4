/** What earlier game nights of the same people say (MEMORY-1, MEMORY-5). */
import { queryOptions } from '@tanstack/react-query'
import { query, type ResponseTo } from './http.ts'
import type { NightListOf } from './night-lists.ts'

export type NightHistory = ResponseTo<'GET /api/nights/:id/history'>

/** Here rather than in `keys.ts`, which the first screen loads; nothing else depends on it. */
const key = (of: number | NightListOf) => ['night-history', of] as const

/** The history of the people of a night. */
export const nightHistoryQuery = (nightId: number) =>
  queryOptions({
    queryKey: key(nightId),
    queryFn: ({ signal }) => query('GET /api/nights/:id/history', { params: { id: nightId } }, signal),
  })

/** The histories of a list of nights, latest first. */
export const nightHistoriesQuery = (of: NightListOf) =>
  queryOptions({
    queryKey: key(of),
    queryFn: async ({ signal }) =>
      (
        await ('groupId' in of
          ? query('GET /api/groups/:id/nights/history', { params: { id: of.groupId } }, signal)
          : query('GET /api/users/:steamId/nights/history', { params: of }, signal))
      ).histories,
  })
