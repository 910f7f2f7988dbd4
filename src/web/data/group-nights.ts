/** What the owner of a group sets for its game nights: rules, sharing and the webhook (NIGHT-109, NIGHT-110). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type InputOf, mutate, query } from './http.ts'
import { keys } from './keys.ts'

/** How often the webhook is read while a message waits to be sent. */
const WAITING_MS = 1_500

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

/** The webhook of a group; null when it has none. */
export const webhookQuery = (groupId: number) =>
  queryOptions({
    queryKey: keys.webhook(groupId),
    queryFn: ({ signal }) => query('GET /api/groups/:id/webhook', { params: { id: groupId } }, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? WAITING_MS : false),
  })

/** Sets the webhook of a group, with a new secret. */
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
    // It may have been removed or switched off meanwhile.
    onError: () => client.invalidateQueries({ queryKey: keys.webhook(groupId) }),
  })
}

/** Removes the webhook of a group. */
export function useRemoveWebhook(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/groups/:id/webhook', { params: { id: groupId } }),
    onSuccess: () => client.setQueryData(keys.webhook(groupId), null),
  })
}
