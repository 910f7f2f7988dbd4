/**
 * Exchanges the token of a new sign-in for a session token, and logs out.
 * Requirements: NAV-6.
 */
import {
  completeSignIn,
  currentSession,
  pendingSignIn,
  pendingSignIns,
  refuseSignIn,
  signOut,
} from '../session.ts'
import { ApiError } from './api-error.ts'
import { type ResponseTo, request } from './request.ts'
import { delay, delayOrOnline } from './timing.ts'

/** Delays before an exchange is retried when the server could not be reached; the last one repeats. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 15_000]
const EXCHANGE_TIMEOUT_MS = 10_000
/** Requests wait this long for a running exchange, because it invalidates the token they would send. */
const REQUEST_WAITS_MS = 2500
const LOG_OUT_TIMEOUT_MS = 45_000
let completing: Promise<void> | undefined
let exchanging: Promise<boolean> | undefined

/**
 * Exchanges the tokens of new sign-ins for session tokens (SIGN-15) and stores these. Resolves when none is left to
 * exchange and never rejects: an exchange is retried while the server cannot be reached (SIGN-20).
 */
export function completeSignIns(): Promise<void> {
  if (!pendingSignIn()) return Promise.resolve()
  return (completing ??= exchangeAll().finally(() => (completing = undefined)))
}

/** Resolves when no exchange is running, or after {@link REQUEST_WAITS_MS}. */
export async function exchangeSettled(signal: AbortSignal): Promise<void> {
  if (exchanging) await Promise.race([exchanging, delay(REQUEST_WAITS_MS, signal)])
}

async function exchangeAll(): Promise<void> {
  let failures = 0
  while (pendingSignIn()) {
    exchanging = inOneTab(exchangeNext)
    const settled = await exchanging
    exchanging = undefined
    if (settled) failures = 0
    else await delayOrOnline(RETRY_DELAYS_MS[failures++] ?? RETRY_DELAYS_MS.at(-1)!)
  }
}

/** Tries once; resolves with false if it should be retried. */
async function exchangeNext(): Promise<boolean> {
  // Read again, because another tab may have exchanged it while this one waited.
  const handOverToken = pendingSignIn()?.token
  if (handOverToken === undefined) return true
  try {
    const response = await request(
      'POST /auth/session',
      {},
      handOverToken,
      AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
    )
    const { token } = response as ResponseTo<'POST /auth/session'>
    // If the user logged out meanwhile, the new session must not stay open.
    if (!completeSignIn(handOverToken, token)) endOnServer(token)
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) return false
    refuseSignIn(handOverToken)
    return true
  }
}

/**
 * Runs `work` in one tab at a time: if two exchanged the same token, the first would get one that the second replaces
 * (SIGN-17). Browsers offer locks only on https and localhost; elsewhere tabs are not coordinated.
 */
function inOneTab<Result>(work: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request('sign-in', work) : work()
}

/** Signs out here at once, and on the server in the background (SIGN-26). */
export function logOut(): void {
  const tokens = new Set(pendingSignIns().map((pending) => pending.token))
  const current = currentSession()
  if (current) tokens.add(current.token)
  signOut()
  tokens.forEach(endOnServer)
}

/** Not awaited: the user is signed out here even if the server cannot be reached. */
function endOnServer(token: string): void {
  request('POST /auth/logout', {}, token, AbortSignal.timeout(LOG_OUT_TIMEOUT_MS)).catch(() => undefined)
}
