/**
 * The framework with Node's limits, and what every request passes before any route's own steps.
 * Requirements: LIM-49.
 */
import { randomUUID } from 'node:crypto'
import { constants as zlib } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { createAddressReader } from '../client-address.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { refuseClient, refuseEarly, sendFailure } from './failures.ts'
import { headersOfData } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** IP address of the client, also behind trusted proxies. */
    address: string
  }
}

export const connectionLimits = {
  /** Time for a request to arrive, including its body, in milliseconds (LIM-21). */
  requestMs: 30_000,
  /** A connection on which nothing moves for this long is closed, in milliseconds (LIM-21): longer than any call to Steam. */
  idleMs: 120_000,
  /** How often the server checks the first. */
  checkEveryMs: 5000,
  /** Open connections; more are closed at once. */
  connections: 10_000,
}

/** OPS-45 */
const UNKNOWN_PROXY =
  'A request has forwarding headers, but TRUST_PROXY does not name the address it came from, so they are ignored: if that ' +
  'is your proxy, everyone behind it counts as one visitor until TRUST_PROXY names it (docs/operate/proxies.md)'

type Options = {
  config: Config
  logger: FastifyServerOptions['loggerInstance']
  limits?: Partial<typeof connectionLimits> | undefined
}

/** A server without routes. */
export async function createServer({ config, logger, limits }: Options): Promise<FastifyInstance> {
  const { requestMs, idleMs, checkEveryMs, connections } = { ...connectionLimits, ...limits }
  const http: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    http: {
      // The same as for the whole request, because for bodies Node uses the larger one.
      headersTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      // Refused below, in our format.
      requireHostHeader: false,
    },
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    // A proxy sends requests on connections that it has open; while closing they are served too, as the last ones (OPS-18).
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    genReqId: () => randomUUID(),
    // Logging each request costs more than most responses; `operations.ts` counts them and logs at debug instead.
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: refuseClient,
    frameworkErrors: refuseEarly,
  })
  http.setErrorHandler(sendFailure)
  http.server.maxConnections = connections
  // Where nothing takes a body, none is read.
  http.removeAllContentTypeParsers()
  // Otherwise connections with a response in progress would stay open for another request for over a minute.
  http.addHook('preClose', async () => void (http.server.keepAliveTimeout = 1))

  const headers = headersOfData(config)
  const addressOf = createAddressReader(config.trustProxy, (address) =>
    http.log.warn({ address }, UNKNOWN_PROXY),
  )
  http.decorateRequest('address', '')
  http.addHook('onRequest', (request, reply, done) => {
    request.address = addressOf(request.raw)
    // First, so that every failure has them too.
    void reply.headers(headers)
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(lacksHost ? new AppError('invalid_input', { problem: 'The header Host is missing.' }) : undefined)
  })
  await http.register(cookie)
  return http
}

/** Compresses the responses of routes that are registered later. */
export async function compressResponses(http: FastifyInstance): Promise<void> {
  await http.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // Low, because the request waits for it; higher levels take twice as long to save a tenth of the bytes.
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  })
}
