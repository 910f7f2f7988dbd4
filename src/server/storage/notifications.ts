/**
 * What the devices of a night's players are notified of (PUSH-4 to PUSH-9). Written like messages to webhooks, in the
 * transaction of what has happened; whether it is still wanted is decided when it is sent.
 */
import type { Selectable } from 'kysely'
import type { Notifications } from '#shared/contract/privacy.ts'
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, PUSH_MESSAGES_PER_HOUR } from '#shared/limits.ts'
import { nameOf } from '#shared/names.ts'
import { column, inChunks } from '../database/chunks.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { findGroupRow } from './group-row.ts'
import { keyedHasher } from './installation.ts'
import { reminderEnds } from './messages.ts'
import { readDates } from './night-dates.ts'
import { pickOf } from './night-votes.ts'
import type { Claimed } from './outbox.ts'
import { findPlayer, type PlayerRow } from './players.ts'
import { type PushSubscriptionRow, REFUSALS_MAX, unpackNotifications } from './push-subscriptions.ts'

const HOUR_MS = 60 * 60_000
/** Longer than any night is ahead. */
const TOLD_MS = 400 * 24 * HOUR_MS

/** What has happened, with the setting that switches it off. */
const settingOf = {
  asked: 'asked',
  moved: 'moved',
  dated: 'moved',
  cancelled: 'moved',
  hosting: 'moved',
  owner: 'asked',
  vote: 'vote',
  picked: 'picked',
  starting: 'starting',
} as const satisfies Record<string, keyof Notifications>
export type NoticeKind = keyof typeof settingOf

type Player = Pick<Schema['night_people'], 'steam_id' | 'answer' | 'marks'>
const comes = ({ answer }: Player) => answer === 'in' || answer === 'maybe'

/** Who is notified; decided when it happens, and again when it is sent. */
const concerns: Record<NoticeKind, (player: Player) => boolean> = {
  asked: ({ answer }) => answer === null,
  moved: ({ answer }) => answer !== 'out',
  dated: ({ answer }) => answer !== 'out',
  cancelled: ({ answer }) => answer !== 'out',
  hosting: () => true,
  owner: () => false,
  vote: (player) => comes(player) && player.marks === null,
  picked: comes,
  starting: ({ answer }) => answer !== 'out',
}

/** What is stored of a notice. */
type Stored = {
  night_id: number
  /** When the night starts, as it was when this happened. */
  starts_at: number
  /** Appid of the pick. */
  pick: number | null
  /** How many are known to lack the pick. */
  lacking?: number | undefined
}

/** What is stored of a notice about a group. */
type StoredOfGroup = { group_id: number }

/** A notice that is still wanted, with what its text says: the night as it is when it is sent. */
export type Notice = Stored & {
  kind: NoticeKind
  subscription: PushSubscriptionRow
  /** What the user has chosen; null for the browser's. */
  language: PushSubscriptionRow['language'] | null
  discreet: boolean
  /** Whether the user has answered the night. */
  hasAnswered: boolean
  title: string | null
  /** Whether its date is being found, so that it has no time; and whether a time was chosen. */
  findsDate: boolean
  isPlanned: boolean
  group: string | null
  host: string | null
  zone: string | null
  /** The group that it is about; then there is no night, and the rest says nothing. */
  group_id?: number
}

/**
 * Writes a notice for the devices of a locked night's players. Call it in the transaction of what has happened, after its
 * other writes.
 * @param by who did it, and is not notified
 * @param only these are notified; by default all whom it concerns
 */
export async function notify(
  tx: Tx,
  nightId: number,
  kind: NoticeKind,
  {
    now,
    by = null,
    only,
    lacking,
  }: { now: number; by?: SteamId | null; only?: readonly SteamId[]; lacking?: number },
): Promise<void> {
  const players = await tx
    .selectFrom('night_people')
    .select(['steam_id', 'answer', 'marks'])
    .where('night_id', '=', nightId)
    .where('gone', '=', 0)
    .execute()
  const concerned = players
    .filter((player) => player.steam_id !== by && concerns[kind](player))
    .map((player) => player.steam_id)
    .filter((steamId) => only?.includes(steamId) ?? true)
  const devices = await devicesOf(tx, concerned, kind)
  if (devices.length === 0) return
  const { starts_at } = await tx
    .selectFrom('nights')
    .select('starts_at')
    .where('night_id', '=', nightId)
    .executeTakeFirstOrThrow()
  const told = kind === 'vote' ? await tellOfVote(tx, nightId, devices, now) : devices
  await write(tx, told, kind, { night_id: nightId, starts_at, pick: await pickOf(tx, nightId), lacking }, now)
}

