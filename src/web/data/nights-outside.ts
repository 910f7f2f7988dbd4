/** What leaves a game night: calendars and links to share (NIGHT-124 to NIGHT-126). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

/** Downloads a night as a calendar file, as it is now. */
export function useNightCalendar(nightId: number) {
  return useMutation({
    mutationFn: () => query('GET /api/nights/:id/calendar', { params: { id: nightId } }),
  })
}

/** The public link to a pick; null when there is none. Other people of the night change it too, so it is always read. */
export const shareQuery = (nightId: number) =>
  queryOptions({
    queryKey: keys.share(nightId),
    queryFn: ({ signal }) => query('GET /api/nights/:id/share', { params: { id: nightId } }, signal),
    staleTime: 0,
  })

/** Makes the public link to a pick. */
export function useShare(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('POST /api/nights/:id/share', { params: { id: nightId } }),
    onSuccess: (share) => client.setQueryData(keys.share(nightId), share),
  })
}

/** Switches the public link to a pick off. */
export function useStopSharing(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/nights/:id/share', { params: { id: nightId } }),
    onSuccess: () => client.setQueryData(keys.share(nightId), null),
  })
}
