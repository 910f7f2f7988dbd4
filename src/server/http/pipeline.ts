/**
 * The steps of every request of the contract that is not answered from the response cache (`reception.ts`).
 * Requirements: ERR-10.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { type AccessRule, type Call, RawJson } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { slotLimits, Slots } from '../slots.ts'
import type { WriteGuard } from '../write-guard.ts'
import { type AuthContext, authenticate, authenticateHandover } from '../sessions/authenticate.ts'
import { invalidInput } from './invalid-input.ts'
import type { RequestLimiter } from './limits.ts'
import type { OverloadGuard, Slot } from './overload.ts'
import type { RequestBody } from './request-body.ts'
import type { JsonBody, ResponseCache } from './response-cache.ts'
import type { Arrival } from './reception.ts'
import { giveBackAfter } from './heavy-queue.ts'
import type { EventStreams } from './event-streams.ts'

/** An endpoint of the contract with its access rule and handler. */
export type Route = {
  endpoint: Endpoint
  rule: AccessRule
  handle: (call: Call<Endpoint>) => Promise<unknown>
}

/** A request and its response, with what the caller has read from it. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
  /** Path parameters; not validated yet. */
  params: unknown
  cookies?: Record<string, string | undefined>
  /** Undefined for methods without a body. */
  body?: RequestBody | undefined
}

/** The result of a request. */
export type Result =
  /** The response cache has sent it. */
  | { sent: true; status: number }
  /** The body is undefined when the contract has none. */
  | { sent: false; status: number; body: JsonBody | undefined }
  /** The client has disconnected, and nothing was done. */
  | { sent: true; status: undefined }

/**
 * Serves one request.
 * @throws AppError for every refusal, and any error of a handler; nothing has been sent then
 */
export type Pipeline = (route: Route, exchange: Exchange) => Promise<Result>

type Options = {
  deps: Deps
  overload: OverloadGuard
  limiter: RequestLimiter
  responseCache: ResponseCache
  eventStreams: Pick<EventStreams, 'enter'>
  writeGuard: Pick<WriteGuard, 'serve'>
}

