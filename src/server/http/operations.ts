/** For monitoring: /healthz, /readyz, /metrics (OPS-15 to OPS-17). */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { isLoopback } from '../client-address.ts'
import { AppError } from '../errors.ts'
import { type Database, DatabaseUnavailableError } from '../database/database.ts'
import { hasEvents } from './event-streams.ts'
import type { RequestSlots } from './overload.ts'

/**
 * Metrics of the process. They are collected by timers and observers that never end, so there is one set of them for all
 * servers of a process.
 */
const processMetrics = new Registry()
collectDefaultMetrics({ register: processMetrics })

/** Counts the responses of all routes that are registered later, by route and status. Returns the metrics of this server. */
export function countResponses(app: FastifyInstance): Registry {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to respond, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 20],
    registers: [registry],
  })
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    // Streams are not timed: they last as long as a page is open.
    if (!hasEvents(reply.raw)) {
      // The route instead of the URL, which may contain a hand-over token.
      const response = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }
      duration.observe(response, reply.elapsedTime / 1000)
      app.log.debug({ ...response, ms: reply.elapsedTime }, 'responded')
    }
    done()
  })
  return registry
}

type Options = {
  database: Pick<Database, 'ready'>
  registry: Registry
  slots: Pick<RequestSlots, 'isStuck'>
  /** Token with which other machines may read /metrics; undefined: only this machine may. */
  metricsToken: string | undefined
}

export function serveOperations(
  app: FastifyInstance,
  { database, registry, slots, metricsToken }: Options,
): void {
  app.get('/healthz', async (_request, reply) => {
    if (!slots.isStuck()) return { status: 'ok' }
    return reply.code(503).send({ status: 'every request is being refused' })
  })

  app.get('/readyz', async (request, reply) => {
    try {
      await database.ready()
      return { status: 'ready' }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError))
        request.log.error({ err: error }, 'the database does not respond')
      return reply.code(503).send({ status: 'the database does not respond' })
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken))
      throw new AppError('forbidden', {
        problem: 'Metrics are available only on this machine, or with METRICS_TOKEN as a bearer token.',
      })
    return reply
      .header('content-type', registry.contentType)
      .serializer(String)
      .send(await Registry.merge([processMetrics, registry]).metrics())
  })
}

/**
 * Whether a request may read metrics: with the token, or from this machine. A request with forwarding headers came
 * through a reverse proxy, so it is not from this machine.
 */
function mayReadMetrics({ raw, headers }: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token !== undefined && given !== undefined && sameText(given, token)) return true
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers)
  return !isForwarded && isLoopback(raw.socket.remoteAddress ?? '')
}

/** Compares in constant time. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}
