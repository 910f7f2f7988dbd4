/**
 * The only wiring: `buildApp` creates the whole server; `main.ts` and the tests call it. What a request passes is here in
 * its order, from top to bottom.
 * Requirements: ERR-6.
 */
import type { FastifyServerOptions } from 'fastify'
import { contract } from '#shared/contract/index.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { followDatabaseClock } from './database/clock.ts'
import type { WriteHistory } from './demo-history.ts'
import { createDemoReset } from './demo-reset.ts'
import { createDeps, type DepsOptions } from './deps.ts'
import { AppError } from './errors.ts'
import { accessRules } from './features/access.ts'
import { createHandlers } from './features/handlers.ts'
import { linkRoutes } from './features/links.ts'
import { announceWeeks } from './features/groups/lately.ts'
import { nightWorks, repeatNights } from './features/nights/due.ts'
import { signInRoutes } from './features/accounts/sign-in.ts'
import { createEventStreams } from './http/event-streams.ts'
import { serveDescription } from './http/openapi.ts'
import { countResponses, serveOperations } from './http/operations.ts'
import {
  createRequestSlots,
  limitRequests,
  type OverloadTimes,
  refuseUnderPressure,
  type requestLimits,
} from './http/overload.ts'
import { readPages, servePages } from './http/pages.ts'
import { mountContract } from './http/routes.ts'
import { headersOfData, protectBrowsers } from './http/security-headers.ts'
import { compressResponses, type connectionLimits, createServer } from './http/server.ts'
import { createSessions } from './http/session.ts'
import { simulatorRoutes } from './http/simulator-pages.ts'
import type { WebAccess } from './pictures/public-request.ts'
import { fetchPublic } from './pictures/web-fetch.ts'
import type { SlotLimitsGiven } from './slots.ts'

export type AppOptions = DepsOptions & {
  /** Demo mode: the built-in simulator (DEMO-1). */
  demo?: Demo | undefined
  /** Folder of the built pages; without it only the API is served. */
  pagesFolder?: string
  logger?: FastifyServerOptions['loggerInstance']
  /** Milliseconds since 1970; by default the time of the database. */
  clock?: () => number
  requestLimits?: typeof requestLimits
  slotLimits?: SlotLimitsGiven
  overloadTimes?: OverloadTimes
  connectionLimits?: Partial<typeof connectionLimits>
  /** Of event streams. */
  heartbeatMs?: number
}

export type Demo = Pick<Simulator, 'page' | 'checkUrl'> & {
  /** URL of the simulator's pages: `/simulator` of `publicUrl`, which this server then serves. */
  pagesUrl: string
  /** Writes what a new demo begins with: groups, and nights of the past and the future. */
  history: WriteHistory
}

export type App = Awaited<ReturnType<typeof buildApp>>

/** What strangers type into a public demo must not make this server send requests (DEMO-13). */
const NO_WEB: WebAccess = { lookup: async () => [], policy: () => false }

/**
 * Creates the server; nothing runs in the background before `deps.sync.start()`. Closing `http` stops the sync engine;
 * the caller closes the database.
 */
export async function buildApp(given: AppOptions) {
  const isPublicDemo = given.config.demo === 'public'
  const options = isPublicDemo
    ? { ...given, web: NO_WEB, fetchPublic: (url: string) => fetchPublic(url, NO_WEB) }
    : given
  const { config, database, demo, logger } = options
  const databaseClock = options.clock ? undefined : await followDatabaseClock({ database })
  const clock = options.clock ?? databaseClock!.now

  // Node's limits on connections; the client's address, and headers that protect every response.
  const http = await createServer({ config, logger, limits: options.connectionLimits })
  const deps = createDeps(options, http.log, clock)
  for (const work of [...nightWorks, repeatNights, announceWeeks])
    deps.messages.addWork(async (rows, now) => {
      // Who is connected with whom, and whose library counts, is read from the caches.
      await deps.readCache.refresh()
      return work(deps, rows, now)
    })
  const registry = countResponses(http)

  // Refuses clients that send too much, and everybody under overload, before anything is looked up.
  const limits = await limitRequests(http, options.requestLimits)
  http.addHook('onRequest', limits.ofAddress)
  await refuseUnderPressure(http, options.overloadTimes)
  const slots = createRequestSlots(http, options.overloadTimes, options.slotLimits)
  const demoReset = isPublicDemo
    ? createDemoReset({
        database,
        history: demo!.history,
        background: [deps.sync, deps.messages],
        clock,
        log: http.log,
      })
    : undefined
  if (demoReset) http.addHook('onRequest', demoReset.refuseMeanwhile)

  const sessions = createSessions(http, deps)
  const eventStreams = createEventStreams({
    headers: headersOfData(config),
    registry,
    slotLimits: options.slotLimits,
    heartbeatMs: options.heartbeatMs,
  })
  await http.register(async (api) => {
    api.addHook('onRequest', slots.take)
    api.addHook('onRequest', sessions.find)
    api.addHook('onRequest', limits.ofToken)
    api.addHook('onRequest', slots.countForUser)
    api.addHook('preParsing', slots.leaveForBody)
    api.addHook('preValidation', slots.takeAfterBody)
    api.addHook('preValidation', sessions.findAfterBody)
    api.addHook('onSend', slots.giveBack)
    await compressResponses(api)
    // Input, access rule, handler, output.
    await mountContract(api, contract, createHandlers(deps), {
      deps,
      rules: accessRules,
      sessions,
      eventStreams,
    })
  })

  await http.register(async (site) => {
    protectBrowsers(site, config, demo !== undefined)
    // Registered before compression: these need no token, and compressing each response would cost more than it saves.
    serveOperations(site, { database, registry, slots, metricsToken: config.metricsToken })
    serveDescription(site, contract, config.publicUrl)
    await compressResponses(site)
    const pages = options.pagesFolder
      ? await readPages(options.pagesFolder, { demo: demo && (config.demo ?? 'own'), textsOf: deps.textsOf })
      : undefined
    await site.register(async (scope) => {
      scope.addHook('onRequest', slots.take)
      scope.addHook('onSend', slots.giveBack)
      linkRoutes(scope, deps, {
        limit: limits.ofLink,
        invitationPage: pages && ((tags, language) => pages.htmlOf('/join/token', language, tags)),
      })
      if (demo) simulatorRoutes(scope, demo.page)
    })
    // In no slot: a sign-in waits for Steam, in slots of its own.
    await signInRoutes(site, deps, { checkUrl: demo?.checkUrl })
    if (pages) await servePages(site, pages)
    site.setNotFoundHandler(() => {
      throw new AppError('not_found')
    })
  })

  http.addHook('preClose', async () => eventStreams.close())
  // The last one registered runs first.
  http.addHook('onClose', () => databaseClock?.stop())
  http.addHook('onClose', () => demoReset?.stop())
  http.addHook('onClose', async () => deps.live.stop())
  http.addHook('onClose', () => deps.sync.stop())
  http.addHook('onClose', () => deps.messages.stop())
  return { http, deps, demoReset }
}
