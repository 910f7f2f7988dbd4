/** The one file of a request's multipart body (API-26). */
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../client-address.ts'
import { AppError } from '../errors.ts'
import type { IncomingUpload } from '../pictures/pictures.ts'

/** Maximum size of a text field beside a file, in bytes; no endpoint uses one. */
const FIELD_MAX_BYTES = 1024

/**
 * Nothing is read before `read` is called.
 * @param field name of the form field that holds the file
 * @param afterReading checks the request again, because reading may have taken long
 */
export function incomingUpload(
  field: string,
  request: FastifyRequest,
  afterReading: () => Promise<void>,
): IncomingUpload {
  return {
    network: networkOf(request.address),
    read: async () => {
      const file = await readFile(field, request)
      await afterReading()
      return file
    },
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
