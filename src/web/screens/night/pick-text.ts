/**
 * A pick as one line to paste into a chat (NIGHT-105).
 * Requirements: NIGHT-149.
 */
import type { NightPick } from '#shared/nights/entities.ts'
import { formatList, formatZone } from '../../format.ts'
import type { Night } from '../../data/nights.ts'
import { pickToPaste as text } from 'virtual:texts'
import { discordTime, oneLine } from '../../ui/forms/copy-text.tsx'
import { nameOf } from '../../ui/people/name.tsx'
import { capitalised, dayAndClock } from '../../ui/words/night-time.ts'

/** Names in the line; the rest are counted. */
const NAMES = 6

/** Of a night: what the line tells. */
type Told = Pick<Night, 'starts_at' | 'planned' | 'people'> & { pick?: Pick<NightPick, 'lacking'> | null }

/**
 * 'Tonight at 20:30 Central European Standard Time: Portal 2 with Ada, Ben and Cleo' and the address of the night, in the
 * time zone of who copies it; or, when the night was started at once, 'We are playing Portal 2 with Ada, Ben and Cleo'.
 * @param url the public link to the pick; empty while there is none
 * @param now in milliseconds
 */
export function pickText(night: Told, game: string, url: string, now: number): string {
  const at = new Date(night.starts_at)
  const what = {
    when: capitalised(dayAndClock(at, now)),
    zone: formatZone(at.getTime()),
    game: oneLine(game),
    names: namesOf(night),
  }
  return `${formOf(night.planned ? text.planned : text.now, what)}${lackingOf(night)} ${url}`.trim()
}

/** The same for Discord, which shows each reader the time in their own zone. */
export function discordText(night: Told, game: string, url: string): string {
  const when = discordTime(Date.parse(night.starts_at))
  return `${formOf(text.discord, { when, game: oneLine(game), names: namesOf(night) })}${lackingOf(night)} ${url}`.trim()
}

/** With the names of those who are in, or without where nobody is. */
function formOf<Values extends { names: string }>(
  form: { alone: (values: Omit<Values, 'names'>) => string; with: (values: Values) => string },
  values: Values,
): string {
  return values.names === '' ? form.alone(values) : form.with(values)
}

/** Who still has to get it. */
function lackingOf({ people, pick }: Told): string {
  const names = people.filter(({ steam_id }) => pick?.lacking.includes(steam_id))
  return names.length === 0
    ? ''
    : ` (${text.lacking({ names: formatList(names.map((person) => oneLine(nameOf(person)))) })})`
}

function namesOf({ people }: Told): string {
  const names = people.filter(({ answer }) => answer === 'in').map((person) => oneLine(nameOf(person)))
  const rest = names.length - NAMES
  return formatList(rest > 0 ? [...names.slice(0, NAMES), text.more({ count: rest })] : names)
}
