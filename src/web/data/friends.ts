/** My friends, their games and their playtime. */
import { queryOptions, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { EXCLUDED_TOP_GAME_APPID } from '#shared/limits.ts'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const friendsQueries = {
  /** Friends with fresh presence; `status` says why the list may be empty, `synced_at` when it was last synced. */
  list: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendList(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/friends', { params: { steamId } }, signal),
    }),

  /** Friends as stored: fast, for friend searches and the dashboard. */
  stored: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendListStored(steamId),
      queryFn: ({ signal }) =>
        query('GET /api/users/:steamId/friends_cached', { params: { steamId } }, signal),
    }),

  /** Games that friends played most in total, largest first, without the excluded game of DASH-21. */
  topGames: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendsTopGames(steamId),
      queryFn: async ({ signal }) =>
        (await query('GET /api/users/:steamId/friends_top_games', { params: { steamId } }, signal)).filter(
          (game) => game.appid !== EXCLUDED_TOP_GAME_APPID,
        ),
    }),

  /** Friends who own a game, most played first; those who never played it are included with 0. */
  ofGame: (steamId: string, appid: number) =>
    queryOptions({
      queryKey: keys.gameFriends(steamId, appid),
      queryFn: ({ signal }) =>
        query(
          'GET /api/users/:steamId/games/:gameId/friends',
          { params: { steamId, gameId: appid } },
          signal,
        ),
    }),

  /** By steam id: games in common with each friend whose library can be looked at; empty when mine cannot be compared. */
  overlaps: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendOverlaps(steamId),
      queryFn: async ({ signal }) => {
        const rows = await query('GET /api/users/:steamId/friends_overlap', { params: { steamId } }, signal)
        return new Map(rows.map((row) => [row.steam_id, row.common]))
      },
    }),
}

/** Syncs my friend list; one of the ten daily syncs. The list is refetched afterwards (PAGE-6). */
export function useSyncFriends(steamId: string) {
  const client = useQueryClient()
  const mutationKey = ['sync-friends', steamId]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: () => mutate('POST /api/users/:steamId/sync_friends', { params: { steamId } }),
    onSettled: () => {
      const status = client.invalidateQueries({ queryKey: keys.sync(steamId) })
      // After the status: libraries synced between the two requests would otherwise be missed.
      void status.then(() => client.invalidateQueries({ queryKey: keys.friendsLibraries(steamId) }))
      const affected = [keys.friends(steamId), keys.comparisons()]
      return Promise.all([...affected.map((queryKey) => client.invalidateQueries({ queryKey })), status])
    },
  })
  return {
    // A failed sync shows no error (PAGE-8).
    mutate: () => mutateAsync().catch(() => undefined),
    isPending: useIsMutating({ mutationKey }) > 0,
  }
}
