/** My friends, what they own and play together. */
import { queryOptions, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { EXCLUDED_TOP_GAME_APPID } from '#shared/limits.ts'
import { change, load, type AnswerOf } from './http.ts'
import { keys } from './keys.ts'
import { listOf } from './list-of.ts'

type FriendList = AnswerOf<'GET /api/users/:steamId/friends'>

export const friendsQueries = {
  /** Friends with fresh presence; `status` says why there may be none, `synced_at` how old the list is. */
  list: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendList(steamId),
      queryFn: async ({ signal }) =>
        friendList(await load('GET /api/users/:steamId/friends', { params: { steamId } }, signal)),
    }),

  /** Friends as stored: quick, for choosing one and for the dashboard. */
  stored: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendListStored(steamId),
      queryFn: async ({ signal }) =>
        friendList(await load('GET /api/users/:steamId/friends_cached', { params: { steamId } }, signal)),
    }),

  /** Games friends played most together, largest total first, without the one DASH-21 leaves out. */
  topGames: (steamId: string) =>
    queryOptions({
      queryKey: keys.friendsTopGames(steamId),
      queryFn: async ({ signal }) =>
        (await load('GET /api/users/:steamId/friends_top_games', { params: { steamId } }, signal)).filter(
          (game) => game.appid !== EXCLUDED_TOP_GAME_APPID,
        ),
    }),

  /** Friends who own a game, most played first; those who never played it are there with 0. */
  ofGame: (steamId: string, appid: number) =>
    queryOptions({
      queryKey: keys.gameFriends(steamId, appid),
      queryFn: ({ signal }) =>
        load('GET /api/users/:steamId/games/:gameId/friends', { params: { steamId, gameId: appid } }, signal),
    }),
}

/** Reads my friend list from the platform now; one of the ten syncs. The list loads again afterwards (PAGE-7). */
export function useSyncFriends(steamId: string) {
  const client = useQueryClient()
  const mutationKey = ['sync-friends', steamId]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: () => change('POST /api/users/:steamId/sync_friends', { params: { steamId } }),
    onSettled: () => {
      const status = client.invalidateQueries({ queryKey: keys.sync(steamId) })
      // Friends' libraries may be read between the answers to these two, and nobody would see them waiting.
      void status.then(() => client.invalidateQueries({ queryKey: keys.friendsLibraries(steamId) }))
      return Promise.all([client.invalidateQueries({ queryKey: keys.friends(steamId) }), status])
    },
  })
  return {
    // PAGE-8: a failed sync says nothing.
    mutate: () => mutateAsync().catch(() => undefined),
    isPending: useIsMutating({ mutationKey }) > 0,
  }
}

/** Whatever the form of the answer; rows may have the fields of ENT-6 alone. */
function friendList(answer: FriendList): FriendList {
  return {
    friends: listOf(answer, (held) => held.friends).map((friend) => ({
      ...friend,
      playing: friend.playing ?? null,
      library_status: friend.library_status ?? 'ok',
    })),
    status: answer.status ?? 'ok',
    synced_at: answer.synced_at ?? null,
  }
}
