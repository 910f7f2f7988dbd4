/** The nights with which background work has something to do. */
import type { SelectQueryBuilder } from 'kysely'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { lockNight, type NightRow } from '../storage/nights/nights.ts'
import type { RowByRow } from './loop.ts'

const DAY_MS = 24 * 60 * 60_000
/** A night that servers did not announce for so long, because they were off, is no longer news. */
const LATE_START_MS = 60 * 60_000
/** How long past nights are stored (NIGHT-13). */
const STORED_MS = 400 * DAY_MS

type Nights = SelectQueryBuilder<Schema, 'nights', object>
const dueWork = {
  /** Its players are reminded of the start (PUSH-6). */
  reminder: (nights: Nights, now: number) =>
    nights.where('night_id', 'in', (eb) =>
      eb.selectFrom('night_reminders').select('night_id').where('due_at', '<=', now),
    ),
  /** A proposed time passes, or the deadline (DATE-7). */
  date: (nights: Nights, now: number) =>
    nights
      .where('status', '=', 'dating')
      .where('night_id', 'in', (eb) =>
        eb.selectFrom('night_dates').select('night_id').where('due_at', '<=', now),
      ),
  /** The vote ends by itself (NIGHT-153). */
  vote: (nights: Nights, now: number) =>
    nights
      .where('vote_closes_at', '<=', now)
      .where('status', '=', 'open')
      .where('starts_at', '>', now - NIGHT_LENGTH_MS),
  /** The vote may be complete since somebody left (NIGHT-16). */
  completion: (nights: Nights, now: number) =>
    nights.where('completed_at', '<=', now).where('status', '=', 'open'),
  /** Its time has come, and nobody has been told. */
  start: (nights: Nights, now: number) =>
    nights
      .where('status', 'in', ['open', 'tied', 'decided'])
      .where('starts_at', '<=', now)
      .where('starts_at', '>', now - LATE_START_MS)
      .where('planned', '=', 1)
      .where('start_announced', '=', 0),
  /** It is over without a pick (NIGHT-5). */
  end: (nights: Nights, now: number) =>
    nights.where('status', 'in', ['open', 'tied']).where('starts_at', '<=', now - NIGHT_LENGTH_MS),
  deletion: (nights: Nights, now: number) => nights.where('starts_at', '<', now - STORED_MS),
}

/**
 * Does some work for each night for which it is due, once, whichever server notices first. Returns whether there may be
 * more.
 */
export function eachDueNight(
  database: Database,
  rows: RowByRow,
  { work, now }: { work: keyof typeof dueWork; now: number },
  doWork: (tx: Tx, night: NightRow) => Promise<void>,
): Promise<boolean> {
  const dueIn = (db: Queries | Tx) => dueWork[work](db.selectFrom('nights'), now).select('night_id')
  return rows.each<number>(`${work} of nights`, {
    now,
    due: async ({ limit, without }) => {
      const due = dueIn(database.queries).where('night_id', 'not in', without)
      return column(await due.orderBy('night_id').limit(limit).execute(), 'night_id')
    },
    work: (nightId) =>
      database.transaction(async (tx) => {
        const night = await lockNight(tx, nightId)
        // Another server may have done it, or the night has changed.
        const isDue = await dueIn(tx).where('night_id', '=', nightId).executeTakeFirst()
        if (night && isDue) await doWork(tx, night)
      }),
  })
}
