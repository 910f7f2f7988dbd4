/** A public demo is reset at fixed times, so that nothing that strangers leave in it stays (DEMO-10). */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database/database.ts'
import type { WriteHistory } from './demo-history.ts'
import type { Gate } from './http/gate.ts'
import { lastReset, resetDemo } from './storage/demo-reset.ts'
import { type Loop, startLoop } from './sync/loop.ts'

/** How long a reset waits for requests in progress; what is written later fails, because its player is gone. */
const REQUESTS_WITHIN_MS = 5000
const CHECK_MS = 1000

export type DemoReset = {
  /** Resets the demo if that is due, and from then on whenever it is. */
  start(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  database: Database
  history: WriteHistory
  gate: Gate
  /** What works in the background; it is stopped during a reset. */
  background: { start(): void; stop(): Promise<void> }[]
  /** Resets are at the multiples of this time since 1970, in milliseconds. */
  everyMs: number
  /** Milliseconds since 1970. */
  clock: () => number
  log: FastifyBaseLogger
}

/** Resets the demo of one server. */
export function createDemoReset({
  database,
  history,
  gate,
  background,
  everyMs,
  clock,
  log,
}: Options): DemoReset {
  let loop: Loop | undefined
  let period: number | undefined

  async function resetIfDue(): Promise<void> {
    const current = Math.floor(clock() / everyMs) * everyMs
    if (period === current) return
    if ((await lastReset(database.queries)) !== current)
      await gate.runAlone(REQUESTS_WITHIN_MS, async () => {
        await Promise.all(background.map((work) => work.stop()))
        try {
          if (await resetDemo(database, current, (tx) => history(database, tx, clock())))
            log.info('the demo was reset')
          await database.scrub()
        } finally {
          // Not before the server has started.
          if (loop) for (const work of background) work.start()
        }
      })
    period = current
  }

  return {
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
