/**
 * Lists of games as JSON, built as bytes. What the catalogue says of a game is serialised once and used for as long
 * as it stays the same; objects for JSON.stringify cost several times as much.
 */
import type { FullFace } from '../catalogue/catalogue.ts'
import { ownBytes } from '../storage/recent.ts'

type Opening = 'full' | 'playable'
const openings = new WeakMap<FullFace, Partial<Record<Opening, Buffer>>>()

/** How much of a face each kind of list shows (entities.ts). */
const shown: Record<Opening, (face: FullFace) => object> = {
  full: (face) => face,
  playable: ({ appid, name, image_url, modes }) => ({ appid, name, image_url, modes }),
}

const COMMA = 0x2c
const CLOSING_BRACE = 0x7d

/** A game of a list: its face, and more fields as the inside of a JSON object of figures, such as `"id":1`. */
export type ListedGame = { face: FullFace; fields: string }

/** The JSON text `before[game,game,…]after`, each game its face and its fields, which must not be empty. */
export function gamesText(
  opening: Opening,
  games: readonly ListedGame[],
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Buffer {
  const starts = games.map(({ face }) => openingOf(face, opening))
  let size = Buffer.byteLength(before) + Buffer.byteLength(after) + 2
  for (let index = 0; index < games.length; index++)
    size += starts[index]!.length + games[index]!.fields.length + 2
  const text = Buffer.allocUnsafe(size)
  let end = text.write(`${before}[`)
  for (let index = 0; index < games.length; index++) {
    const start = starts[index]!
    if (index > 0) text[end++] = COMMA
    text.set(start, end)
    end += start.length
    // Figures, times and steam ids: a byte each.
    end += text.write(games[index]!.fields, end, 'latin1')
    text[end++] = CLOSING_BRACE
  }
  end += text.write(`]${after}`, end)
  return text.subarray(0, end)
}

/** The JSON of a face without its closing brace. */
function openingOf(face: FullFace, opening: Opening): Buffer {
  let known = openings.get(face)
  if (!known) openings.set(face, (known = {}))
  return (known[opening] ??= ownBytes(Buffer.from(`${JSON.stringify(shown[opening](face)).slice(0, -1)},`)))
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
