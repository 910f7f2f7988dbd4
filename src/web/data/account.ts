/** The signed-in user's settings, sessions and data. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { forgetUnsavedLanguage, showLanguage, unsavedLanguage } from '../language.ts'
import { signOut } from '../session.ts'
import { forgetUnsavedTheme, showTheme, unsavedTheme } from '../theme.ts'
import { type InputOf, mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const accountQueries = {
  /** My settings. */
  settings: (steamId: string) =>
    queryOptions({
      queryKey: keys.settings(steamId),
      queryFn: ({ signal }) => query('GET /api/users/:steamId/settings', { params: { steamId } }, signal),
    }),

  /** Whether my Steam wishlist is read, and what came of it; apart, so that no other page reads it after a sync. */
  wishlist: (steamId: string) =>
    queryOptions({
      queryKey: keys.wishlist(steamId),
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

/** Changes some of my settings. */
export function useChangeSettings(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: InputOf<'PUT /api/users/:steamId/settings'>['body']) =>
      mutate('PUT /api/users/:steamId/settings', { params: { steamId }, body: change }),
    onSuccess: (settings, change) => {
      client.setQueryData(keys.settings(steamId), (before: object | undefined) => ({
        ...before,
        ...settings,
      }))
      if (change.wishlist !== undefined) void client.invalidateQueries({ queryKey: keys.wishlist(steamId) })
      // The member rows of groups show whose library is visible.
      if (change.library_visibility) void client.invalidateQueries({ queryKey: keys.allGroups() })
    },
  })
}

/**
 * Shows the theme and language that are saved in the account, or saves those chosen on a public page before (LOOK-36,
 * LANG-1).
 */
export function useAccountLook(steamId: string): void {
  const client = useQueryClient()
  const { data } = useQuery({ ...accountQueries.settings(steamId), staleTime: Infinity })
  const { mutate: save } = useChangeSettings(steamId)
  const { theme: saved, language } = data ?? {}
  useEffect(() => {
    const chosen = unsavedTheme()
    if (saved === undefined) return
    if (chosen !== undefined) save({ theme: chosen }, { onSuccess: forgetUnsavedTheme })
    // Otherwise the first of two quick choices would be shown once more when it is saved.
    else if (client.isMutating() === 0) showTheme(saved)
  }, [client, saved, save])
  useEffect(() => {
    const chosen = unsavedLanguage()
    if (language === undefined) return
    if (chosen !== undefined) save({ language: chosen }, { onSuccess: forgetUnsavedLanguage })
    else if (client.isMutating() === 0) showLanguage(language)
  }, [client, language, save])
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
