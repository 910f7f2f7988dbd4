/**
 * What the devices of a night's players are notified of (PUSH-4 to PUSH-9). Written like messages to webhooks, in the
 * transaction of what has happened; whether it is still wanted is decided when it is sent.
 */
import type { Notifications } from '#shared/contract/privacy.ts'
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { nameOf } from '#shared/names.ts'
import { column } from '../../database/chunks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { useOnce } from '../accounts/used-once.ts'
import { findGroupRow } from '../groups/group-row.ts'
import { keyedHasher } from '../installation.ts'
import { reminderEnds } from './messages.ts'
import {
  findNight,
  listNightPlayers,
  type NightPlayerRow,
  type NightRow,
  pickOf,
  readDates,
} from '../nights/nights.ts'
import { addMessages, type Claimed } from './outbox.ts'
import { findPlayer } from '../players/players.ts'
import { type PushSubscriptionRow, REFUSALS_MAX, unpackNotifications } from './push-subscriptions.ts'

/** Longer than any night is ahead. */
const TOLD_MS = 400 * 24 * 60 * 60_000

type Player = Pick<NightPlayerRow, 'steam_id' | 'answer' | 'marks'>
/** A notice, to whom it may go, and the night as it is when it is sent. */
type Told = {
  then: Stored & { written_at: number }
  night: NightRow & { pick: number | null }
  player: Player
  now: number
}

const comes = ({ answer }: Player) => answer === 'in' || answer === 'maybe'
const isNotOut = ({ answer }: Player) => answer !== 'out'
const isOn = ({ night, now }: Told) =>
  night.status !== 'cancelled' && night.status !== 'over' && now < night.starts_at + NIGHT_LENGTH_MS
const startsThen = (told: Told) => isOn(told) && told.night.starts_at === told.then.starts_at

/**
 * What devices are notified of: the setting that switches it off, which players it concerns, when it happens and again when
 * it is sent, and whether it is still true then; what has happened since has a notice of its own.
 */
const kinds = {
  asked: { setting: 'asked', concerns: ({ answer }) => answer === null, isTrue: isOn },
  moved: { setting: 'moved', concerns: isNotOut, isTrue: startsThen },
  dated: { setting: 'moved', concerns: isNotOut, isTrue: startsThen },
  cancelled: { setting: 'moved', concerns: isNotOut, isTrue: ({ night }) => night.status === 'cancelled' },
  hosting: {
    setting: 'moved',
    concerns: () => true,
    isTrue: (told) => isOn(told) && told.night.host_steam_id === told.player.steam_id,
  },
  // Of a group, and no night.
  owner: { setting: 'asked', concerns: () => false, isTrue: () => false },
  vote: {
    setting: 'vote',
    concerns: (player) => comes(player) && player.marks === null,
    isTrue: (told) => isOn(told) && told.night.status === 'open',
  },
  picked: {
    setting: 'picked',
    concerns: comes,
    isTrue: (told) => isOn(told) && told.night.status === 'decided' && told.night.pick === told.then.pick,
  },
  starting: {
    setting: 'starting',
    concerns: isNotOut,
    isTrue: (told) => startsThen(told) && told.now < reminderEnds(told.then.starts_at, told.then.written_at),
  },
} as const satisfies Record<string, Kind>
type Kind = {
  setting: keyof Notifications
  concerns: (player: Player) => boolean
  isTrue: (told: Told) => boolean
}
export type NoticeKind = keyof typeof kinds
export const noticeKinds = Object.keys(kinds) as NoticeKind[]

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

type StoredOfGroup = { group_id: number }

/** A notice that is still wanted, with what its text says, as it is when it is sent. */
export type Notice = Pick<Stored, 'pick' | 'lacking'> & {
  kind: NoticeKind
  subscription: PushSubscriptionRow
  /** What the user has chosen; null for the browser's. */
  language: PushSubscriptionRow['language'] | null
  discreet: boolean
  /** Undefined in one about a group. */
  night: Pick<NightRow, 'night_id' | 'title' | 'starts_at' | 'planned' | 'zone' | 'status'> | undefined
  /** That it is about, or the night's. */
  group: { group_id: number; name: string } | undefined
  /** Who asks; null when nobody or the user does. */
  host: string | null
  hasAnswered: boolean
}

/**
 * Writes a notice for the devices of a locked night's players. Call it in the transaction of what has happened, after its
 * other writes.
 * @param by who did it, and is not notified
 * @param only these are notified; by default all whom it concerns
 */
