/** What leaves a game night: calendars, links to share, and webhooks (NIGHT-107 to NIGHT-110). */
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate, query, type InputOf } from './http.ts'
import { keys } from './keys.ts'

/** A public link, by its calls. */
export type PublicLink = ReturnType<typeof linkToPick | typeof linkToYear>

export const linkToPick = (id: number) => ({ path: '/api/nights/:id/share', params: { id } }) as const

/** To my year, or that of a group. */
export const linkToYear = (steamId: string, year: string, id: string | undefined) =>
  id === undefined
    ? ({ path: '/api/users/:steamId/year/:year/share', params: { steamId, year } } as const)
    : ({ path: '/api/groups/:id/year/:year/share', params: { id, year } } as const)

/** A public link; null when there is none. Other people change it too, so it is always read. */
export const linkQuery = (link: PublicLink) =>
  queryOptions({
    queryKey: keys.share(...(Object.values(link.params) as (string | number)[])),
    queryFn: ({ signal }) => query(`GET ${link.path}` as const, link, signal),
    staleTime: 0,
  })

/** Makes a public link, or switches it off. */
export const useChangeLink = (link: PublicLink) =>
  useStored(linkQuery(link).queryKey, (isShared: boolean) =>
    isShared ? mutate(`POST ${link.path}` as const, link) : mutate(`DELETE ${link.path}` as const, link),
  )

/** A mutation that stores its response, null where there is none. */
function useStored<Value, Input = void>(queryKey: QueryKey, mutationFn: (input: Input) => Promise<Value>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: (value) => client.setQueryData(queryKey, value ?? null) })
}

/** The address of my calendar of game nights; null while it is switched off. */
export const calendarQuery = (steamId: string) =>
  queryOptions({
    queryKey: keys.calendar(steamId),
    queryFn: ({ signal }) => query('GET /api/users/:steamId/calendar', { params: { steamId } }, signal),
  })

/** Gives my calendar an address, which replaces the one before. */
export const useRenewCalendar = (steamId: string) =>
  useStored(keys.calendar(steamId), () =>
    mutate('POST /api/users/:steamId/calendar', { params: { steamId } }),
  )

/** Switches my calendar off. */
export const useSwitchOffCalendar = (steamId: string) =>
  useStored(keys.calendar(steamId), () =>
    mutate('DELETE /api/users/:steamId/calendar', { params: { steamId } }),
  )

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
export const useSetWebhook = (groupId: number) =>
  useStored(keys.webhook(groupId), (body: InputOf<'PUT /api/groups/:id/webhook'>['body']) =>
    mutate('PUT /api/groups/:id/webhook', { params: { id: groupId }, body }),
  )

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
export const useRemoveWebhook = (groupId: number) =>
  useStored(keys.webhook(groupId), () =>
    mutate('DELETE /api/groups/:id/webhook', { params: { id: groupId } }),
  )
