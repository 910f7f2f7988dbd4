/**
 * Who is signed in: four values in `localStorage` under the names of CONTRACT.md 'Sign-in', shared by all tabs.
 * Everything that needs them asks here.
 */
import { useSyncExternalStore } from 'react'

export type Session = {
  token: string
  steamId: string
  /** Absent when the platform gave none. */
  displayName?: string
  avatarUrl?: string
}

const keys = {
  token: 'token',
  steamId: 'steam_id',
  displayName: 'account_display_name',
  avatarUrl: 'avatar_url',
} as const satisfies Record<keyof Session, string>

/**
 * The hand-over token of a sign-in, until it is swapped: so that a page loaded anew before that swaps it still. Of this
 * tab alone, because of several that swap one token all but the first are refused.
 */
const HANDOVER = 'handover'

const listeners = new Set<() => void>()
/** The session last read: the same object as long as nothing changed, as React needs it. */
let snapshot: { raw: string; session: Session | undefined } = { raw: '', session: undefined }

/** The session, or undefined for a visitor. Both token and steam id are needed (SPEC.md 2, route guard). */
export function currentSession(): Session | undefined {
  const values = Object.values(keys).map((key) => localStorage.getItem(key))
  const raw = JSON.stringify(values)
  if (raw !== snapshot.raw) {
    const [token, steamId, displayName, avatarUrl] = values
    snapshot = {
      raw,
      session:
        token && steamId
          ? { token, steamId, displayName: displayName || undefined, avatarUrl: avatarUrl || undefined }
          : undefined,
    }
  }
  return snapshot.session
}

/** The session, kept current: also when another tab signs in or out. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, currentSession)
}

/**
 * The session of somebody who is signed in; for what stands behind the route guard.
 * @throws Error elsewhere
 */
export function useSignedIn(): Session {
  const session = useSession()
  if (!session) throw new Error('useSignedIn is for screens behind RequireSession')
  return session
}

/**
 * Stores the four values; what is missing is not stored at all, so that no text such as "null" appears. The token is
 * a hand-over token.
 */
export function signIn(session: Session): void {
  sessionStorage.setItem(HANDOVER, session.token)
  for (const [field, key] of Object.entries(keys)) {
    const value = session[field as keyof Session]
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
  }
  tell()
}

/** The current token if it is one that this tab still has to swap. */
export function tokenToSwap(): string | undefined {
  const token = currentSession()?.token
  return token !== undefined && token === sessionStorage.getItem(HANDOVER) ? token : undefined
}

/** Puts a new token in the place of `from`; says no, and does nothing, when that is not the current one any more. */
export function replaceToken(from: string, to: string): boolean {
  if (localStorage.getItem(keys.token) !== from) return false
  sessionStorage.removeItem(HANDOVER)
  localStorage.setItem(keys.token, to)
  tell()
  return true
}

/** Removes the four values; the route guard then leads to /login. */
export function signOut(): void {
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  sessionStorage.removeItem(HANDOVER)
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  // Fires for changes by other tabs only. One for all, so that everybody is told within one event: the route guard
  // draws before the screens behind it, which cannot be drawn without a session.
  if (listeners.size === 0) window.addEventListener('storage', tell)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', tell)
  }
}
