/**
 * Background work, row by row (OPS-54): one that fails holds no other up, waits longer each time, and is logged once. What
 * has failed is known to this server only, and until it stops.
 */
import { column, notAmong } from '../database/chunks.ts'
import { DatabaseUnavailableError } from '../database/database.ts'
import type { Queries } from '../database/schema.ts'

/** Pause after the first failure of a row; it doubles with each further one, up to the longest. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 12 * 60 * 60_000
/** Rows whose failures are known; beyond these the oldest are forgotten. */
const KNOWN_MAX = 1000

export type RowByRow = {
  /** Does what is due of a job; returns how many rows were done. @throws DatabaseUnavailableError */
  each<Row extends string | number>(
    job: string,
    { now, due, work }: { now: number; due: Due<Row>; work: (row: Row) => Promise<unknown> },
  ): Promise<number>
}

/** How many rows to read, and which to leave out because they failed. */
export type Some = { limit: number; without: readonly number[] }

/** Nights that are due in one of the tables of background work; those that have waited for longest first. */
export async function listDueNights(
  db: Queries,
  table: 'night_reminders' | 'night_dates',
  now: number,
  { limit, without }: Some,
): Promise<number[]> {
  const due = await db
    .selectFrom(table)
    .select('night_id')
    .where('due_at', '<=', now)
    .where(notAmong('night_id', without))
    .orderBy('due_at')
    .orderBy('night_id')
    .limit(limit)
    .execute()
  return column(due, 'night_id')
}

/** Reads the rows that are due, without those that wait after a failure. */
type Due<Row> = (waiting: Row[]) => Promise<readonly Row[]> | readonly Row[]

/** @param log without one, a failure is thrown */
export function createRowByRow(log?: { error(fields: object, text: string): void }): RowByRow {
  const failed = new Map<string, { job: string; row: string | number; pauseMs: number; until: number }>()

  return {
    async each(job, { now, due, work }) {
      const waiting = [...failed.values()].filter((one) => one.job === job && one.until > now)
      const rows = await due(waiting.map((one) => one.row as never))
      let done = 0
      for (const row of rows) {
        const key = `${job} ${row}`
        const before = failed.get(key)
        if (before && before.until > now) continue
        try {
          await work(row)
          failed.delete(key)
          done++
        } catch (error) {
          // It is not about this row.
          if (!log || error instanceof DatabaseUnavailableError) throw error
          if (!before) log.error({ err: error, job, row }, 'a part of the background work failed')
          const pauseMs = before ? Math.min(LONGEST_PAUSE_MS, 2 * before.pauseMs) : FIRST_PAUSE_MS
          failed.delete(key)
          failed.set(key, { job, row, pauseMs, until: now + pauseMs })
          if (failed.size > KNOWN_MAX) failed.delete(failed.keys().next().value!)
        }
      }
      return done
    },
  }
}
