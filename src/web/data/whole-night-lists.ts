/** What only whole lists of game nights need: the rest of one host, leaving it, and deleting. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'
import type { NightListOf } from './night-lists.ts'

/** The current nights of a list that one host asks me to and that I have not answered. */
export const nightsFromQuery = (of: NightListOf, hostSteamId: string) =>
  queryOptions({
    queryKey: keys.nightsFrom(of, hostSteamId),
    queryFn: async ({ signal }) =>
      (
        await ('groupId' in of
          ? query(
              'GET /api/groups/:id/nights/from/:hostSteamId',
              { params: { id: of.groupId, hostSteamId } },
              signal,
            )
          : query(
              'GET /api/users/:steamId/nights/from/:hostSteamId',
              { params: { ...of, hostSteamId } },
              signal,
            ))
      ).nights,
  })

/** Leaves all current nights that one host asks me to and that I have not answered. */
export function useLeaveNightsFrom(steamId: string, hostSteamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      mutate('DELETE /api/users/:steamId/nights/from/:hostSteamId', { params: { steamId, hostSteamId } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.nightLists() }),
  })
}

/** Deletes a cancelled night for everyone. */
export function useDeleteNight(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/nights/:id', { params: { id: nightId } }),
    onSuccess: () => client.removeQueries({ queryKey: keys.night(nightId) }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.nightLists() }),
  })
}
