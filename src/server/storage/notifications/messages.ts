/** Webhooks of groups, and their messages, which wait in the outbox (`outbox.ts`). Requirements: NIGHT-67, NIGHT-74. */
import type { Selectable } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { MESSAGES_PER_HOUR, REMINDER_MS, WEEK_MS } from '#shared/limits.ts'
import { changed } from '../../database/cache-tags.ts'
import { type Batch, column, deleteRows } from '../../database/chunks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { textsOf } from '../../texts/texts.ts'
import { findGroupRow } from '../groups/group-row.ts'
import { findNight, listNightPlayers, pickOf } from '../nights/nights.ts'
import { addMessages } from './outbox.ts'
import { chosenLanguage } from '../players/players.ts'

/** A message that is sent so soon was not held up. */
const AT_ONCE_MS = 20_000
/** A message of a week that could not be sent for so long is given up. */
const WEEK_LATE_MS = 60 * 60_000

/** What a message says of a game night; 'upcoming' and 'starting' are reminders. */
export type NightEvent =
  'dating' | 'planned' | 'moved' | 'cancelled' | 'upcoming' | 'starting' | 'started' | 'decided'

/**
 * A message as it is stored; what is shown to people is derived from it when it is sent (`messages/webhooks.ts`).
 */
export type Announcement = {
  event: NightEvent | 'week' | 'test'
  group: { group_id: number; name: string }
  /** Games by what happened in the group's last week. */
  week?: Week
  /** Null in a test, and of a week. */
  night: {
    night_id: number
    title: string | null
    /** Milliseconds since 1970. */
    starts_at: number
    in: number
    /** Appid of the pick. */
    pick: number | null
    /** How many are known to lack the pick. */
    lacking?: number
    /** It is planned because its date was found (DATE-9). */
    date_found?: true
    /** While its date is being found (NIGHT-68): the proposed times, in order; none once it is cancelled. */
    times?: readonly number[]
  } | null
}

/** Appids of games that all members own now, that enough of them want now, and that were played. */
export type Week = Record<'owned' | 'wanted' | 'played', readonly number[]>

export type WebhookRow = Selectable<Schema['webhooks']>

/**
 * Writes the message about what has happened to a locked night, if its group has a webhook; returns whether it has. Call it
 * in the transaction of the event, after its other writes.
 */
export async function announce(
  tx: Tx,
  night_id: number,
  event: NightEvent,
  now: number,
  news: Partial<Pick<NonNullable<Announcement['night']>, 'lacking' | 'date_found' | 'times'>> = {},
): Promise<boolean> {
  const night = await findNight(tx, night_id)
  const group = night && (await findGroupRow(tx, night.group_id))
  const webhook = group && (await lockWebhook(tx, group.group_id))
  if (!webhook) return false
  const players = await listNightPlayers(tx, night_id)
  const body: Announcement = {
    event,
    group: { group_id: group.group_id, name: group.name },
    night: {
      night_id,
      title: night.title,
      starts_at: night.starts_at,
      in: players.filter(({ answer }) => answer === 'in').length,
      pick: await pickOf(tx, night_id),
      ...news,
    },
  }
  await write(tx, webhook, body, now)
  return true
}

/** Groups whose webhook is to get the message of the week. */
export async function groupsWithDueWeek(db: Queries, now: number, { limit, without }: Batch<number>) {
  const due = db
    .selectFrom('webhooks')
    .select('group_id')
    .where('weekly_due_at', '<=', now)
    .where('group_id', 'is not', null)
    .where('group_id', 'not in', without)
    .orderBy('weekly_due_at')
  return column(await due.limit(limit).execute(), 'group_id')
}

/** When the week of a group's next message began: the last one was due then. */
export async function weekBegan(db: Queries, groupId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .select('weekly_due_at')
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  return typeof row?.weekly_due_at === 'number' ? row.weekly_due_at - WEEK_MS : undefined
}

/**
 * Writes the message of a group's week, if it has news and no other server has written it; the next one is about what
 * happens from now on.
 */
