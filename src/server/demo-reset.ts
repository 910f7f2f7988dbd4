/** A public demo is reset at the same times every day, so that nothing that strangers leave in it stays (DEMO-10). */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { DEMO_RESET_MS } from '#shared/limits.ts'
import type { Database } from './database/database.ts'
import type { WriteHistory } from './demo-history.ts'
import { AppError } from './errors.ts'
import { lastReset, resetDemo } from './storage/demo-reset.ts'
import { type Loop, startLoop } from './sync/loop.ts'

const CHECK_MS = 1000
/** When to retry what a reset refused. */
const RETRY_SECONDS = 5

export type DemoReset = {
  /**
   * A hook that refuses requests during a reset, so that none of them sees half of it (DEMO-10).
   * @throws AppError busy
   */
  refuseMeanwhile: (request: FastifyRequest) => Promise<void>
  /** Resets the demo if that is due, and from then on whenever it is. */
  start(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  database: Database
  history: WriteHistory
  /** What works in the background; it is stopped during a reset. */
  background: { start(): void; stop(): Promise<void> }[]
  /** Milliseconds since 1970. */
  clock: () => number
  log: FastifyBaseLogger
}

/** Resets the demo of one server. */
export function createDemoReset({ database, history, background, clock, log }: Options): DemoReset {
  let loop: Loop | undefined
  let period: number | undefined
  let isResetting = false

  async function resetIfDue(): Promise<void> {
    const current = Math.floor(clock() / DEMO_RESET_MS) * DEMO_RESET_MS
    if (period === current) return
    if ((await lastReset(database.queries)) !== current) await reset(current)
    period = current
  }

  async function reset(current: number): Promise<void> {
    isResetting = true
    try {
      await Promise.all(background.map((work) => work.stop()))
      if (await resetDemo(database, current, (tx) => history(database, tx, clock())))
        log.info('the demo was reset')
      await database.scrub()
    } finally {
      isResetting = false
      // Not before the server has started.
      if (loop) for (const work of background) work.start()
    }
  }

  return {
    refuseMeanwhile: async ({ routeOptions }) => {
      // A health check that fails would make the server look dead.
      if (isResetting && routeOptions.url !== '/healthz')
        throw new AppError('busy', { retryAfterSeconds: RETRY_SECONDS })
    },
    async start() {
      await resetIfDue()
      loop = startLoop(
        'demo reset',
        async () => {
          await resetIfDue()
          return CHECK_MS
        },
        log,
      )
    },
    stop: async () => loop?.stop(),
  }
}
