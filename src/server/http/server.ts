/** The framework's setup, before any route. */
import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { constants as zlib } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Config } from '../config.ts'
import type { ErrorCounts } from '../monitoring/error-counts.ts'
import { type ConnectionLimits, requestTimeouts } from './connections.ts'
import { type Door, through } from './doors.ts'
import { refuseClient, refuseEarly, renderFailures } from './failures.ts'

type Options = {
  /** In the order in which requests pass them; they may be added until the server listens. */
  doors: readonly Door[]
  config: Config
  logger: FastifyServerOptions['loggerInstance']
  connectionLimits: ConnectionLimits
  errors: ErrorCounts
}

/** A server with its timeouts, failures and cookies. */
export async function createServer({
  doors,
  config,
  logger,
  connectionLimits,
  errors,
}: Options): Promise<FastifyInstance> {
  const timeouts = requestTimeouts(connectionLimits)
  const http: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    requestTimeout: timeouts.requestTimeout,
    // A proxy sends requests on connections that it has open; while closing they are served too, as the last ones (OPS-18).
    return503OnClosing: false,
    serverFactory: (handler, { keepAliveTimeout }) => {
      const server = createHttpServer({ ...timeouts, keepAliveTimeout: keepAliveTimeout as number })
      return server.on('request', through(doors, handler))
    },
    routerOptions: { maxParamLength: 500 },
    genReqId: () => randomUUID(),
    // Logging each request costs more than most responses; `serveOperations` counts them and logs at debug instead.
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: refuseClient,
    frameworkErrors: refuseEarly,
  })
  // The pipeline validates the contract's schemas.
  http.setValidatorCompiler(() => () => true)
  http.setSerializerCompiler(() => JSON.stringify)
  http.removeAllContentTypeParsers()
  renderFailures(http, errors)
  // Otherwise connections with a response in progress would stay open for another request for over a minute.
  http.addHook('preClose', async () => void (http.server.keepAliveTimeout = 1))
  await http.register(cookie)
  return http
}

/** Compresses the responses of routes that are registered later. */
export async function compressResponses(http: FastifyInstance): Promise<void> {
  await http.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  })
}
