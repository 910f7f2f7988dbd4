/**
 * The one way from the pages to the server. A call is named as the contract writes it, method and path, and
 * everything else follows from that name by types; the schemas themselves stay on the server.
 *
 *   const { games } = await load('GET /api/users/:steamId/games', { params: { steamId } }, signal)
 */
import { currentSession, endSession, isPending } from '../session.ts'
import { isUnauthorised, mayPass } from './api-error.ts'
import { type Address, type AnswerOf, type InputOf, request } from './request.ts'
import { aborted, passed } from './timing.ts'
import { completeSignIns, exchangeSettled } from './token-exchange.ts'

export { failureText, isNetworkError, isNotFound, isRefused } from './api-error.ts'
export type { AnswerOf } from './request.ts'
export { completeSignIns, logOut } from './token-exchange.ts'

/**
 * A load has failed for good after this time, so that its text shows within 9 seconds (PAGE-3) of
 * asking for the page, also on a slow machine.
 */
const LOAD_WITHIN_MS = 6500
/** Pauses before a load is tried again after a failure that may pass. */
const LOAD_RETRY_AFTER_MS = [300, 1000]
/** A sync is answered within 20 seconds (SYNC-12); an upload may take as long. */
const CHANGE_WITHIN_MS = 45_000

/**
 * Reads: tried again when the network or the server fails, all tries together within {@link LOAD_WITHIN_MS}.
 * @throws ApiError
 */
export async function load<A extends Address & `GET ${string}`>(
  address: A,
  input: InputOf<A>,
  signal?: AbortSignal,
): Promise<AnswerOf<A>> {
  const deadline = AbortSignal.timeout(LOAD_WITHIN_MS)
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(address, input, stop)
    } catch (error) {
      const pause = LOAD_RETRY_AFTER_MS[attempt]
      if (pause === undefined || stop.aborted || !mayPass(error)) throw error
      await passed(pause, stop)
    }
  }
}

/**
 * Changes something: sent once, never again by itself.
 * @throws ApiError
 */
export function change<A extends Exclude<Address, `GET ${string}`>>(
  address: A,
  input: InputOf<A>,
): Promise<AnswerOf<A>> {
  return send(address, input, AbortSignal.timeout(CHANGE_WITHIN_MS))
}

async function send<A extends Address>(
  address: A,
  input: InputOf<A>,
  signal: AbortSignal,
): Promise<AnswerOf<A>> {
  // Another tab may have begun a sign-in and be gone.
  void completeSignIns()
  await exchangeSettled(signal)
  const { token, steamId } = currentSession() ?? {}
  try {
    return (await request(address, input, token, signal)) as AnswerOf<A>
  } catch (error) {
    if (!isUnauthorised(error)) throw error
    // A hand-over token is refused once it was exchanged, also when the answer to that was lost: what becomes of the
    // sign-in is for the exchange to say.
    await Promise.race([completeSignIns(), aborted(signal)])
    const current = currentSession()
    // Nor may it be asked again for somebody else, who signed in in another tab.
    if (token !== undefined && current && current.token !== token && current.steamId === steamId)
      return (await request(address, input, current.token, signal)) as AnswerOf<A>
    if (!isPending(token)) endSession(token)
    throw error
  }
}
