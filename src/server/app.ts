/**
 * The only wiring: `buildApp` creates the whole server; `main.ts` and the tests call it.
 * Requirements: ERR-6, ERR-7.
 */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { contract } from '#shared/contract/index.ts'
import { createReadCache } from './cache/read-cache.ts'
import { createValidity, type Validity } from './cache/validity.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createAddressReader } from './client-address.ts'
import type { Config } from './config.ts'
import { followDatabaseClock } from './database/clock.ts'
import type { Database } from './database/database.ts'
import type { WriteHistory } from './demo-history.ts'
import { createDemoReset, type DemoReset } from './demo-reset.ts'
import type { Deps } from './deps.ts'
import { accessRules } from './features/access.ts'
import { readCalendarFeed } from './features/calendar.ts'
import { createHandlers } from './features/handlers.ts'
import { readInvitationPreview } from './features/invitation.ts'
import { readSharePage, readSharePicture } from './features/share.ts'
import { signInRoutes } from './features/sign-in.ts'
import { AppError } from './errors.ts'
import { type ConnectionLimits, defaultConnectionLimits, watchConnections } from './http/connections.ts'
import { createEventStreams, defaultStreamLimits, type StreamLimits } from './http/event-streams.ts'
import type { Door } from './http/doors.ts'
import { mountApi } from './http/fastify-routes.ts'
import { fontRoute, linkRoutes, mediaRoute } from './http/links.ts'
import { createRequestLimiter, defaultRequestLimits, type RequestLimits } from './http/limits.ts'
import { collectRoutes, serveDescription } from './http/openapi.ts'
import { countRequests, createRequestCounter, registerBacklog, serveOperations } from './http/operations.ts'
import {
  createOverloadGuard,
  defaultOverloadLimits,
  type OverloadLimits,
  serveInSlots,
} from './http/overload.ts'
import { readPages, servePages } from './http/pages.ts'
import { createPipeline } from './http/pipeline.ts'
import { createReception } from './http/reception.ts'
import { createResponseCache } from './http/response-cache.ts'
import { headersOfData, protectBrowsers } from './http/security-headers.ts'
import { type SimulatorPage, simulatorRoutes } from './http/simulator-pages.ts'
import { compressResponses, createServer } from './http/server.ts'
import { createLive, defaultLiveTiming, type LiveTiming } from './live/live.ts'
import { toDevices } from './messages/push.ts'
import { createMessageSender } from './messages/sender.ts'
import { toWebhooks } from './messages/webhooks.ts'
import { createErrorCounts, type ErrorCounts } from './monitoring/error-counts.ts'
import { createMonitor } from './monitoring/monitor.ts'
import { createPictures } from './pictures/pictures.ts'
import type { WebAccess } from './pictures/public-request.ts'
import { fetchPublic } from './pictures/web-fetch.ts'
import { createSharePictures } from './share/pictures.ts'
import { createSessionUse } from './sessions/activity.ts'
import { createSteamClient, type SteamTiming } from './steam/client.ts'
import { callsPerDay, createCallBudget, type CallLimits } from './sync/budget.ts'
import { createSyncEngine } from './sync/engine.ts'
import { createNightPresence } from './sync/night-presence.ts'
import { textsOf as productTexts, type TextsOf } from './texts/texts.ts'
import { createWriteGuard, type WriteGuard } from './write-guard.ts'

/** Shares of the memory for the response cache and for what values are derived from; the rest is for the read cache. */
const MEMORY_FOR_RESPONSES = 1 / 4
const MEMORY_FOR_SUBJECTS = 1 / 16

export type AppOptions = {
  config: Config
  /** The key of the Web API; the simulator's own in demo mode. */
  steamApiKey: string
  /** Demo mode: the built-in simulator (DEMO-1). */
  demo?: Demo | undefined
  database: Database
  /** Folder of the built pages; without it only the API is served. */
  pagesFolder?: string
  logger?: FastifyServerOptions['loggerInstance']
  /** Milliseconds since 1970; by default the time of the database. */
  clock?: () => number
  requestLimits?: RequestLimits
  overloadLimits?: Partial<OverloadLimits>
  connectionLimits?: Partial<ConnectionLimits>
  streamLimits?: Partial<StreamLimits>
  liveTiming?: Partial<LiveTiming>
  /** Memory for all caches, instead of the configured one; with 0 every response is derived from queries. */
  memoryBytes?: number
  /** Size of the response cache, instead of the usual share; 0 disables it. */
  responseCacheBytes?: number
  callLimits?: Partial<CallLimits>
  steamTiming?: Partial<SteamTiming>
  fetchPublic?: typeof fetchPublic
  /** The server's texts by language; those of a language that nobody wrote in a test (LANG-5). */
  textsOf?: TextsOf
  /** How webhooks are reached, and how long they may take to respond, in milliseconds. */
  web?: WebAccess
  webhookTimeoutMs?: number
}

