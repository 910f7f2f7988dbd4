/** What leaves a game night: calendars and links to share (NIGHT-106 to NIGHT-108). */
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

/** The address of my calendar of game nights; null while it is switched off. */
export const calendarQuery = (steamId: string) =>
  queryOptions({
    queryKey: keys.calendar(steamId),
    queryFn: ({ signal }) => query('GET /api/users/:steamId/calendar', { params: { steamId } }, signal),
  })

/** Gives my calendar an address, which replaces the one before. */
export function useRenewCalendar(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('POST /api/users/:steamId/calendar', { params: { steamId } }),
    onSuccess: (calendar) => client.setQueryData(keys.calendar(steamId), calendar),
  })
}

/** Switches my calendar off. */
export function useSwitchOffCalendar(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/users/:steamId/calendar', { params: { steamId } }),
    onSuccess: () => client.setQueryData(keys.calendar(steamId), null),
  })
}
