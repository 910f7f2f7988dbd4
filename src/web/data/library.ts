/** Games and playtime, of the user or of a person they are connected with. */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const libraryQueries = {
  /** Games, most played first; `status` says why there may be none, `synced_at` when they were last synced. */
  games: (steamId: string) =>
    queryOptions({
      queryKey: keys.games(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/games', { params: { steamId } }, signal),
    }),

  /** Name and avatar as stored. */
  summary: (steamId: string) =>
    queryOptions({
      queryKey: keys.summary(steamId),
      queryFn: ({ signal }) =>
        query('GET /api/users/:steamId/summary_local', { params: { steamId } }, signal),
    }),

  /** Total minutes in all games. */
  totalPlaytime: (steamId: string) =>
    queryOptions({
      queryKey: keys.totalPlaytime(steamId),
      queryFn: async ({ signal }) =>
        (await query('GET /api/users/:steamId/total_playtime', { params: { steamId } }, signal))
          .total_playtime_minutes,
    }),

  /** My minutes in one game, and its name ("" if unknown). */
  gamePlaytime: (steamId: string, appid: number) =>
    queryOptions({
      queryKey: keys.gamePlaytime(steamId, appid),
      queryFn: ({ signal }) =>
        query(
          'GET /api/users/:steamId/games/:gameId/playtime',
          { params: { steamId, gameId: appid } },
          signal,
        ),
    }),
}

/**
 * Syncs a library; one of the user's ten daily syncs. Afterwards everything that shows this library is refetched,
 * whether or not the sync succeeded (PAGE-6). `isPending` includes a sync started before the screen was left and opened
 * again.
 * @param me the signed-in user
 * @param of the owner of the library
 */
export function useSyncGames(me: string, of: string) {
  const client = useQueryClient()
  const mutationKey = ['sync-games', of]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: () => mutate('POST /api/users/:steamId/fetch_games', { params: { steamId: of } }),
    onSettled: () => librariesChanged(client, me, [of]),
  })
  return {
    // A failed sync shows no error (PAGE-8).
    mutate: () => mutateAsync().catch(() => undefined),
    isPending: useIsMutating({ mutationKey }) > 0,
  }
}

/**
 * Invalidates everything that depends on these people's libraries. Resolves when the queries on the screen have been
 * refetched.
 */
export async function librariesChanged(
  client: QueryClient,
  me: string,
  owners: readonly string[],
): Promise<void> {
  const affected = [
    ...owners.map((owner) => keys.library(owner)),
    ...(owners.some((owner) => owner !== me) ? [keys.friends(me)] : []),
    keys.comparisons(),
    keys.allSharedGames(),
    // Member rows include the library status.
    keys.allGroups(),
    keys.sync(me),
  ]
  await Promise.all(affected.map((queryKey) => client.invalidateQueries({ queryKey })))
}
