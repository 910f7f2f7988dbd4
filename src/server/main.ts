/**
 * The server process: reads the configuration, opens the database, listens, and shuts down (OPS-1, OPS-18).
 * Requirements: OPS-20, OPS-45.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DEMO_RESET_MS } from '#shared/limits.ts'
import { buildApp } from './app.ts'
import { isLoopback } from './client-address.ts'
import { type Config, ConfigError, isOpenDemo, readConfig, refuseOperatorsOfDemo } from './config.ts'
import { fillNewDemo } from './demo-reset.ts'
import { createLogger } from './logger.ts'
import { openDatabase } from './database/open.ts'
import { type Database, StorageError } from './database/database.ts'
import { SIMULATOR_PATH } from './http/simulator-pages.ts'
import { keyedHasher } from './storage/installation.ts'

const CLOSE_WITHIN_MS = 10_000
/** How long the database may take to close and the log to be written, so that neither keeps the process alive. */
const END_WITHIN_MS = 1000
/** Length of the accept queue; TCP retries a connection that does not fit only after seconds. */
const BACKLOG = 4096
const PAGES = join(import.meta.dirname, '../../dist/web')

const logger = createLogger()
/** Resolves when the log is written or cannot be. */
const logWritten = () => new Promise<void>((resolve) => logger.flush(() => resolve()))
const OPEN_DEMO =
  'Unprotected demo: everyone who can reach this server can sign in as whoever they like, without a password, and make the ' +
  'server request web addresses of their choice; set DEMO=public if strangers can reach it, or STEAM_API_KEY for real accounts'
const LOOPBACK =
  'Steam signs nobody in at localhost or a loopback address, and other machines cannot reach it: set PUBLIC_URL to the ' +
  'address that users open, such as http://192.168.1.20:3000 (docs/operate/troubleshoot.md)'

/** A problem that the operator has to fix; printed as one sentence, without a stack trace. */
class StartError extends Error {}

async function start(): Promise<void> {
  // Files are created readable by their owner only.
  process.umask(0o077)
  const config = readConfig(process.env)
  refuseOperatorsOfDemo(config)
  const mode = config.steamApiKey === undefined ? 'demo' : 'platform'
  logger.level = config.logLevel
  // Before anything is logged: a start that is refused says one sentence.
  const { dataDir, databaseUrl } = config
  const moved = Promise.withResolvers<StorageError>()
  const database = await openDatabase({ dataDir, databaseUrl, log: logger, mode, onMoved: moved.resolve })
  const pagesFolder = existsSync(join(PAGES, 'index.html')) ? PAGES : undefined
  if (!pagesFolder) logger.warn('the pages are not built (npm run build); only the API is served')

  if (isOpenDemo(config)) logger.warn({ host: config.host, publicUrl: config.publicUrl }, OPEN_DEMO)
  if (mode === 'platform' && isLoopback(new URL(config.publicUrl).host))
    logger.warn({ publicUrl: config.publicUrl }, LOOPBACK)

  const demo = config.steamApiKey === undefined ? await startDemo(config, database) : undefined
  const { http, deps, demoReset } = await buildApp({
    config: demo ? { ...config, steamApiUrl: demo.apiUrl, steamOpenidUrl: demo.openidUrl } : config,
    steamApiKey: config.steamApiKey ?? demo!.apiKey,
    database,
    pagesFolder,
    logger,
    ...(demo && { demo, callLimits: demo.callLimits }),
  })

  let closing: Promise<void> | undefined
  const close = (reason: string, code = 0) =>
    (closing ??= (async () => {
      logger.info({ reason }, 'closing')
      // Requests that take longer are aborted when the process exits.
      const closed = http.close().then(() => demo?.close())
      await Promise.race([closed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })])
      await Promise.race([database.close().then(logWritten), pause(END_WITHIN_MS)])
      process.exit(code)
    })())
  // Handled every time: Ctrl-C arrives twice, from the terminal and from `npm start`, and a signal without a handler
  // would end the process in the middle of its requests (OPS-18).
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void close(signal))
  void moved.promise.then(({ message }) => {
    console.error(message)
    void close(message, 1)
  })
  // `npm start` is the parent process and passes signals on; when it has gone, no signal would arrive.
  process.once('disconnect', () => void close('the parent process has gone'))
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))

  if (demoReset) await demoReset.start()
  else if (demo) await fillNewDemo(database, (tx) => demo.history(database, tx, deps.clock()))
  const { host, port } = config
  await http.listen({ host, port, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, config)
  })
  deps.sync.start()
  deps.messages.start()
  announce(config, demo !== undefined)
}

/**
 * Demo mode: starts the simulator in this process and talks to it over HTTP, with a call budget that never runs out.
 */
async function startDemo(config: Config, database: Database) {
  const { startSimulator } = await import('../simulator/simulator.ts')
  const { demoWorld } = await import('../simulator/demo-world.ts')
  const { createDemoHistory } = await import('./demo-history.ts')
  const apiKey = 'demo'
  const pagesUrl = `${config.publicUrl}${SIMULATOR_PATH}`
  const world = demoWorld()
  const sign = await keyedHasher(database.queries, 'simulator')
  const simulator = await startSimulator({
    world,
    apiKey,
    // The same on every server of the database: a sign-in may begin on one and come back to another (DEMO-19).
    secret: sign('assertions'),
    pageTitle: `Shelfmates (${config.publicUrl})`,
    pagesUrl,
  })
  return {
    ...simulator,
    pagesUrl,
    history: await createDemoHistory(world, pagesUrl),
    apiKey,
    callLimits: { perSecond: 200, interactiveBurst: 5000, backgroundBurst: 2000, perDay: 10_000_000 },
  }
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(
      `PORT ${port} is in use on ${host}; choose another one, for example PORT=${port + 1} npm start.`,
    )
  if (error.code === 'EACCES')
    return new StartError(`PORT ${port} cannot be opened by this user; choose one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new StartError(
      `HOST is "${host}", but it must be an IP address or host name of this machine, such as 127.0.0.1 or 0.0.0.0.`,
    )
  return error
}

function announce(config: Config, isDemo: boolean): void {
  const demo = config.demo
    ? `public demo (invented players; reset every ${DEMO_RESET_MS / 3_600_000} hours)`
    : 'demo (invented players; set STEAM_API_KEY to use Steam)'
  const mode = isDemo ? demo : 'Steam'
  const data = config.databaseUrl
    ? `PostgreSQL at ${new URL(config.databaseUrl).host}`
    : `SQLite in ${config.dataDir}`
  console.log(
    ['', `  Shelfmates is ready at ${config.publicUrl}`, `  Mode: ${mode}`, `  Data: ${data}`, ''].join('\n'),
  )
}

try {
  await start()
} catch (error) {
  await Promise.race([logWritten(), pause(END_WITHIN_MS)])
  if (!(error instanceof ConfigError || error instanceof StorageError || error instanceof StartError))
    throw error
  console.error(error.message)
  process.exit(1)
}