/** Writes a notice for the devices of a group's new owner (PUSH-4). */
export async function notifyOwner(tx: Tx, groupId: number, owner: SteamId, now: number): Promise<void> {
  await write(tx, await devicesOf(tx, [owner], 'owner'), 'owner', { group_id: groupId }, now)
}

async function write(
  tx: Tx,
  devices: readonly Device[],
  kind: NoticeKind,
  stored: Stored | StoredOfGroup,
  now: number,
): Promise<void> {
  const below = await belowLimit(tx, devices, now)
  const body = JSON.stringify(stored)
  await inChunks(below, (some) =>
    tx
      .insertInto('push_messages')
      .values(
        some.map(({ subscription_id }) => ({
          subscription_id,
          event: kind,
          body,
          next_attempt_at: now,
          created_at: now,
        })),
      )
      .execute(),
  )
}

type Device = { steam_id: SteamId; subscription_id: string }

/** The devices of those who want to know. */
export async function devicesOf(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  kind: NoticeKind,
): Promise<Device[]> {
  const rows = await inChunks(steamIds, (ids) =>
    db
      .selectFrom('push_subscriptions')
      .innerJoin('people', 'people.steam_id', 'push_subscriptions.steam_id')
      .select(['push_subscriptions.steam_id', 'push_subscriptions.subscription_id', 'people.notifications'])
      .where('push_subscriptions.steam_id', 'in', ids)
      .where('push_subscriptions.refusals', '<', REFUSALS_MAX)
      .orderBy('push_subscriptions.steam_id')
      .orderBy('push_subscriptions.subscription_id')
      .execute(),
  )
  return rows.filter((row) => unpackNotifications(row)[settingOf[kind]])
}

/**
 * Those devices whose users are told of the vote of a night for the first time; others are not told again (PUSH-5).
 */
async function tellOfVote(
  tx: Tx,
  nightId: number,
  devices: readonly Device[],
  now: number,
): Promise<Device[]> {
  const hashed = await keyedHasher(tx, 'account use')
  const hashes = [...new Set(devices.map((device) => hashed(device.steam_id)))]
  const first = await inChunks(hashes, (some) =>
    tx
      .insertInto('used_once')
      .values(some.map((value) => ({ kind: `vote:${nightId}` as const, value, expires_at: now + TOLD_MS })))
      .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
      .returning('value')
      .execute(),
  )
  const told = new Set(first.map((row) => row.value))
  return devices.filter((device) => told.has(hashed(device.steam_id)))
}

/** Those devices that have not had as many messages as an hour allows (PUSH-10). */
async function belowLimit(tx: Tx, devices: readonly Device[], now: number): Promise<Device[]> {
  const full = await inChunks(column(devices, 'subscription_id'), (ids) =>
    tx
      .selectFrom('push_messages')
      .select('subscription_id')
      .where('subscription_id', 'in', ids)
      .where('created_at', '>', now - HOUR_MS)
      .groupBy('subscription_id')
      .having((eb) => eb.fn.countAll(), '>=', PUSH_MESSAGES_PER_HOUR)
      .execute(),
  )
  const ids = new Set(full.map((row) => row.subscription_id))
  return devices.filter((device) => !ids.has(device.subscription_id))
}

/**
 * What a message says, if its user may still see the night, wants to know, and it is still true (PUSH-9). 'ended' when the
 * device is not to be notified any more.
 */
