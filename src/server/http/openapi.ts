/** /api/openapi.json, derived from the contract (API-4). */
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import type { ContractShape } from '../endpoint-handler.ts'

/**
 * Serves the description. Must be called before compression, because requests without a token must not make the server
 * compress megabytes each time.
 */
export function serveDescription(app: FastifyInstance, contract: ContractShape, publicUrl: string): void {
  const plain = JSON.stringify(describe(contract, publicUrl))
  const gzip = gzipSync(plain)
  app.get('/api/openapi.json', (request, reply) => {
    const takesGzip = /\bgzip\b(?!;q=0)/.test(request.headers['accept-encoding'] ?? '')
    if (takesGzip) void reply.header('content-encoding', 'gzip')
    return reply
      .headers({ vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
      .send(takesGzip ? gzip : plain)
  })
}

function describe(contract: ContractShape, publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [noun, endpoints] of Object.entries(contract))
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(noun, name, endpoint) }
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfmates',
      version: '1',
      description: 'Every endpoint. Times are ISO 8601 UTC, playtimes are whole minutes, steam ids are text.',
    },
    servers: [{ url: publicUrl }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function operationOf(noun: string, name: string, endpoint: Endpoint): object {
  const { summary, access, params, body, upload, status } = endpoint
  const parameters = Object.entries(params.shape).map(([key, schema]) => ({
    in: 'path',
    name: key,
    required: true,
    schema: jsonSchema(schema as z.ZodType, 'input'),
  }))
  const form =
    upload &&
    ` Also multipart/form-data with one image of at most ${PICTURE_MAX_BYTES} bytes in the field "${upload}".`
  const refusal = { description: 'A refusal', content: { 'application/json': { schema: refusalSchema } } }
  return {
    tags: [noun],
    operationId: `${noun}_${name}`,
    summary,
    description: `Access: ${access.replaceAll('_', ' ')}.${form ?? ''}`,
    security: access === 'anyone' ? [] : [{ token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body.def.type !== 'undefined' && {
      requestBody: { content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    responses: { [status]: responseOf(endpoint), '4XX': refusal, '5XX': refusal },
  }
}

function responseOf({ stream, response }: Endpoint): object {
  if (stream)
    return {
      description: 'Events until the client or the server ends it.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    }
  if (response.def.type === 'undefined') return { description: 'Done' }
  const schema = jsonSchema(response, 'output')
  return { description: 'Success', content: { 'application/json': { schema } } }
}

const refusalSchema = {
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

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
