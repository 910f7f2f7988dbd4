/** What to tell others of a night that is ahead, as a message for their chat (NIGHT-149). */
import { formatClock, formatZone } from '../../format.ts'
import type { Night } from '../../data/nights.ts'
import { nightTime, nightTell as text } from 'virtual:texts'
import { discordTime, oneLine } from '../../ui/forms/copy-text.tsx'
import { longDay, isPast, titleOf } from '../../ui/words/night-time.ts'

/** Of a night: what the message tells. */
export type ToldNight = Pick<Night, 'title' | 'status' | 'planned' | 'starts_at' | 'times' | 'series'>

/** Whether there is anything to tell: it is ahead or now, or its date is being found, and what is played is still open. */
export function isToBeTold(night: ToldNight, now: number): boolean {
  return ['dating', 'open', 'tied'].includes(night.status) && !isPast(night, now)
}

/**
 * What, when and where: 'Game night: Friday 27 November at 20:30 (Central European Standard Time)' and 'Are you in?' with
 * the address, and how often if it repeats; of proposed times those that are ahead, each on a line. Times are in the time
 * zone of who copies it.
 * @param url the link by which one joins it
 * @param now in milliseconds
 */
export function tellText(night: ToldNight, url: string, now: number): string {
  const title = oneLine(titleOf(night))
  if (night.status !== 'dating' && !night.planned)
    return [text.now({ title }), text.areYouIn({ url })].join('\n')
  if (night.status !== 'dating') {
    const at = Date.parse(night.starts_at)
    const first = text.planned({ title, when: dayAndTime(at, now), zone: formatZone(at) })
    return [first, ...repeatLine(night), text.areYouIn({ url })].join('\n')
  }
  const times = timesAhead(night, now)
  const zones = times.map((at) => formatZone(at))
  // Summer time may begin or end between them.
  const [zone, ...others] = new Set(zones)
  const isOneZone = others.length === 0
  return [
    isOneZone && zone !== undefined ? text.datesInZone({ title, zone }) : text.dates({ title }),
    ...times.map((at, nth) => {
      const when = dayAndTime(at, now)
      return `- ${isOneZone ? when : text.timeInZone({ when, zone: zones[nth]! })}`
    }),
    url,
  ].join('\n')
}

/** The same for Discord, which shows each reader the times in their own zone. */
export function tellTextForDiscord(night: ToldNight, url: string, now: number): string {
  const title = oneLine(titleOf(night))
  if (night.status === 'dating')
    return [text.dates({ title }), ...timesAhead(night, now).map((at) => `- ${discordTime(at)}`), url].join(
      '\n',
    )
  if (!night.planned) return tellText(night, url, now)
  const when = discordTime(Date.parse(night.starts_at))
  return [text.plannedForDiscord({ title, when }), ...repeatLine(night), text.areYouIn({ url })].join('\n')
}

function repeatLine({ series }: ToldNight): string[] {
  return series ? [text.repeats[series.every]] : []
}

/** The proposed times that are ahead, earliest first. */
function timesAhead({ times }: ToldNight, now: number): number[] {
  return times
    .map(({ starts_at }) => Date.parse(starts_at))
    .filter((at) => at > now)
    .toSorted((a, b) => a - b)
}

/** With its date, because nobody knows when a message is read. */
function dayAndTime(at: number, now: number): string {
  return nightTime.when.onDay({ day: longDay(at, now), clock: formatClock(new Date(at)) })
}
