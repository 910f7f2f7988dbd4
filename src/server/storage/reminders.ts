/**
 * Reminders of planned nights, a day and half an hour before their start, by notification and webhook (PUSH-6, PUSH-24,
 * NIGHT-145).
 */
import { DAY_REMINDER_AHEAD_MS, DAY_REMINDER_MS, REMINDER_MS } from '#shared/limits.ts'
import { notAmong } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import { lockRows } from '../database/row-locks.ts'
import type { Tx } from '../database/schema.ts'
import { announce } from './messages.ts'
import { notify, rememberTold } from './notifications.ts'
import type { RowByRow } from './row-by-row.ts'

/** Nights that are looked up at a time. */
const REMINDERS_AT_ONCE = 50

/**
 * Sets when a night's players are next reminded of its start, in place of an earlier time; a start that is too close for
 * that has no reminder. Call it when the start of a night is chosen.
 */
export async function planReminder(tx: Tx, nightId: number, startsAt: number, now: number): Promise<void> {
  const before = startsAt - now >= DAY_REMINDER_AHEAD_MS ? DAY_REMINDER_MS : REMINDER_MS
  await setReminder(tx, nightId, startsAt - before, now)
  await rememberTold(tx, nightId, startsAt)
}

async function setReminder(tx: Tx, nightId: number, due_at: number, now: number): Promise<void> {
  if (due_at <= now) await tx.deleteFrom('night_reminders').where('night_id', '=', nightId).execute()
  else
    await tx
      .insertInto('night_reminders')
      .values({ night_id: nightId, due_at })
      .onConflict((conflict) => conflict.column('night_id').doUpdateSet({ due_at }))
      .execute()
}

/**
 * Reminds of the nights that start soon, each once, whichever server notices first; also late, when servers were off.
 * Returns whether there may be more.
 */
export async function remindOfStarts(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  const done = await rows.each<number>('reminders', {
    now,
    due: async (waiting) => {
      const due = await database.queries
        .selectFrom('night_reminders')
        .select('night_id')
        .where('due_at', '<=', now)
        .where(notAmong('night_id', waiting))
        .orderBy('due_at')
        .orderBy('night_id')
        .limit(REMINDERS_AT_ONCE)
        .execute()
      return due.map((row) => row.night_id)
    },
    work: (nightId) => database.transaction((tx) => remindOf(tx, nightId, now)),
  })
  return done === REMINDERS_AT_ONCE
}

async function remindOf(tx: Tx, nightId: number, now: number): Promise<void> {
  const [night] = await lockRows(tx, 'night', [nightId], (ids) =>
    tx.selectFrom('nights').select(['starts_at', 'status']).where('night_id', 'in', ids),
  )
  const reminder = await tx
    .deleteFrom('night_reminders')
    .where('night_id', '=', nightId)
    .where('due_at', '<=', now)
    .returning('due_at')
    .executeTakeFirst()
  // Another server has reminded, or the night was moved, before it was locked.
  if (!reminder || !night || night.starts_at <= now) return
  if (!['open', 'tied', 'decided'].includes(night.status)) return
  const { starts_at } = night
  const isSoon = starts_at - REMINDER_MS <= now
  await announce(tx, nightId, isSoon ? 'starting' : 'upcoming', now)
  await notify(tx, nightId, 'starting', { now })
  if (!isSoon) await setReminder(tx, nightId, starts_at - REMINDER_MS, now)
}
