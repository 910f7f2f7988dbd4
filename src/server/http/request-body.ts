/** Request bodies, read only when the pipeline needs them (ERR-4, ERR-5, API-26). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import getRawBody, { type RawBodyError } from 'raw-body'
import { parse } from 'secure-json-parse'
import { networkOf } from '../client-address.ts'
import { AppError } from '../errors.ts'
import type { IncomingUpload } from '../pictures/upload-slots.ts'
import { refuseOnSocket } from './failures.ts'

/** Maximum size of a JSON body; a hundred ids take 2 kB. */
const JSON_MAX_BYTES = 100 * 1024
/** Maximum size of a text field beside a file, in bytes; no endpoint uses one. */
const FIELD_MAX_BYTES = 1024

/** Makes the framework pass on bodies unread, so that authentication comes first. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Whether the headers announce a body (RFC 9112 section 6), which may still be arriving. */
export function isAnnounced({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads JSON; undefined for an empty body.
 * @throws AppError unsupported_media_type, too_large, invalid_json; invalid_input when it did not arrive completely
 */
export async function readJson(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.headers['content-type'] === undefined && !isAnnounced(request)) return undefined
  if (request.mediaType !== 'application/json') throw new AppError('unsupported_media_type')
  try {
    return await parsedBody(request)
  } catch (error) {
    // Otherwise the rest of the refused body would be read as the next request.
    void reply.header('connection', 'close')
    throw error
  }
}

async function parsedBody({ raw, headers }: FastifyRequest): Promise<unknown> {
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

/**
 * The one file of a request's multipart body. Nothing is read before `read` is called.
 * @param field name of the form field that holds the file
 * @param address IP address of the client
 */
export function incomingUpload(field: string, request: FastifyRequest, address: string): IncomingUpload {
  const { socket } = request.raw
  return {
    network: networkOf(address),
    bytesArrived: () => socket.bytesRead,
    read: () => readFile(field, request),
    // The connection is closed, because the rest of the body would be read as the next request.
    refuse: (refusal) => refuseOnSocket(socket, refusal),
  }
}

/**
 * @throws AppError invalid_input when the body is malformed or the field is missing, image_too_large above the limit
 */
async function readFile(field: string, request: FastifyRequest): Promise<Uint8Array> {
  let file: Uint8Array | undefined
  try {
    for await (const part of request.parts({ limits: { fieldSize: FIELD_MAX_BYTES } })) {
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
