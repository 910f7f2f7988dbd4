/** The dependencies of features and HTTP layer; created once by `buildApp` (app.ts) and passed as parameters. */
import type { FastifyBaseLogger } from 'fastify'
import { CATALOGUE_SHARE, createReadCache } from './cache/read-cache.ts'
import { createPolls } from './cache/tag-cache.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createPrices } from './catalogue/prices.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { createLive, defaultLiveTiming, type LiveTiming } from './live/live.ts'
import { toDevices } from './messages/push.ts'
import { createMessageSender } from './messages/sender.ts'
import { toWebhooks } from './messages/webhooks.ts'
import { createPictures } from './pictures/pictures.ts'
import type { WebAccess } from './pictures/public-request.ts'
import type { fetchPublic } from './pictures/web-fetch.ts'
import { createSessionUse } from './sessions/sessions.ts'
import { createSteamClient, type SteamTiming } from './steam/client.ts'
import { callsPerDay, type CallLimits, createCallBudget } from './sync/budget.ts'
import { createSyncEngine } from './sync/engine.ts'
import { createWishlists } from './sync/reads.ts'
import { type TextsOf, textsOf as productTexts } from './texts/texts.ts'

export type Deps = ReturnType<typeof createDeps>

export type DepsOptions = {
  config: Config
  /** The key of the Web API; the simulator's own in demo mode. */
  steamApiKey: string
  /** URL of the simulator's pages, in demo mode. */
  demo?: { pagesUrl: string } | undefined
  database: Database
  /** Memory for all caches, instead of the configured one; with 0 every response is derived from queries. */
  memoryBytes?: number
  liveTiming?: Partial<LiveTiming>
  callLimits?: Partial<CallLimits>
  steamTiming?: Partial<SteamTiming>
  fetchPublic?: typeof fetchPublic
  /** The server's texts by language; tests pass a language that does not exist (LANG-5). */
  textsOf?: TextsOf
  /** How webhooks are reached, and how long they may take to respond, in milliseconds. */
  web?: WebAccess
  webhookTimeoutMs?: number
}

/** Creates the dependencies; only here are the concrete client and budget known. */
export function createDeps(options: DepsOptions, log: FastifyBaseLogger, clock: () => number) {
  const { config, database, textsOf = productTexts } = options
  const { publicUrl } = config
  const memory = options.memoryBytes ?? config.memoryMb * 2 ** 20
  const polls = createPolls(database)
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
    polls,
    bytes: memory * CATALOGUE_SHARE,
    steam,
    clock,
    demoPagesUrl: options.demo?.pagesUrl,
  })
  const prices = createPrices({ database, steam, clock, country: config.storeCountry })
  const wishlists = createWishlists({ database, steam, catalogue, clock })
  const pictures = createPictures({ database, clock, log, fetchPublic: options.fetchPublic })
  // How webhooks and devices are reached: pictures are fetched for everyone, from the public web.
  const web = { ...options.web, allowed: config.webhookAllow }
  const timing = { ...defaultLiveTiming, ...options.liveTiming }
  return {
    config,
    database,
    /** Each request refreshes it before it reads. */
    readCache: createReadCache(database, polls, memory),
    sessionUse: createSessionUse({ database, clock, log }),
    sync: createSyncEngine({ database, steam, catalogue, prices, wishlists, pictures, clock, log }),
    live: createLive({ database, polls, clock, log, timing }),
    /** Steam's host, and the calls that it allows per day. */
    steamCalls: {
      host: new URL(config.steamApiUrl).host,
      callsPerDay: callsPerDay(options.callLimits),
    },
    catalogue,
    prices,
    wishlists,
    pictures,
    /** Sends messages to webhooks and devices once it is started. */
    messages: createMessageSender({
      database,
      webhooks: toWebhooks({ database, catalogue, publicUrl, textsOf, clock }),
      devices: toDevices({ database, catalogue, publicUrl, textsOf, clock }),
      clock,
      log,
      web,
      timeoutMs: options.webhookTimeoutMs,
    }),
    web,
    /** What the server says to people, by their language. */
    textsOf,
    log,
    /** Milliseconds since 1970; a parameter, so that tests can set the time. */
    clock,
  }
}
