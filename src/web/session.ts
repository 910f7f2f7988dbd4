/**
 * The signed-in user: four values in `localStorage` under the names of PROD-9, shared by all tabs. Only this module reads
 * and writes them.
 *
 * A new sign-in begins with a hand-over token (SIGN-12), which is exchanged for a session token.
 * Requirements: SIGN-30.
 */
import { createContext, useContext, useSyncExternalStore } from 'react'
import { wasReset } from './demo.ts'

export type Session = {
  token: string
  steamId: string
  /** Undefined if Steam gave none. */
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
 * Sign-ins whose token is not exchanged yet (SIGN-17, SIGN-20), the oldest first, as JSON. Stored for seconds, so that
 * another tab or a reloaded page can complete them.
 */
const PENDING = 'pending_sign_ins'

/** Whether the browser stores nothing, so that nobody stays signed in (PAGE-40, `public/theme.js`). */
export const isStorageBlocked: boolean =
  typeof document !== 'undefined' && document.documentElement.dataset.storage === 'blocked'

const listeners = new Set<() => void>()
/** The session last read: React needs the same object as long as nothing has changed. */
let snapshot: { raw: string; session: Session | undefined } = { raw: '', session: undefined }

/**
 * Why the session ended without the user pressing Log Out: the sign-in was refused, the account was deleted, the user
 * signed out everywhere, the server ended the session, another tab did, or a public demo was reset (LOGIN-9).
 */
export type SignOutReason = 'refused' | 'deleted' | 'everywhere' | 'ended' | 'elsewhere' | 'reset'
/** In memory only, until the next sign-in or reload. */
let reason: SignOutReason | undefined

/** The session, or undefined for a visitor. Both token and steam id are needed (ROUTE-13). */
export function currentSession(): Session | undefined {
  const values = Object.values(keys).map((key) => localStorage.getItem(key))
  const raw = JSON.stringify(values)
  if (raw !== snapshot.raw) {
    const [token, steamId, displayName, avatarUrl] = values
    const session =
      token && steamId
        ? { token, steamId, displayName: displayName || undefined, avatarUrl: avatarUrl || undefined }
        : undefined
    // Another tab signed out. A render may read this before the storage event arrives.
    if (snapshot.session && !session) reason = 'elsewhere'
    snapshot = { raw, session }
  }
  return snapshot.session
}

/** The current session; updates when this or another tab signs in or out. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, currentSession)
}

/**
 * The session that the route guard gives to what it shows. Not read from the store again below: a session that ends
 * while a screen is being rendered would be missing in half of it.
 */
export const SignedIn = createContext<Session | undefined>(undefined)

/**
 * The session, for components behind the route guard.
 * @throws Error if there is no route guard around the component
 */
export function useSignedIn(): Session {
  const session = useContext(SignedIn)
  if (!session) throw new Error('useSignedIn is for screens behind RequireSession')
  return session
}

/**
 * Begins a sign-in with a hand-over token. An existing session stays until the token has been exchanged, so that a
 * forged landing URL changes nothing (SIGN-22).
 */
export function beginSignIn(session: Session): void {
  const current = currentSession()
  if (current?.token === session.token) return
  savePending([...pendingSignIns(), session])
  if (!current) store(session)
}

/** The sign-in to complete next; undefined if there is none. */
export function pendingSignIn(): Session | undefined {
  return pendingSignIns()[0]
}

/** Whether this is a hand-over token that has not been exchanged yet. */
export function isPending(token: string | undefined): boolean {
  return pendingSignIns().some((pending) => pending.token === token)
}

/**
 * Completes a sign-in: stores its values with the session token. Returns false and changes nothing if the sign-in was
 * cancelled meanwhile.
 */
export function completeSignIn(handOverToken: string, sessionToken: string): boolean {
  const session = removePending(handOverToken)
  if (!session) return false
  store({ ...session, token: sessionToken })
  return true
}

/** Cancels a sign-in whose exchange was refused (SIGN-20). Signs out if its values are the current session. */
export function refuseSignIn(handOverToken: string): void {
  removePending(handOverToken)
  if (currentSession()?.token !== handOverToken) return
  clear('refused')
}

/** Whether the last session ended because its sign-in was refused; reset by {@link forgetRefusal}. */
export function wasRefused(): boolean {
  return reason === 'refused'
}

export function forgetRefusal(): void {
  if (wasRefused()) reason = undefined
}

/** Why the last session ended; undefined for a first visitor, after Log Out and after the next sign-in. */
export function useSignOutReason(): SignOutReason | undefined {
  return useSyncExternalStore(subscribe, () => reason)
}

/**
 * Ends the current session if it has this token, which is no longer valid. A pending sign-in takes its place.
 */
export function endSession(token: string | undefined): void {
  if (currentSession()?.token !== token) return
  const next = pendingSignIn()
  if (next) store(next)
  else clear(wasReset() ? 'reset' : 'ended')
}

/**
 * Removes the four values and all pending sign-ins; the route guard then redirects to /login.
 * @param because shown there; undefined after Log Out
 */
export function signOut(because?: 'deleted' | 'everywhere'): void {
  localStorage.removeItem(PENDING)
  clear(because)
}

/** Stores the four values; missing ones are removed instead of stored as text such as "null" (PROD-9). */
function store(session: Session): void {
  reason = undefined
  for (const [field, key] of Object.entries(keys)) {
    const value = session[field as keyof Session]
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
  }
  notify()
}

function clear(because: SignOutReason | undefined): void {
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  currentSession()
  reason = because
  notify()
}

/** All sign-ins that are not completed, the oldest first. */
export function pendingSignIns(): Session[] {
  const text = localStorage.getItem(PENDING)
  if (text === null) return []
  try {
    const sessions: unknown = JSON.parse(text)
    if (Array.isArray(sessions)) return sessions as Session[]
  } catch {
    // Not written by these pages; removed below.
  }
  localStorage.removeItem(PENDING)
  return []
}

function savePending(sessions: readonly Session[]): void {
  if (sessions.length > 0) localStorage.setItem(PENDING, JSON.stringify(sessions))
  else localStorage.removeItem(PENDING)
}

function removePending(handOverToken: string): Session | undefined {
  const all = pendingSignIns()
  savePending(all.filter((pending) => pending.token !== handOverToken))
  return all.find((pending) => pending.token === handOverToken)
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** Handles a change of the session by another tab, or since this page was left (`public/theme.js`), perhaps by itself. */
function onStorageChange(event: Event): void {
  const before = snapshot.session
  if (currentSession() || (before && !(event instanceof StorageEvent))) reason = undefined
  notify()
}

function subscribe(listener: () => void): () => void {
  // The storage event fires for changes by other tabs only.
  if (listeners.size === 0) window.addEventListener('storage', onStorageChange)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorageChange)
  }
}
