/** Mounts the whole contract in the framework. */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import type { AccessRule, ApiHandlers, ContractShape } from '../endpoint-handler.ts'
import type { Pipeline, Route } from './pipeline.ts'
import { leaveBodiesUnread } from './request-body.ts'

type Options = {
  rules: Record<Access, AccessRule>
  pipeline: Pipeline
}

/**
 * Mounts every endpoint of a contract; one without a handler or a rule does not compile. Only the routes with uploads
 * have the hooks of multipart bodies, which take as long as a small response.
 */
export async function mountApi<Contract extends ContractShape>(
  app: FastifyInstance,
  contract: Contract,
  handlers: ApiHandlers<Contract>,
  { rules, pipeline }: Options,
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
        const route = { endpoint, rule: rules[endpoint.access], handle }
        const handler = (request: FastifyRequest, reply: FastifyReply): unknown =>
          pipeline(route, request, reply)
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
