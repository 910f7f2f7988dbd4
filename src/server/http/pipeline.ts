/**
 * What happens to every request of the contract, step by step. The fast path (`fast-path.ts`) and the framework's
 * routes (`fastify-routes.ts`) both run it, exactly once for each request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { type AccessRule, type Call, RawJson } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { type AuthContext, authenticate, authenticateHandover } from '../sessions/authenticate.ts'
import { invalidInput } from './invalid-input.ts'
import type { RequestLimiter } from './limits.ts'
import type { OverloadGuard, Place } from './overload.ts'
import type { RequestBody } from './request-body.ts'
import type { JsonBody, ResponseCache } from './response-cache.ts'
import type { Turns } from './turns.ts'

/** An endpoint of the contract with what serves it. */
export type Route = {
  endpoint: Endpoint
  rule: AccessRule
  handle: (call: Call<Endpoint>) => Promise<unknown>
}

/** A request and its response, with what was found out on the way here. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** The client's, as the limits count it. */
  address: string
  /** By `tokenHashOf`; nothing is known of it. */
  tokenHash: string | undefined
  /** Of the path; nothing has checked them. */
  params: unknown
  cookies?: Record<string, string | undefined>
  /** Undefined where the method has none. */
  body?: RequestBody | undefined
}

/** What a request led to. */
export type Result =
  /** The response cache has sent it. */
  | { sent: true; status: number }
  /** The body is undefined where the contract has none. */
  | { sent: false; status: number; body: JsonBody | undefined }
  /** The client has left, and nothing was done. */
  | { sent: true; status: undefined }

/**
 * Serves one request.
 * @throws AppError for every refusal, and whatever a handler throws; nothing has been sent then
 */
export type Pipeline = (route: Route, exchange: Exchange) => Promise<Result>

type Options = {
  deps: Deps
  overload: OverloadGuard
  limiter: RequestLimiter
  turns: Turns
  responseCache: ResponseCache
}

/** The pipeline of one server. */
export function createPipeline({ deps, overload, limiter, turns, responseCache }: Options): Pipeline {
  return async function serve(route, exchange) {
    const { endpoint, rule, handle } = route
    const { response } = exchange
    const place = overload.admit(response, exchange.address)
    try {
      // Before the body is read: a stranger learns nothing and costs nothing.
      let auth = await authenticateFor(endpoint, exchange)
      limiter.countToken(auth.caller.tokenHash)
      place.holdFor(auth.user)
      const again = () => authenticateAgain(endpoint, exchange)
      const input = exchange.body ? await readInput(endpoint, exchange.body, place, again) : NO_INPUT
      if (exchange.body?.isAnnounced) auth = await again()
      const params = checked(endpoint.params, exchange.params)
      let turn = endpoint.heavy ? turns.take(auth.user, response) : undefined
      let bytes = 0
      try {
        // Not awaited when it is free: that alone would take 4 % of a list of games.
        if (turn instanceof Promise) {
          turn = await turn
          auth = await again()
        }
        if (endpoint.cacheable) {
          if (response.destroyed) return { sent: true, status: undefined }
          // Another request may have built it while this one waited for its turn.
          const cached = turn && responseCache.find(exchange.request, auth.user, auth.snapshot)
          if (cached) return { sent: true, status: cached.send(exchange.request, response) }
        }
        const call = { params, ...input, user: auth.user, caller: auth.caller }
        // After all waiting, on what is true now.
        await rule(deps, call)
        const body = jsonOf(await handle(call))
        bytes = body?.text.length ?? 0
        if (!endpoint.cacheable || !body) return { sent: false, status: endpoint.status ?? 200, body }
        const key = { user: auth.user, snapshot: auth.snapshot, path: endpoint.path }
        return { sent: true, status: await responseCache.send(exchange.request, response, key, body) }
      } finally {
        if (!(turn instanceof Promise)) turn?.end(bytes)
      }
    } finally {
      // The work is done: a client that reads slowly does not keep others out.
      place.leave()
    }
  }

  /** After a wait: the session or a permission may have ended meanwhile (SIGN-29). */
  async function authenticateAgain(endpoint: Endpoint, exchange: Exchange): Promise<AuthContext> {
    await deps.readCache.refreshNow()
    return authenticateFor(endpoint, exchange)
  }

  function authenticateFor(
    { afterSwap }: Endpoint,
    { tokenHash, cookies = {} }: Exchange,
  ): Promise<AuthContext> {
    return afterSwap ? authenticateHandover(deps, tokenHash, cookies) : authenticate(deps, tokenHash)
  }
}

type Input = Pick<Call<Endpoint>, 'body' | 'upload'>
const NO_INPUT: Input = { body: undefined, upload: undefined }

/** Reads what a request carries; its place is free for others while that is on its way (LIM-26). */
async function readInput(
  endpoint: Endpoint,
  body: RequestBody,
  place: Place,
  authenticateAgain: () => Promise<unknown>,
): Promise<Input> {
  if (body.isMultipart) {
    const field = endpoint.upload
    if (field === undefined) throw new AppError('unsupported_media_type')
    const upload = body.upload(field)
    const read = async () => {
      const file = await upload.read()
      await authenticateAgain()
      return file
    }
    return { body: undefined, upload: { ...upload, read } }
  }
  if (body.isAnnounced) place.leave()
  const json = await body.json()
  place.enter()
  // An endpoint that takes nothing ignores what a client sends along.
  if (endpoint.body.def.type === 'undefined') return NO_INPUT
  return { body: checked(endpoint.body, json === undefined ? {} : json), upload: undefined }
}

function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true })
  if (!result.success) throw invalidInput(result.error)
  return result.data
}

function jsonOf(value: unknown): JsonBody | undefined {
  if (value === undefined) return undefined
  return value instanceof RawJson ? value : { text: JSON.stringify(value) }
}
