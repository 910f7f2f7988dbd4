/**
 * The one way from the pages to the server. A call is named as the contract writes it, method and path, and
 * everything else follows from that name by types; the schemas themselves stay on the server.
 *
 *   const { games } = await load('GET /api/users/:steamId/games', { params: { steamId } }, signal)
 */
import type { Contract } from '#shared/contract/index.ts'
import {
  type BodyInput,
  type Endpoint,
  type ParamsInput,
  pathOf,
  type ResponseOf,
} from '#shared/contract/endpoint.ts'
import type { ErrorBody, ErrorCode } from '#shared/errors.ts'
import { messages } from '../messages.ts'
import {
  completeSignIn,
  currentSession,
  endSession,
  isPending,
  pendingSignIn,
  pendingSignIns,
  refuseSignIn,
  signOut,
} from '../session.ts'

type Noun = Contract[keyof Contract]
type AnyCall = Noun extends infer N ? (N extends Noun ? N[keyof N] : never) : never
/** Every call of the contract by its address, 'GET /api/groups/:id'. */
type Calls = { [E in AnyCall as E extends Endpoint ? `${E['method']} ${E['path']}` : never]: E }
export type Address = keyof Calls
type EndpointAt<A extends Address> = Calls[A] extends Endpoint ? Calls[A] : never

/** What the server answers to a call. */
export type AnswerOf<A extends Address> = ResponseOf<EndpointAt<A>>
/** What a call needs: `params` where its path has some, `body` where it takes one (or the file it takes instead). */
export type InputOf<A extends Address> = (A extends `${string}:${string}`
  ? { params: ParamsInput<EndpointAt<A>> }
  : { params?: undefined }) &
  (BodyInput<EndpointAt<A>> extends undefined
    ? { body?: undefined }
    : { body: BodyInput<EndpointAt<A>> | (A extends `${string}/picture` ? FormData : never) })

/**
 * A failed call. `text` is for people: the server's own where it gave one, 'Network error.' where nothing arrived.
 * `retryAfter` is in seconds.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'network' | 'unknown'
  readonly text: string
  readonly retryAfter: number | undefined

  constructor(failure: { status: number; code: ApiError['code']; text: string; retryAfter?: number }) {
    super(failure.text)
    this.name = 'ApiError'
    this.status = failure.status
    this.code = failure.code
    this.text = failure.text
    this.retryAfter = failure.retryAfter
  }
}

/** Whether nothing arrived: no connection, or no answer in time (PAGE-4). */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network'
}

/** Whether the server knows nothing of what was asked for, or does not show it to me: to ask again gives the same. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Whether what was asked for is not there, or not there for me; the server tells nobody which. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/**
 * What went wrong, in words: the server's own where it gave some, 'Network error.' where nothing arrived, otherwise
 * `fallback` (GLIST-9).
 */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.text !== messages.somethingWrong ? error.text : fallback
}

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
 * Reads: tried again when the network or the server fails, all tries together within 8 seconds.
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

/** Pauses before a swap that could not be reached is tried again, in milliseconds; the last one repeats. */
const SWAP_RETRY_AFTER_MS = [500, 1000, 2000, 4000, 8000, 15_000]
/** Calls wait this long for a swap under way, because it makes the token that they would go with worthless. */
const CALL_WAITS_FOR_SWAP_MS = 2500
const SWAP_WITHIN_MS = 10_000
let completing: Promise<void> | undefined
let swapping: Promise<boolean> | undefined

/**
 * Swaps the hand-over token of a fresh sign-in for the lasting one (SIGN-15) and stores it. Resolves when
 * there is none left to swap and never fails: a swap that cannot be reached is tried again.
 */
export function completeSignIns(): Promise<void> {
  if (!pendingSignIn()) return Promise.resolve()
  return (completing ??= swapAll().finally(() => (completing = undefined)))
}