export async function readNotice(
  db: Queries | Tx,
  message: Pick<Claimed<'push_messages'>, 'subscription_id' | 'event' | 'body' | 'created_at'>,
  now: number,
): Promise<Notice | 'ended' | undefined> {
  const kind = message.event as NoticeKind
  const stored = { ...(JSON.parse(message.body) as Stored), written_at: message.created_at }
  const subscription = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('subscription_id', '=', message.subscription_id)
    .executeTakeFirst()
  if (!subscription) return undefined
  const { steam_id, session_id, expires_at } = subscription
  const session = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('steam_id', '=', steam_id)
    .where('session_id', '=', session_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!session || (expires_at !== null && expires_at <= now)) return 'ended'
  const user = await findPlayer(db, steam_id)
  if (kind === 'owner') return user && noticeOfOwner(db, subscription, user, message.body)
  const player = await db
    .selectFrom('night_people')
    .select(['steam_id', 'answer', 'marks'])
    .where('night_id', '=', stored.night_id)
    .where('steam_id', '=', steam_id)
    .where('gone', '=', 0)
    .executeTakeFirst()
  if (kind === 'asked' && (await readDates(db, stored.night_id))?.answeredAt.has(steam_id)) return undefined
  const night = await db
    .selectFrom('nights')
    .select(['title', 'starts_at', 'planned', 'zone', 'status', 'group_id', 'host_steam_id'])
    .where('night_id', '=', stored.night_id)
    .executeTakeFirst()
  if (!user || !player || !night) return undefined
  const settings = unpackNotifications(user)
  if (!settings[settingOf[kind]] || !concerns[kind](player)) return undefined
  const pick = await pickOf(db, stored.night_id)
  if (!isTrue[kind](stored, { ...night, pick }, now)) return undefined
  if (kind === 'hosting' && night.host_steam_id !== steam_id) return undefined
  const [group, host] = await Promise.all([
    findGroupRow(db, night.group_id),
    night.host_steam_id === null ? undefined : findPlayer(db, night.host_steam_id),
  ])
  return {
    kind,
    night_id: stored.night_id,
    starts_at: night.starts_at,
    pick,
    lacking: stored.lacking,
    subscription,
    language: user.language,
    discreet: settings.discreet,
    hasAnswered: player.answer !== null,
    title: night.title,
    findsDate: night.status === 'dating',
    isPlanned: night.planned === 1,
    zone: night.zone,
    group: group?.name ?? null,
    // Who did not start the night hosts it, and is asked like the others (SERIES-5).
    host: host && host.steam_id !== steam_id ? nameOf(host) : null,
  }
}

async function noticeOfOwner(
  db: Queries | Tx,
  subscription: PushSubscriptionRow,
  user: PlayerRow,
  body: string,
): Promise<Notice | undefined> {
  const { group_id } = JSON.parse(body) as StoredOfGroup
  const group = await findGroupRow(db, group_id)
  const settings = unpackNotifications(user)
  if (group?.owner_steam_id !== user.steam_id || !settings[settingOf.owner]) return undefined
  return {
    kind: 'owner',
    subscription,
    language: user.language,
    discreet: settings.discreet,
    group_id,
    group: group.name,
    night_id: 0,
    starts_at: Infinity,
    pick: null,
    hasAnswered: true,
    title: null,
    findsDate: false,
    isPlanned: false,
    host: null,
    zone: null,
  }
}

type NightNow = Pick<Selectable<Schema['nights']>, 'status' | 'starts_at'> & { pick: number | null }
const isOn = ({ status, starts_at }: NightNow, now: number) =>
  status !== 'cancelled' && status !== 'over' && now < starts_at + NIGHT_LENGTH_MS

/** Whether a notice is still true: what has happened since has a notice of its own. */
const isTrue: Record<
  NoticeKind,
  (then: Stored & { written_at: number }, night: NightNow, now: number) => boolean
> = {
  asked: (_then, night, now) => isOn(night, now),
  moved: (then, night, now) => isOn(night, now) && night.starts_at === then.starts_at,
  dated: (then, night, now) => isOn(night, now) && night.starts_at === then.starts_at,
  cancelled: (_then, night) => night.status === 'cancelled',
  hosting: (_then, night, now) => isOn(night, now),
  owner: () => false,
  vote: (_then, night, now) => isOn(night, now) && night.status === 'open',
  picked: (then, night, now) => isOn(night, now) && night.status === 'decided' && night.pick === then.pick,
  starting: ({ starts_at, written_at }, night, now) =>
    isOn(night, now) && night.starts_at === starts_at && now < reminderEnds(starts_at, written_at),
}
