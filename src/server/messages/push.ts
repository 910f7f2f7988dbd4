/**
 * Messages to devices by Web Push: what they show (PUSH-4 to PUSH-8), encrypted for the device (RFC 8291), signed for its
 * push service (RFC 8292).
 */
import webPush from 'web-push'
import { PUSH_SUBSCRIPTIONS_MAX, REMINDER_MS } from '#shared/limits.ts'
import { isolated, visibleName } from '#shared/names.ts'
import { keyedHasher, readPushKeys } from '../storage/installation.ts'
import { type Notice, readNotice } from '../storage/notifications/notifications.ts'
import { countRefusals, endSubscriptions } from '../storage/notifications/push-subscriptions.ts'
import { type ServerTexts, whenInZone } from '../texts/texts.ts'
import type { Channel, ChannelOptions } from './sender.ts'

const MINUTE_MS = 60_000
/** Characters of a name that are sent: a push service takes 4 kB. */
const NAME_MAX = 100
/** How long push services keep a message for a device that is off, in seconds, if its night has begun. */
const KEPT_WHEN_ON_S = 60 * 60
/** The longest time that they keep one. */
const KEPT_MAX_S = 24 * 60 * 60

/** Refusals that a device's push service repeats, such as of our key; one may be about the message alone. */
const FINAL = new Set([400, 401, 403, 413])

export function toDevices(options: ChannelOptions): Channel<'push_messages'> {
  const { database, catalogue, publicUrl, textsOf, clock } = options
  const { queries } = database

  return {
    outbox: 'push_messages',
    // The devices of a few users, whose addresses could all respond slowly, leave room for others.
    atOnce: 4 * PUSH_SUBSCRIPTIONS_MAX,

    async open(message) {
      const now = clock()
      const notice = await readNotice(queries, message, now)
      if (!notice) {
        await database.transaction((tx) =>
          endSubscriptions(tx, (all) =>
            all.where('subscription_id', '=', message.subscription_id).where('expires_at', '<=', now),
          ),
        )
        return undefined
      }
      const { subscription, night } = notice
      const { endpoint, p256dh, auth } = subscription
      const [picked] = await catalogue.games(notice.pick === null ? [] : [notice.pick])
      const texts = textsOf(notice.language ?? subscription.language)
      const notification = notificationOf(notice, { texts, game: picked?.details.name ?? null, now })
      const topic = (await keyedHasher(queries, 'push topic'))(notification.tag).slice(0, 32)
      const isUrgent = notice.kind === 'starting' && startsSoon(night!.starts_at, now)
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(notification),
        {
          vapidDetails: { subject: contactOf(publicUrl), ...(await readPushKeys(queries)) },
          TTL: night ? keptFor(night.starts_at, now) : KEPT_MAX_S,
          urgency: isUrgent ? 'high' : 'normal',
          // A later message about the same night replaces one that the device has not got yet.
          topic,
        },
      )
      return {
        url: endpoint,
        headers,
        body,
        // The endpoint is a secret address.
        about: { pushService: new URL(endpoint).host },

        async settle(tx, failure) {
          const isFinal = failure && FINAL.has(failure.status)
          if (failure?.status === 404 || failure?.status === 410)
            await endSubscriptions(tx, (all) =>
              all.where('subscription_id', '=', subscription.subscription_id),
            )
          // An outage says nothing about the device.
          else if (!failure || isFinal) await countRefusals(tx, subscription, failure !== undefined)
        },
      }
    },
  }
}

/** How long a message is news, in seconds: until the night starts, or for an hour when it has begun. */
function keptFor(startsAt: number, now: number): number {
  const seconds = Math.ceil((startsAt - now) / 1000)
  return Math.min(KEPT_MAX_S, seconds > 0 ? seconds : KEPT_WHEN_ON_S)
}

/** Tells operators of push services who sends. They want https, also of a server at home, and Apple refuses 'localhost'. */
function contactOf(publicUrl: string): string {
  return `https://${new URL(publicUrl).host.replace(/^localhost\b/, '127.0.0.1')}`
}

/** What the service worker of the page gets, as JSON. */
type Notification = {
  title: string
  body: string
  /** Of the page to open. */
  path: string
  /** A device shows only the last one with this. */
  tag: string
}

/** The notification of a notice. @param game name of the pick */
export function notificationOf(
  notice: Notice,
  { texts, game, now }: { texts: ServerTexts; game: string | null; now: number },
): Notification {
  const { night, group, discreet } = notice
  const name = visibleName(night?.title) ?? visibleName(group?.name) ?? texts.notifications.night
  const [noun, id] = night ? ['night', night.night_id] : ['group', group!.group_id]
  return {
    title: discreet ? 'Shelfmates' : isolated(shown(name)),
    body: bodyOf(notice, { texts, game: game === null || discreet ? null : shown(game), now }),
    path: `/${noun}s/${id}`,
    tag: `${noun}-${id}`,
  }
}

function bodyOf(
  { kind, night, host, hasAnswered, lacking, discreet }: Notice,
  { texts, game, now }: { texts: ServerTexts; game: string | null; now: number },
): string {
  const words = texts.notifications
  const anyWords = discreet ? words.discreet : words
  if (!night || kind === 'owner') return anyWords.owner
  const { starts_at, zone } = night
  const when = whenInZone(texts, starts_at, zone)
  if (kind === 'starting' && startsSoon(starts_at, now)) {
    // Half an hour also where it takes some seconds until the message is sent.
    const minutes = Math.max(1, Math.round((starts_at - now) / MINUTE_MS))
    if (!hasAnswered) return anyWords.startingUnanswered({ minutes })
    return game === null ? anyWords.starting({ minutes }) : words.startingWith({ minutes, game })
  }
  if (kind === 'starting') {
    if (!hasAnswered) return anyWords.upcomingUnanswered({ when })
    return game === null ? anyWords.upcoming({ when }) : words.upcomingWith({ when, game })
  }
  if (discreet) return words.discreet[kind]
  const isNow = starts_at < now + MINUTE_MS
  const name = host === null ? null : shown(host)
  switch (kind) {
    case 'asked':
      if (night.status === 'dating') return name === null ? words.askedWhen : words.askedWhenBy({ name })
      if (name === null) return isNow ? words.askedNow : words.asked({ when })
      return isNow ? words.askedByNow({ name }) : words.askedBy({ name, when })
    case 'moved':
      return isNow ? words.movedNow : words.moved({ when })
    case 'dated':
      return words.dated({ when })
    case 'cancelled':
      return night.planned === 1 ? words.cancelled({ when }) : words.cancelledUnplanned
    case 'picked':
      return lacking
        ? words.pickedLacking({ game: game ?? '', count: lacking })
        : words.picked({ game: game ?? '' })
    case 'hosting':
    case 'vote':
      return words[kind]
  }
}

/** Whether a reminder is the one of half an hour before, also where the clock of the server that wrote it is ahead. */
function startsSoon(startsAt: number, now: number): boolean {
  return startsAt - now <= REMINDER_MS + MINUTE_MS
}

/** A name on one line. */
function shown(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const letters = [...line]
  return letters.length <= NAME_MAX ? line : `${letters.slice(0, NAME_MAX - 1).join('')}…`
}