export async function announceWeek(
  tx: Tx,
  groupId: number,
  week: Week,
  { since, now }: { since: number; now: number },
): Promise<void> {
  const group = await findGroupRow(tx, groupId)
  const webhook = group && (await lockWebhook(tx, groupId))
  if (!webhook || webhook.weekly_due_at !== since + WEEK_MS) return
  await tx
    .updateTable('webhooks')
    .set({ weekly_due_at: now + WEEK_MS })
    .where('group_id', '=', groupId)
    .execute()
  if (Object.values(week).every((appids) => appids.length === 0)) return
  const about = { group_id: groupId, name: group.name }
  await write(tx, webhook, { event: 'week', group: about, week, night: null }, now)
}

/** Writes a message; where a webhook has had enough of them for an hour, its owner reads that instead. */
async function write(tx: Tx, webhook: WebhookRow, body: Announcement, now: number): Promise<void> {
  const { webhook_id, created_by } = webhook
  if ((await addMessages(tx, 'messages', [webhook_id], { event: body.event, body, now })).length > 0) return
  const { messages } = textsOf(await chosenLanguage(tx, created_by))
  await noteResult(tx, webhook_id, now, messages.failures.tooMany({ count: MESSAGES_PER_HOUR }))
}

/**
 * Until when a reminder is news that was written at a time: the one of half an hour before until the start, the one of the
 * day before until then.
 */
export function reminderEnds(startsAt: number, writtenAt: number): number {
  const secondAt = startsAt - REMINDER_MS
  return writtenAt < secondAt ? secondAt : startsAt
}

/**
 * Whether a message is still true. What has just happened is told in order; what had to wait is left out when something
 * newer has happened. A reminder is left out when its night starts, was moved or is cancelled.
 */
export async function isStillTrue(
  db: Queries,
  { event, night }: Announcement,
  { writtenAt, now }: { writtenAt: number; now: number },
): Promise<boolean> {
  // What a member has hidden since would stay in a week's message.
  if (!night) return event !== 'week' || now < writtenAt + WEEK_LATE_MS
  const isReminder = event === 'upcoming' || event === 'starting'
  if (!isReminder && now < writtenAt + AT_ONCE_MS) return true
  if (isReminder && now >= reminderEnds(night.starts_at, writtenAt)) return false
  const row = await findNight(db, night.night_id)
  if (event === 'cancelled') return row === undefined || row.status === 'cancelled'
  if (!row || row.status === 'cancelled') return false
  if (event === 'dating') return row.status === 'dating'
  if (event === 'decided') return (await pickOf(db, night.night_id)) === night.pick
  if (row.starts_at !== night.starts_at) return false
  return !isReminder || row.status !== 'over'
}

/**
 * Locks the webhook of a group until the transaction ends; undefined when there is none. Locked after the group or night,
 * and before its messages.
 */
export function lockWebhook(tx: Tx, groupId: number): Promise<WebhookRow | undefined> {
  return tx
    .selectFrom('webhooks')
    .selectAll()
    .where('group_id', '=', groupId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Deletes the webhooks of groups, or all that a player has set, with their messages. */
export async function deleteWebhooks(
  tx: Tx,
  of: { groupIds: readonly number[] } | { createdBy: SteamId },
): Promise<void> {
  const all = tx.selectFrom('webhooks').select('webhook_id').orderBy('webhook_id').forNoKeyUpdate()
  // Locked first, so that no message is added.
  const rows =
    'groupIds' in of
      ? await all.where('group_id', 'in', of.groupIds).execute()
      : await all.where('created_by', '=', of.createdBy).execute()
  await deleteRows(tx, ['messages', 'webhooks'], 'webhook_id', column(rows, 'webhook_id'))
}

/** Shows the owner that a message was accepted, or why messages were not sent; that text must not contain the address. */
export async function noteResult(tx: Tx, webhookId: number, at: number, failure?: string): Promise<void> {
  const rows = await tx
    .updateTable('webhooks')
    .set(
      failure === undefined
        ? { last_ok_at: at, last_error: null, last_error_at: null }
        : { last_error: failure, last_error_at: at },
    )
    .where('webhook_id', '=', webhookId)
    .returning('created_by')
    .execute()
  changed(tx, 'sync', column(rows, 'created_by'))
}