export type Demo = {
  /** URL of the simulator's pages: `/simulator` of `publicUrl`, which this server then serves. */
  pagesUrl: string
  page: SimulatorPage
  /** The simulator's OpenID endpoint on this machine, for the server's own requests. */
  checkUrl: string
  /** What has happened before the first visitor comes. */
  history: WriteHistory
}

export type App = {
  http: FastifyInstance
  deps: Deps
  /** Of a public demo. */
  demoReset: DemoReset | undefined
}

/** OPS-45 */
const UNKNOWN_PROXY =
  'A request has forwarding headers, but TRUST_PROXY does not name the address it came from, so they are ignored: if that ' +
  'is your proxy, everyone behind it counts as one visitor until TRUST_PROXY names it (docs/operate/proxies.md)'

/** What strangers type into a public demo must not make this server send requests (DEMO-12). */
const NO_WEB: WebAccess = { lookup: async () => [], policy: () => false }

/**
 * Creates the server; nothing runs in the background before `deps.sync.start()`. Closing `http` stops the sync engine;
 * the caller closes the database.
 */
export async function buildApp(given: AppOptions): Promise<App> {
  const isPublicDemo = given.config.demo === 'public'
  const options = isPublicDemo
    ? { ...given, web: NO_WEB, fetchPublic: (url: string) => fetchPublic(url, NO_WEB) }
    : given
  const { config, database, demo, logger } = options
  const databaseClock = options.clock ? undefined : await followDatabaseClock({ database, log: logger })
  const clock = options.clock ?? databaseClock!.now
  const connectionLimits = { ...defaultConnectionLimits, ...options.connectionLimits }
  const errors = createErrorCounts(clock)
  const doors: Door[] = []
  const http = await createServer({
    doors,
    config,
    logger,
    connectionLimits,
    errors,
  })
  const validity = createValidity(database, memoryBytesOf(options) * MEMORY_FOR_SUBJECTS)
  const writeGuard = createWriteGuard()
  const deps = wire(options, { validity, errors, writeGuard, log: http.log, clock })

  const headers = headersOfData(config)
  const addressOf = createAddressReader(config.trustProxy, (address) =>
    http.log.warn({ address }, UNKNOWN_PROXY),
  )
  const limiter = createRequestLimiter(options.requestLimits ?? defaultRequestLimits)
  const overload = createOverloadGuard({ ...defaultOverloadLimits, ...options.overloadLimits })
  const counter = createRequestCounter(http.log)
  registerBacklog(counter.registry, () => deps.monitor.backlog())
  const responseCache = createResponseCache({
    validity,
    clock,
    bytes: options.responseCacheBytes ?? memoryBytesOf(options) * MEMORY_FOR_RESPONSES,
    headers,
  })
  const eventStreams = createEventStreams({
    limits: { ...defaultStreamLimits, ...options.streamLimits },
    headers,
    registry: counter.registry,
  })
  const reception = createReception({
    ...deps,
    responseCache,
    limiter,
    counter,
    errors,
    addressOf,
    headers,
  })
  const pipeline = createPipeline({
    deps,
    arrivalOf: reception.arrivalOf,
    overload,
    limiter,
    responseCache,
    eventStreams,
    writeGuard,
  })
  const everyMs = config.demoResetHours * 60 * 60_000
  const demoReset = isPublicDemo
    ? createDemoReset({
        database,
        history: demo!.history,
        background: [deps.sync, deps.messages],
        everyMs,
        clock,
        log: http.log,
      })
    : undefined
  if (demoReset) doors.push(demoReset.door)
  doors.push(watchConnections(http.server, connectionLimits, config.trustProxy))
  doors.push(reception.door)

  countRequests(http, counter)
  await collectRoutes(http, config.publicUrl)
  await http.register(async (scope) => {
    sendHeaders(scope, headers)
    await compressResponses(scope)
    await mountApi(scope, contract, createHandlers(deps), { rules: accessRules, pipeline })
  })
  // Not for the API, whose responses have headers of their own: these take longer than most of them.
  await http.register(async (site) => {
    await protectBrowsers(site, config, demo !== undefined)
    // Registered before compression: these need no token, and compressing each response would cost more than it saves.
    serveOperations(site, { database, counter, overload, metricsToken: config.metricsToken })
    await serveDescription(site)
    await compressResponses(site)
    const demoMode = demo && { resetEveryMs: isPublicDemo ? everyMs : undefined }
    const pages = options.pagesFolder
      ? await readPages(options.pagesFolder, { demo: demoMode, textsOf: deps.textsOf })
      : undefined
    fontRoute(site)
    await site.register(async (scope) => {
      serveInSlots(scope, overload, addressOf)
      linkRoutes(scope, {
        limiter,
        readCalendar: (token) => readCalendarFeed(deps, token),
        readSharePage: (token, opened) => readSharePage(deps, token, opened),
        readSharePicture: (token, language) => readSharePicture(deps, token, language),
        readInvitation: (token, acceptLanguage) => readInvitationPreview(deps, token, acceptLanguage),
        invitationPage: pages && ((head, language) => pages.htmlOf('/join/token', { language, head })),
      })
      mediaRoute(scope, deps.pictures)
      if (demo) simulatorRoutes(scope, demo.page)
    })
    await site.register(async (scope) => {
      sendHeaders(scope, headers)
      // Not in the pipeline: a sign-in waits for Steam, in a queue of its own (`features/sign-in-queue.ts`).
      await signInRoutes(scope, deps, { checkUrl: demo?.checkUrl })
    })
    if (pages) await servePages(site, pages)
    site.setNotFoundHandler(() => {
      throw new AppError('not_found')
    })
  })
  http.addHook('preClose', async () => eventStreams.close())
  // The last one registered runs first: the server is noted as stopped when all its work has ended (OPS-38).
  http.addHook('onClose', () => deps.monitor.stop())
  http.addHook('onClose', () => databaseClock?.stop())
  http.addHook('onClose', writeGuard.stop)
  http.addHook('onClose', () => demoReset?.stop())
  http.addHook('onClose', overload.stop)
  http.addHook('onClose', () => deps.live.stop())
  http.addHook('onClose', () => deps.sessionUse.write())
  http.addHook('onClose', () => deps.sync.stop())
  http.addHook('onClose', () => deps.messages.stop())
  return { http, deps, demoReset }
}

