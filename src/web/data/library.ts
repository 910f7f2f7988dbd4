/** A person's games and playtime: their own, or those of somebody they are connected with. */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { change, load, type AnswerOf } from './http.ts'
import { keys } from './keys.ts'
import { listOf } from './list-of.ts'

type Games = AnswerOf<'GET /api/users/:steamId/games'>

export const libraryQueries = {
  /** Games, most played first, with why there may be none (`status`) and how old they are (`synced_at`). */
  games: (steamId: string) =>
    queryOptions({
      queryKey: keys.games(steamId),
      queryFn: async ({ signal }): Promise<Games> => {
        const answer = await load('GET /api/users/:steamId/games', { params: { steamId } }, signal)
        return {
          games: listOf(answer, (held) => held.games),
          status: answer.status ?? 'ok',
          synced_at: answer.synced_at ?? null,
        }
      },
    }),

  /** Name and avatar as stored. */
  summary: (steamId: string) =>
    queryOptions({
      queryKey: keys.summary(steamId),
      queryFn: ({ signal }) => load('GET /api/users/:steamId/summary_local', { params: { steamId } }, signal),
    }),

  /** Minutes in all games together. */
  totalPlaytime: (steamId: string) =>
    queryOptions({
      queryKey: keys.totalPlaytime(steamId),
      queryFn: async ({ signal }) =>
        (await load('GET /api/users/:steamId/total_playtime', { params: { steamId } }, signal))
          .total_playtime_minutes,
    }),

  /** My minutes in one game, and its name ("" when nobody knows it). */
  gamePlaytime: (steamId: string, appid: number) =>
    queryOptions({
      queryKey: keys.gamePlaytime(steamId, appid),
      queryFn: ({ signal }) =>
        load(
          'GET /api/users/:steamId/games/:gameId/playtime',
          { params: { steamId, gameId: appid } },
          signal,
        ),
    }),
}

/**
 * Reads a library from the platform now; one of the person's ten syncs. Afterwards everything that shows this
 * library loads again, whether the sync worked or not (PAGE-7). It is pending also when it was started before one
 * left the screen and came back.
 * @param me who presses the button
 * @param of whose library is read
 */
export function useSyncGames(me: string, of: string) {
  const client = useQueryClient()
  const mutationKey = ['sync-games', of]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: () => change('POST /api/users/:steamId/fetch_games', { params: { steamId: of } }),
    onSettled: () => librariesChanged(client, me, [of]),
  })
  return {
    // PAGE-8: a failed sync says nothing.
    mutate: () => mutateAsync().catch(() => undefined),
    isPending: useIsMutating({ mutationKey }) > 0,
  }
}

/**
 * Marks as out of date what depends on these people's libraries, for one viewer. Resolves when what is on the
 * screen has been loaded again.
 */
export async function librariesChanged(
  client: QueryClient,
  me: string,
  owners: readonly string[],
): Promise<void> {
  const touched = [
    ...owners.map((owner) => keys.library(owner)),
    ...(owners.some((owner) => owner !== me) ? [keys.friends(me)] : []),
    keys.comparisons(),
    keys.allSharedGames(),
    // Each member's row says whether their library is known.
    keys.allGroups(),
    keys.sync(me),
  ]
  await Promise.all(touched.map((queryKey) => client.invalidateQueries({ queryKey })))
}
