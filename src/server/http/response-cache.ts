/**
 * Answers that were given before and are still true: the same user asked for the same address, and nothing in the
 * database has changed since (`Database.state`), so session, permission and content are what they were. What has
 * changed is built anew and compared, so that an answer that came out the same keeps its ETag and its compressed forms.
 */
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants as zlib, gzip, gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SnapshotToken } from '../database/database.ts'
import { createLruCache, ownBytes } from '../cache/lru-cache.ts'

/** Answers below this size gain nothing by compression. */
const COMPRESS_FROM_BYTES = 1024
/** What an entry takes besides its bodies. */
const ENTRY_BYTES = 2000
/** A request waits while its answer is compressed: more than this takes twice as long for a tenth of the bytes. */
const BROTLI_QUALITY = 0
const GZIP_LEVEL = 1

/**
 * Up to this size an answer is compressed where it stands, in a millisecond at most: handing it to another thread
 * takes more time than the compression. What is longer would hold up everybody else.
 */
const COMPRESS_AT_ONCE_BYTES = 512 * 1024

/**
 * What is compressed comes in pieces of this size. A used compressor holds on to its piece until the next full
 * collection of garbage: with the 16 kB that are usual, collections took a third of the time.
 */
const CHUNK_BYTES = 4096

const compressors = {
  br: (plain: Buffer): Buffer | Promise<Buffer> => {
    const options = {
      chunkSize: CHUNK_BYTES,
      params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }
    return plain.length <= COMPRESS_AT_ONCE_BYTES
      ? brotliCompressSync(plain, options)
      : promisify(brotliCompress)(plain, options)
  },
  gzip: (plain: Buffer): Buffer | Promise<Buffer> => {
    const options = { chunkSize: CHUNK_BYTES, level: GZIP_LEVEL }
    return plain.length <= COMPRESS_AT_ONCE_BYTES ? gzipSync(plain, options) : promisify(gzip)(plain, options)
  },
}
type Coding = keyof typeof compressors | 'identity'

/** JSON that a handler answered; `total`: how many rows there are, where the list may have fewer. */
export type Answer = { readonly text: string | Buffer; readonly total?: number | undefined }

type Body = { bytes: Buffer; headers: string[] }
/** `route`: of the call, for counting. */
type CachedResponse = {
  state: SnapshotToken
  route: string
  etag: string
  total: number | undefined
  bodies: Partial<Record<Coding, Body>> & { identity: Body }
}

/** An answer that is kept, in the form that a request wants. */
export type Ready = {
  route: string
  /** Of its body, as it is sent. */
  bytes: number
  /** Sends it, or that the client has it already; returns the status. */
  send(request: IncomingMessage, response: ServerResponse): number
}

export type ResponseCache = {
  /** What is kept for this request of a user and was true at `state`. */
  find(request: IncomingMessage, user: string, state: SnapshotToken): Ready | undefined
  /** Sends what a handler answered to a user's request that began at `state`, and keeps it; returns the status. */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    asked: { user: string; state: SnapshotToken; route: string },
    answer: Answer,
  ): Promise<number>
}

type Parts = {
  /** Memory for answers, roughly; 0 keeps nothing. */
  bytes: number
  /** What every answer of data tells browsers, 'no-store' included: they are about people. */
  headers: Record<string, string>
}

/** The answers one server keeps. */
export function createResponseCache({ bytes, headers }: Parts): ResponseCache {
  const kept = createLruCache<string, CachedResponse>(bytes, weightOf)
  const codingOf = codingReader()
  /** ETags of this process: another server's never match by accident, and counting costs less than hashing. */
  const series = randomBytes(6).toString('base64url')
  let etags = 0

  const common = [
    ...Object.entries(headers).flat(),
    ...['content-type', 'application/json; charset=utf-8', 'vary', 'accept-encoding, authorization'],
  ]

  function bodyOf(
    bytes: Buffer,
    coding: Coding,
    { etag, total }: Pick<CachedResponse, 'etag' | 'total'>,
  ): Body {
    const own = ['etag', etag, 'content-length', String(bytes.length)]
    if (total !== undefined) own.push('x-total-count', String(total))
    if (coding !== 'identity') own.push('content-encoding', coding)
    return { bytes, headers: [...common, ...own] }
  }

  /** Sends a body, or that the client has it already; returns the status. */
  function write(
    request: IncomingMessage,
    response: ServerResponse,
    { etag }: CachedResponse,
    body: Body,
  ): number {
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) {
      response.writeHead(304, [...common, 'etag', etag]).end()
      return 304
    }
    response.writeHead(200, body.headers).end(body.bytes)
    return 200
  }

  return {
    find(request, user, state) {
      const entry = kept.get(keyOf(user, request))
      if (entry?.state !== state) return undefined
      const body = entry.bodies[codingOf(request, entry.bodies.identity.bytes.length)]
      return (
        body && {
          route: entry.route,
          bytes: body.bytes.length,
          send: (asked, response) => write(asked, response, entry, body),
        }
      )
    },

    async send(request, response, { user, state, route }, { text, total }) {
      const key = keyOf(user, request)
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const before = kept.get(key)
      let entry: CachedResponse
      if (before?.total === total && before?.bodies.identity.bytes.equals(bytes)) entry = { ...before, state }
      else {
        const etag = `W/"${series}${(etags++).toString(36)}"`
        const identity = bodyOf(bytes, 'identity', { etag, total })
        entry = { state, route, etag, total, bodies: { identity } }
      }
      const coding = codingOf(request, bytes.length)
      let body = entry.bodies[coding]
      if (!body && coding !== 'identity') {
        body = bodyOf(await compressors[coding](bytes), coding, entry)
        entry = { ...entry, bodies: { ...entry.bodies, [coding]: body } }
      }
      keep(key, entry)
      return write(request, response, entry, body ?? entry.bodies.identity)
    },
  }

  function keep(key: string, entry: CachedResponse): void {
    if (weightOf(entry, key) > bytes) return
    for (const body of Object.values(entry.bodies)) body.bytes = ownBytes(body.bytes)
    kept.set(key, entry)
  }
}

function keyOf(user: string, request: { url?: string | undefined }): string {
  return `${user} ${request.url ?? ''}`
}

/** The address counts: it may be as long as a client likes. */
function weightOf({ bodies }: CachedResponse, key: string): number {
  let weight = ENTRY_BYTES + key.length
  for (const body of Object.values(bodies)) weight += body.bytes.length
  return weight
}

/** Whether If-None-Match names an ETag; all of ours are weak (RFC 9110 section 13.1.2). */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*')
  )
}

/** Different headers are few; who sends invented ones must not fill memory. */
const CODINGS_KEPT = 1000

/** Finds the coding for a request, remembering what browsers send. */
function codingReader(): (request: Pick<IncomingMessage, 'headers'>, length: number) => Coding {
  const known = createLruCache<string, Coding>(CODINGS_KEPT)
  return (request, length) => {
    const accepted = request.headers['accept-encoding']
    if (typeof accepted !== 'string' || length < COMPRESS_FROM_BYTES) return 'identity'
    const coding = known.get(accepted) ?? bestCoding(accepted)
    known.set(accepted, coding)
    return coding
  }
}

/** The best of ours that Accept-Encoding allows; brotli where nothing else is preferred. */
export function bestCoding(accepted: string): Coding {
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
