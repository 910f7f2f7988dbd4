/** A pick as one line to paste into a chat (NIGHT-105). */
import type { Night } from '../../data/nights.ts'
import { pickToPaste as text } from '../../messages/pick-text.ts'
import { nameOf } from '../../ui/name.tsx'
import { capitalised, dayAndClock } from '../../ui/night-time.ts'

/** Names in the line; the rest are counted. */
const NAMES = 6

/**
 * 'Tonight at 20:30: Portal 2 with Ada, Ben and Cleo', in the time zone of who copies it; or, when the night was started
 * at once, 'We are playing Portal 2 with Ada, Ben and Cleo'.
 * @param now in milliseconds
 */
export function pickText(
  { starts_at, planned, people }: Pick<Night, 'starts_at' | 'planned' | 'people'>,
  game: string,
  now: number,
): string {
  const name = oneLine(game)
  const what = planned
    ? text.planned(capitalised(dayAndClock(new Date(starts_at), now)), name)
    : text.now(name)
  const names = people.filter(({ answer }) => answer === 'in').map((person) => oneLine(nameOf(person)))
  return text.line(what, listOf(names))
}

function listOf(names: readonly string[]): string {
  const rest = names.length - NAMES
  const shown = rest > 0 ? [...names.slice(0, NAMES), text.more(rest)] : names
  return new Intl.ListFormat('en-GB').format(shown)
}

/** Names can be any text; one with a line break would look like a second message. */
function oneLine(name: string): string {
  return name.replace(/\s+/gu, ' ').trim()
}
