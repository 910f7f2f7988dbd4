/** The dependencies of features and HTTP layer; created once by `buildApp` (app.ts) and passed as parameters. */
import type { FastifyBaseLogger } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { SessionUse } from './sessions/activity.ts'
import type { MessageSender } from './messages/sender.ts'
import type { Monitor } from './monitoring/monitor.ts'
import type { Pictures } from './pictures/pictures.ts'
import type { Live } from './live/live.ts'
import type { WebAccess } from './pictures/public-request.ts'
import type { SharePictures } from './share/pictures.ts'
import type { Database } from './database/database.ts'
import type { ReadCache } from './cache/read-cache.ts'
import type { SyncEngine } from './sync/engine.ts'
import type { TextsOf } from './texts/texts.ts'

export type Deps = {
  config: Config
  database: Database
  /** Each request refreshes it before it reads. */
  readCache: ReadCache
  sessionUse: SessionUse
  sync: SyncEngine
  live: Live
  /** Writes this server's heartbeat once it is started. */
  monitor: Monitor
  catalogue: Catalogue
  pictures: Pictures
  sharePictures: SharePictures
  /** Sends messages to webhooks once it is started. */
  messages: MessageSender
  /** How webhooks are reached. */
  web: WebAccess
  /** What the server says to people, by their language. */
  textsOf: TextsOf
  log: FastifyBaseLogger
  /** Milliseconds since 1970; a parameter, so that tests can set the time. */
  clock: () => number
}
