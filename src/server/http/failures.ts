/**
 * Turns errors into responses (ERR-1, ERR-2): AppErrors with their own status and text, anything else as a plain 500
 * that is logged with the request id. Responses never contain SQL, stacks, paths, keys or tokens. Invalid input is a 400
 * that names the field (ERR-5).
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorBody, ErrorCode } from '#shared/errors.ts'
import { DatabaseBusyError, DatabaseUnavailableError } from '../database/database.ts'
import { AppError, errorTexts } from '../errors.ts'
import { headersOfEarlyRefusals } from './security-headers.ts'

/** SYNC-12; Steam's own Retry-After may be longer. */
const RETRY_AFTER_MAX_SECONDS = 86_400

/**
 * The response to an error: an AppError with its own status and text, anything else as a plain 500 with the request id,
 * which is logged.
 * @param request its id, and how much of it has arrived
 */
export function failureOf(error: unknown, { id, raw }: Pick<FastifyRequest, 'id' | 'raw'>) {
  const expected = error instanceof AppError ? error : expectedError(error)
  if (expected) return responseTo(expected)
  const body: ErrorBody = { error: errorTexts.codes.internal, code: 'internal', request_id: id }
  // An error after the client disconnected in the middle of its request is not a fault of the server.
  const logged = raw.destroyed && !raw.complete ? ('info' as const) : ('error' as const)
  return { status: 500, headers: HEADERS, body: JSON.stringify(body), logged }
}

/** Responds to requests that the framework refuses before any hook runs, such as a URL that cannot be decoded. */
export function refuseEarly(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendFailure(error, request, reply.headers(headersOfEarlyRefusals))
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body, logged } = failureOf(error, request)
  if (logged === 'error') request.log.error({ err: error }, 'request failed')
  if (logged === 'info')
    request.log.info({ err: error }, 'the client disconnected before its request had arrived')
  return reply.code(status).headers(headers).serializer(String).send(body)
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

function responseTo({ status, message, retryAfterSeconds, code, field, reason, values }: AppError) {
  const seconds = retryAfterSeconds && Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS)
  return {
    status,
    headers: { ...HEADERS, ...(seconds !== undefined && { 'retry-after': String(seconds) }) },
    body: JSON.stringify({ error: message, code, field, reason, values } satisfies ErrorBody),
    logged: undefined,
  }
}

/** How long a refused client has to read the response and close its half of the connection. */
const LINGER_MS = 1000

/**
 * Refuses bytes that are not a valid request (conflicting lengths, too many headers, too slow) in the format of every
 * other failure, and closes the connection, because the bytes that follow cannot be trusted.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  if (socket.destroyed) return
  if (!socket.writable) return void socket.destroy()
  const refusal = new AppError(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too_slow' : 'invalid_input')
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : refusal.status
  const { body, headers } = responseTo(refusal)
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headersOfEarlyRefusals,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  // Ending closes only our half; a client that never closes its own half would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** When to try again after too many requests waited for the database. */
const BUSY_RETRY_SECONDS = 2
/** A restart of the database takes seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5

/** Errors of the framework itself, by its code. */
const refusedByFramework: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'invalid_input',
  FST_REQ_FILE_TOO_LARGE: 'image_too_large',
}

function expectedError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseBusyError)
    return new AppError('busy', { cause: error, retryAfterSeconds: BUSY_RETRY_SECONDS })
  // Not if the write may be stored: a client that retries would repeat it (OPS-31).
  if (error instanceof DatabaseUnavailableError && !error.isOutcomeUnknown)
    return new AppError('unavailable', { cause: error, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new AppError('invalid_json', { field: 'body', problem: 'body: is not valid JSON', cause: error })
  const known = code === undefined ? undefined : refusedByFramework[code]
  if (known) return new AppError(known)
  if (statusCode === 413) return new AppError('too_large')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_input')
  return undefined
}

/**
 * Turns zod's first issue into a 400 that names the field. The text is the schema's own if it has one ('Group name
 * required.', ERR-1).
 * @param error of a parse with `reportInput`
 */
export function invalidInput(error: z.ZodError): AppError {
  const [issue] = error.issues
  const field = issue?.path.join('.') || 'body'
  if (issue?.message === ('group_name_required' satisfies ErrorCode))
    return new AppError('group_name_required', { field })
  return new AppError('invalid_input', { field, problem: `${field}: ${problemOf(issue)}` })
}

const KINDS: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** The problem in words; the schemas' own messages are used as they are. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is not valid'
  // Needs `reportInput` (routes.ts), without which zod issues do not contain the input.
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
