/**
 * All requests of the pages to the server. An endpoint is named by method and path as in the contract, and its types
 * follow from that name; the schemas themselves stay on the server.
 *
 *   const { games } = await query('GET /api/users/:steamId/games', { params: { steamId } }, signal)
 * Requirements: API-1, PAGE-4.
 */
import { currentSession, endSession, isPending } from '../session.ts'
import { isNetworkError, isRetryable, isUnauthorised } from './api-error.ts'
import { setAnswered } from './offline.ts'
import { type EndpointName, type InputOf, type ResponseTo, request } from './request.ts'
import { aborted, delay } from './timing.ts'
import { completeSignIns, exchangeSettled } from './token-exchange.ts'

export { failureText, isNetworkError, isNotFound, isRefused } from './api-error.ts'
export type { InputOf, ResponseTo } from './request.ts'
export { completeSignIns, logOut } from './token-exchange.ts'

/**
 * A query fails after this time, so that its error shows within 9 seconds of opening the page (PAGE-2), even on a slow
 * machine.
 */
const QUERY_TIMEOUT_MS = 6500
/** Delays before a query is retried after a temporary failure. */
const QUERY_RETRY_DELAYS_MS = [300, 1000]
/** A sync takes up to 20 seconds (SYNC-12); an upload may take as long. */
const MUTATION_TIMEOUT_MS = 45_000

/**
 * Sends a GET request, retried when the network or the server fails; all tries together take at most
 * {@link QUERY_TIMEOUT_MS}.
 * @throws ApiError
 */
export async function query<Name extends EndpointName & `GET ${string}`>(
  name: Name,
  input: InputOf<Name>,
  signal?: AbortSignal,
): Promise<ResponseTo<Name>> {
  const deadline = AbortSignal.timeout(QUERY_TIMEOUT_MS)
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(name, input, stop)
    } catch (error) {
      const delayMs = QUERY_RETRY_DELAYS_MS[attempt]
      if (delayMs === undefined || stop.aborted || !isRetryable(error)) {
        // Given up because its screen was left, a request says nothing of the server.
        if (isNetworkError(error) && !signal?.aborted) setAnswered('nobody')
        throw error
      }
      await delay(delayMs, stop)
    }
  }
}

/**
 * Sends a request that changes something, once: it is never retried automatically.
 * @throws ApiError
 */
export async function mutate<Name extends Exclude<EndpointName, `GET ${string}`>>(
  name: Name,
  input: InputOf<Name>,
): Promise<ResponseTo<Name>> {
  try {
    return await send(name, input, AbortSignal.timeout(MUTATION_TIMEOUT_MS))
  } catch (error) {
    if (isNetworkError(error)) setAnswered('nobody')
    throw error
  }
}

async function send<Name extends EndpointName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal,
): Promise<ResponseTo<Name>> {
  // Another tab may have started a sign-in and been closed.
  void completeSignIns()
  await exchangeSettled(signal)
  const { token, steamId } = currentSession() ?? {}
  try {
    return (await request(name, input, token, signal)) as ResponseTo<Name>
  } catch (error) {
    if (!isUnauthorised(error)) throw error
    // A hand-over token is refused once it was exchanged, even if the response was lost: the exchange decides what becomes
    // of the sign-in.
    await Promise.race([completeSignIns(), aborted(signal)])
    const current = currentSession()
    // Never retried for another user who signed in in another tab.
    if (token !== undefined && current && current.token !== token && current.steamId === steamId)
      return (await request(name, input, current.token, signal)) as ResponseTo<Name>
    if (!isPending(token)) endSession(token)
    throw error
  }
}
