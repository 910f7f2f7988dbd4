/** Request bodies, read only when the pipeline needs them (ERR-4, ERR-5, API-26). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import getRawBody, { type RawBodyError } from 'raw-body'
import { parse } from 'secure-json-parse'
import { AppError } from '../errors.ts'
import type { IncomingUpload } from '../pictures/upload-slots.ts'
import { incomingUpload } from './uploads.ts'

/** Maximum size of a JSON body; a hundred ids take 2 kB. */
const JSON_MAX_BYTES = 100 * 1024

/** A body that has not been read yet. */
export type RequestBody = {
  /** Whether the headers announce a body (RFC 9112 section 6), which may still be arriving. */
  readonly isAnnounced: boolean
  readonly isMultipart: boolean
  /**
   * Reads JSON; undefined for an empty body.
   * @throws AppError unsupported_media_type, too_large, invalid_json; invalid_input when it did not arrive completely
   */
  json(): Promise<unknown>
  /** The file of a multipart body, unread. */
  upload(field: string): IncomingUpload
}

/** Makes the framework pass on bodies unread, so that authentication comes first. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/**
 * The body of a request whose method may have one.
 * @param address IP address of the client
 * @param acceptsFile whether the endpoint accepts a multipart body; to others it is of an unsupported type
 */
export function bodyOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { address, acceptsFile }: { address: string; acceptsFile: boolean },
): RequestBody {
  const isAnnounced = hasBody(request)
  return {
    isAnnounced,
    isMultipart: acceptsFile && request.isMultipart(),
    json: async () => {
      if (request.headers['content-type'] === undefined && !isAnnounced) return undefined
      if (request.mediaType !== 'application/json') throw new AppError('unsupported_media_type')
      try {
        return await readJson(request)
      } catch (error) {
        // Otherwise the rest of the refused body would be read as the next request.
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
  // Clients often send the JSON content type without a body.
  if (bytes.length === 0) return undefined
  try {
    return parse(bytes, { protoAction: 'error', constructorAction: 'error' }) as unknown
  } catch (cause) {
    throw new AppError('invalid_json', { field: 'body', problem: 'body: is not valid JSON', cause })
  }
}
