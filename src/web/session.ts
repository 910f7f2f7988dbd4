/**
 * Who is signed in: four values in `localStorage` under the names of ENT-3, shared by all tabs.
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
 * Sign-ins whose hand-over token is not swapped yet (SIGN-17, SIGN-21), the oldest first, as JSON. It is there for
 * seconds, so that a page loaded anew, or another tab, completes what was begun.
 */
const PENDING = 'pending_sign_ins'

const listeners = new Set<() => void>()
/** The session last read: the same object as long as nothing changed, as React needs it. */
let snapshot: { raw: string; session: Session | undefined } = { raw: '', session: undefined }

/**
 * Why the session here ended, where the person did not press Log Out: their sign-in was refused, they deleted their
 * account, signed out everywhere, the server ended it, or another tab did (LOGIN-9).
 */
export type SignOutReason = 'refused' | 'deleted' | 'everywhere' | 'ended' | 'elsewhere'
/** In memory only, until the next sign-in: a page loaded again has nothing to explain. */
let reason: SignOutReason | undefined

/** The session, or undefined for a visitor. Both token and steam id are needed (ROUTE-13). */
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
 * Begins a sign-in with a hand-over token. Who is signed in already stays so until the token was swapped: an address
 * that somebody else made up changes nothing.
 */
export function beginSignIn(session: Session): void {
  const current = currentSession()
  if (current?.token === session.token) return
  savePending([...pendingSignIns(), session])
  if (!current) store(session)
}

/** The sign-in to complete next; undefined when all are. */
export function pendingSignIn(): Session | undefined {
  return pendingSignIns()[0]
}

/** Whether this is a hand-over token that still has to be swapped. */
export function isPending(token: string | undefined): boolean {
  return pendingSignIns().some((pending) => pending.token === token)
}

/**
 * Completes a sign-in: its values are stored with the lasting token. Says no, and does nothing, when it was given up
 * meanwhile.
 */
export function completeSignIn(handover: string, lasting: string): boolean {
  const session = removePending(handover)
  if (!session) return false
  store({ ...session, token: lasting })
  return true
}

/** Gives up a sign-in whose swap was refused. Signs out where its values are stored already, and leaves others alone. */
export function refuseSignIn(handover: string): void {
  removePending(handover)
  if (currentSession()?.token !== handover) return
  clear('refused')
}

/** Whether the last session here ended because its sign-in was refused, until {@link forgetRefusal}. */
export function wasRefused(): boolean {
  return reason === 'refused'
}

export function forgetRefusal(): void {
  if (wasRefused()) reason = undefined
}

/** Why the last session here ended; undefined for a first visitor, after Log Out and after the next sign-in. */
export function useSignOutReason(): SignOutReason | undefined {
  return useSyncExternalStore(subscribe, () => reason)
}

/**
 * Ends the session of a token that is worth nothing any more, if it is the current one. A sign-in that is under way
 * takes its place.
 */
export function endSession(token: string | undefined): void {
  if (currentSession()?.token !== token) return
  const next = pendingSignIn()
  if (next) store(next)
  else clear('ended')
}

/**
 * Removes the four values and whatever else was begun; the route guard then leads to /login.
 * @param because said there; nothing is said to who pressed Log Out
 */
export function signOut(because?: 'deleted' | 'everywhere'): void {
  localStorage.removeItem(PENDING)
  clear(because)
}

/** Stores the four values; what is missing is not stored at all, so that no text such as "null" appears. */
function store(session: Session): void {
  reason = undefined
  for (const [field, key] of Object.entries(keys)) {
    const value = session[field as keyof Session]
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
  }
  tell()
}

function clear(because: SignOutReason | undefined): void {
  reason = because
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  tell()
}

/** All sign-ins that are not complete, the oldest first. */
export function pendingSignIns(): Session[] {
  const text = localStorage.getItem(PENDING)
  if (text === null) return []
  try {
    const sessions: unknown = JSON.parse(text)
    if (Array.isArray(sessions)) return sessions as Session[]
  } catch {
    // As below: only something else than these pages can have written it.
  }
  localStorage.removeItem(PENDING)
  return []
}

function savePending(sessions: readonly Session[]): void {
  if (sessions.length > 0) localStorage.setItem(PENDING, JSON.stringify(sessions))
  else localStorage.removeItem(PENDING)
}

function removePending(handover: string): Session | undefined {
  const all = pendingSignIns()
  savePending(all.filter((pending) => pending.token !== handover))
  return all.find((pending) => pending.token === handover)
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** What another tab did to the session. */
function tellOfAnotherTab(): void {
  const before = snapshot.session
  if (currentSession()) reason = undefined
  else if (before) reason = 'elsewhere'
  tell()
}

function subscribe(listener: () => void): () => void {
  // Fires for changes by other tabs only. One for all, so that everybody is told within one event: the route guard
  // draws before the screens behind it, which cannot be drawn without a session.
  if (listeners.size === 0) window.addEventListener('storage', tellOfAnotherTab)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', tellOfAnotherTab)
  }
}
