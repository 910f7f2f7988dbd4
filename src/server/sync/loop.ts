/**
 * Background loops that run until they are stopped, and their work row by row (OPS-54): a row that fails holds no other up,
 * waits longer each time, and is logged once. What has failed is known to this server only, and until it stops.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Batch } from '../database/chunks.ts'
import { DatabaseUnavailableError } from '../database/database.ts'
import { SteamError } from '../steam/port.ts'

/** Pause after a run that threw an unexpected error, such as a database failure. */
const AFTER_FAILURE_MS = 30_000
/** The same after Steam has failed without Retry-After. */
const STEAM_FAILED_SECONDS = 10 * 60
export const HOUR_MS = 60 * 60_000
/** Pause after the first failure of a row; it doubles with each further one, up to the longest. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 12 * 60 * 60_000
/** Rows whose failures are known; beyond these the oldest are forgotten. */
const KNOWN_MAX = 1000
const ROWS_AT_ONCE = 50

export type Loop = {
  /** Skips the current or next pause. */
  wake(): void
  /** Waits for the current run and starts no other. */
  stop(): Promise<void>
}

/**
 * Calls `run` repeatedly, pausing for the milliseconds it returns, or after a SteamError as long as Steam wants. Its timers
 * do not keep the process alive.
 */
export function startLoop(name: string, run: () => Promise<number>, log: Log): Loop {
  let stopped = false
  let pausing = new AbortController()

  async function repeat(): Promise<void> {
    while (!stopped) {
      pausing = new AbortController()
      const { signal } = pausing
      const ms = await run().catch((error: unknown) => {
        if (error instanceof SteamError) {
          log.warn({ failure: error.failure }, `${name} could not be read`)
          return Math.min(1000 * (error.retryAfterSeconds ?? STEAM_FAILED_SECONDS), HOUR_MS)
        }
        // Outages are logged where they begin and end.
        if (!(error instanceof DatabaseUnavailableError))
          log.error({ err: error, loop: name }, 'background work failed')
        return AFTER_FAILURE_MS
      })
      // Woken.
      if (ms > 0) await pause(ms, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const ended = repeat()
  return {
    wake: () => pausing.abort(),
    stop: () => {
      stopped = true
      pausing.abort()
      return ended
    },
  }
}

export type RowByRow = ReturnType<typeof createRowByRow>

/** Reads up to `limit` rows that are due, without those that wait after a failure. */
type Due<Row> = (batch: Batch<Row>) => Promise<readonly Row[]> | readonly Row[]

/** @param log without one, a failure is thrown */
export function createRowByRow(log?: { error(fields: object, text: string): void }) {
  const failed = new LRUCache<string, { job: string; row: string | number; pauseMs: number; until: number }>({
    max: KNOWN_MAX,
  })

  return {
    /** Does some of what is due of a job; returns whether there may be more. @throws DatabaseUnavailableError */
    async each<Row extends string | number>(
      job: string,
      { now, due, work }: { now: number; due: Due<Row>; work: (row: Row) => Promise<unknown> },
    ): Promise<boolean> {
      const waiting = [...failed.values()].filter((one) => one.job === job && one.until > now)
      const without = waiting.map((one) => one.row as Row)
      let done = 0
      for (const row of await due({ limit: ROWS_AT_ONCE, without })) {
        if (without.includes(row)) continue
        const key = `${job} ${row}`
        const before = failed.get(key)
        try {
          await work(row)
          failed.delete(key)
          done++
        } catch (error) {
          // It is not about this row.
          if (!log || error instanceof DatabaseUnavailableError) throw error
          if (!before) log.error({ err: error, job, row }, 'a part of the background work failed')
          const pauseMs = before ? Math.min(LONGEST_PAUSE_MS, 2 * before.pauseMs) : FIRST_PAUSE_MS
          failed.set(key, { job, row, pauseMs, until: now + pauseMs })
        }
      }
      return done === ROWS_AT_ONCE
    },
  }
}

/** The logger of background work; compatible with pino and Fastify's. */
export type Log = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