export async function notify(
  tx: Tx,
  night_id: number,
  kind: NoticeKind,
  {
    now,
    by = null,
    only,
    lacking,
  }: { now: number; by?: SteamId | null; only?: readonly SteamId[]; lacking?: number },
): Promise<void> {
  const { setting, concerns } = kinds[kind]
  const concerned = (await listNightPlayers(tx, night_id)).filter(
    (player) =>
      player.gone === 0 &&
      player.steam_id !== by &&
      concerns(player) &&
      (only?.includes(player.steam_id) ?? true),
  )
  const devices = await devicesOf(tx, column(concerned, 'steam_id'), setting)
  if (devices.length === 0) return
  const told = kind === 'vote' ? await tellOfVote(tx, night_id, devices, now) : devices
  const { starts_at } = (await findNight(tx, night_id))!
  const body: Stored = { night_id, starts_at, pick: await pickOf(tx, night_id), lacking }
  await addMessages(tx, 'push_messages', column(told, 'subscription_id'), { event: kind, body, now })
}

/** Writes a notice for the devices of a group's new owner (PUSH-4). */
export async function notifyOwner(tx: Tx, groupId: number, owner: SteamId, now: number): Promise<void> {
  const devices = column(await devicesOf(tx, [owner], kinds.owner.setting), 'subscription_id')
  const body: StoredOfGroup = { group_id: groupId }
  await addMessages(tx, 'push_messages', devices, { event: 'owner', body, now })
}

type Device = { steam_id: SteamId; subscription_id: string }

export async function devicesOf(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  setting: keyof Notifications,
): Promise<Device[]> {
  const rows = await db
    .selectFrom('push_subscriptions as device')
    .innerJoin('people', 'people.steam_id', 'device.steam_id')
    .select(['device.steam_id', 'device.subscription_id', 'people.notifications'])
    .where('device.steam_id', 'in', steamIds)
    .where('device.refusals', '<', REFUSALS_MAX)
    .orderBy('device.steam_id')
    .orderBy('device.subscription_id')
    .execute()
  return rows.filter((row) => unpackNotifications(row)[setting])
}

/** Those devices whose users are told of the vote of a night for the first time; others are not told again (PUSH-5). */
async function tellOfVote(tx: Tx, nightId: number, devices: readonly Device[], now: number) {
  const hashed = await keyedHasher(tx, 'account use')
  const told = new Set<SteamId>()
  for (const steamId of new Set(column(devices, 'steam_id')))
    if (await useOnce(tx, `vote:${nightId}`, hashed(steamId), now + TOLD_MS)) told.add(steamId)
  return devices.filter(({ steam_id }) => told.has(steam_id))
}

/** What a message says, if its user may still see the night, wants to know, and it is still true (PUSH-9). */
export async function readNotice(
  db: Queries | Tx,
  message: Pick<Claimed<'push_messages'>, 'subscription_id' | 'event' | 'body' | 'created_at'>,
  now: number,
): Promise<Notice | undefined> {
  const kind = message.event as NoticeKind
  const { setting, concerns, isTrue } = kinds[kind]
  const stored = JSON.parse(message.body) as Stored & StoredOfGroup
  const subscription = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('subscription_id', '=', message.subscription_id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!subscription) return undefined
  const { steam_id, session_id } = subscription
  const session = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('steam_id', '=', steam_id)
    .where('session_id', '=', session_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const user = session && (await findPlayer(db, steam_id))
  if (!user) return undefined
  const settings = unpackNotifications(user)
  if (!settings[setting]) return undefined
  const notice = { kind, subscription, language: user.language, discreet: settings.discreet }
  if (kind === 'owner') {
    const group = await findGroupRow(db, stored.group_id)
    if (group?.owner_steam_id !== steam_id) return undefined
    return { ...notice, night: undefined, group, pick: null, host: null, hasAnswered: true }
  }
  const night = await findNight(db, stored.night_id)
  const players = await listNightPlayers(db, stored.night_id)
  const player = players.find((one) => one.steam_id === steam_id && one.gone === 0)
  if (!night || !player || !concerns(player)) return undefined
  if (kind === 'asked' && (await readDates(db, night.night_id))?.answeredAt.has(steam_id)) return undefined
  const pick = await pickOf(db, night.night_id)
  const then = { ...stored, written_at: message.created_at }
  if (!isTrue({ then, night: { ...night, pick }, player, now })) return undefined
  // Its host did not start it, and is asked like the others (SERIES-5).
  const isHost = night.host_steam_id === steam_id
  const host = isHost || night.host_steam_id === null ? undefined : await findPlayer(db, night.host_steam_id)
  return {
    ...notice,
    night,
    group: await findGroupRow(db, night.group_id),
    pick,
    lacking: stored.lacking,
    host: host ? nameOf(host) : null,
    hasAnswered: player.answer !== null,
  }
}
