/**
 * Answers that were given before and are still true: the same user asked for the same address, and nothing in the
 * database has changed since (`Database.state`), so session, permission and content are what they were. They are
 * sent before the framework is asked. What has changed is built anew and compared, so that an answer
 * that came out the same keeps its ETag and its compressed forms.
 */
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants as zlib, gzip } from 'node:zlib'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DatabaseState } from '../storage/database.ts'
import { createRecent, ownBytes } from '../storage/recent.ts'
import { needsTouch, tokenHashOf } from './authentication.ts'
import type { Deps } from '../deps.ts'
import type { RequestLimiter } from './limits.ts'

/** Answers below this size gain nothing by compression. */
const COMPRESS_FROM_BYTES = 1024
/** What an entry takes besides its bodies. */
const ENTRY_BYTES = 2000
/** A request is answered while it is compressed: more than this costs more time than it saves on the way. */
const BROTLI_QUALITY = 1
const GZIP_LEVEL = 1

const compressors = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
  gzip: (plain: Buffer) => promisify(gzip)(plain, { level: GZIP_LEVEL }),
}
type Coding = keyof typeof compressors | 'identity'

type Body = { bytes: Buffer; headers: string[] }
/** `route`: of the call, for counting. */
type Kept = {
  state: DatabaseState
  route: string
  etag: string
  bodies: Partial<Record<Coding, Body>> & { identity: Body }
}

export type KeptAnswers = {
  /** Has a server answer at once what is kept; everything else goes to the framework that it listens for. */
  serveFirst(server: Server): void
  /** Sends what a handler answered to a user's request that began at `state`, and keeps it. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { user: string; state: DatabaseState },
    text: string | Buffer,
  ): Promise<FastifyReply>
}

type Parts = Pick<Deps, 'recall' | 'clock'> & {
  limiter: RequestLimiter
  /** Whose request it is, for the limiter. */
  addressOf: (request: IncomingMessage) => string
  /** Counts an answer that the framework does not see. */
  count: (route: string, status: number) => void
  /** Memory for answers, roughly; 0 keeps nothing. */
  bytes: number
  /** What every answer of data tells browsers, 'no-store' included: they are about people. */
  headers: Record<string, string>
}

/** The answers one server keeps. */
export function createKeptAnswers(parts: Parts): KeptAnswers {
  const { recall, clock, limiter, addressOf, bytes, headers } = parts
  const kept = createRecent<string, Kept>(bytes, weightOf)
  const codingOf = codingReader()
  /** ETags of this process: another server's never match by accident, and counting costs less than hashing. */
  const series = randomBytes(6).toString('base64url')
  let etags = 0

  const common = [
    ...Object.entries(headers).flat(),
    ...['content-type', 'application/json; charset=utf-8', 'vary', 'accept-encoding, authorization'],
  ]

  function bodyOf(bytes: Buffer, coding: Coding, etag: string): Body {
    const own = ['etag', etag, 'content-length', String(bytes.length)]
    if (coding !== 'identity') own.push('content-encoding', coding)
    return { bytes: ownBytes(bytes), headers: [...common, ...own] }
  }

  /** Sends a body, or that the client has it already; returns the status. */
  function write(request: IncomingMessage, response: ServerResponse, { etag }: Kept, body: Body): number {
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) {
      response.writeHead(304, [...common, 'etag', etag]).end()
      return 304
    }
    response.writeHead(200, body.headers).end(body.bytes)
    return 200
  }

  /** Answers a request if that can be done at once. */
  function answered(request: IncomingMessage, response: ServerResponse, state: DatabaseState): boolean {
    const tokenHash = tokenHashOf(request)
    if (tokenHash === undefined) return false
    const now = clock()
    const session = recall.knownSession(tokenHash, now)
    if (!session || needsTouch(session, now)) return false
    const entry = kept.get(keyOf(session.steam_id, request))
    if (entry?.state !== state) return false
    const body = entry.bodies[codingOf(request, entry.bodies.identity.bytes.length)]
    if (!body) return false
    // Who asks too often is refused like everybody, further on.
    if (limiter.countAddress(addressOf(request)) ?? limiter.countToken(tokenHash)) return false
    parts.count(entry.route, write(request, response, entry, body))
    return true
  }

  return {
    serveFirst: (server) => {
      const listeners = server.listeners('request') as ((
        request: IncomingMessage,
        response: ServerResponse,
      ) => void)[]
      server.removeAllListeners('request')
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const pass = () => {
          for (const listener of listeners) listener(request, response)
        }
        if (request.method !== 'GET' || request.headers.authorization === undefined) return pass()
        const answer = (state: DatabaseState) => {
          if (!answered(request, response, state)) pass()
        }
        let state: DatabaseState | Promise<DatabaseState>
        try {
          state = recall.refresh()
        } catch {
          // Thrown from here it would end the process; the framework meets the same failure and makes it a 500.
          return pass()
        }
        if (state instanceof Promise) state.then(answer, pass)
        else answer(state)
      })
    },

    async send(request, reply, { user, state }, text) {
      const key = keyOf(user, request)
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const before = kept.get(key)
      let entry: Kept
      if (before?.bodies.identity.bytes.equals(bytes)) entry = { ...before, state }
      else {
        const etag = `W/"${series}${(etags++).toString(36)}"`
        entry = {
          state,
          route: request.routeOptions.url ?? '',
          etag,
          bodies: { identity: bodyOf(bytes, 'identity', etag) },
        }
      }
      const coding = codingOf(request, bytes.length)
      let body = entry.bodies[coding]
      if (!body && coding !== 'identity') {
        body = bodyOf(await compressors[coding](bytes), coding, entry.etag)
        entry = { ...entry, bodies: { ...entry.bodies, [coding]: body } }
      }
      kept.set(key, entry)
      reply.hijack()
      write(request.raw, reply.raw, entry, body ?? entry.bodies.identity)
      return reply
    },
  }
}

function keyOf(user: string, request: { url?: string | undefined }): string {
  return `${user} ${request.url ?? ''}`
}

/** The address counts: it may be as long as a client likes. */
function weightOf({ bodies }: Kept, key: string): number {
  let weight = ENTRY_BYTES + key.length
  for (const body of Object.values(bodies)) weight += body.bytes.length
  return weight
}

/** Whether If-None-Match names an ETag; all of ours are weak (RFC 9110 section 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*')
  )
}

/** Different headers are few; who sends invented ones must not fill memory. */
const CODINGS_KEPT = 1000

/** Finds the coding for a request, remembering what browsers send. */
function codingReader(): (request: Pick<IncomingMessage, 'headers'>, length: number) => Coding {
  const known = createRecent<string, Coding>(CODINGS_KEPT)
  return (request, length) => {
    const accepted = request.headers['accept-encoding']
    if (typeof accepted !== 'string' || length < COMPRESS_FROM_BYTES) return 'identity'
    const coding = known.get(accepted) ?? bestCoding(accepted)
    known.set(accepted, coding)
    return coding
  }
}

/** The best of ours that Accept-Encoding allows; brotli where nothing else is preferred. */
function bestCoding(accepted: string): Coding {
  const weights = new Map(
    accepted.split(',').map((item) => {
      const [coding = '', ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [coding, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  if (weightOf('br') > 0 && weightOf('br') >= weightOf('gzip')) return 'br'
  return weightOf('gzip') > 0 ? 'gzip' : 'identity'
}
