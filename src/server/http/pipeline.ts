/**
 * The steps of every request of the contract that is not answered from the response cache (`reception.ts`).
 * Requirements: ERR-10.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import type { AccessRule, Call } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { slotLimits, Slots } from '../slots.ts'
import type { WriteGuard } from '../write-guard.ts'
import { type AuthContext, authenticate, authenticateHandover } from '../sessions/authenticate.ts'
import { invalidInput } from './invalid-input.ts'
import type { RequestLimiter } from './limits.ts'
import type { OverloadGuard, Slot } from './overload.ts'
import { incomingUpload, isAnnounced, readJson } from './request-body.ts'
import type { JsonBody, ResponseCache } from './response-cache.ts'
import type { Arrival, Reception } from './reception.ts'
import { giveBackAfter } from './heavy-queue.ts'
import type { EventStreams } from './event-streams.ts'

/** An endpoint of the contract with its access rule and handler. */
export type Route = {
  endpoint: Endpoint
  rule: AccessRule
  handle: (call: Call<Endpoint>) => Promise<unknown>
}

/**
 * Serves one request.
 * @throws AppError for every refusal, and any error of a handler; nothing has been sent then
 */
export type Pipeline = (route: Route, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type Options = {
  deps: Deps
  arrivalOf: Reception['arrivalOf']
  overload: OverloadGuard
  limiter: RequestLimiter
  responseCache: ResponseCache
  eventStreams: Pick<EventStreams, 'enter'>
  writeGuard: Pick<WriteGuard, 'serve'>
}

/** The pipeline of one server. */
export function createPipeline(options: Options): Pipeline {
  const { deps, arrivalOf, overload, limiter, responseCache, eventStreams, writeGuard } = options
  const heavySlots = new Slots(slotLimits.heavyRequests)

  return async function serve(route, request, reply) {
    const { endpoint, rule, handle } = route
    const { raw: response } = reply
    const arrival = arrivalOf(request.raw)
    const isRead = endpoint.method === 'GET'
    const slot = overload.admit(response, arrival.address)
    try {
      // Before the body is read, so that an unauthenticated client learns nothing and costs little.
      let auth = await authenticateFor(endpoint, request, arrival)
      if (auth !== ANYONE) {
        limiter.countToken(auth.caller.tokenHash)
        slot.countFor(auth.user)
      }
      // Before the input is read: to others these endpoints do not exist, whatever they send (OPER-2).
      if (endpoint.access === 'operator') await rule(deps, { params: {}, ...NO_INPUT, ...auth })
      const again = () => reauthenticate(endpoint, request, arrival)
      const { address } = arrival
      const input = isRead ? NO_INPUT : await readInput(endpoint, reply, { address, slot, again })
      if (!isRead && isAnnounced(request)) auth = await again()
      const params = checked(endpoint.params, request.params)
      if (endpoint.stream) {
        await serveStream(route, reply, { params, ...input, ...auth })
        return reply.hijack()
      }
      let heavySlot = endpoint.heavy ? heavySlots.enter(auth.user, response) : undefined
      let startedAt = performance.now()
      try {
        // Not awaited when a slot is free, because awaiting alone would take 4 % of the time of a game list.
        if (heavySlot instanceof Promise) {
          heavySlot = await heavySlot
          startedAt = performance.now()
          auth = await again()
        }
        // Also a write is not begun: its client may have sent it again, and it may have waited here for long (OPS-36).
        if (response.destroyed) return reply.hijack()
        if (endpoint.cacheable) {
          // Another request may have cached it while this one waited.
          const cached = heavySlot && responseCache.find(request.raw, auth.user)
          if (cached) {
            cached.send(request.raw, response)
            return reply.hijack()
          }
        }
        // Cached responses are found by user and URL alone.
        const acceptLanguage = endpoint.cacheable ? undefined : request.headers['accept-language']
        const call = { params, ...input, ...auth, acceptLanguage }
        const respond = async () => {
          // Checked after all waiting, against current data.
          await rule(deps, call)
          const result = await (isRead ? handle(call) : writeGuard.serve(response, () => handle(call)))
          return bodyOf(endpoint, result)
        }
        if (!endpoint.cacheable) return send(reply, endpoint, await respond())
        const now = deps.clock()
        const { value, origin } = await deps.readCache.record(respond)
        const until = endpoint.cacheable === true ? Infinity : now + endpoint.cacheable.ms
        const from = { user: auth.user, origin, path: endpoint.path, until }
        await responseCache.send(request.raw, response, from, value!)
        return reply.hijack()
      } finally {
        if (typeof heavySlot === 'function') giveBackAfter(response, startedAt, heavySlot)
      }
    } finally {
      // Released when the work is done, so that a client that reads slowly does not keep others out.
      slot.release()
    }
  }

  /** Opens a stream when its rule and handler have let the caller in; its slot is free for others then. */
  async function serveStream(
    { rule, handle }: Route,
    { request, raw: response }: FastifyReply,
    input: Call<Endpoint>,
  ): Promise<void> {
    if (response.destroyed) return
    const stream = eventStreams.enter(request.raw, response, input.user)
    try {
      const call = { ...input, stream }
      await rule(deps, call)
      await handle(call)
    } catch (error) {
      stream.abandon()
      throw error
    }
    stream.open()
  }

  /** Authenticates again after a wait, because the session may have ended while waiting (SIGN-29). */
  async function reauthenticate(
    endpoint: Endpoint,
    request: FastifyRequest,
    arrival: Arrival,
  ): Promise<AuthContext> {
    await deps.readCache.refreshNow()
    return authenticateFor(endpoint, request, { ...arrival, isPolled: true, session: undefined })
  }

  async function authenticateFor(
    { access, afterSwap }: Endpoint,
    { cookies }: FastifyRequest,
    { tokenHash, isPolled, session }: Arrival,
  ): Promise<AuthContext> {
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
  reply: FastifyReply,
  { address, slot, again }: { address: string; slot: Slot; again: () => Promise<unknown> },
): Promise<Input> {
  const { request } = reply
  if (endpoint.upload !== undefined && request.isMultipart()) {
    const upload = incomingUpload(endpoint.upload, request, address)
    const read = async () => {
      const file = await upload.read()
      await again()
      return file
    }
    return { ...NO_INPUT, upload: { ...upload, read } }
  }
  if (isAnnounced(request)) slot.release()
  const json = await readJson(request, reply)
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
  return { text: media ? (value as string) : JSON.stringify(value) }
}

function send(reply: FastifyReply, { status, media }: Endpoint, body: JsonBody | undefined): FastifyReply {
  void reply.code(status)
  if (!body) return reply.send()
  return reply
    .header('content-type', `${media ?? 'application/json'}; charset=utf-8`)
    .serializer(String)
    .send(body.text)
}
