/**
 * Lists of games as JSON text. What the catalogue says of a game is serialised once and used for as long as it
 * stays the same; a list of objects for JSON.stringify costs several times as much.
 */
import type { FullFace } from '../catalogue/catalogue.ts'

type Opening = 'full' | 'playable'
const openings = new WeakMap<FullFace, Partial<Record<Opening, string>>>()

/** How much of a face each kind of list shows (entities.ts). */
const shown: Record<Opening, (face: FullFace) => object> = {
  full: (face) => face,
  playable: ({ appid, name, image_url, modes }) => ({ appid, name, image_url, modes }),
}

/**
 * One game of a list: its face and `fields`, which is the inside of a JSON object such as `"id":1` and must not be
 * empty.
 */
export function gameText(face: FullFace, opening: Opening, fields: string): string {
  let known = openings.get(face)
  if (!known) openings.set(face, (known = {}))
  const start = (known[opening] ??= `${JSON.stringify(shown[opening](face)).slice(0, -1)},`)
  return `${start}${fields}}`
}

const DAY_SECONDS = 86_400
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
/** Dates by their day since 1970; 32 bits of seconds have fewer than 50,000. */
const dates = new Map<number, string>()

/** Seconds since 1970 as ISO 8601 text in quotes, as Date writes it; null for 0. A list has one for every game. */
export function timeText(seconds: number): string {
  if (seconds === 0) return 'null'
  const day = Math.floor(seconds / DAY_SECONDS)
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)
    dates.set(day, date)
  }
  const rest = seconds - day * DAY_SECONDS
  const hours = twoDigits[Math.floor(rest / 3600)]!
  const minutes = twoDigits[Math.floor(rest / 60) % 60]!
  return `"${date}T${hours}:${minutes}:${twoDigits[rest % 60]!}.000Z"`
}
