/** The process: reads the configuration, opens the database, listens, and closes in order (OPS-1, OPS-18). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { listen } from './http/listen.ts'
import { claimMode, refuseOtherMode } from './database/mode.ts'
import { openDatabase } from './database/open.ts'
import { StorageError } from './database/database.ts'

const CLOSE_WITHIN_MS = 10_000
/** A statement that is still running then does not hold the process. */
const DATABASE_WITHIN_MS = 1000
/** New connections that may wait; one that finds no place tries again only after seconds, then ever later. */
const BACKLOG = 4096
const PAGES = join(import.meta.dirname, '../../dist/web')

/** Something the operator has to put right: shown as one sentence, without a stack. */
class StartError extends Error {}

async function start(): Promise<void> {
  // What is stored is the owner's alone to read, whatever folder it is in.
  process.umask(0o077)
  const config = readConfig(process.env)
  const databaseOptions = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  const mode = config.steamApiKey === undefined ? 'demo' : 'platform'
  await refuseOtherMode(databaseOptions, mode)
  const logger = pino({ level: config.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] })
  const pagesFolder = existsSync(join(PAGES, 'index.html')) ? PAGES : undefined
  if (!pagesFolder) logger.warn('the pages are not built (npm run build); only the API is served')

  const database = await openDatabase({ ...databaseOptions, log: logger })
  await claimMode(database, databaseOptions, mode)
  const demo = config.steamApiKey === undefined ? await startDemo(config) : undefined
  const { http, deps } = await buildApp({
    config: demo ? { ...config, steamApiUrl: demo.apiUrl, steamOpenidUrl: demo.openidUrl } : config,
    steamApiKey: config.steamApiKey ?? demo!.apiKey,
    demoOrigin: demo?.origin,
    database,
    pagesFolder,
    logger,
    ...(demo && { callLimits: demo.callLimits }),
  })

  let closing: Promise<void> | undefined
  const close = (reason: string) =>
    (closing ??= (async () => {
      logger.info({ reason }, 'closing')
      // What still runs after ten seconds is cut off.
      const closed = http.close().then(() => demo?.close())
      await Promise.race([closed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })])
      await Promise.race([database.close(), pause(DATABASE_WITHIN_MS, undefined, { ref: false })])
      process.exit(0)
    })())
  process.once('SIGTERM', () => void close('SIGTERM'))
  process.once('SIGINT', () => void close('SIGINT'))
  // Started by `npm start`: when that is gone, nobody can stop this process any more.
  process.once('disconnect', () => void close('parent is gone'))
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'a failure was not handled'))

  await listen(http, { host: config.host, port: config.port, backlog: BACKLOG }).catch(
    (error: NodeJS.ErrnoException) => {
      throw listenError(error, config)
    },
  )
  deps.sync.start()
  announce(config, demo !== undefined)
}

/** Demo mode: the simulator beside the server, over real HTTP; its own calls need no restraint. */
async function startDemo(config: Config) {
  const { startSimulator } = await import('../simulator/simulator.ts')
  const { demoWorld } = await import('../simulator/demo-world.ts')
  const apiKey = 'demo'
  const options = { world: demoWorld(), apiKey, pageTitle: `Shelfmates at ${config.publicUrl}` }
  // The port beside the server's, so that addresses of pictures stored in an earlier run still lead here.
  const simulator = await startSimulator({ ...options, port: config.port + 1 }).catch(() =>
    startSimulator(options),
  )
  return {
    origin: simulator.url,
    apiUrl: simulator.apiUrl,
    openidUrl: simulator.openidUrl,
    apiKey,
    callLimits: { perSecond: 200, clickBurst: 5000, backgroundBurst: 2000, perDay: 10_000_000 },
    close: () => simulator.close(),
  }
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(
      `PORT ${port} is in use on ${host}; choose another one, for example PORT=${port + 1} npm start.`,
    )
  if (error.code === 'EACCES')
    return new StartError(`PORT ${port} may not be opened by this user; choose one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new StartError(
      `HOST is "${host}", but it must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
    )
  return error
}

function announce(config: Config, demo: boolean): void {
  const data = config.databaseUrl
    ? `PostgreSQL at ${new URL(config.databaseUrl).host}`
    : `SQLite in ${config.dataDir}`
  console.log(
    [
      '',
      `  Shelfmates is ready at ${config.publicUrl}`,
      `  Mode: ${demo ? 'demo (invented players; set STEAM_API_KEY for the real platform)' : 'real platform'}`,
      `  Data: ${data}`,
      '',
    ].join('\n'),
  )
}

try {
  await start()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StorageError || error instanceof StartError))
    throw error
  console.error(error.message)
  process.exit(1)
}