/** The pipeline of one server. */
export function createPipeline(options: Options): Pipeline {
  const { deps, overload, limiter, responseCache, eventStreams, writeGuard } = options
  const heavySlots = new Slots(slotLimits.heavyRequests)

  return async function serve(route, exchange) {
    const { endpoint, rule, handle } = route
    const { response } = exchange
    const isRead = endpoint.method === 'GET'
    const slot = overload.admit(response, exchange.arrival.address)
    try {
      // Before the body is read, so that an unauthenticated client learns nothing and costs little.
      let auth = await authenticateFor(endpoint, exchange)
      if (auth !== ANYONE) {
        limiter.countToken(auth.caller.tokenHash)
        slot.countFor(auth.user)
      }
      // Before the input is read: to others these endpoints do not exist, whatever they send (OPER-2).
      if (endpoint.access === 'operator') await rule(deps, { params: {}, ...NO_INPUT, ...auth })
      const again = () => reauthenticate(endpoint, exchange)
      const input = exchange.body ? await readInput(endpoint, exchange.body, slot, again) : NO_INPUT
      if (exchange.body?.isAnnounced) auth = await again()
      const params = checked(endpoint.params, exchange.params)
      if (endpoint.stream) return await serveStream(route, exchange, { params, ...input, ...auth })
      let heavySlot = endpoint.heavy ? heavySlots.enter(auth.user, response) : undefined
      let bytes = 0
      try {
        // Not awaited when a slot is free, because awaiting alone would take 4 % of the time of a game list.
        if (heavySlot instanceof Promise) {
          heavySlot = await heavySlot
          auth = await again()
        }
        // Also a write is not begun: its client may have sent it again, and it may have waited here for long (OPS-36).
        if (response.destroyed) return { sent: true, status: undefined }
        if (endpoint.cacheable) {
          // Another request may have cached it while this one waited.
          const cached = heavySlot && responseCache.find(exchange.request, auth.user)
          if (cached) return { sent: true, status: cached.send(exchange.request, response) }
        }
        // Cached responses are found by user and URL alone.
        const acceptLanguage = endpoint.cacheable ? undefined : exchange.request.headers['accept-language']
        const call = { params, ...input, ...auth, acceptLanguage }
        const respond = async () => {
          // Checked after all waiting, against current data.
          await rule(deps, call)
          const result = await (isRead ? handle(call) : writeGuard.serve(response, () => handle(call)))
          const body = bodyOf(endpoint, result)
          bytes = body?.text.length ?? 0
          return body
        }
        if (!endpoint.cacheable) return { sent: false, status: endpoint.status ?? 200, body: await respond() }
        const startedAt = deps.clock()
        const { value, origin } = await deps.readCache.record(respond)
        const until = endpoint.cacheable === true ? Infinity : startedAt + endpoint.cacheable.ms
        const from = { user: auth.user, origin, path: endpoint.path, until }
        return { sent: true, status: await responseCache.send(exchange.request, response, from, value!) }
      } finally {
        if (typeof heavySlot === 'function') giveBackAfter(response, bytes, heavySlot)
      }
    } finally {
      // Released when the work is done, so that a client that reads slowly does not keep others out.
      slot.release()
    }
  }

  /** Opens a stream when its rule and handler have let the caller in; its slot is free for others then. */
  async function serveStream(
    { rule, handle }: Route,
    exchange: Exchange,
    input: Call<Endpoint>,
  ): Promise<Result> {
    const { request, response } = exchange
    if (response.destroyed) return { sent: true, status: undefined }
    const stream = eventStreams.enter(request, response, input.user)
    try {
      const call = { ...input, stream }
      await rule(deps, call)
      await handle(call)
    } catch (error) {
      stream.abandon()
      throw error
    }
    stream.open()
    return { sent: true, status: 200 }
  }

  /** Authenticates again after a wait, because the session may have ended while waiting (SIGN-29). */
  async function reauthenticate(endpoint: Endpoint, exchange: Exchange): Promise<AuthContext> {
    await deps.readCache.refreshNow()
    const arrival = { ...exchange.arrival, isPolled: true, session: undefined }
    return authenticateFor(endpoint, { ...exchange, arrival })
  }

  async function authenticateFor(
    { access, afterSwap }: Endpoint,
    { arrival, cookies = {} }: Exchange,
  ): Promise<AuthContext> {
    const { tokenHash, isPolled, session } = arrival
    if (access !== 'anyone' && tokenHash === undefined) throw new AppError('not_signed_in')
    if (!isPolled) await deps.readCache.refresh()
    if (tokenHash === undefined || access === 'anyone') return ANYONE
    if (afterSwap) return authenticateHandover(deps, tokenHash, cookies)
    return authenticate(deps, tokenHash, session)
  }
}

/** The caller of endpoints that need no session. */
const ANYONE: AuthContext = { user: '', caller: { sessionId: 0, kind: 'lasting', tokenHash: '' } }

type Input = Pick<Call<Endpoint>, 'body' | 'upload' | 'stream' | 'acceptLanguage'>
const NO_INPUT: Input = { body: undefined, upload: undefined, stream: undefined, acceptLanguage: undefined }

/** Reads a request's body; its slot is free for others while the body is arriving (LIM-26). */
async function readInput(
  endpoint: Endpoint,
  body: RequestBody,
  slot: Slot,
  reauthenticate: () => Promise<unknown>,
): Promise<Input> {
  if (body.isMultipart) {
    const upload = body.upload(endpoint.upload!)
    const read = async () => {
      const file = await upload.read()
      await reauthenticate()
      return file
    }
    return { ...NO_INPUT, upload: { ...upload, read } }
  }
  if (body.isAnnounced) slot.release()
  const json = await body.json()
  slot.acquire()
  // An endpoint without input ignores any body that a client sends.
  if (endpoint.body.def.type === 'undefined') return NO_INPUT
  return { ...NO_INPUT, body: checked(endpoint.body, json === undefined ? {} : json) }
}

function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true })
  if (!result.success) throw invalidInput(result.error)
  return result.data
}

function bodyOf({ media }: Endpoint, value: unknown): JsonBody | undefined {
  if (value === undefined) return undefined
  if (media) return { text: value as string }
  return value instanceof RawJson ? value : { text: JSON.stringify(value) }
}
