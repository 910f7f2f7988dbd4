/**
 * Serves cacheable endpoints before the framework, whose routing and hooks cost as much as most responses (decision
 * 008). Every request is first counted for its address. Then a cached response is sent, or the endpoint is run through
 * the same pipeline as the framework's routes. All other requests are passed on to the framework.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Deps } from '../deps.ts'
import type { ErrorCounts } from '../monitoring/error-counts.ts'
import { tokenHashOf } from '../sessions/authenticate.ts'
import { failureOf } from './failures.ts'
import type { RequestLimiter } from './limits.ts'
import type { RequestCounter } from './operations.ts'
import type { Exchange, Pipeline, Route } from './pipeline.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Door } from './doors.ts'
import { LARGE_BYTES } from './heavy-queue.ts'

export type FastPath = {
  /** Serves a cacheable endpoint here. */
  mount(route: Route): void
  /** Lets those requests through that are not served here. */
  door: Door
}

type Options = Pick<Deps, 'readCache' | 'sessionUse' | 'clock' | 'log'> & {
  pipeline: Pipeline
  responseCache: ResponseCache
  limiter: RequestLimiter
  counter: RequestCounter
  errors: Pick<ErrorCounts, 'note'>
  addressOf: (request: IncomingMessage) => string
  /** Headers of every failure that is sent here. */
  headers: Record<string, string>
}

/** A request with its endpoint's path and start time, both for metrics. */
type MeasuredExchange = Exchange & { path: string; since: number | undefined }

/** The fast path of one server. */
export function createFastPath(options: Options): FastPath {
  const { readCache, sessionUse, clock, log, pipeline, responseCache, limiter, counter, errors, addressOf } =
    options
  const mounted: { route: Route; pattern: RegExp }[] = []

  function routeAt(url: string): { route: Route; params: Record<string, string> } | undefined {
    for (const { route, pattern } of mounted) {
      const match = pattern.exec(url)
      if (match) return { route, params: match.groups! }
    }
    return undefined
  }

  /** Serves a request here; false when the framework must serve it. */
  function serve(exchange: MeasuredExchange, isPolled: boolean): boolean {
    try {
      if (exchange.response.destroyed) return true
      if (isPolled && sendCached(exchange, exchange.tokenHash!)) return true
      const found = routeAt(exchange.request.url ?? '')
      if (!found) return false
      exchange.path = found.route.endpoint.path
      exchange.params = found.params
      void run(found.route, exchange)
    } catch (error) {
      fail(exchange, error)
    }
    return true
  }

  async function run(route: Route, exchange: MeasuredExchange): Promise<void> {
    exchange.since = performance.now()
    try {
      count(exchange, (await pipeline(route, exchange)).status)
    } catch (error) {
      fail(exchange, error)
    }
  }

  /** Sends a cached response; false when there is none, or when it is large and must wait in the heavy queue. */
  function sendCached(exchange: MeasuredExchange, tokenHash: string): boolean {
    const { request, response } = exchange
    const session = readCache.cachedSession(tokenHash, clock())
    if (!session || !sessionUse.note(session)) return false
    const cached = responseCache.find(request, session.steam_id)
    if (!cached || cached.bytes > LARGE_BYTES) return false
    exchange.path = cached.path
    limiter.countToken(tokenHash)
    counter.cached(cached.path, cached.send(request, response))
    return true
  }

  function fail(exchange: MeasuredExchange, error: unknown): void {
    const { request, response } = exchange
    const id = randomUUID()
    const { status, code, headers, body, log: entry } = failureOf(error, { id, raw: request })
    errors.note({ status, code, route: exchange.path })
    if (entry) log[entry.level]({ reqId: id, err: error }, entry.message)
    if (response.headersSent || response.destroyed) return void response.destroy()
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...options.headers, ...headers, ...length }).end(body)
    count(exchange, status)
  }

  function count({ request, path, since }: MeasuredExchange, status: number | undefined): void {
    if (status === undefined) return
    counter.handled(request.method ?? '', path, status, since === undefined ? 0 : performance.now() - since)
  }

  /**
   * Polls the database for changes and calls `next` with true, or with false when that fails; the pipeline then reports
   * the error.
   */
  function afterPoll(next: (isPolled: boolean) => void): void {
    let polling
    try {
      polling = readCache.refresh()
    } catch {
      return next(false)
    }
    if (!polling) return next(true)
    polling.then(
      () => next(true),
      () => next(false),
    )
  }

  return {
    mount: (route) => {
      const pattern = new RegExp(`^${route.endpoint.path.replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`)
      mounted.push({ route, pattern })
    },

    door: (request, response, next) => {
      // Ignores pipelined requests of a connection that was closed because of them.
      if (request.socket.destroyed) return
      const pass = () => {
        if (!response.destroyed) next()
      }
      const exchange: MeasuredExchange = {
        request,
        response,
        address: addressOf(request),
        tokenHash: undefined,
        params: undefined,
        path: 'unknown',
        since: undefined,
      }
      try {
        // Before any lookup, so that a client that sends too many requests costs nothing else.
        limiter.countAddress(exchange.address, request.url ?? '')
      } catch (error) {
        return fail(exchange, error)
      }
      exchange.tokenHash = request.method === 'GET' ? tokenHashOf(request) : undefined
      if (exchange.tokenHash === undefined) return pass()
      afterPoll((isPolled) => {
        if (!serve(exchange, isPolled)) pass()
      })
    },
  }
}
