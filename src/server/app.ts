/** The only wiring: `buildApp` makes the whole server from its parts; `main.ts` and the tests call it. */
import { randomUUID } from 'node:crypto'
import { constants as zlib } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { syncContract } from '#shared/contract/sync.ts'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { accessRules } from './features/access.ts'
import { comparisonHandlers } from './features/comparison.ts'
import { friendsHandlers } from './features/friends.ts'
import { groupsHandlers } from './features/groups.ts'
import { libraryHandlers } from './features/library.ts'
import { privacyHandlers } from './features/privacy.ts'
import { sessionHandlers, signInRoutes } from './features/sign-in.ts'
import { syncHandlers } from './features/sync.ts'
import { createAddressReader } from './client-address.ts'
import { refuseByAddress, takePlaces } from './http/admission.ts'
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  requestTimeouts,
  watchConnections,
} from './http/connections.ts'
import { refuseClient, refuseEarly, renderFailures } from './http/failures.ts'
import { createFastPath } from './http/fast-path.ts'
import { createResponseCache } from './http/response-cache.ts'
import { createRequestLimiter, defaultRequestLimits, type RequestLimits } from './http/limits.ts'
import { describeApi } from './http/openapi.ts'
import { createRequestCounter, serveOperations } from './http/operations.ts'
import { defaultOverloadLimits, type OverloadLimits, refuseOverload } from './http/overload.ts'
import { servePages } from './http/pages.ts'
import { mountContract } from './http/fastify-routes.ts'
import { headersOfData, protectBrowsers } from './http/security-headers.ts'
import { createSessionUse } from './sessions/activity.ts'
import { createTurns, defaultTurnLimits } from './http/turns.ts'
import { mediaRoutes } from './http/media.ts'
import { createPictures } from './pictures/pictures.ts'
import type { fetchPublic } from './pictures/web-fetch.ts'
import type { Database } from './database/database.ts'
import { createReadCache } from './cache/read-cache.ts'
import { createSteamClient, type SteamTiming } from './steam/client.ts'
import { createCallBudget, type CallLimits } from './sync/budget.ts'
import { createSyncEngine } from './sync/engine.ts'

/** Largest JSON body; a hundred ids take 2 kB. */
const BODY_MAX_BYTES = 100 * 1024

/** Share of the memory that holds whole answers; the rest remembers what they are made of. */
const MEMORY_FOR_ANSWERS = 1 / 4

export type AppOptions = {
  config: Config
  /** The key calls are made with; the simulator's own in demo mode. */
  steamApiKey: string
  /** Origin of the built-in simulator in demo mode: pictures come from there, and the pages say 'demo'. */
  demoOrigin?: string
  database: Database
  /** Folder of the built pages; without it only the API is served. */
  pagesFolder?: string
  logger?: FastifyServerOptions['loggerInstance']
  clock?: () => number
  requestLimits?: RequestLimits
  overloadLimits?: Partial<OverloadLimits>
  connectionLimits?: Partial<ConnectionLimits>
  /** Memory for whole answers when it is not the usual share; 0 builds every answer anew. */
  keptAnswersBytes?: number
  callLimits?: Partial<CallLimits>
  steamTiming?: Partial<SteamTiming>
  fetchPublic?: typeof fetchPublic
}

export type App = {
  http: FastifyInstance
  deps: Deps
}

/**
 * Builds the server from its parts; nothing runs in the background before `deps.sync.start()`. Closing `http`
 * stops the sync engine and leaves the database to its owner.
 */
