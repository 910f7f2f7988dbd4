/** What is left of today's syncs, how far the reading of friends' libraries has come, and what happened lately. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { friendsQueries } from './friends.ts'
import { load } from './http.ts'
import { keys } from './keys.ts'
import { librariesChanged, libraryQueries } from './library.ts'

/** While libraries are being read in the background the count is asked for this often. */
const PROGRESS_EVERY_MS = 2000
const AFTER_FAILURE_MS = 15_000

export const syncQueries = {
  /** Syncs left, and what is read and waiting; asked again and again only while something is waiting. */
  status: (steamId: string) =>
    queryOptions({
      queryKey: keys.syncStatus(steamId),
      queryFn: ({ signal }) => load('GET /api/users/:steamId/sync_status', { params: { steamId } }, signal),
      refetchInterval: ({ state }) => {
        if (!state.data || !isReading(state.data)) return false
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

function isReading({ libraries, games, friends }: SyncStatus): boolean {
  return libraries?.waiting > 0 || games?.reading || friends?.reading
}

/**
 * Progress of reading friends' libraries; undefined while nothing is being read. When the last one has arrived,
 * the friend list, groups, libraries not known so far and what is made of friends' libraries load again. So do my own
 * games and friends once a first sign-in has brought them.
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
      // A library that is looked at may have arrived after it was last asked for.
      void client.invalidateQueries({
        queryKey: keys.libraries(),
        predicate: ({ state }) => (state.data as { status?: string } | undefined)?.status === 'never',
      })
    }
  }, [waiting, client, steamId])

  return waiting ? data?.libraries : undefined
}

/**
 * Loads my games and friends again where the screen says that they were never read and the status knows better. What
 * was read between the two answers is so noticed as well as what was seen being read.
 */
function useFirstArrivals(steamId: string, status: SyncStatus | undefined): void {
  const client = useQueryClient()
  const shown = { enabled: false, select: (answer: { status: string }) => answer.status } as const
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
