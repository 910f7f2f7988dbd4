/** A game (API-50), those that I hide (VIS-6), how many can play it (API-54), and when I played (SYNC-22). */
import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { messages } from 'virtual:texts'
import type { ElsewherePlace } from '#shared/entities.ts'
import { failureText, mutate, type ResponseTo, query } from './http.ts'
import { keys } from './keys.ts'
import { libraryQueries } from './library.ts'

type Games = ResponseTo<'GET /api/users/:steamId/games'>
/** To hide a game, or to show it again. */
export type HidingChange = { game: { appid: number; name: string }; hide: boolean }

/** Notifies the other tabs of this browser whose hidden games have changed. */
const otherTabs = new BroadcastChannel('hidden-games')

/** My hidden games, and a function that changes them: shown at once, and taken back if it fails. */
export function useHiddenGames(me: string) {
  const client = useQueryClient()
  const queryKey = keys.games(me)
  const { data } = useQuery({ ...libraryQueries.games(me), select: ({ hidden }) => hidden })
  const mutationKey = ['hidden games', me]
  // On top of what is read, which may be read again before they have arrived.
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as HidingChange,
  })
  const hidden = useMemo(() => pending.reduce<ReadonlySet<number>>(changed, new Set(data)), [data, pending])
  useEffect(() => {
    const refetch = ({ data: whose }: MessageEvent<string>) =>
      whose === me && void client.invalidateQueries({ queryKey: keys.games(me) })
    otherTabs.addEventListener('message', refetch)
    return () => otherTabs.removeEventListener('message', refetch)
  }, [client, me])

  const changing = useMutation({
    mutationKey,
    // One after another, so that the last press wins.
    scope: { id: `hidden-games-${me}` },
    mutationFn: ({ game: { appid }, hide }: HidingChange) =>
      mutate(
        hide
          ? 'PUT /api/users/:steamId/hidden_games/:gameId'
          : 'DELETE /api/users/:steamId/hidden_games/:gameId',
        { params: { steamId: me, gameId: appid } },
      ),
    onSuccess: async (_answer, change) => {
      // An older response must not bring back what was changed.
      if (data) await client.cancelQueries({ queryKey })
      client.setQueryData<Games>(
        queryKey,
        (known) => known && { ...known, hidden: [...changed(new Set(known.hidden), change)] },
      )
      otherTabs.postMessage(me)
    },
    onSettled: () => client.invalidateQueries({ queryKey, refetchType: 'none' }),
  })
  const { variables, error, submittedAt } = changing
  return {
    hidden,
    change: (change: HidingChange) => changing.mutate(change),
    /** The latest change, with the reason if it failed; `at` tells changes apart. */
    last: variables && {
      ...variables,
      at: submittedAt,
      failure: error ? failureText(error, messages.somethingWrong) : undefined,
    },
  }
}

function changed(hidden: ReadonlySet<number>, { game: { appid }, hide }: HidingChange): ReadonlySet<number> {
  return hide ? new Set(hidden).add(appid) : new Set([...hidden].filter((one) => one !== appid))
}

const STORE_ANSWERS_AFTER_MS = 4000

/** A look may have the store asked (PLAT-46): reads once more a little later, if prices are missing. */
export function useOnceMoreForPrices({ refetch }: { refetch: () => unknown }, isMissing = false) {
  useEffect(() => {
    if (!isMissing) return
    const timer = setTimeout(() => void refetch(), STORE_ANSWERS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isMissing, refetch])
}

export const gamePageQuery = (steamId: string, appid: number) =>
  queryOptions({
    queryKey: keys.gamePage(steamId, appid),
    queryFn: ({ signal }) =>
      query('GET /api/users/:steamId/games/:gameId', { params: { steamId, gameId: appid } }, signal),
  })

/** A function that says where I own a game outside Steam; null takes it back. Groups and nights follow. */
export function useOwnElsewhere(me: string, appid: number) {
  const client = useQueryClient()
  return async (where: ElsewherePlace | null) => {
    const params = { steamId: me, gameId: appid }
    await (where === null
      ? mutate('DELETE /api/users/:steamId/elsewhere/:gameId', { params })
      : mutate('PUT /api/users/:steamId/elsewhere/:gameId', { params, body: { where } }))
    await Promise.all(
      [keys.gamePage(me, appid), keys.allSharedGames(), keys.allNights()].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  }
}

/** A function that says whether I want to play a game with a group. */
export function useWant(me: string, appid: number) {
  const client = useQueryClient()
  return async (groupId: number, wants: boolean) => {
    const params = { id: groupId, gameId: appid }
    await (wants
      ? mutate('PUT /api/groups/:id/wanted/:gameId', { params })
      : mutate('DELETE /api/groups/:id/wanted/:gameId', { params }))
    await Promise.all(
      [keys.gamePage(me, appid), keys.wanted(groupId), keys.allNights()].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  }
}

export const gamePlayersQuery = (groupId: number, appid: number) =>
  queryOptions({
    queryKey: keys.gamePlayers(groupId, appid),
    queryFn: ({ signal }) =>
      query('GET /api/groups/:id/games/:gameId/players', { params: { id: groupId, gameId: appid } }, signal),
  })

/** A function that corrects how many can play a game in a group; null takes the correction back. Lists and nights follow. */
export function useCorrectPlayers(groupId: number, appid: number) {
  const client = useQueryClient()
  return async (playersMax: number | null) => {
    const answer = await mutate('PUT /api/groups/:id/games/:gameId/players', {
      params: { id: groupId, gameId: appid },
      body: { players_max: playersMax },
    })
    client.setQueryData(keys.gamePlayers(groupId, appid), answer)
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.sharedGames(groupId) }),
      client.invalidateQueries({ queryKey: keys.allNights() }),
    ])
  }
}

export const addedGamesQuery = (groupId: number) =>
  queryOptions({
    queryKey: keys.addedGames(groupId),
    queryFn: ({ signal }) => query('GET /api/groups/:id/added_games', { params: { id: groupId } }, signal),
  })

/** Functions that add a game that is not on Steam to a group, and take one away. Lists and nights follow. */
export function useAddedGames(groupId: number) {
  const client = useQueryClient()
  async function followed(change: Promise<unknown>) {
    await change
    await Promise.all(
      [keys.sharedGames(groupId), keys.allNights()].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
  }
  return {
    add: (body: { name: string; link: string }) =>
      followed(mutate('POST /api/groups/:id/added_games', { params: { id: groupId }, body })),
    remove: (gameId: number) =>
      followed(mutate('DELETE /api/groups/:id/added_games/:gameId', { params: { id: groupId, gameId } })),
  }
}

export const playtimeHistoryQuery = (steamId: string) =>
  queryOptions({
    // Below the library: a sync of it changes this.
    queryKey: [...keys.library(steamId), 'history'],
    queryFn: ({ signal }) =>
      query('GET /api/users/:steamId/playtime_history', { params: { steamId } }, signal),
  })
