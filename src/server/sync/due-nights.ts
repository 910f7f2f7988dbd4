/** The nights with which background work has something to do. */
import type { SelectQueryBuilder } from 'kysely'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column, notAmong, type Batch } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { lockNight, type NightRow, wasAnswered } from '../storage/nights.ts'
import type { RowByRow } from './loop.ts'

const DAY_MS = 24 * 60 * 60_000
/** A night that servers did not announce for so long, because they were off, is no longer news. */
const LATE_START_MS = 60 * 60_000
/** How long past nights are stored, and cancelled ones that nobody answered (NIGHT-13). */
const STORED_MS = 400 * DAY_MS
const UNANSWERED_STORED_MS = 30 * DAY_MS

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
  deletion: (nights: Nights, now: number) =>
    nights.where((eb) =>
      eb.or([
        eb('starts_at', '<', now - STORED_MS),
        eb.and([
          eb('status', '=', 'cancelled'),
          eb('ended_at', '<', now - UNANSWERED_STORED_MS),
          eb.not(wasAnswered(eb)),
        ]),
      ]),
    ),
}

/** Ids of nights for which some work is due. */
export async function listDueNights(
  db: Queries,
  work: keyof typeof dueWork,
  now: number,
  { limit, without }: Batch,
): Promise<number[]> {
  const due = dueWork[work](db.selectFrom('nights'), now).where(notAmong('night_id', without))
  return column(await due.select('night_id').orderBy('night_id').limit(limit).execute(), 'night_id')
}

/** Locks a night for which work was due; undefined where another server has done it, or the night has changed. */
export async function takeDueNight(
  tx: Tx,
  work: keyof typeof dueWork,
  nightId: number,
  now: number,
): Promise<NightRow | undefined> {
  const night = await lockNight(tx, nightId)
  const due = dueWork[work](tx.selectFrom('nights'), now).where('night_id', '=', nightId)
  return (await due.select('night_id').executeTakeFirst()) && night
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
  return rows.each<number>(`${work} of nights`, {
    now,
    due: (batch) => listDueNights(database.queries, work, now, batch),
    work: (nightId) =>
      database.transaction(async (tx) => {
        const night = await takeDueNight(tx, work, nightId, now)
        if (night) await doWork(tx, night)
      }),
  })
}
