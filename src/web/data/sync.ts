/** Syncs left today, progress of syncing friends' libraries, and recent activity. */
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { serverNow } from '../clock.ts'
import { query } from './http.ts'
import { keys } from './keys.ts'

const AT_LEAST_MS = 60_000

export const syncQueries = {
  /** Syncs left and sync progress. */
  status: (steamId: string) =>
    queryOptions({
      queryKey: keys.syncStatus(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/sync_status', { params: { steamId } }, signal),
      // Asked again when the next sync becomes free, so that the buttons are enabled by themselves (PAGE-9).
      refetchInterval: ({ state: { data } }) =>
        data !== undefined &&
        data.next_free_at !== null &&
        Math.max(Date.parse(data.next_free_at) - serverNow(), AT_LEAST_MS),
    }),

  /** Recent Activity: up to two groups synced, one friend who played a new game. */
  activity: (steamId: string) =>
    queryOptions({
      queryKey: keys.activity(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/activity', { params: { steamId } }, signal),
    }),

  /** What happened in 30 days, a page at a time. */
  lately: (steamId: string) =>
    infiniteQueryOptions({
      queryKey: keys.lately(steamId),
      queryFn: ({ signal, pageParam: from }) =>
        from === 0
          ? query('GET /api/users/:steamId/lately', { params: { steamId } }, signal)
          : query(
              'GET /api/users/:steamId/lately/:from',
              { params: { steamId, from: String(from) } },
              signal,
            ),
      initialPageParam: 0,
      getNextPageParam: ({ next }) => next,
    }),
}

/** Progress of syncing friends' libraries; undefined while none is being synced. */
export function useLibraryProgress(steamId: string): { read: number; total: number } | undefined {
  const { data } = useQuery(syncQueries.status(steamId))
  return data && data.libraries.waiting > 0 ? data.libraries : undefined
}
