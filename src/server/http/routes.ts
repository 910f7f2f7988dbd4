/**
 * The contract as routes: input, access rule, handler, output. What comes before them is in `app.ts`.
 * Requirements: API-26, ERR-5, ERR-10.
 */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { networkOf } from '../client-address.ts'
import type { Deps } from '../deps.ts'
import type { AccessRules, ApiHandlers, Call, ContractShape, InputOf } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import type { IncomingUpload } from '../pictures/pictures.ts'
import { giveBackAfter, slotLimits, Slots } from '../slots.ts'
import type { EventStreams } from './event-streams.ts'
import { invalidInput } from './failures.ts'
import type { Sessions } from './session.ts'

/** Maximum size of a text field beside a file, in bytes; no endpoint uses one. */
const FIELD_MAX_BYTES = 1024
/** Maximum size of a JSON body; a hundred ids take 2 kB. */
const JSON_MAX_BYTES = 100 * 1024

type Options = {
  deps: Deps
  rules: AccessRules
  sessions: Sessions
  eventStreams: Pick<EventStreams, 'enter'>
}

/** Mounts every endpoint of a contract; one without a handler or a rule does not compile. */
export async function mountContract<Contract extends ContractShape>(
  app: FastifyInstance,
  contract: Contract,
  handlers: ApiHandlers<Contract>,
  { deps, rules, sessions, eventStreams }: Options,
): Promise<void> {
  const heavySlots = new Slots(slotLimits.heavyRequests)
  readJsonBodies(app)
  app.setValidatorCompiler<z.ZodType>(({ schema }) => (data: unknown) => ({ value: checked(schema, data) }))

  // Before the input is read: to others these endpoints do not exist, whatever they send (OPER-2).
  app.addHook('onRequest', async (request) => {
    const { access } = endpointOf(request)
    if (access === 'operator') await rules.operator(deps, callOf(request))
  })
  mountEach(app, (endpoint) => endpoint.upload === undefined)
  // The hooks of multipart bodies take as long as a small response.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: PICTURE_MAX_BYTES, files: 1, fieldSize: FIELD_MAX_BYTES, fields: 5, parts: 6 },
    })
    mountEach(scope, (endpoint) => endpoint.upload !== undefined)
  })

  function mountEach(scope: FastifyInstance, isMounted: (endpoint: Endpoint) => boolean): void {
    for (const [noun, endpoints] of Object.entries(contract))
      for (const [name, endpoint] of Object.entries(endpoints)) {
        if (!isMounted(endpoint)) continue
        // Safe, because the schemas of the endpoint have checked the input; a loop cannot express that in types.
        const handle = handlers[noun]![name] as (call: Call<Endpoint>) => Promise<unknown>
        scope.route({
          method: endpoint.method,
          url: endpoint.path,
          config: { endpoint },
          // A form has no schema.
          schema: {
            params: endpoint.params,
            ...(takesBody(endpoint.body) && !endpoint.upload && { body: endpoint.body }),
          },
          // A HEAD of a stream would never end.
          exposeHeadRoute: !endpoint.stream,
          handler: async (request, reply) => {
            // Long lists of one user wait for each other (LIM-22).
            const turn = endpoint.heavy ? heavySlots.enter(request.user, reply.raw) : undefined
            const giveBack = await turn
            const startedAt = performance.now()
            try {
              // After all waiting, against current data.
              if (turn instanceof Promise) await sessions.find(request)
              const input = callOf(request)
              const call = { ...input, found: await rules[endpoint.access](deps, input) }
              if (endpoint.stream) return await openStream(request, reply, call, handle)
              return reply.code(endpoint.status).send(await handle(call))
            } finally {
              if (giveBack) giveBackAfter(reply.raw, startedAt, giveBack)
            }
          },
        })
      }
  }

  function callOf(request: FastifyRequest): InputOf<Endpoint> {
    const { upload } = endpointOf(request)
    const isForm = upload !== undefined && request.isMultipart()
    return {
      params: request.params as Record<string, unknown>,
      body: isForm ? undefined : bodyOf(request),
      upload: isForm ? uploadOf(request, upload) : undefined,
      stream: undefined,
      acceptLanguage: request.headers['accept-language'],
      user: request.user,
      caller: request.caller,
    }
  }

  /** The file in a field of a form; nothing is read before it is asked for. */
  function uploadOf(request: FastifyRequest, field: string): IncomingUpload {
    return {
      network: networkOf(request.address),
      read: async () => {
        const file = await readFile(field, request)
        // Reading may have taken long.
        await sessions.find(request)
        return file
      },
    }
  }

  /** Opens a stream when its handler has let the caller in; the request's slot is free for others then. */
  async function openStream(
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call<Endpoint>,
    handle: (call: Call<Endpoint>) => Promise<unknown>,
  ): Promise<FastifyReply> {
    // The client has left: its close event would be waited for in vain.
    if (reply.raw.destroyed) return reply.hijack()
    const stream = eventStreams.enter(reply.raw, request.user)
    try {
      await handle({ ...call, stream })
    } catch (error) {
      stream.abandon()
      throw error
    }
    stream.open()
    request.giveBackSlot?.()
    return reply.hijack()
  }
}

/** The framework's parser, where the JSON content type may also come without a body, as clients often send it. */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string', bodyLimit: JSON_MAX_BYTES },
    (request, body, done) => {
      if (body === '') done(null)
      // The framework's validator takes it for a missing body.
      else if (body.trim() === 'null') done(notAnObject())
      else void parse(request, body, done)
    },
  )
}

const notAnObject = () => new AppError('invalid_input', { field: 'body', problem: 'body: must be an object' })
const endpointOf = (request: FastifyRequest) => request.routeOptions.config.endpoint!
const takesBody = (schema: z.ZodType) => schema.def.type !== 'undefined'

/** The body of a request that is no form. An endpoint without input ignores any body that a client sends. */
function bodyOf({ routeOptions, body }: FastifyRequest): unknown {
  const { upload, body: schema } = routeOptions.config.endpoint!
  if (!takesBody(schema)) return undefined
  return upload === undefined ? body : checked(schema, body)
}

/** @throws AppError invalid_input; a missing body is an empty object */
function checked<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const result = schema.safeParse(data ?? {}, { reportInput: true })
  if (!result.success) throw invalidInput(result.error)
  return result.data
}

/**
 * @throws AppError invalid_input when the body is malformed or the field is missing, image_too_large above the limit
 */
async function readFile(field: string, request: FastifyRequest): Promise<Uint8Array> {
  let file: Uint8Array | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      if (part.fieldname === field) file = await part.toBuffer()
      else part.file.resume()
    }
  } catch (error) {
    // The client disconnected; `failures.ts` handles that.
    if (request.raw.destroyed && !request.raw.complete) throw error
    // Exceeded limits have a code and their own response; syntax errors of the parser have none.
    if (error instanceof Error && 'code' in error) throw error
    throw new AppError('invalid_input', { field, problem: `${field}: the form is malformed`, cause: error })
  }
  if (!file) throw new AppError('invalid_input', { field, problem: `${field}: must be one image file` })
  return file
}
