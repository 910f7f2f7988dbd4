/** /api/openapi.json and /api/docs, generated from the contract (API-4). */
import { gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'

const PATH = '/api/openapi.json'

/** Collects the routes that are registered later, for {@link serveDescription}. */
export async function collectRoutes(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Shelfmates',
        version: '1',
        description:
          'Every endpoint. Times are ISO 8601 UTC, playtimes are whole minutes, steam ids are text.',
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url }) => {
      const endpoint = (schema as { contract?: Endpoint } | undefined)?.contract
      if (!endpoint) return { url, schema }
      const {
        params: _params,
        body: _body,
        contract: _contract,
        ...described
      } = schema as Record<string, unknown>
      return { url, schema: { ...described, ...schemasOf(endpoint) } }
    },
  })
}

/**
 * Serves the description. Must be called before compression, because requests without a token must not make the server
 * compress megabytes each time.
 */
export async function serveDescription(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // No validator badge from another site, and no own content security policy, which would allow other sites.
    uiConfig: { tryItOutEnabled: false, persistAuthorization: false, validatorUrl: null },
    staticCSP: false,
    uiHooks: {
      // The page's own copies would be serialised for each request.
      onRequest: (request, reply, done) => {
        if (/^\/api\/docs\/(json|yaml)$/.test(request.routeOptions.url ?? '')) void reply.redirect(PATH)
        else done()
      },
    },
  })

  let bodies: { plain: string; gzip: Buffer } | undefined
  app.get(PATH, { schema: { hide: true } }, (request, reply) => {
    // At the first request, when all routes are registered.
    if (!bodies) {
      const plain = JSON.stringify(app.swagger())
      bodies = { plain, gzip: gzipSync(plain) }
    }
    const takesGzip = /\bgzip\b(?!;q=0)/.test(request.headers['accept-encoding'] ?? '')
    if (takesGzip) void reply.header('content-encoding', 'gzip')
    return reply
      .headers({ vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
      .send(takesGzip ? bodies.gzip : bodies.plain)
  })
}

const errorResponse = {
  type: 'object',
  description: 'An error with a text for people and a stable code.',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    field: { type: 'string', description: 'The invalid input' },
    reason: { type: 'string', description: 'Why, more specifically than the code says' },
    values: {
      type: 'object',
      description: 'Numbers and names in the text of the reason',
      additionalProperties: { type: ['string', 'number'] },
    },
    request_id: { type: 'string', description: 'Of a 500: the id in the server’s log' },
  },
}

const eventStream = {
  description: 'Events until the client or the server ends it.',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
}

function responseOf({ media, response }: Endpoint): unknown {
  if (response.def.type === 'undefined') return { type: 'null' }
  const schema = jsonSchema(response, 'output')
  return media ? { description: 'A calendar', content: { [media]: { schema } } } : schema
}

function schemasOf(endpoint: Endpoint): Record<string, unknown> {
  const response = endpoint.stream ? eventStream : responseOf(endpoint)
  return {
    ...(Object.keys(endpoint.params.shape).length > 0 && { params: jsonSchema(endpoint.params, 'input') }),
    ...(endpoint.body.def.type !== 'undefined' && { body: jsonSchema(endpoint.body, 'input') }),
    ...(endpoint.upload && {
      description: `Also multipart/form-data with one image of at most ${PICTURE_MAX_BYTES} bytes in the field "${endpoint.upload}".`,
    }),
    response: { [endpoint.status]: response, '4xx': errorResponse, '5xx': errorResponse },
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
