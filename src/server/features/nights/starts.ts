/** How a night gets its start: when it is started (NIGHT-1), or when its date is found (DATE-4 to DATE-8). */
import { upsert } from '../../database/chunks.ts'
import type { SteamId } from '#shared/entities.ts'
import { DAY_REMINDER_AHEAD_MS, DAY_REMINDER_MS, NIGHT_LENGTH_MS, REMINDER_MS } from '#shared/limits.ts'
import { agreedTime, timeAtDeadline } from '#shared/nights/dates.ts'
import type { Tx } from '../../database/schema.ts'
import type { Flag } from '../../database/schema-nights.ts'
import { findGroupRow } from '../../storage/groups/group-row.ts'
import { newLinkToken, renewInvite } from '../../storage/groups/links.ts'
import {
  addDates,
  addPlayers,
  changeNight,
  changeNightPlayer,
  createNight,
  isPast,
  listNightPlayers,
  type NightDates,
  type NightRow,
  readDates,
} from '../../storage/nights/nights.ts'
import { announce } from '../../storage/notifications/messages.ts'
import { notify } from '../../storage/notifications/notifications.ts'

/** The times to choose a date from. */
type ProposedDates = { times: number[]; closeAt: number | null }

/**
 * Starts a night of a host, who is in unless its date is to be found, and asks the others. Who may be asked is decided
 * before, with the players and the group locked.
 */
export async function startNight(
  tx: Tx,
  night: Pick<NightRow, 'group_id' | 'title' | 'starts_at' | 'zone' | 'planned'> & {
    host_steam_id: SteamId
    /** Null: as the group has chosen. */
    forbids: Flag | null
  },
  { asked, dates, now }: { asked: readonly SteamId[]; dates?: ProposedDates | undefined; now: number },
): Promise<number> {
  const { group_id, host_steam_id: host } = night
  const group = await findGroupRow(tx, group_id)
  const id = await createNight(tx, {
    ...night,
    forbids: night.forbids ?? group?.not_tonight_forbids ?? 0,
    created_at: now,
    ...(dates && { status: 'dating' }),
  })
  await addPlayers(tx, id, [host], { by: null, at: now })
  const others = asked.filter((one) => one !== host)
  await addPlayers(tx, id, others, { by: group_id === null ? host : null, at: now })
  if (dates) await addDates(tx, id, { ...dates, now })
  else await changeNightPlayer(tx, id, host, { answer: 'in', answered_at: now })
  const isAnnounced = dates
    ? await announce(tx, id, 'dating', now, { times: dates.times.toSorted((a, b) => a - b) })
    : await announce(tx, id, night.planned === 1 ? 'planned' : 'started', now)
  // Readers of the chat must be able to join.
  if (isAnnounced) {
    const expiresAt = night.starts_at + NIGHT_LENGTH_MS
    await renewInvite(tx, { night_id: id }, { token: newLinkToken(), by: host, at: now, expiresAt })
  }
  await notify(tx, id, 'asked', { now, by: host })
  if (!dates) await planReminder(tx, id, night.starts_at, now)
  return id
}

/**
 * Sets when a night's players are next reminded of its start, in place of an earlier time; a start that is too close for
 * that has no reminder. Call it when the start of a night is chosen.
 */
export async function planReminder(tx: Tx, nightId: number, startsAt: number, now: number): Promise<void> {
  const before = startsAt - now >= DAY_REMINDER_AHEAD_MS ? DAY_REMINDER_MS : REMINDER_MS
  await setReminder(tx, nightId, startsAt - before, now)
}

/** Sets when a night's players are next reminded of its start, in place of an earlier time; never, where that has passed. */
export async function setReminder(tx: Tx, nightId: number, due_at: number, now: number): Promise<void> {
  if (due_at <= now) await tx.deleteFrom('night_reminders').where('night_id', '=', nightId).execute()
  else await upsert(tx, 'night_reminders', { night_id: nightId }, { due_at })
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
