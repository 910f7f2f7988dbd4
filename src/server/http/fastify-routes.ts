/**
 * Mounts the contract: each call is limited, authenticated, validated, allowed by its access rule and only then
 * handled. A call cannot be mounted without all of these.
 */
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import {
  authenticate,
  authenticateHandover,
  tokenHashOf,
  type AuthContext,
} from '../sessions/authenticate.ts'
import { invalidInput } from './invalid-input.ts'
import type { FastPath } from './fast-path.ts'
import { type AccessRule, type Call, RawJson } from '../endpoint-handler.ts'
import type { Answer, ResponseCache } from './response-cache.ts'
import type { RequestLimiter } from './limits.ts'
import { type Turns } from './turns.ts'

type Mount = {
  deps: Deps
  rules: Record<Access, AccessRule>
  limiter: RequestLimiter
  answers: ResponseCache
  turns: Turns
  front: FastPath
}

declare module 'fastify' {
  interface FastifyRequest {
    who: AuthContext | undefined
  }
}

/** Mounts every call of one contract with its handlers. */
export function mountContract<Contract extends Record<string, Endpoint>>(
  app: FastifyInstance,
  { deps, rules, limiter, answers, turns, front }: Mount,
  tag: string,
  contract: Contract,
  // Each handler's input is checked against its own endpoint below, which the type of a loop cannot say.
  handlers: { [Name in keyof Contract]: (call: never) => Promise<unknown> },
): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    const { cacheable = false, heavy = false } = endpoint
    const handle = handlers[name] as (call: Call<Endpoint>) => Promise<unknown>
    const answerOf = async ({ user, caller }: AuthContext, params: unknown, input: Input) => {
      const call: Call<Endpoint> = { params: checked(endpoint.params, params), ...input, user, caller }
      await rules[endpoint.access](deps, call)
      return handle(call)
    }
    if (cacheable)
      front.mount({
        path: endpoint.path,
        heavy,
        answer: async (who, params) => jsonOf(await answerOf(who, params, NOTHING)),
      })
    const route: RouteHandlerMethod = async (request, reply) => {
      const { who } = request
      if (!who) throw new AppError('not_signed_in')
      const input = inputOf(endpoint, request)
      const crowded = front.arrivalOf(request.raw).place?.enter()
      if (crowded) throw crowded
      const turn = heavy ? await turns.take(who.user, reply.raw) : undefined
      let answered: Answer | undefined
      try {
        const answer = await answerOf(who, request.params, input)
        answered = answer === undefined ? undefined : jsonOf(answer)
        if (answered && cacheable)
          await answers.send(request.raw, reply.raw, { ...who, route: endpoint.path }, answered)
      } finally {
        turn?.end(answered?.text.length ?? 0)
      }
      if (cacheable) {
        front.arrivalOf(request.raw).place?.leave()
        return reply.hijack()
      }
      void reply.code(endpoint.status ?? 200)
      if (answered === undefined) return reply.send()
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(asIs)
        .send(answered.text)
    }
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: openApiOf(tag, name, endpoint),
      // Answers of data have headers of their own (app.ts); those of pages take longer than most answers.
      helmet: false,
      // Before the body is read: a stranger learns nothing and costs nothing.
      onRequest: async (request) => {
        request.who = endpoint.afterSwap
          ? await authenticateHandover(deps, request)
          : await authenticate(deps, tokenHashOf(request))
        const arrival = front.arrivalOf(request.raw)
        const { tokenHash } = request.who.caller
        const refused = arrival.countedForToken ? undefined : limiter.countToken(tokenHash)
        arrival.countedForToken = true
        const refusal = refused ?? arrival.place?.holdFor(request.who.user)
        if (refusal) throw refusal
      },
      // While its body is on its way a request is no work: its place is taken again when all of it is here.
      preParsing: (request, _reply, _payload, done) => {
        if (hasBody(request)) front.arrivalOf(request.raw).place?.leave()
        done()
      },
      handler: route,
    })
  }
}

function checked<T>(schema: { safeParse: Endpoint['params']['safeParse'] }, input: unknown): T {
  const result = schema.safeParse(input, { reportInput: true })
  if (!result.success) throw invalidInput(result.error)
  return result.data as T
}

type Input = Pick<Call<Endpoint>, 'body' | 'upload'>
const NOTHING: Input = { body: undefined, upload: undefined }

function inputOf(endpoint: Endpoint, request: FastifyRequest): Input {
  if (request.isMultipart()) {
    const field = endpoint.upload
    if (field === undefined) throw new AppError('unsupported_media_type')
    return { body: undefined, upload: () => uploadOf(field, request) }
  }
  const takesBody = endpoint.body.def.type !== 'undefined'
  // A call that takes nothing ignores what a client sends along.
  if (!takesBody) return NOTHING
  return {
    body: checked(endpoint.body as Endpoint['params'], request.body === undefined ? {} : request.body),
    upload: undefined,
  }
}

/** Longest text beside the file, in bytes; no call looks at it. */
const FIELD_MAX_BYTES = 1024

/**
 * The one file of a multipart body.
 * @throws AppError invalid_input when the body is malformed or the field is missing, image_too_large above the limit
 */
async function uploadOf(field: string, request: FastifyRequest): Promise<Uint8Array> {
  let upload: Uint8Array | undefined
  try {
    for await (const part of request.parts({ limits: { fieldSize: FIELD_MAX_BYTES } })) {
      if (part.type !== 'file') continue
      if (part.fieldname === field) upload = await part.toBuffer()
      else part.file.resume()
    }
  } catch (error) {
    // The client left, which `failures.ts` knows how to tell.
    if (request.raw.destroyed && !request.raw.complete) throw error
    // Limits have a code and their own answer; what the parser itself objects to has none.
    if (error instanceof Error && 'code' in error) throw error
    throw new AppError('invalid_input', { field, text: `${field}: the form is malformed`, cause: error })
  }
  if (!upload) throw new AppError('invalid_input', { field, text: `${field}: must be one image file` })
  return upload
}

/** Whether a body was announced (RFC 9112 section 6). */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function jsonOf(answer: unknown): Answer {
  return answer instanceof RawJson ? answer : { text: JSON.stringify(answer) }
}

function asIs(text: unknown): string {
  return text as string
}

/** What the call's entry in /api/openapi.json is made of; validation itself happens above. */
function openApiOf(tag: string, name: string, endpoint: Endpoint): Record<string, unknown> {
  const status = endpoint.status ?? 200
  return {
    tags: [tag],
    operationId: `${tag}_${name}`,
    summary: endpoint.summary,
    description: `Access: ${endpoint.access.replaceAll('_', ' ')}.`,
    security: [{ token: [] }],
    contract: endpoint,
    successStatus: status,
  }
}
