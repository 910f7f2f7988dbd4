/**
 * The last door before the framework (decision 008): counts every request for its address, and sends cached responses,
 * because the framework's hooks and routing would take longer than sending. What it has found out about a request is
 * not looked up again.
 * Requirements: LIM-32.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import type { ErrorCounts } from '../monitoring/error-counts.ts'
import { tokenHashOf } from '../sessions/authenticate.ts'
import type { SessionRow } from '../storage/sessions.ts'
import type { Door } from './doors.ts'
import { failureOf } from './failures.ts'
import { LARGE_BYTES } from './heavy-queue.ts'
import type { RequestLimiter } from './limits.ts'
import type { RequestCounter } from './operations.ts'
import type { ResponseCache } from './response-cache.ts'

/** What is known of a request before the framework gets it. */
export type Arrival = {
  /** IP address of the client. */
  address: string
  /** By `tokenHashOf`; not validated yet. */
  tokenHash: string | undefined
  /** Whether the database was polled for changes, which a request needs once. */
  isPolled: boolean
  /** The session of the token, if it was in memory; undefined while nothing was polled. */
  session: SessionRow | undefined
}

export type Reception = {
  /** Sends cached responses, and passes on all other requests. */
  door: Door
  /** What the door found out about a request that it has passed on. */
  arrivalOf: (request: IncomingMessage) => Arrival
}

type Options = Pick<Deps, 'readCache' | 'sessionUse' | 'clock' | 'log'> & {
  responseCache: ResponseCache
  limiter: RequestLimiter
  counter: RequestCounter
  errors: Pick<ErrorCounts, 'note'>
  addressOf: (request: IncomingMessage) => string
  /** Headers of every failure that is sent here. */
  headers: Record<string, string>
}

/** The reception of one server. */
export function createReception(options: Options): Reception {
  const { readCache, sessionUse, clock, log, responseCache, limiter, counter, errors, addressOf } = options
  const arrivals = new WeakMap<IncomingMessage, Arrival>()

  /** Sends a cached response; false when there is none, or when it is large and must wait in the heavy queue. */
  function sendCached(request: IncomingMessage, response: ServerResponse, arrival: Arrival): boolean {
    const tokenHash = arrival.tokenHash!
    const session = (arrival.session = readCache.cachedSession(tokenHash, clock()))
    const cached = session && responseCache.find(request, session.steam_id)
    if (!cached || cached.bytes > LARGE_BYTES || !sessionUse.note(session)) return false
    try {
      limiter.countToken(tokenHash)
      counter.cached(cached.path, cached.send(request, response))
    } catch (error) {
      refuse(request, response, { error, path: cached.path })
    }
    return true
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { error, path }: { error: unknown; path: string },
  ): void {
    const id = randomUUID()
    const { status, code, headers, body, log: entry } = failureOf(error, { id, raw: request })
    errors.note({ status, code, route: path })
    if (entry) log[entry.level]({ reqId: id, err: error }, entry.message)
    if (response.headersSent || response.destroyed) return void response.destroy()
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...options.headers, ...headers, ...length }).end(body)
    counter.handled(request.method ?? '', path, status, 0)
  }

  /** Polls the database for changes; undefined when that is done, with false when it failed. */
  function poll(): boolean | Promise<boolean> {
    try {
      return (
        readCache.refresh()?.then(
          () => true,
          () => false,
        ) ?? true
      )
    } catch {
      return false
    }
  }

  return {
    door: (request, response, next) => {
      // Ignores pipelined requests of a connection that was closed because of them.
      if (request.socket.destroyed) return
      const address = addressOf(request)
      try {
        // Before any lookup, so that a client that sends too many requests costs nothing else.
        limiter.countAddress(address, request.url ?? '')
      } catch (error) {
        return refuse(request, response, { error, path: 'unknown' })
      }
      const arrival: Arrival = {
        address,
        tokenHash: tokenHashOf(request),
        isPolled: false,
        session: undefined,
      }
      const pass = () => {
        arrivals.set(request, arrival)
        next()
      }
      if (request.method !== 'GET' || arrival.tokenHash === undefined) return pass()
      const proceed = (isPolled: boolean): void => {
        if (response.destroyed) return
        // When it failed, the pipeline polls again and reports the error.
        arrival.isPolled = isPolled
        if (!isPolled || !sendCached(request, response, arrival)) pass()
      }
      const polled = poll()
      if (polled instanceof Promise) void polled.then(proceed)
      else proceed(polled)
    },

    arrivalOf: (request) => arrivals.get(request)!,
  }
}
