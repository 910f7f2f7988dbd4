/** Syncs left today, progress of syncing friends' libraries, and recent activity. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { serverNow } from '../clock.ts'
import { friendsQueries } from './friends.ts'
import { query } from './http.ts'
import { keys } from './keys.ts'
import { librariesChanged, libraryQueries } from './library.ts'

/** How often the progress is polled while libraries are synced in the background. */
const PROGRESS_EVERY_MS = 2000
const AFTER_FAILURE_MS = 15_000

export const syncQueries = {
  /** Syncs left and sync progress; polled only while something is being synced. */
  status: (steamId: string) =>
    queryOptions({
      queryKey: keys.syncStatus(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/sync_status', { params: { steamId } }, signal),
      refetchInterval: ({ state }) => {
        if (!state.data) return false
        if (isSyncing(state.data)) return state.error ? AFTER_FAILURE_MS : PROGRESS_EVERY_MS
        // Asked again when the next sync becomes free, so that the buttons are enabled by themselves (PAGE-28).
        const { left, next_free_at } = state.data
        if (left > 0 || next_free_at === null) return false
        return Math.max(Date.parse(next_free_at) - serverNow(), AFTER_FAILURE_MS)
      },
    }),

  /** Recent Activity: up to two groups synced, one friend who played a new game. */
  activity: (steamId: string) =>
    queryOptions({
      queryKey: keys.activity(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/activity', { params: { steamId } }, signal),
    }),
}

function isSyncing({ libraries, games, friends }: SyncStatus): boolean {
  return libraries?.waiting > 0 || games?.reading || friends?.reading
}

/**
 * Progress of syncing friends' libraries; undefined while none is being synced. After the last one, the friend list,
 * groups, libraries that were unknown and everything computed from friends' libraries are refetched. So are my own games
 * and friends after the first sign-in has synced them.
 */
export function useLibraryProgress(steamId: string): { read: number; total: number } | undefined {
  const client = useQueryClient()
  const { data } = useQuery(syncQueries.status(steamId))
  const waiting = (data?.libraries?.waiting ?? 0) > 0
  useFirstArrivals(steamId, data)

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
      // A library on the screen may have been synced since it was last requested.
      void client.invalidateQueries({
        queryKey: keys.libraries(),
        predicate: ({ state }) => (state.data as { status?: string } | undefined)?.status === 'never',
      })
    }
  }, [waiting, client, steamId])

  return waiting ? data?.libraries : undefined
}

/**
 * Refetches my games and friends when the cache says that they were never synced and the status says otherwise. This
 * also notices a sync that finished between the two requests.
 */
function useFirstArrivals(steamId: string, status: SyncStatus | undefined): void {
  const client = useQueryClient()
  const shown = { enabled: false, select: ({ status }: { status: string }) => status } as const
  const games = useQuery({ ...libraryQueries.games(steamId), ...shown }).data
  const stored = useQuery({ ...friendsQueries.stored(steamId), ...shown }).data
  const listed = useQuery({ ...friendsQueries.list(steamId), ...shown }).data
  const gamesArrived = games === 'never' && status?.games !== undefined && status.games.status !== 'never'
  const friendsArrived =
    (stored === 'never' || listed === 'never') &&
    status?.friends !== undefined &&
    status.friends.status !== 'never'

  useEffect(() => {
    if (gamesArrived) void librariesChanged(client, steamId, [steamId])
  }, [gamesArrived, client, steamId])
  useEffect(() => {
    if (friendsArrived) void client.invalidateQueries({ queryKey: keys.friends(steamId) })
  }, [friendsArrived, client, steamId])
}