/** Adds headers to every response that the framework sends for these routes, failures included. */
function sendHeaders(scope: FastifyInstance, headers: Record<string, string>): void {
  scope.addHook('onSend', (_request, reply, _payload, done) => {
    void reply.headers(headers)
    done()
  })
}

function memoryBytesOf({ config, memoryBytes }: AppOptions): number {
  return memoryBytes ?? config.memoryMb * 2 ** 20
}

/** Creates the dependencies of features and HTTP layer; only this function knows the concrete client and budget. */
function wire(
  options: AppOptions,
  {
    validity,
    errors,
    writeGuard,
    log,
    clock,
  }: {
    validity: Validity
    errors: ErrorCounts
    writeGuard: WriteGuard
    log: Deps['log']
    clock: () => number
  },
): Deps {
  const { config, database, textsOf = productTexts } = options
  const budget = createCallBudget({ database, limits: options.callLimits, clock, log })
  const steam = createSteamClient({
    apiUrl: config.steamApiUrl,
    apiKey: options.steamApiKey,
    budget,
    log,
    timing: options.steamTiming,
  })
  const catalogue = createCatalogue({
    database,
    validity,
    steam,
    clock,
    demoPagesUrl: options.demo?.pagesUrl,
  })
  const pictures = createPictures({ database, clock, log, fetchPublic: options.fetchPublic })
  const sync = createSyncEngine({ database, steam, catalogue, pictures, clock, log })
  const sharePictures = createSharePictures({ clock, fetchPublic: options.fetchPublic })
  // Webhooks and devices only: pictures are fetched for everyone, from the public web.
  const web = { ...options.web, allowed: config.webhookAllow }
  const { publicUrl } = config
  const messages = createMessageSender({
    database,
    webhooks: toWebhooks({ database, catalogue, publicUrl, textsOf, clock }),
    devices: toDevices({ database, catalogue, publicUrl, textsOf, clock }),
    clock,
    log,
    web,
    timeoutMs: options.webhookTimeoutMs,
  })
  const readCache = createReadCache(
    database,
    validity,
    memoryBytesOf(options) * (1 - MEMORY_FOR_RESPONSES - MEMORY_FOR_SUBJECTS),
  )
  const sessionUse = createSessionUse({ database, clock, log })
  const presence = createNightPresence({ database, steam, clock, log })
  const timing = { ...defaultLiveTiming, ...options.liveTiming }
  const live = createLive({ database, validity, presence, clock, log, timing })
  const calledHost = {
    host: new URL(config.steamApiUrl).host,
    callsPerDay: callsPerDay(options.callLimits),
  }
  const monitor = createMonitor({ database, errors, steam: calledHost, clock, log })
  return {
    config,
    // Only for what requests write: what the sync engine reads is stored also when its user has left.
    database: writeGuard.guard(database),
    readCache,
    sessionUse,
    sync,
    live,
    monitor,
    catalogue,
    pictures,
    sharePictures,
    messages,
    web,
    textsOf,
    log,
    clock,
  }
}
