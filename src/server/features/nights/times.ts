/**
 * Reminders of planned nights, a day and half an hour before their start, by notification and webhook (PUSH-6,
 * NIGHT-68), the announcements of their starts, and how the date of a night is found (DATE-4 to DATE-8).
 */
import { DAY_REMINDER_AHEAD_MS, DAY_REMINDER_MS, REMINDER_MS } from '#shared/limits.ts'
import type { Database } from '../../database/database.ts'
import type { Tx } from '../../database/schema.ts'
import { announce } from '../../storage/notifications/messages.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import { eachDueNight } from '../../sync/due-nights.ts'
import type { RowByRow } from '../../sync/loop.ts'
import type { SteamId } from '#shared/entities.ts'
import { agreedTime, timeAtDeadline } from '#shared/nights/dates.ts'
import {
  changeNight,
  changeNightPlayer,
  isPast,
  listNightPlayers,
  nextDueAt,
  type NightDates,
  type NightRow,
  readDates,
  setDueAt,
} from '../../storage/nights/nights.ts'

/**
 * Sets when a night's players are next reminded of its start, in place of an earlier time; a start that is too close for
 * that has no reminder. Call it when the start of a night is chosen.
 */
export async function planReminder(tx: Tx, nightId: number, startsAt: number, now: number): Promise<void> {
  const before = startsAt - now >= DAY_REMINDER_AHEAD_MS ? DAY_REMINDER_MS : REMINDER_MS
  await setReminder(tx, nightId, startsAt - before, now)
}

/** Sets when a night's players are next reminded of its start, in place of an earlier time; never, where that has passed. */
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
export function remindOfStarts(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return eachDueNight(
    database,
    rows,
    { work: 'reminder', now },
    async (tx, { night_id, starts_at, status }) => {
      const takesPlace = starts_at > now && ['open', 'tied', 'decided'].includes(status)
      const soonAt = starts_at - REMINDER_MS
      await setReminder(tx, night_id, takesPlace ? soonAt : now, now)
      if (!takesPlace) return
      await announce(tx, night_id, soonAt <= now ? 'starting' : 'upcoming', now)
      await notify(tx, night_id, 'starting', { now })
    },
  )
}

/**
 * Announces the planned nights whose time has come, each once, whichever server notices first. Returns whether there may be
 * more.
 */
export function announceStarts(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return eachDueNight(database, rows, { work: 'start', now }, async (tx, { night_id }) => {
    // Nothing that is shown of the night changes.
    await tx.updateTable('nights').set({ start_announced: 1 }).where('night_id', '=', night_id).execute()
    await announce(tx, night_id, 'started', now)
  })
}

const ANSWERS = { yes: 'in', maybe: 'maybe', no: 'out' } as const

/**
 * Makes a locked night an ordinary planned one at one of its times: whoever can come then is in, and whoever has not
 * answered that time has not answered the night.
 * @param by who did it, and is not notified
 */
export async function takeTime(
  tx: Tx,
  night: NightRow,
  dates: NightDates,
  { at, now, by }: { at: number; now: number; by: SteamId | null },
): Promise<void> {
  const { answers } = dates.times.find((time) => time.at === at)!
  for (const { steam_id, answer } of await listNightPlayers(tx, night.night_id)) {
    const given = answers.get(steam_id)
    if (answer === 'out' || given === undefined) continue
    await changeNightPlayer(tx, night.night_id, steam_id, {
      answer: ANSWERS[given],
      answered_at: dates.answeredAt.get(steam_id)!,
    })
  }
  await changeNight(tx, night.night_id, { status: 'open', starts_at: at, planned: 1 })
  await announce(tx, night.night_id, 'planned', now, { date_found: true })
  await notify(tx, night.night_id, 'dated', { now, by })
  await planReminder(tx, night.night_id, at, now)
}

/**
 * Takes the time of a locked night on which everyone agrees, if there is one (DATE-6). Call it after each change.
 * @param by as in {@link takeTime}
 */
export async function takeAgreedTime(
  tx: Tx,
  night: NightRow,
  { now, by }: { now: number; by: SteamId | null },
): Promise<void> {
  if (night.status !== 'dating' || isPast(night, now)) return
  const dates = await readDates(tx, night.night_id)
  if (!dates) return
  const players = await listNightPlayers(tx, night.night_id)
  const asked = players.filter(({ answer }) => answer !== 'out').map(({ steam_id }) => steam_id)
  const at = agreedTime(dates.times, asked, now)
  if (at !== undefined) await takeTime(tx, night, dates, { at, now, by })
}

/** The time that the deadline of a night takes, if it has passed and the background work has not come to it yet. */
export function timeDue({ times, closeAt, dueAt }: NightDates, now: number): number | undefined {
  // Where nobody could come at the deadline, the host takes a time later.
  return closeAt !== null && closeAt <= now && dueAt <= closeAt ? timeAtDeadline(times, now) : undefined
}

/**
 * Does what is due in nights whose date is being found: takes times at deadlines, and ends nights whose times have all
 * passed. Returns whether there may be more.
 */
export function settleDates(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return eachDueNight(database, rows, { work: 'date', now }, async (tx, night) => {
    const dates = await readDates(tx, night.night_id)
    if (!dates) return
    const dueAt = nextDueAt(dates.times, dates.closeAt, now)
    if (dueAt === undefined || isPast(night, now))
      return changeNight(tx, night.night_id, { status: 'over', ended_at: night.starts_at })
    const at = timeDue(dates, now)
    if (at !== undefined) return takeTime(tx, night, dates, { at, now, by: null })
    await setDueAt(tx, night.night_id, dueAt)
    // Times that have passed need no answer.
    await takeAgreedTime(tx, night, { now, by: null })
  })
}
