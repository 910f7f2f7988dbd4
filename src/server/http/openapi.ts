/** /api/openapi.json and /api/docs, generated from the contract (API-4, API-43). */
import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { bestCoding, matches } from './response-cache.ts'

const PATH = '/api/openapi.json'
/** It changes only with a new version of the server. */
const CACHE_CONTROL = 'public, max-age=300'

/**
 * Registers the description. Must come before the routes it describes, and before responses are compressed: without a
 * token nobody may have the server compress the page's megabytes each time.
 */
export async function describeApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Shelfmates',
        version: '1',
        description:
          'Every call of the product. Times are ISO 8601 UTC, playtimes whole minutes, steam ids text.',
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url }) => {
      const endpoint = (schema as { contract?: Endpoint } | undefined)?.contract
      return { url, schema: endpoint ? { ...schema, ...schemasOf(endpoint) } : schema }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // No badge of another site's validator; and no policy of its own, which would allow other sites.
    uiConfig: { tryItOutEnabled: false, persistAuthorization: false, validatorUrl: null },
    staticCSP: false,
    uiHooks: {
      // The page's own copies would be serialized for each request.
      onRequest: (request, reply, done) => {
        if (/^\/api\/docs\/(json|yaml)$/.test(request.routeOptions.url ?? '')) void reply.redirect(PATH)
        else done()
      },
    },
  })

  let description: Description | undefined
  app.get(PATH, { schema: { hide: true } }, (request, reply) => {
    // Built for the first request, when all routes are known.
    description ??= describe(app.swagger())
    const { etag, bodies } = description
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL, vary: 'accept-encoding' })
    if (matches(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    const coding = bestCoding(String(request.headers['accept-encoding'] ?? ''))
    if (coding !== 'identity') void reply.header('content-encoding', coding)
    return reply.type('application/json; charset=utf-8').send(bodies[coding])
  })
}

/** The highest quality would hold up everybody else for a tenth of a second. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** `etag` follows from the content, so it is the same on all servers. */
type Description = { etag: string; bodies: Record<'identity' | 'br' | 'gzip', Buffer> }

function describe(document: object): Description {
  const identity = Buffer.from(JSON.stringify(document))
  return {
    etag: `W/"${hash('sha256', identity, 'base64url')}"`,
    bodies: { identity, br: brotliCompressSync(identity, BROTLI), gzip: gzipSync(identity) },
  }
}

const errorAnswer = {
  type: 'object',
  description: 'An expected failure: text for people and a stable code.',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    field: { type: 'string', description: 'The input at fault' },
    request_id: { type: 'string', description: 'For a 500: the id in the server’s log' },
  },
}

function schemasOf(endpoint: Endpoint): Record<string, unknown> {
  const answer =
    endpoint.response.def.type === 'undefined' ? { type: 'null' } : jsonSchema(endpoint.response, 'output')
  return {
    ...(Object.keys(endpoint.params.shape).length > 0 && { params: jsonSchema(endpoint.params, 'input') }),
    ...(endpoint.body.def.type !== 'undefined' && { body: jsonSchema(endpoint.body, 'input') }),
    ...(endpoint.upload && {
      description: `Also multipart/form-data with one image of at most ${PICTURE_MAX_BYTES} bytes in the field "${endpoint.upload}".`,
    }),
    response: { [endpoint.status ?? 200]: answer, '4xx': errorAnswer, '5xx': errorAnswer },
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
