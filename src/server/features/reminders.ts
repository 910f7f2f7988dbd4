/**
 * Reminders of planned nights, a day and half an hour before their start, by notification and webhook (PUSH-6,
 * NIGHT-68), and the announcements of their starts.
 */
import { DAY_REMINDER_AHEAD_MS, DAY_REMINDER_MS, REMINDER_MS } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { announce } from '../storage/messages.ts'
import { notify, rememberTold } from '../storage/notifications.ts'
import { endReminder, listDueNights, noteStart, setReminder, takeDueNight } from '../storage/night-jobs.ts'
import type { RowByRow } from '../sync/loop.ts'

/**
 * Sets when a night's players are next reminded of its start, in place of an earlier time; a start that is too close for
 * that has no reminder. Call it when the start of a night is chosen.
 */
export async function planReminder(tx: Tx, nightId: number, startsAt: number, now: number): Promise<void> {
  const before = startsAt - now >= DAY_REMINDER_AHEAD_MS ? DAY_REMINDER_MS : REMINDER_MS
  await setReminder(tx, nightId, startsAt - before, now)
  await rememberTold(tx, nightId, startsAt)
}

/**
 * Reminds of the nights that start soon, each once, whichever server notices first; also late, when servers were off.
 * Returns whether there may be more.
 */
export function remindOfStarts(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return rows.each<number>('reminders', {
    now,
    due: (batch) => listDueNights(database.queries, 'reminder', now, batch),
    work: (nightId) => database.transaction((tx) => remindOf(tx, nightId, now)),
  })
}

async function remindOf(tx: Tx, nightId: number, now: number): Promise<void> {
  const night = await takeDueNight(tx, 'reminder', nightId, now)
  if (!night) return
  await endReminder(tx, nightId)
  if (night.starts_at <= now || !['open', 'tied', 'decided'].includes(night.status)) return
  const soonAt = night.starts_at - REMINDER_MS
  await announce(tx, nightId, soonAt <= now ? 'starting' : 'upcoming', now)
  await notify(tx, nightId, 'starting', { now })
  if (soonAt > now) await setReminder(tx, nightId, soonAt, now)
}

/**
 * Announces the planned nights whose time has come, each once, whichever server notices first. Returns whether there may be
 * more.
 */
export function announceStarts(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return rows.each<number>('starts', {
    now,
    due: (batch) => listDueNights(database.queries, 'start', now, batch),
    work: (nightId) =>
      database.transaction(async (tx) => {
        if (!(await takeDueNight(tx, 'start', nightId, now))) return
        await noteStart(tx, nightId)
        await announce(tx, nightId, 'started', now)
      }),
  })
}
