/** From the hand-over token of a fresh sign-in to the lasting one, and out again. */
import {
  completeSignIn,
  currentSession,
  pendingSignIn,
  pendingSignIns,
  refuseSignIn,
  signOut,
} from '../session.ts'
import { ApiError } from './api-error.ts'
import { type AnswerOf, request } from './request.ts'
import { passed, passedOrOnline } from './timing.ts'

/** Pauses before an exchange that could not be reached is tried again, in milliseconds; the last one repeats. */
const RETRY_AFTER_MS = [500, 1000, 2000, 4000, 8000, 15_000]
const EXCHANGE_WITHIN_MS = 10_000
/** Calls wait this long for an exchange under way, because it makes the token that they would go with worthless. */
const CALL_WAITS_MS = 2500
const LOG_OUT_WITHIN_MS = 45_000
let completing: Promise<void> | undefined
let exchanging: Promise<boolean> | undefined

/**
 * Exchanges the hand-over token of a fresh sign-in for the lasting one (SIGN-15) and stores it. Resolves when
 * there is none left to exchange and never fails: an exchange that cannot be reached is tried again (SIGN-21).
 */
export function completeSignIns(): Promise<void> {
  if (!pendingSignIn()) return Promise.resolve()
  return (completing ??= exchangeAll().finally(() => (completing = undefined)))
}

/** Resolves when no exchange is under way, or has been for too long. */
export async function exchangeSettled(signal: AbortSignal): Promise<void> {
  if (exchanging) await Promise.race([exchanging, passed(CALL_WAITS_MS, signal)])
}

async function exchangeAll(): Promise<void> {
  let failures = 0
  while (pendingSignIn()) {
    exchanging = inOneTab(exchangeNext)
    const settled = await exchanging
    exchanging = undefined
    if (settled) failures = 0
    else await passedOrOnline(RETRY_AFTER_MS[failures++] ?? RETRY_AFTER_MS.at(-1)!)
  }
}

/** One try; false when another may help. */
async function exchangeNext(): Promise<boolean> {
  // Asked again here, because another tab may have exchanged it while this one waited.
  const handover = pendingSignIn()?.token
  if (handover === undefined) return true
  try {
    const answer = await request('POST /auth/session', {}, handover, AbortSignal.timeout(EXCHANGE_WITHIN_MS))
    const { token } = answer as AnswerOf<'POST /auth/session'>
    // Who logged out meanwhile shall not leave a session behind that nobody holds.
    if (!completeSignIn(handover, token)) endOnServer(token)
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) return false
    refuseSignIn(handover)
    return true
  }
}

/**
 * Does something in one tab at a time: of two that exchange the same token, the first would end up with one that the
 * second has replaced. Browsers have locks only where the address is https or localhost; elsewhere tabs are on their
 * own.
 */
function inOneTab<Result>(work: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request('sign-in', work) : work()
}

/** Ends the session here at once and on the server behind it (SIGN-26). */
export function logOut(): void {
  const tokens = new Set(pendingSignIns().map((pending) => pending.token))
  const current = currentSession()
  if (current) tokens.add(current.token)
  signOut()
  tokens.forEach(endOnServer)
}

/** Nobody waits for it, and who is signed out here need not know that the server could not be told. */
function endOnServer(token: string): void {
  request('POST /auth/logout', {}, token, AbortSignal.timeout(LOG_OUT_WITHIN_MS)).catch(() => undefined)
}
