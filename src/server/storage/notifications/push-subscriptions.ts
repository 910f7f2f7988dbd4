/** Devices that are notified, and what of (PUSH-1, PUSH-3, PUSH-7). */
import type { DeleteQueryBuilder, DeleteResult, Insertable, Selectable } from 'kysely'
import type { Notifications } from '#shared/contract/privacy.ts'
import type { SteamId } from '#shared/entities.ts'
import { PUSH_SUBSCRIPTIONS_MAX } from '#shared/limits.ts'
import { column, deleteRows, upsert } from '../../database/chunks.ts'
import type { Schema, Tx } from '../../database/schema.ts'

export type PushSubscriptionRow = Selectable<Schema['push_subscriptions']>

/** A device is off after so many final refusals in a row (PUSH-11). */
export const REFUSALS_MAX = 3

/** What a user is notified of who has not chosen. */
export const FIRST_NOTIFICATIONS: Notifications = {
  asked: true,
  moved: true,
  vote: true,
  picked: true,
  starting: true,
  discreet: false,
}
const NAMES = Object.keys(FIRST_NOTIFICATIONS) as (keyof Notifications)[]

export function unpackNotifications({
  notifications,
}: Pick<Selectable<Schema['people']>, 'notifications'>): Notifications {
  const changed = notifications.split(',')
  const settings = { ...FIRST_NOTIFICATIONS }
  for (const name of NAMES) if (changed.includes(name)) settings[name] = !settings[name]
  return settings
}

export function packNotifications(settings: Notifications): string {
  return NAMES.filter((name) => settings[name] !== FIRST_NOTIFICATIONS[name]).join(',')
}

/**
 * Stores a device of a locked user. It belongs to this user alone from now on, with the keys that it has now; beyond the
 * limit the user's oldest one goes. The messages of a device that the user has already stay: each page sends it again
 * (PUSH-16). The transaction must have locked the device.
 */
export async function saveSubscription(tx: Tx, row: Insertable<Schema['push_subscriptions']>): Promise<void> {
  const { steam_id, subscription_id, ...now } = row
  await endSubscriptions(tx, (all) =>
    all.where('subscription_id', '=', subscription_id).where('steam_id', '!=', steam_id),
  )
  const others = await tx
    .selectFrom('push_subscriptions')
    .select('subscription_id')
    .where('steam_id', '=', steam_id)
    .where('subscription_id', '!=', subscription_id)
    .orderBy('created_at', 'desc')
    .orderBy('subscription_id')
    .execute()
  const oldest = column(others.slice(PUSH_SUBSCRIPTIONS_MAX - 1), 'subscription_id')
  await endSubscriptions(tx, (all) =>
    all.where('steam_id', '=', steam_id).where('subscription_id', 'in', oldest),
  )
  await upsert(tx, 'push_subscriptions', { steam_id, subscription_id }, now)
}

type Deleting = DeleteQueryBuilder<Schema, 'push_subscriptions', DeleteResult>

/** Records whether a device's push service has taken a message; the messages that wait for a device that is off now are deleted. */
export async function countRefusals(
  tx: Tx,
  { steam_id, subscription_id, refusals }: PushSubscriptionRow,
  isRefused: boolean,
): Promise<void> {
  if (!isRefused && refusals === 0) return
  await tx
    .updateTable('push_subscriptions')
    .set((eb) => ({ refusals: isRefused ? eb('refusals', '+', 1) : 0 }))
    .where('steam_id', '=', steam_id)
    .where('subscription_id', '=', subscription_id)
    .execute()
  if (isRefused && refusals + 1 >= REFUSALS_MAX)
    await tx
      .updateTable('push_messages')
      .set({ done_at: 0, body: '', lease_until: 0 })
      .where('subscription_id', '=', subscription_id)
      .where('done_at', 'is', null)
      .execute()
}

/** Ends the notification of devices, with the messages that wait for them. */
export async function endSubscriptions(tx: Tx, which: (all: Deleting) => Deleting): Promise<string[]> {
  const rows = await which(tx.deleteFrom('push_subscriptions')).returning('subscription_id').execute()
  const ended = column(rows, 'subscription_id')
  await deleteRows(tx, ['push_messages'], 'subscription_id', ended)
  return ended
}

export async function endSubscriptionsOf(
  tx: Tx,
  sessions: readonly { steam_id: SteamId; session_id: number }[],
): Promise<void> {
  await endSubscriptions(tx, (all) =>
    all
      .where('steam_id', 'in', column(sessions, 'steam_id'))
      .where('session_id', 'in', column(sessions, 'session_id')),
  )
}