async function swapAll(): Promise<void> {
  let failures = 0
  while (pendingSignIn()) {
    swapping = inOneTab(swapNext)
    const settled = await swapping
    swapping = undefined
    if (settled) failures = 0
    else await passedOrOnline(SWAP_RETRY_AFTER_MS[failures++] ?? SWAP_RETRY_AFTER_MS.at(-1)!)
  }
}

/** One try; false when another may help. */
async function swapNext(): Promise<boolean> {
  // Asked again here, because another tab may have swapped it while this one waited.
  const handover = pendingSignIn()?.token
  if (handover === undefined) return true
  try {
    const answer = await exchange('POST /auth/session', {}, handover, AbortSignal.timeout(SWAP_WITHIN_MS))
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
 * Does something in one tab at a time: of two that swap the same token, the first would end up with one that the second
 * has replaced. Browsers have locks only where the address is https or localhost; elsewhere tabs are on their own.
 */
function inOneTab<Answer>(work: () => Promise<Answer>): Promise<Answer> {
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
  exchange('POST /auth/logout', {}, token, AbortSignal.timeout(CHANGE_WITHIN_MS)).catch(() => undefined)
}

async function send<A extends Address>(
  address: A,
  input: InputOf<A>,
  signal: AbortSignal,
): Promise<AnswerOf<A>> {
  // Another tab may have begun a sign-in and be gone.
  void completeSignIns()
  if (swapping) await Promise.race([swapping, passed(CALL_WAITS_FOR_SWAP_MS, signal)])
  const { token, steamId } = currentSession() ?? {}
  try {
    return (await exchange(address, input, token, signal)) as AnswerOf<A>
  } catch (error) {
    if (!isUnauthorised(error)) throw error
    // A hand-over token is refused once it was swapped, also when the answer to that was lost: what becomes of the
    // sign-in is for the swap to say.
    await Promise.race([completeSignIns(), aborted(signal)])
    const current = currentSession()
    // Nor may it be asked again for somebody else, who signed in in another tab.
    if (token !== undefined && current && current.token !== token && current.steamId === steamId)
      return (await exchange(address, input, current.token, signal)) as AnswerOf<A>
    if (!isPending(token)) endSession(token)
    throw error
  }
}

type AnyInput = { params?: Record<string, string | number>; body?: unknown }

/** One request and its answer, as it is. */
async function exchange(
  address: Address,
  input: AnyInput,
  token: string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const [method, path] = address.split(' ') as [string, string]
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  const isForm = input.body instanceof FormData
  if (input.body !== undefined && !isForm) headers['content-type'] = 'application/json'

  const response = await fetch(pathOf(path, input.params ?? {}), {
    method,
    headers,
    body: isForm ? (input.body as FormData) : JSON.stringify(input.body),
    signal,
    // The swap goes with the cookie of the browser that signed in.
    credentials: 'same-origin',
    keepalive: address === 'POST /auth/logout',
  }).catch((): never => {
    throw networkFailure()
  })
  const text = await response.text().catch((): never => {
    throw networkFailure()
  })
  const answer = parsed(text)
  if (!response.ok) throw failureOf(response, answer)
  if (answer === undefined && text !== '') throw unknownFailure(response)
  return answer
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(response: Response, answer: unknown): ApiError {
  const { error, code } = (answer ?? {}) as Partial<ErrorBody>
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN)
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    text: typeof error === 'string' && error !== '' ? error : messages.somethingWrong,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function unknownFailure(response: Response): ApiError {
  return new ApiError({ status: response.status, code: 'unknown', text: messages.somethingWrong })
}

function networkFailure(): ApiError {
  return new ApiError({ status: 0, code: 'network', text: messages.networkError })
}

function isUnauthorised(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || error.status >= 500)
}

function passed(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    stop?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** As {@link passed}, but no longer than until the connection is back. */
async function passedOrOnline(ms: number): Promise<void> {
  const online = new AbortController()
  const back = () => online.abort()
  window.addEventListener('online', back)
  await passed(ms, online.signal)
  window.removeEventListener('online', back)
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
