/** A public demo is reset at the same times every day, so that nothing that strangers leave in it stays (DEMO-10). */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { DEMO_RESET_MS } from '#shared/limits.ts'
import { changedEverything } from './database/cache-tags.ts'
import type { Database } from './database/database.ts'
import { type Schema, TABLES, type Tx } from './database/schema.ts'
import type { WriteHistory } from './demo-history.ts'
import { AppError } from './errors.ts'
import { readValue, writeValue } from './storage/installation.ts'
import { type Loop, startLoop } from './sync/loop.ts'

const CHECK_MS = 1000
/** When to retry what a reset refused. */
const RETRY_SECONDS = 5
const LOCK = 'demo reset'

/** Tables that a public demo does not use, or in which players write nothing. Part of `used_once` is emptied. */
const KEPT: readonly (keyof Schema)[] = [
  'apps',
  'blocked_accounts',
  'changes',
  'installation',
  'operator_log',
  'platform_days',
  'platform_hosts',
  'used_once',
]

/** Writes what a demo begins with, unless it has players from an earlier run or another server. */
export function fillNewDemo(database: Database, fill: (tx: Tx) => Promise<void>): Promise<void> {
  return database.transaction(async (tx) => {
    await database.lock(tx, LOCK)
    const player = await tx.selectFrom('people').select('steam_id').limit(1).executeTakeFirst()
    if (!player) await fill(tx)
  })
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

export function createDemoReset({ database, history, background, clock, log }: Options) {
  let loop: Loop | undefined
  let period: number | undefined
  let isResetting = false

  async function resetIfDue(): Promise<void> {
    const current = Math.floor(clock() / DEMO_RESET_MS) * DEMO_RESET_MS
    if (period === current) return
    if (!(await wasReset(database.queries, current))) await reset(current)
    period = current
  }

  async function reset(current: number): Promise<void> {
    isResetting = true
    try {
      await Promise.all(background.map((work) => work.stop()))
      await database.transaction(async (tx) => {
        await database.lock(tx, LOCK)
        // By another server of this database.
        if (await wasReset(tx, current)) return
        // Each table before those that it refers to.
        for (const table of TABLES.toReversed())
          if (!KEPT.includes(table)) await tx.deleteFrom(table).execute()
        // Returns stay used; daily limits begin again.
        await tx.deleteFrom('used_once').where('kind', 'not in', ['nonce', 'state']).execute()
        await history(database, tx, clock())
        await writeValue(tx, 'demo_reset_at', String(current))
        changedEverything(tx)
      })
      log.info('the demo was reset')
      await database.scrub()
    } finally {
      isResetting = false
      // Not before the server has started.
      if (loop) for (const work of background) work.start()
    }
  }

  async function wasReset(db: Database['queries'] | Tx, current: number): Promise<boolean> {
    return (await readValue(db, 'demo_reset_at')) === String(current)
  }

  return {
    /**
     * A hook that refuses requests during a reset, so that none of them sees half of it (DEMO-10).
     * @throws AppError busy
     */
    refuseMeanwhile: async ({ routeOptions }: FastifyRequest) => {
      // A health check that fails would make the server look dead.
      if (isResetting && routeOptions.url !== '/healthz')
        throw new AppError('busy', { retryAfterSeconds: RETRY_SECONDS })
    },
    /** Resets the demo if that is due, and from then on whenever it is. */
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
