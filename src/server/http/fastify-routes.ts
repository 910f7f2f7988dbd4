/** Mounts the whole contract in the framework. */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import type { AccessRule, ApiHandlers, ContractShape } from '../endpoint-handler.ts'
import type { Pipeline, Route } from './pipeline.ts'
import type { Reception } from './reception.ts'
import { bodyOf, leaveBodiesUnread } from './request-body.ts'

type Options = {
  rules: Record<Access, AccessRule>
  pipeline: Pipeline
  reception: Pick<Reception, 'arrivalOf'>
}

/**
 * Mounts every endpoint of a contract; one without a handler or a rule does not compile. Only the routes with uploads
 * have the hooks of multipart bodies, which take as long as a small response.
 */
export async function mountApi<Contract extends ContractShape>(
  app: FastifyInstance,
  contract: Contract,
  handlers: ApiHandlers<Contract>,
  { rules, pipeline, reception }: Options,
): Promise<void> {
  leaveBodiesUnread(app)
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: PICTURE_MAX_BYTES, files: 1, fields: 5, parts: 6 },
    })
    mountEach(scope, (endpoint) => endpoint.upload !== undefined)
  })
  mountEach(app, (endpoint) => endpoint.upload === undefined)

  function mountEach(scope: FastifyInstance, isMounted: (endpoint: Endpoint) => boolean): void {
    for (const [noun, endpoints] of Object.entries(contract))
      for (const [name, endpoint] of Object.entries(endpoints)) {
        if (!isMounted(endpoint)) continue
        // Safe, because the pipeline validates the input with the endpoint's own schemas; a loop cannot express that in
        // types.
        const handle = handlers[noun]![name] as Route['handle']
        const handler = handlerOf({ endpoint, rule: rules[endpoint.access], handle })
        scope.route({
          method: endpoint.method,
          url: endpoint.path,
          schema: openApiOf(noun, name, endpoint),
          // A HEAD of a stream would never end.
          exposeHeadRoute: !endpoint.stream,
          handler,
          errorHandler: (error, request, reply) => {
            // The framework refuses a malformed content type before the handler; the pipeline does so after
            // authentication.
            if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return handler(request, reply)
            throw error
          },
        })
      }
  }

  function handlerOf(route: Route): (request: FastifyRequest, reply: FastifyReply) => unknown {
    const hasBody = route.endpoint.method !== 'GET'
    const acceptsFile = route.endpoint.upload !== undefined
    return async (request, reply) => {
      const arrival = reception.arrivalOf(request.raw)
      const result = await pipeline(route, {
        request: request.raw,
        response: reply.raw,
        arrival,
        cookies: request.cookies,
        params: request.params,
        body: hasBody ? bodyOf(request, reply, { address: arrival.address, acceptsFile }) : undefined,
      })
      if (result.sent) return reply.hijack()
      void reply.code(result.status)
      if (!result.body) return reply.send()
      return reply
        .header('content-type', `${route.endpoint.media ?? 'application/json'}; charset=utf-8`)
        .serializer(String)
        .send(result.body.text)
    }
  }
}

/** Schema for the endpoint's entry in /api/openapi.json; the pipeline does the validation. */
function openApiOf(tag: string, name: string, endpoint: Endpoint): Record<string, unknown> {
  return {
    tags: [tag],
    operationId: `${tag}_${name}`,
    summary: endpoint.summary,
    description: `Access: ${endpoint.access.replaceAll('_', ' ')}.`,
    security: endpoint.access === 'anyone' ? [] : [{ token: [] }],
    contract: endpoint,
  }
}
