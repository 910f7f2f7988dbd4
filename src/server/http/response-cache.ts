/**
 * Cache of responses by user and URL. A response is valid while nothing it was derived from changes
 * (`cache/validity.ts`), access included. After a change it is built again; if it is identical, it keeps its ETag and
 * compressed bodies.
 */
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants as zlib, gzip, gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createLruCache, ownBytes } from '../cache/lru-cache.ts'
import type { Origin, Validity } from '../cache/validity.ts'

/** Responses below this size gain nothing from compression. */
const COMPRESS_FROM_BYTES = 1024
/** Memory of an entry without its bodies, in bytes. */
const ENTRY_BYTES = 2000
const BYTES_PER_TAG = 8
/**
 * Low, because the request waits for the compression; higher levels take twice as long to save a tenth of the bytes.
 */
const BROTLI_QUALITY = 0
const GZIP_LEVEL = 1

/**
 * Up to this size a response is compressed on the main thread, which takes at most a millisecond; passing it to another
 * thread would take longer (decision 009). Larger responses would block other requests.
 */
const COMPRESS_SYNC_BYTES = 512 * 1024

/**
 * Size of a compressor's output buffers. Each compressor holds one until the next full garbage collection; with the
 * default of 16 kB, garbage collection took a third of the time.
 */
const CHUNK_BYTES = 4096

const compressors = {
  br: (plain: Buffer): Buffer | Promise<Buffer> => {
    const options = {
      chunkSize: CHUNK_BYTES,
      params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }
    return plain.length <= COMPRESS_SYNC_BYTES
      ? brotliCompressSync(plain, options)
      : promisify(brotliCompress)(plain, options)
  },
  gzip: (plain: Buffer): Buffer | Promise<Buffer> => {
    const options = { chunkSize: CHUNK_BYTES, level: GZIP_LEVEL }
    return plain.length <= COMPRESS_SYNC_BYTES ? gzipSync(plain, options) : promisify(gzip)(plain, options)
  },
}
type Coding = keyof typeof compressors | 'identity'

/** JSON of a response; `total`: total number of rows when the list has only the first of them. */
export type JsonBody = { readonly text: string | Buffer; readonly total?: number | undefined }

type Body = { bytes: Buffer; headers: string[] }
/** `path`: of the endpoint, for metrics. `until`: in milliseconds since 1970, when it depends on the time. */
type CachedResponse = {
  origin: Origin
  until: number
  path: string
  etag: string
  total: number | undefined
  bodies: Partial<Record<Coding, Body>> & { identity: Body }
}

/** A cached response in the coding that a request accepts. */
type SendableResponse = {
  path: string
  /** Size of the body as sent. */
  bytes: number
  /** Sends the response, or a 304 when the client has it already; returns the status. */
  send(request: IncomingMessage, response: ServerResponse): number
}

export type ResponseCache = {
  /** The cached response to this request of a user, if it is valid. */
  find(request: IncomingMessage, user: string): SendableResponse | undefined
  /** Sends a response and caches it. `origin`: what the response was derived from. */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    from: { user: string; origin: Origin; path: string; until: number },
    body: JsonBody,
  ): Promise<void>
}

type Options = {
  validity: Pick<Validity, 'isValid'>
  clock: () => number
  /** Approximate memory for responses; 0 disables the cache. */
  bytes: number
  /** Headers of every response with data, including 'no-store', because the data is personal. */
  headers: Record<string, string>
}

/** The response cache of one server. */
export function createResponseCache({ validity, clock, bytes, headers }: Options): ResponseCache {
  const cache = createLruCache<string, CachedResponse>(bytes, weightOf)
  /** Random prefix, so that ETags of other servers never match by accident; counting costs less than hashing. */
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

  /** Sends a body, or a 304 when the client has it already; returns the status. */
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
    find(request, user) {
      const entry = cache.get(keyOf(user, request))
      if (!entry || clock() >= entry.until || !validity.isValid(entry.origin)) return undefined
      const body = entry.bodies[codingOf(request, entry.bodies.identity.bytes)]
      return (
        body && {
          path: entry.path,
          bytes: body.bytes.length,
          send: (request, response) => write(request, response, entry, body),
        }
      )
    },

    async send(request, response, { user, origin, path, until }, { text, total }) {
      const key = keyOf(user, request)
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const before = cache.get(key)
      let entry: CachedResponse
      if (before?.total === total && before?.bodies.identity.bytes.equals(bytes))
        entry = { ...before, origin, until }
      else {
        const etag = `W/"${series}${(etags++).toString(36)}"`
        const identity = bodyOf(bytes, 'identity', { etag, total })
        entry = { origin, until, path, etag, total, bodies: { identity } }
      }
      const coding = codingOf(request, bytes)
      let body = entry.bodies[coding]
      if (!body && coding !== 'identity') {
        body = bodyOf(await compressors[coding](bytes), coding, entry)
        entry = { ...entry, bodies: { ...entry.bodies, [coding]: body } }
      }
      store(key, entry)
      write(request, response, entry, body ?? entry.bodies.identity)
    },
  }

  function store(key: string, entry: CachedResponse): void {
    if (weightOf(entry, key) > bytes) return
    for (const body of Object.values(entry.bodies)) body.bytes = ownBytes(body.bytes)
    cache.set(key, entry)
  }
}

/** The coding for a response: none for a small one. */
function codingOf({ headers }: IncomingMessage, { length }: Buffer): Coding {
  return length < COMPRESS_FROM_BYTES ? 'identity' : codingFor(headers['accept-encoding'])
}

function keyOf(user: string, request: { url?: string | undefined }): string {
  return `${user} ${request.url ?? ''}`
}

/** Includes the length of the key, because clients choose the length of the URL. */
function weightOf({ bodies, origin }: CachedResponse, key: string): number {
  let weight = ENTRY_BYTES + key.length
  for (const list of origin.tags) weight += list.length * BYTES_PER_TAG
  for (const body of Object.values(bodies)) weight += body.bytes.length
  return weight
}

/** Whether If-None-Match contains an ETag; all ETags here are weak (RFC 9110 section 13.1.2). */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*')
  )
}

/** Length of an Accept-Encoding that is read; browsers send a fifth of it. */
const ACCEPTED_MAX = 256
/** Codings by the text of the header; bounded, because clients can invent any number of them. */
const codings = createLruCache<string, Coding>(1000)

/**
 * The coding for a client with this Accept-Encoding: none when the header is longer than any that is meant (LIM-49).
 */
export function codingFor(accepted: string | string[] | undefined): Coding {
  if (typeof accepted !== 'string' || accepted.length > ACCEPTED_MAX) return 'identity'
  let coding = codings.get(accepted)
  if (coding === undefined) codings.set(accepted, (coding = bestCoding(accepted)))
  return coding
}

/**
 * The best coding that Accept-Encoding allows (RFC 9110 section 12.5.3), with brotli preferred.
 * `@fastify/accept-negotiator` is not used, because it chooses brotli for `br;q=0, *`.
 */
function bestCoding(accepted: string): Coding {
  const weights = new Map(
    accepted.split(',').map((item) => {
      const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [coding, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  if (weightOf('br') > 0 && weightOf('br') >= weightOf('gzip')) return 'br'
  return weightOf('gzip') > 0 ? 'gzip' : 'identity'
}
