/** The signed-in user's settings, sessions and data. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LibraryVisibility } from '#shared/contract/privacy.ts'
import { signOut } from '../session.ts'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const accountQueries = {
  /** Who may see my library. */
  settings: (steamId: string) =>
    queryOptions({
      queryKey: keys.settings(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/settings', { params: { steamId } }, signal),
    }),

  /** My active sessions. */
  sessions: (steamId: string) =>
    queryOptions({
      queryKey: keys.sessions(steamId),
      queryFn: async ({ signal }) =>
        (await query('GET /api/users/:steamId/sessions', { params: { steamId } }, signal)).sessions,
    }),
}

/** Chooses who may see my library. */
export function useChangeVisibility(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (visibility: LibraryVisibility) =>
      mutate('PUT /api/users/:steamId/settings', {
        params: { steamId },
        body: { library_visibility: visibility },
      }),
    onSuccess: (settings) => {
      client.setQueryData(keys.settings(steamId), (before: object | undefined) => ({
        ...before,
        ...settings,
      }))
      // The member rows of groups show whose library is visible.
      void client.invalidateQueries({ queryKey: keys.allGroups() })
    },
  })
}

/** Signs one of my other sessions out. */
export function useRevokeSession(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: number) =>
      mutate('DELETE /api/users/:steamId/sessions/:sessionId', { params: { steamId, sessionId } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions(steamId) }),
  })
}

/** Signs out everywhere, here included. */
export function useRevokeAllSessions(steamId: string) {
  return useMutation({
    mutationFn: () => mutate('DELETE /api/users/:steamId/sessions', { params: { steamId } }),
    onSuccess: () => signOut('everywhere'),
  })
}

/** Downloads everything stored about me. */
export function useExport(steamId: string) {
  return useMutation({
    mutationFn: () => query('GET /api/users/:steamId/export', { params: { steamId } }),
  })
}

/** Deletes my account and everything only I own, then signs out. */
export function useDeleteAccount(steamId: string) {
  return useMutation({
    mutationFn: () => mutate('DELETE /api/users/:steamId', { params: { steamId } }),
    onSuccess: () => signOut('deleted'),
  })
}
