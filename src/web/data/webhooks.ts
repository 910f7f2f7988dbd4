/** The webhook of a group, which its owner sets, and my own (NIGHT-110). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type InputOf, mutate, query } from './http.ts'
import { keys } from './keys.ts'

export type WebhookOwner = { groupId: number } | { steamId: string }
type Body = InputOf<'PUT /api/groups/:id/webhook'>['body']

function callsOf(owner: WebhookOwner) {
  if ('groupId' in owner) {
    const params = { id: owner.groupId }
    return {
      read: (signal: AbortSignal) => query('GET /api/groups/:id/webhook', { params }, signal),
      set: (body: Body) => mutate('PUT /api/groups/:id/webhook', { params, body }),
      test: () => mutate('POST /api/groups/:id/webhook/test', { params }),
      remove: () => mutate('DELETE /api/groups/:id/webhook', { params }),
    }
  }
  const params = owner
  return {
    read: (signal: AbortSignal) => query('GET /api/users/:steamId/webhook', { params }, signal),
    set: (body: Body) => mutate('PUT /api/users/:steamId/webhook', { params, body }),
    test: () => mutate('POST /api/users/:steamId/webhook/test', { params }),
    remove: () => mutate('DELETE /api/users/:steamId/webhook', { params }),
  }
}

/** A webhook; null when there is none. */
export const webhookQuery = (owner: WebhookOwner) =>
  queryOptions({
    queryKey: keys.webhook(owner),
    queryFn: ({ signal }) => callsOf(owner).read(signal),
    staleTime: 0,
  })

/** Sets a webhook; a new address gets a new secret. */
export function useSetWebhook(owner: WebhookOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: callsOf(owner).set,
    onSuccess: (webhook) => client.setQueryData(keys.webhook(owner), webhook),
  })
}

/** Sends a test message soon. */
export function useTestWebhook(owner: WebhookOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: callsOf(owner).test,
    onSuccess: (webhook) => client.setQueryData(keys.webhook(owner), webhook),
    // It may have been removed or switched off meanwhile.
    onError: () => client.invalidateQueries({ queryKey: keys.webhook(owner) }),
  })
}

/** Removes a webhook. */
export function useRemoveWebhook(owner: WebhookOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: callsOf(owner).remove,
    onSuccess: () => client.setQueryData(keys.webhook(owner), null),
  })
}