export async function buildApp(parts: AppOptions): Promise<App> {
  const { config, database, clock = Date.now } = parts
  const connectionLimits = { ...defaultConnectionLimits, ...parts.connectionLimits }
  const timeouts = requestTimeouts(connectionLimits)
  const http = Fastify({
    ...(parts.logger ? { loggerInstance: parts.logger } : { logger: false }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: timeouts.requestTimeout,
    http: timeouts,
    routerOptions: { maxParamLength: 500 },
    genReqId: () => randomUUID(),
    // One line a request costs more than most answers; `serveOperations` counts and logs at debug instead.
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: refuseClient,
    frameworkErrors: refuseEarly,
  })
  const deps = wire(parts, http.log, clock)

  http.decorateRequest('who', undefined)
  http.setValidatorCompiler(() => () => true)
  http.setSerializerCompiler(() => JSON.stringify)
  acceptEmptyJson(http)
  renderFailures(http)
  const limiter = createRequestLimiter(parts.requestLimits ?? defaultRequestLimits)
  const headers = headersOfData(config)
  const counter = createRequestCounter(http.log)
  const overload = refuseOverload({ ...defaultOverloadLimits, ...parts.overloadLimits })
  http.addHook('onClose', overload.stop)
  const answers = createResponseCache({
    bytes: parts.keptAnswersBytes ?? memoryBytesOf(parts) * MEMORY_FOR_ANSWERS,
    headers,
  })
  const addressOf = createAddressReader(config.trustProxy)
  const turns = createTurns(defaultTurnLimits)
  const front = createFastPath({ ...deps, answers, limiter, overload, turns, counter, addressOf })
  front.serveFirst(http.server)
  watchConnections(http.server, connectionLimits, config.trustProxy)
  refuseByAddress(http, front, headers)
  await protectBrowsers(http, config, parts.demoOrigin)
  await http.register(cookie)
  // Before the compression below: these take no token, and compressing for each request would cost more than answering.
  serveOperations(http, { database, counter, overload, metricsToken: config.metricsToken })
  await describeApi(http, config.publicUrl)
  await http.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  })
  // Outside the places below: a sign-in waits for the platform, and has places of its own (`provider-turns.ts`).
  await http.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(headers)
      done()
    })
    await signInRoutes(scope, deps)
  })
  await http.register(async (scope) => {
    takePlaces(scope, front, overload)
    mediaRoutes(scope, deps.pictures)
  })
  await http.register(async (scope) => {
    takePlaces(scope, front, overload)
    await scope.register(underPressure, {
      maxEventLoopDelay: 1000,
      pressureHandler: () => {
        throw new AppError('busy', { retryAfterSeconds: 5 })
      },
    })
    await scope.register(multipart, {
      limits: { fileSize: PICTURE_MAX_BYTES, files: 1, fields: 5, parts: 6 },
    })
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(headers)
      done()
    })
    const mount = { deps, rules: accessRules, limiter, answers, turns, front }
    mountContract(scope, mount, 'session', sessionContract, sessionHandlers(deps))
    mountContract(scope, mount, 'library', libraryContract, libraryHandlers(deps))
    mountContract(scope, mount, 'friends', friendsContract, friendsHandlers(deps))
    mountContract(scope, mount, 'comparison', comparisonContract, comparisonHandlers(deps))
    mountContract(scope, mount, 'groups', groupsContract, groupsHandlers(deps))
    mountContract(scope, mount, 'sync', syncContract, syncHandlers(deps))
    mountContract(scope, mount, 'privacy', privacyContract, privacyHandlers(deps))
  })
  if (parts.pagesFolder) await servePages(http, parts.pagesFolder, parts.demoOrigin !== undefined)
  http.setNotFoundHandler(() => {
    throw new AppError('not_found')
  })
  // A connection whose answer is still under way would otherwise be kept for its next request for over a minute.
  http.addHook('preClose', async () => void (http.server.keepAliveTimeout = 1))
  http.addHook('onClose', () => deps.sessionUse.write())
  http.addHook('onClose', () => deps.sync.stop())
  return { http, deps }
}

function memoryBytesOf({ config }: AppOptions): number {
  return config.memoryMb * 2 ** 20
}

/** Makes what features are given; the only place that sees the concrete client and its budget. */
function wire(parts: AppOptions, log: Deps['log'], clock: () => number): Deps {
  const { config, database } = parts
  const budget = createCallBudget({ database, limits: parts.callLimits, clock, log })
  const steam = createSteamClient({
    apiUrl: config.steamApiUrl,
    apiKey: parts.steamApiKey,
    budget,
    log,
    timing: parts.steamTiming,
  })
  const catalogue = createCatalogue({ database, steam, clock, log, pictureOrigin: parts.demoOrigin })
  const pictures = createPictures({ database, clock, log, fetchPublic: parts.fetchPublic })
  const sync = createSyncEngine({ database, steam, catalogue, pictures, clock, log })
  const readCache = createReadCache(database, memoryBytesOf(parts) * (1 - MEMORY_FOR_ANSWERS))
  const sessionUse = createSessionUse({ database, clock, log })
  return { config, database, readCache, sessionUse, sync, catalogue, pictures, log, clock }
}

/**
 * JSON is the only body, pictures apart. Calls without input are often sent with the header of JSON and no body; that is not malformed. Keys that reach
 * for prototypes are refused.
 */
function acceptEmptyJson(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, body as string, done)
  })
}
