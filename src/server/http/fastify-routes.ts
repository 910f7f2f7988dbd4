/** Mounts the whole contract: every endpoint in the framework, and cacheable ones in the fast path too. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import type { AccessRule, ApiHandlers, ContractShape } from '../endpoint-handler.ts'
import { tokenHashOf } from '../sessions/authenticate.ts'
import type { FastPath } from './fast-path.ts'
import type { Pipeline, Route } from './pipeline.ts'
import { bodyOf, leaveBodiesUnread } from './request-body.ts'

type Options = {
  rules: Record<Access, AccessRule>
  pipeline: Pipeline
  fastPath: Pick<FastPath, 'mount'>
  addressOf: (request: IncomingMessage) => string
}

/** Mounts every endpoint of a contract; one without a handler or a rule does not compile. */
export function mountApi<Contract extends ContractShape>(
  app: FastifyInstance,
  contract: Contract,
  handlers: ApiHandlers<Contract>,
  { rules, pipeline, fastPath, addressOf }: Options,
): void {
  leaveBodiesUnread(app)
  for (const [noun, endpoints] of Object.entries(contract))
    for (const [name, endpoint] of Object.entries(endpoints)) {
      // Safe, because the pipeline validates the input with the endpoint's own schemas; a loop cannot express that in
      // types.
      const handle = handlers[noun]![name] as Route['handle']
      const route: Route = { endpoint, rule: rules[endpoint.access], handle }
      const handler = handlerOf(route)
      if (endpoint.cacheable) fastPath.mount(route)
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        schema: openApiOf(noun, name, endpoint),
        // Responses with data get their headers in app.ts; helmet takes longer than most responses.
        helmet: false,
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

  function handlerOf(route: Route): (request: FastifyRequest, reply: FastifyReply) => unknown {
    const hasBody = route.endpoint.method !== 'GET'
    return async (request, reply) => {
      const address = addressOf(request.raw)
      const result = await pipeline(route, {
        request: request.raw,
        response: reply.raw,
        address,
        tokenHash: tokenHashOf(request),
        cookies: request.cookies,
        params: request.params,
        body: hasBody ? bodyOf(request, reply, address) : undefined,
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
