/** Game nights: who is in, the shortlist, the vote and the pick; series (SERIES-1). */
import {
  queryOptions,
  replaceEqualDeep,
  useIsMutating,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { type InputOf, isNotFound, mutate, query, type ResponseTo } from './http.ts'
import { keys } from './keys.ts'

export type Night = ResponseTo<'GET /api/nights/:id'>

export const nightsQueries = {
  /** One night, as its page shows it. */
  detail: (nightId: number) =>
    queryOptions({
      queryKey: keys.night(nightId),
      queryFn: ({ signal }) => query('GET /api/nights/:id', { params: { id: nightId } }, signal),
      structuralSharing: (known, read) => latestOf(known as Night | undefined, read as Night),
    }),

  /** The last night of the same people before it, if any (MEMORY-1); nothing else depends on it. */
  last: (nightId: number) =>
    queryOptions({
      queryKey: ['night-history', nightId],
      queryFn: async ({ signal }) =>
        (await query('GET /api/nights/:id/history', { params: { id: nightId } }, signal)).last,
    }),
}

/** Starts a night of a group, or with chosen people. */
export function useStartNight() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<'POST /api/nights'>['body']) => mutate('POST /api/nights', { body }),
    onSuccess: (night) => stored(client, night),
  })
}

/** Starts a night of a group whose game is drawn at once. */
export function useSurprise() {
  const client = useQueryClient()
  return async (groupId: number) => {
    const night = await mutate('POST /api/groups/:id/surprise', { params: { id: groupId } })
    stored(client, night)
    return night
  }
}

/** Says whether I am in, with a short message. */
export function useAnswerNight(nightId: number) {
  return useNightChange(nightId, (body: InputOf<'PUT /api/nights/:id/answer'>['body']) =>
    mutate('PUT /api/nights/:id/answer', { params: { id: nightId }, body }),
  )
}

/** Answers proposed times, all or some. */
export function useAnswerTimes(nightId: number) {
  return useNightChange(nightId, (answers: InputOf<'PUT /api/nights/:id/times'>['body']['answers']) =>
    mutate('PUT /api/nights/:id/times', { params: { id: nightId }, body: { answers } }),
  )
}

/** Takes one of the proposed times of a night that I host. */
export function useTakeTime(nightId: number) {
  return useNightChange(nightId, (starts_at: string) =>
    mutate('POST /api/nights/:id/time', { params: { id: nightId }, body: { starts_at } }),
  )
}

/** Votes with all marks, in place of those I gave before. */
export function useVote(nightId: number) {
  return useNightChange(nightId, (marks: InputOf<'PUT /api/nights/:id/ballot'>['body']['marks']) =>
    mutate('PUT /api/nights/:id/ballot', { params: { id: nightId }, body: { marks } }),
  )
}

/** Changes time, title or rules of a night that I host. */
export function useChangeNight(nightId: number) {
  return useNightChange(nightId, (body: InputOf<'PATCH /api/nights/:id'>['body']) =>
    mutate('PATCH /api/nights/:id', { params: { id: nightId }, body }),
  )
}

/** Cancels a night that I host. */
export function useCancelNight(nightId: number) {
  return useNightChange(nightId, () => mutate('POST /api/nights/:id/cancel', { params: { id: nightId } }))
}

/** Ends the vote of a night that I host. */
export function useCloseVote(nightId: number) {
  return useNightChange(nightId, (by: 'votes' | 'draw') =>
    mutate('POST /api/nights/:id/close', { params: { id: nightId }, body: { by } }),
  )
}

/** Opens the vote again, with its votes. */
export function useReopenVote(nightId: number) {
  return useNightChange(nightId, () => mutate('POST /api/nights/:id/reopen', { params: { id: nightId } }))
}

/** Draws the pick with the odds shown. */
export function useDraw(nightId: number) {
  return useNightChange(nightId, () => mutate('POST /api/nights/:id/draw', { params: { id: nightId } }))
}

/** Draws again, for a reason that is shown. */
export function useRedraw(nightId: number) {
  return useNightChange(nightId, (body: InputOf<'POST /api/nights/:id/redraw'>['body']) =>
    mutate('POST /api/nights/:id/redraw', { params: { id: nightId }, body }),
  )
}

/** Asks more people to a night that is not a group's. */
export function useAskPeople(nightId: number) {
  return useNightChange(nightId, (steamIds: readonly string[]) =>
    mutate('POST /api/nights/:id/people', { params: { id: nightId }, body: { steam_ids: [...steamIds] } }),
  )
}

/** Removes a person from a night that I host. */
export function useRemoveFromNight(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (steamId: string) =>
      mutate('DELETE /api/nights/:id/people/:steamId', { params: { id: nightId, steamId } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.night(nightId) }),
        client.invalidateQueries({ queryKey: keys.nightLists() }),
      ]),
  })
}

/** Leaves a night. It is not read from then on, because that would be refused; see {@link useIsLeavingNight}. */
export function useLeaveNight(me: string, nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: keys.leavingNight(nightId),
    mutationFn: () =>
      mutate('DELETE /api/nights/:id/people/:steamId', { params: { id: nightId, steamId: me } }),
    onMutate: () => client.cancelQueries({ queryKey: keys.night(nightId) }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.nightLists() }),
  })
}

/** Whether I am about to leave a night: its stream would report my own leaving before the response does. */
export function useIsLeavingNight(nightId: number): boolean {
  return useIsMutating({ mutationKey: keys.leavingNight(nightId) }) > 0
}

/** A change that is answered with the night as it is then. */
function useNightChange<Input>(nightId: number, change: (input: Input) => Promise<Night>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (night) => stored(client, night),
    onError: (error) => {
      // What the server refused was decided by what this page did not know yet.
      void client.invalidateQueries({ queryKey: keys.night(nightId) })
      if (isNotFound(error)) void client.invalidateQueries({ queryKey: keys.nightLists() })
    },
  })
}

function stored(client: QueryClient, night: Night): void {
  client.setQueryData<Night>(keys.night(night.night_id), (known) => latestOf(known, night))
  void client.invalidateQueries({ queryKey: keys.nightLists() })
}

/** Responses may overtake each other: an earlier version never replaces a later one (NIGHT-88). */
export function latestOf(known: Night | undefined, read: Night): Night {
  return known && known.version > read.version ? known : replaceEqualDeep(known, read)
}

/** Stops a night from repeating; nights that exist stay. */
export function useStopRepeating(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (seriesId: number) => mutate('DELETE /api/night_series/:id', { params: { id: seriesId } }),
    // What the server refused was decided by what this page did not know yet.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.night(nightId) }),
        client.invalidateQueries({ queryKey: keys.nightLists() }),
      ]),
  })
}
