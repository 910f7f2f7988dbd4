/** What a request carries, read only when the pipeline wants it (ERR-4, ERR-5, API-26). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import getRawBody, { type RawBodyError } from 'raw-body'
import { parse } from 'secure-json-parse'
import { AppError } from '../errors.ts'
import type { IncomingUpload } from '../pictures/upload-slots.ts'
import { incomingUpload } from './uploads.ts'

/** Largest JSON body; a hundred ids take 2 kB. */
const JSON_MAX_BYTES = 100 * 1024

/** A body that nothing was read of yet. */
export type RequestBody = {
  /** Whether a body was announced (RFC 9112 section 6), so that reading may have to wait for it. */
  readonly isAnnounced: boolean
  readonly isMultipart: boolean
  /**
   * Reads JSON; undefined when nothing was sent.
   * @throws AppError unsupported_media_type, too_large, invalid_json; invalid_input when it did not arrive whole
   */
  json(): Promise<unknown>
  /** The file of a multipart body, unread. */
  upload(field: string): IncomingUpload
}

/** Has the framework hand bodies on unread, so that authentication comes before them. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The body of a request whose method may have one; `address` is the client's. */
export function bodyOf(request: FastifyRequest, reply: FastifyReply, address: string): RequestBody {
  const isAnnounced = hasBody(request)
  return {
    isAnnounced,
    isMultipart: request.isMultipart(),
    json: async () => {
      if (request.headers['content-type'] === undefined && !isAnnounced) return undefined
      if (request.mediaType !== 'application/json') throw new AppError('unsupported_media_type')
      try {
        return await readJson(request)
      } catch (error) {
        // The rest of a refused body would be taken for the next request.
        void reply.header('connection', 'close')
        throw error
      }
    },
    upload: (field) => incomingUpload(field, request, address),
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

async function readJson({ raw, headers }: FastifyRequest): Promise<unknown> {
  const options = { length: headers['content-length'], limit: JSON_MAX_BYTES }
  const bytes = await getRawBody(raw, options).catch((cause: RawBodyError) => {
    throw new AppError(cause.type === 'entity.too.large' ? 'too_large' : 'invalid_input', { cause })
  })
  // Clients often send the header of JSON without a body.
  if (bytes.length === 0) return undefined
  try {
    return parse(bytes, { protoAction: 'error', constructorAction: 'error' }) as unknown
  } catch (cause) {
    throw new AppError('invalid_json', { field: 'body', text: 'body: is not valid JSON', cause })
  }
}
