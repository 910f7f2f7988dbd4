/**
 * Serves requests on node's own event, before the framework, whose routing and hooks cost as much as most responses
 * (decision 008). Every request is counted for its address here. Then come cached responses, and then cacheable
 * endpoints of the contract, through the same pipeline as the framework's routes. Everything else is passed on.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import type { SnapshotToken } from '../database/database.ts'
import { tokenHashOf } from '../sessions/authenticate.ts'
import { failureOf } from './failures.ts'
import type { RequestLimiter } from './limits.ts'
import type { RequestCounter } from './operations.ts'
import type { Exchange, Pipeline, Route } from './pipeline.ts'
import type { ResponseCache } from './response-cache.ts'
import { LARGE_BYTES } from './heavy-queue.ts'

export type FastPath = {
  /** Serves a cacheable endpoint here. */
  mount(route: Route): void
  /** Puts itself before the listeners that a server has now; they get what is not served here. */
  serveFirst(server: Server): void
}

type Options = Pick<Deps, 'readCache' | 'sessionUse' | 'clock' | 'log'> & {
  pipeline: Pipeline
  responseCache: ResponseCache
  limiter: RequestLimiter
  counter: RequestCounter
  addressOf: (request: IncomingMessage) => string
  /** Of every failure that is sent here. */
  headers: Record<string, string>
}

/** A request that is being served here; for metrics, its endpoint's path, and since when it has been worked on. */
type Visit = Exchange & { path: string; since: number | undefined }

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The fast path of one server. */
export function createFastPath(options: Options): FastPath {
  const { readCache, sessionUse, clock, log, pipeline, responseCache, limiter, counter, addressOf } = options
  const mounted: { route: Route; pattern: RegExp }[] = []

  function routeAt(url: string): { route: Route; params: Record<string, string> } | undefined {
    for (const { route, pattern } of mounted) {
      const match = pattern.exec(url)
      if (match) return { route, params: match.groups! }
    }
    return undefined
  }

  /** Serves a request from here; false when the framework is to do it. */
  function serve(visit: Visit, snapshot: SnapshotToken | undefined): boolean {
    try {
      if (visit.response.destroyed) return true
      if (snapshot !== undefined && sendCached(visit, visit.tokenHash!, snapshot)) return true
      const found = routeAt(visit.request.url ?? '')
      if (!found) return false
      visit.path = found.route.endpoint.path
      visit.params = found.params
      void run(found.route, visit)
    } catch (error) {
      fail(visit, error)
    }
    return true
  }

  async function run(route: Route, visit: Visit): Promise<void> {
    visit.since = performance.now()
    try {
      count(visit, (await pipeline(route, visit)).status)
    } catch (error) {
      fail(visit, error)
    }
  }

  /** Sends a response from the cache; false when none is there, or it has to wait for its turn. */
  function sendCached(visit: Visit, tokenHash: string, snapshot: SnapshotToken): boolean {
    const { request, response } = visit
    const session = readCache.cachedSession(tokenHash, clock())
    if (!session || !sessionUse.note(session)) return false
    const cached = responseCache.find(request, session.steam_id, snapshot)
    if (!cached || cached.bytes > LARGE_BYTES) return false
    visit.path = cached.path
    limiter.countToken(tokenHash)
    counter.cached(cached.path, cached.send(request, response))
    return true
  }

  function fail(visit: Visit, error: unknown): void {
    const { request, response } = visit
    const id = randomUUID()
    const { status, headers, body, log: entry } = failureOf(error, { id, raw: request })
    if (entry) log[entry.level]({ reqId: id, err: error }, entry.message)
    if (response.headersSent || response.destroyed) return void response.destroy()
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...options.headers, ...headers, ...length }).end(body)
    count(visit, status)
  }

  function count({ request, path, since }: Visit, status: number | undefined): void {
    if (status === undefined) return
    counter.handled(request.method ?? '', path, status, since === undefined ? 0 : performance.now() - since)
  }

  /** Calls `next` with where the database stands; with undefined when it fails, as it then does in the pipeline. */
  function withSnapshot(next: (snapshot: SnapshotToken | undefined) => void): void {
    let snapshot
    try {
      snapshot = readCache.refresh()
    } catch {
      return next(undefined)
    }
    if (snapshot instanceof Promise) snapshot.then(next, () => next(undefined))
    else next(snapshot)
  }

  return {
    mount: (route) => {
      const pattern = new RegExp(`^${route.endpoint.path.replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`)
      mounted.push({ route, pattern })
    },

    serveFirst: (server) => {
      const listeners = server.listeners('request') as Listener[]
      server.removeAllListeners('request')
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        // The rest of what was sent ahead on a connection that was ended for it.
        if (request.socket.destroyed) return
        const pass = () => {
          if (!response.destroyed) for (const listener of listeners) listener(request, response)
        }
        const visit: Visit = {
          request,
          response,
          address: addressOf(request),
          tokenHash: undefined,
          params: undefined,
          path: 'unknown',
          since: undefined,
        }
        try {
          // Before anything is looked up: a client that sends too many requests costs nothing but this.
          limiter.countAddress(visit.address, request.url ?? '')
        } catch (error) {
          return fail(visit, error)
        }
        visit.tokenHash = request.method === 'GET' ? tokenHashOf(request) : undefined
        if (visit.tokenHash === undefined) return pass()
        withSnapshot((snapshot) => {
          if (!serve(visit, snapshot)) pass()
        })
      })
    },
  }
}
