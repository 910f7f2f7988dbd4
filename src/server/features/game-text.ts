/**
 * Lists of games as JSON, built as bytes. What the catalogue says of a game is serialised once and used for as long
 * as it stays the same, and figures are written digit by digit: a string for each game costs several times as much.
 */
import type { FullFace, ListedGame } from '../catalogue/catalogue.ts'
import { ownBytes } from '../storage/recent.ts'

type Opening = Exclude<keyof ListedGame, 'face'>

/** How much of a game each kind of list shows besides its figures (entities.ts). */
const shown: Record<Opening, (face: FullFace) => object> = {
  owned: (face) => ({ ...face, id: face.appid }),
  playable: ({ appid, name, image_url, modes }) => ({ appid, name, image_url, modes }),
}

const [COMMA, QUOTE, COLON, DOT, ZERO, TIME, UTC, OPEN, CLOSE] = [...Buffer.from(',":.0TZ{}')] as [
  ...[number, number, number, number, number, number, number, number, number],
]
const NULL = Buffer.from('null')
const DAY_SECONDS = 86_400
/** Dates by their day since 1970; 32 bits of seconds have fewer than 50,000. */
const dates = new Map<number, Buffer>()

/** Room for what is written sign by sign behind bytes: a figure or the rest of a time, and what closes a game. */
const FIGURE_BYTES = 32
const FIRST_BYTES = 64 * 1024
/** What is kept for the next list; a library of thousands of games gives its memory back. */
const KEPT_BYTES = 1024 * 1024

/** Where lists are put together, one at a time: none waits for anything while it is written. */
let scratch = Buffer.allocUnsafeSlow(FIRST_BYTES)
let end = 0

/** Writes the figures of a game, each as {@link field} and one of the writers of values below. */
export type WriteFigures = (index: number) => void

/** The name of a figure, ready to be written. */
export type Field = Buffer
export function field(name: string): Field {
  return ownBytes(Buffer.from(`,${JSON.stringify(name)}:`))
}

/** The JSON text `before[game,game,…]after`, each game its face and what `figures` writes of it. */
export function gamesText(
  opening: Opening,
  games: readonly ListedGame[],
  figures: WriteFigures,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Buffer {
  end = 0
  writeText(`${before}[`)
  for (let index = 0; index < games.length; index++) {
    if (index > 0) scratch[end++] = COMMA
    writeBytes(openingOf(games[index]!, opening))
    figures(index)
    scratch[end++] = CLOSE
  }
  writeText(`]${after}`)
  const text = Buffer.from(scratch.subarray(0, end))
  if (scratch.length > KEPT_BYTES) scratch = Buffer.allocUnsafeSlow(FIRST_BYTES)
  return text
}

/** A whole number from 0 on; exact up to 2^53. */
export function writeNumber(name: Field, value: number): void {
  writeBytes(name)
  writeDigits(value)
}

/** Seconds since 1970 as ISO 8601 text in quotes, as Date writes it; null for 0. */
export function writeTime(name: Field, seconds: number): void {
  writeBytes(name)
  if (seconds === 0) return writeBytes(NULL)
  const day = Math.floor(seconds / DAY_SECONDS)
  const rest = seconds - day * DAY_SECONDS
  scratch[end++] = QUOTE
  writeBytes(dateOf(day))
  scratch[end++] = TIME
  writeTwoDigits(Math.floor(rest / 3600))
  scratch[end++] = COLON
  writeTwoDigits(Math.floor(rest / 60) % 60)
  scratch[end++] = COLON
  writeTwoDigits(rest % 60)
  scratch[end++] = DOT
  for (let digit = 0; digit < 3; digit++) scratch[end++] = ZERO
  scratch[end++] = UTC
  scratch[end++] = QUOTE
}

/** An object of figures. */
export function writeObject(name: Field, fields: readonly Field[], values: readonly number[]): void {
  writeBytes(name)
  const start = end
  for (let index = 0; index < fields.length; index++) writeNumber(fields[index]!, values[index]!)
  // Each field brings a comma before it; the first one's becomes the brace.
  if (end === start) end++
  scratch[start] = OPEN
  scratch[end++] = CLOSE
}

/** The JSON of a face without its closing brace. */
function openingOf(game: ListedGame, opening: Opening): Buffer {
  return (game[opening] ??= ownBytes(Buffer.from(JSON.stringify(shown[opening](game.face)).slice(0, -1))))
}

function dateOf(day: number): Buffer {
  let date = dates.get(day)
  if (date === undefined) {
    date = ownBytes(Buffer.from(new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)))
    dates.set(day, date)
  }
  return date
}

/** Leaves room for a figure behind the bytes, so that figures need not look. */
function writeBytes(bytes: Buffer): void {
  if (end + bytes.length + FIGURE_BYTES > scratch.length) grow(bytes.length)
  scratch.set(bytes, end)
  end += bytes.length
}

function writeText(text: string): void {
  writeBytes(Buffer.from(text))
}

function grow(by: number): void {
  const larger = Buffer.allocUnsafeSlow(2 * (scratch.length + by))
  larger.set(scratch.subarray(0, end))
  scratch = larger
}

function writeDigits(value: number): void {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  let rest = value
  for (let at = end + digits - 1; at >= end; at--) {
    const tens = Math.floor(rest / 10)
    scratch[at] = ZERO + (rest - tens * 10)
    rest = tens
  }
  end += digits
}

function writeTwoDigits(value: number): void {
  const tens = Math.floor(value / 10)
  scratch[end++] = ZERO + tens
  scratch[end++] = ZERO + value - tens * 10
}
