/** What people can do about their own data and sessions. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LibraryVisibility } from '#shared/contract/privacy.ts'
import { signOut } from '../session.ts'
import { change, load } from './http.ts'
import { keys } from './keys.ts'

export const accountQueries = {
  /** Who may see my library. */
  settings: (steamId: string) =>
    queryOptions({
      queryKey: keys.settings(steamId),
      queryFn: ({ signal }) => load('GET /api/users/:steamId/settings', { params: { steamId } }, signal),
    }),

  /** Where I am signed in. */
  sessions: (steamId: string) =>
    queryOptions({
      queryKey: keys.sessions(steamId),
      queryFn: async ({ signal }) =>
        (await load('GET /api/users/:steamId/sessions', { params: { steamId } }, signal)).sessions,
    }),
}

/** Chooses who may see my library. */
export function useChangeVisibility(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (visibility: LibraryVisibility) =>
      change('PUT /api/users/:steamId/settings', {
        params: { steamId },
        body: { library_visibility: visibility },
      }),
    onSuccess: (settings) => {
      client.setQueryData(keys.settings(steamId), settings)
      // There each member is shown with whether their library can be seen.
      void client.invalidateQueries({ queryKey: keys.allGroups() })
    },
  })
}

/** Signs one of my other sessions out. */
export function useRevokeSession(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: number) =>
      change('DELETE /api/users/:steamId/sessions/:sessionId', { params: { steamId, sessionId } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions(steamId) }),
  })
}

/** Signs out everywhere, here included. */
export function useRevokeAllSessions(steamId: string) {
  return useMutation({
    mutationFn: () => change('DELETE /api/users/:steamId/sessions', { params: { steamId } }),
    onSuccess: () => signOut('everywhere'),
  })
}

/** Everything stored about me, for taking along. */
export function useExport(steamId: string) {
  return useMutation({
    mutationFn: () => load('GET /api/users/:steamId/export', { params: { steamId } }),
  })
}

/** Deletes my account with everything only I own, and signs out. */
export function useDeleteAccount(steamId: string) {
  return useMutation({
    mutationFn: () => change('DELETE /api/users/:steamId', { params: { steamId } }),
    onSuccess: () => signOut('deleted'),
  })
}
