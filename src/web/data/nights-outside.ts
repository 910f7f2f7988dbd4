/** What leaves a game night: calendars, links to share, and webhooks (NIGHT-107 to NIGHT-110). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate, query, type InputOf } from './http.ts'
import { keys } from './keys.ts'

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

/** What a group has chosen for its nights; its owner may have changed it, so it is always read. */
export const nightSettingsQuery = (groupId: number) =>
  queryOptions({
    queryKey: keys.nightSettings(groupId),
    queryFn: ({ signal }) => query('GET /api/groups/:id/night_settings', { params: { id: groupId } }, signal),
    staleTime: 0,
  })

/** Changes what a group has chosen for its nights. */
export function useChangeNightSettings(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<'PUT /api/groups/:id/night_settings'>['body']) =>
      mutate('PUT /api/groups/:id/night_settings', { params: { id: groupId }, body }),
    onSuccess: (settings) => {
      client.setQueryData(keys.nightSettings(groupId), settings)
      // Links may be gone.
      client.removeQueries({ queryKey: keys.shares() })
    },
  })
}

/** The webhook of a group; null when there is none. */
export const webhookQuery = (groupId: number) =>
  queryOptions({
    queryKey: keys.webhook(groupId),
    queryFn: ({ signal }) => query('GET /api/groups/:id/webhook', { params: { id: groupId } }, signal),
    staleTime: 0,
  })

/** Sets the webhook; a new address gets a new secret. */
export function useSetWebhook(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<'PUT /api/groups/:id/webhook'>['body']) =>
      mutate('PUT /api/groups/:id/webhook', { params: { id: groupId }, body }),
    onSuccess: (webhook) => client.setQueryData(keys.webhook(groupId), webhook),
  })
}

/** Sends a test message soon. */
export function useTestWebhook(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('POST /api/groups/:id/webhook/test', { params: { id: groupId } }),
    onSuccess: (webhook) => client.setQueryData(keys.webhook(groupId), webhook),
    // It may have been removed meanwhile.
    onError: () => client.invalidateQueries({ queryKey: keys.webhook(groupId) }),
  })
}

/** Removes the webhook. */
export function useRemoveWebhook(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/groups/:id/webhook', { params: { id: groupId } }),
    onSuccess: () => client.setQueryData(keys.webhook(groupId), null),
  })
}
