/** What is left of today's syncs, how far the reading of friends' libraries has come, and what happened lately. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { load } from './http.ts'
import { keys } from './keys.ts'

/** While libraries are being read in the background the count is asked for this often. */
const PROGRESS_EVERY_MS = 2000
const AFTER_FAILURE_MS = 15_000

export const syncQueries = {
  /** Syncs left, and libraries read and waiting; asked again and again only while some are waiting. */
  status: (steamId: string) =>
    queryOptions({
      queryKey: keys.syncStatus(steamId),
      queryFn: ({ signal }) => load('GET /api/users/:steamId/sync_status', { params: { steamId } }, signal),
      refetchInterval: ({ state }) => {
        if (!state.data || !(state.data.libraries?.waiting > 0)) return false
        return state.error ? AFTER_FAILURE_MS : PROGRESS_EVERY_MS
      },
    }),

  /** Recent Activity: up to two groups synced, one friend who played a new game. */
  activity: (steamId: string) =>
    queryOptions({
      queryKey: keys.activity(steamId),
      queryFn: ({ signal }) => load('GET /api/users/:steamId/activity', { params: { steamId } }, signal),
    }),
}

/**
 * Progress of reading friends' libraries; undefined while nothing is being read. When the last one has arrived,
 * the friend list, groups, libraries not known so far and what is made of friends' libraries load again.
 */
export function useLibraryProgress(steamId: string): { read: number; total: number } | undefined {
  const client = useQueryClient()
  const { data } = useQuery(syncQueries.status(steamId))
  const waiting = (data?.libraries?.waiting ?? 0) > 0

  useEffect(() => {
    if (!waiting) return
    return () => {
      for (const queryKey of [
        keys.friends(steamId),
        keys.comparisons(),
        keys.allSharedGames(),
        keys.allGroups(),
      ])
        void client.invalidateQueries({ queryKey })
      // A library that is looked at may have arrived after it was last asked for.
      void client.invalidateQueries({
        queryKey: keys.libraries(),
        predicate: ({ state }) => (state.data as { status?: string } | undefined)?.status === 'never',
      })
    }
  }, [waiting, client, steamId])

  return waiting ? data?.libraries : undefined
}
