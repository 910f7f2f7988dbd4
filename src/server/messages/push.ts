/** Messages to devices by Web Push: encrypted for the device (RFC 8291), signed for its push service (RFC 8292). */
import webPush from 'web-push'
import { PUSH_SUBSCRIPTIONS_MAX } from '#shared/limits.ts'
import type { Tx } from '../database/schema.ts'
import { keyedHasher, readPushKeys } from '../storage/installation.ts'
import { type Notice, readNotice } from '../storage/notifications/notifications.ts'
import { countRefusals, endSubscriptions } from '../storage/notifications/push-subscriptions.ts'
import { notificationOf, startsSoon } from './notification.ts'
import type { Channel, ChannelOptions } from './sender.ts'

/** How long push services keep a message for a device that is off, in seconds, if its night has begun. */
const KEPT_WHEN_ON_S = 60 * 60
/** The longest time that they keep one. */
const KEPT_MAX_S = 24 * 60 * 60

/** Refusals that a device's push service repeats, such as of our key; one may be about the message alone. */
const FINAL = new Set([400, 401, 403, 413])

/** The messages to devices. */
export function toDevices(options: ChannelOptions): Channel<'push_messages'> {
  const { database, catalogue, publicUrl, textsOf, clock } = options
  const { queries } = database

  return {
    outbox: 'push_messages',
    // The devices of a few users, whose addresses could all respond slowly, leave room for others.
    atOnce: 4 * PUSH_SUBSCRIPTIONS_MAX,

    async open(message) {
      const { subscription_id } = message
      const end = (tx: Tx) =>
        endSubscriptions(tx, (all) => all.where('subscription_id', '=', subscription_id))
      const notice = await readNotice(queries, message, clock())
      if (notice === 'ended') await database.transaction(end)
      if (notice === undefined || notice === 'ended') return undefined
      const { endpoint, p256dh, auth } = notice.subscription
      return {
        // The endpoint is a secret address.
        about: { pushService: new URL(endpoint).host },

        async request() {
          const [picked] = await catalogue.games(notice.pick === null ? [] : [notice.pick])
          const game = picked?.details.name ?? null
          const texts = textsOf(notice.language ?? notice.subscription.language)
          const notification = notificationOf(notice, { texts, game, now: clock() })
          const topic = (await keyedHasher(queries, 'push topic'))(notification.tag).slice(0, 32)
          const { headers, body } = webPush.generateRequestDetails(
            { endpoint, keys: { p256dh, auth } },
            JSON.stringify(notification),
            {
              vapidDetails: { subject: contactOf(publicUrl), ...(await readPushKeys(queries)) },
              TTL: keptFor(notice, clock()),
              urgency: notice.kind === 'starting' && startsSoon(notice, clock()) ? 'high' : 'normal',
              // A later message about the same night replaces one that the device has not got yet.
              topic,
            },
          )
          return { url: endpoint, headers, body }
        },

        async settle(tx, outcome) {
          const status = outcome.kind === 'failed' ? outcome.status : undefined
          if (status === 404 || status === 410) return end(tx)
          // An outage says nothing about the device.
          if (outcome.kind === 'sent' || FINAL.has(status!))
            return countRefusals(tx, notice.subscription, outcome.kind !== 'sent')
        },
      }
    },
  }
}

/** How long a message is news, in seconds: until the night starts, or for an hour when it has begun. */
function keptFor({ starts_at }: Notice, now: number): number {
  const seconds = Math.ceil((starts_at - now) / 1000)
  return Math.min(KEPT_MAX_S, seconds > 0 ? seconds : KEPT_WHEN_ON_S)
}

/** Tells operators of push services who sends. They want https, also of a server at home, and Apple refuses 'localhost'. */
function contactOf(publicUrl: string): string {
  return `https://${new URL(publicUrl).host.replace(/^localhost\b/, '127.0.0.1')}`
}
