/** What a device shows of a notice (PUSH-4 to PUSH-8). Pure functions only. */
import { REMINDER_MS } from '#shared/limits.ts'
import { isolated, visibleName } from '#shared/names.ts'
import type { Notice } from '../storage/notifications/notifications.ts'
import { whenInZone } from '../texts/dates.ts'
import type { ServerTexts } from '../texts/texts.ts'

/** What the service worker of the page gets, as JSON. */
type Notification = {
  title: string
  body: string
  /** Of the page to open. */
  path: string
  /** A device shows only the last one with this. */
  tag: string
}

const MINUTE_MS = 60_000
/** Characters of a name that are sent: a push service takes 4 kB. */
const NAME_MAX = 100

/** The notification of a notice. @param game name of the pick */
export function notificationOf(
  notice: Notice,
  { texts, game, now }: { texts: ServerTexts; game: string | null; now: number },
): Notification {
  const { night_id, group_id, discreet, title, group } = notice
  const words = texts.notifications
  return {
    title: discreet ? 'Shelfmates' : isolated(shown(visibleName(title) ?? visibleName(group) ?? words.night)),
    body: discreet ? discreetBody(notice, texts, now) : bodyOf(notice, texts, game, now),
    path: group_id === undefined ? `/nights/${night_id}` : `/groups/${group_id}`,
    tag: group_id === undefined ? `night-${night_id}` : `group-${group_id}`,
  }
}

function bodyOf(notice: Notice, texts: ServerTexts, game: string | null, now: number): string {
  const { kind, starts_at, zone, host, findsDate, isPlanned, hasAnswered } = notice
  const words = texts.notifications
  if (kind === 'owner') return words.owner
  const isNow = starts_at < now + MINUTE_MS
  const when = whenInZone(texts, starts_at, zone)
  const minutes = minutesUntil(starts_at, now)
  switch (kind) {
    case 'asked':
      if (findsDate) return host === null ? words.askedWhen : words.askedWhenBy({ name: shown(host) })
      if (host === null) return isNow ? words.askedNow : words.asked({ when })
      return isNow ? words.askedByNow({ name: shown(host) }) : words.askedBy({ name: shown(host), when })
    case 'moved':
      return isNow ? words.movedNow : words.moved({ when })
    case 'dated':
      return words.dated({ when })
    case 'cancelled':
      return isPlanned ? words.cancelled({ when }) : words.cancelledUnplanned
    case 'hosting':
      return words.hosting
    case 'vote':
      return words.vote
    case 'picked':
      return notice.lacking
        ? words.pickedLacking({ game: shown(game ?? ''), count: notice.lacking })
        : words.picked({ game: shown(game ?? '') })
    case 'starting':
      if (startsSoon(notice, now)) {
        if (!hasAnswered) return words.startingUnanswered({ minutes })
        return game === null
          ? words.starting({ minutes })
          : words.startingWith({ minutes, game: shown(game) })
      }
      if (!hasAnswered) return words.upcomingUnanswered({ when })
      return game === null ? words.upcoming({ when }) : words.upcomingWith({ when, game: shown(game) })
  }
}

function discreetBody(notice: Notice, texts: ServerTexts, now: number): string {
  const { kind, starts_at, zone, hasAnswered } = notice
  const words = texts.notifications.discreet
  if (kind !== 'starting') return words[kind]
  if (startsSoon(notice, now)) {
    const minutes = minutesUntil(starts_at, now)
    return hasAnswered ? words.starting({ minutes }) : words.startingUnanswered({ minutes })
  }
  const when = whenInZone(texts, starts_at, zone)
  return hasAnswered ? words.upcoming({ when }) : words.upcomingUnanswered({ when })
}

/** Whether a reminder is the one of half an hour before, also where the clock of the server that wrote it is ahead. */
export function startsSoon({ starts_at }: Pick<Notice, 'starts_at'>, now: number): boolean {
  return starts_at - now <= REMINDER_MS + MINUTE_MS
}

/** Half an hour also where it takes some seconds until the message is sent. */
function minutesUntil(startsAt: number, now: number): number {
  return Math.max(1, Math.round((startsAt - now) / MINUTE_MS))
}

/** A name on one line. */
function shown(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const letters = [...line]
  return letters.length <= NAME_MAX ? line : `${letters.slice(0, NAME_MAX - 1).join('')}…`
}
