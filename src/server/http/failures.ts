/**
 * The one place where failures become answers (ERR-1, ERR-2): expected ones as they are, anything else
 * as a plain 500 that is logged with the request's id. Nothing of SQL, stacks, paths, keys or tokens gets out.
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type z } from 'zod'
import { errorCatalogue, type ErrorBody, type ErrorCode } from '#shared/errors.ts'
import { AppError } from '../errors.ts'
import { headersOfEarlyRefusals } from './security-headers.ts'

/** SYNC-7: what the platform asks for may be longer. */
const RETRY_AFTER_MAX_SECONDS = 86_400

/** Installs the error and the not-found answer on an app. */
export function renderFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError | Error, request, reply) =>
    sendFailure(error, request, reply),
  )
}

/** Answers a request with a failure. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const expected = error instanceof AppError ? error : fromFramework(error)
  if (!expected) {
    if (wasAborted(request))
      request.log.info({ err: error }, 'the client left before its request had arrived')
    else request.log.error({ err: error }, 'request failed')
    return send(reply, 500, { error: errorCatalogue.internal.text, code: 'internal', request_id: request.id })
  }
  if (expected.retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(Math.min(expected.retryAfterSeconds, RETRY_AFTER_MAX_SECONDS)))
  const body: ErrorBody = { error: expected.message, code: expected.code }
  if (expected.field !== undefined) body.field = expected.field
  return send(reply, expected.status, body)
}

/** A client that was refused has this long to read it and to close its half of the connection. */
const LINGER_MS = 1000

/**
 * Answers bytes that are no request at all (conflicting lengths, too many headers, too slow) in the shape of every
 * other failure, and hangs up: what follows on such a connection cannot be trusted.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? '']
  refuseOnSocket(socket, new AppError('invalid_input'), status)
}

/** Sends a refusal on a connection whose request has not arrived as a whole, and closes the connection. */
export function refuseOnSocket(socket: Socket, refusal: AppError, status?: number): void {
  if (socket.destroyed) return
  if (!socket.writable) return void socket.destroy()
  socket.end(rawRefusal(refusal, status))
  // Ending closes only our half: a client that never closes its own would keep the connection.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** A refusal as the bytes of an answer, for connections on which no request was read. */
export function rawRefusal(error: AppError, status = error.status): string {
  const body = JSON.stringify({ error: error.message, code: error.code } satisfies ErrorBody)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': error.retryAfterSeconds }),
    ...headersOfEarlyRefusals,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

/** Answers what the framework refuses before any hook runs, such as an address that cannot be decoded. */
export function refuseEarly(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendFailure(error, request, reply.headers(headersOfEarlyRefusals))
}

/** Whether the client hung up before the whole request was here: nothing that failed then was ours to finish. */
function wasAborted({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

function send(reply: FastifyReply, status: number, body: ErrorBody): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(body)
}

/**
 * Turns the first thing zod objects to into a 400 that names the field. The text is the schema's own where it has
 * one ('Group name required.', ERR-3).
 * @param error of a parse with `reportInput`
 */
export function invalidInput(error: z.ZodError): AppError {
  const [issue] = error.issues
  const field = issue?.path.join('.') || 'body'
  if (issue?.message === errorCatalogue.group_name_required.text)
    return new AppError('group_name_required', { field })
  return new AppError('invalid_input', { field, text: `${field}: ${objectionOf(issue)}` })
}

/** What the framework itself refuses before a handler runs, by its code. */
const refusedByFramework: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_BAD_URL: 'invalid_input',
  FST_REQ_FILE_TOO_LARGE: 'image_too_large',
  FST_UNDER_PRESSURE: 'busy',
}

function fromFramework(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Partial<FastifyError>
  const known = code === undefined ? undefined : refusedByFramework[code]
  if (known === 'invalid_json')
    return new AppError('invalid_json', { field: 'body', text: 'body: is not valid JSON' })
  if (known === 'busy') return new AppError('busy', { retryAfterSeconds: 5 })
  if (known) return new AppError(known)
  if (statusCode === 413) return new AppError('too_large')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_input')
  return undefined
}

const KINDS: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** What is wrong, for people; the schemas' own sentences are written for them already. */
function objectionOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is not valid'
  // Needs `reportInput` (routes.ts): without it zod says of no input what it was.
  if (issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small' && issue.origin === 'array')
    return `must have at least ${entries(issue.minimum)}`
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `must have at most ${entries(issue.maximum)}`
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
}

function entries(count: number | bigint): string {
  return count === 1 ? '1 entry' : `${count} entries`
}
