/**
 * Lists of games as JSON, built as bytes. What the catalogue says of a game is serialised once and used for as long
 * as it stays the same, and figures are written digit by digit: a string for each game costs several times as much.
 */
import type { FullFace, ListedGame, PlayableFace } from '../catalogue/catalogue.ts'
import { ownBytes } from '../storage/recent.ts'

type Kind = Exclude<keyof ListedGame, 'face' | 'place'>

/** How a game begins in each kind of list (entities.ts): the last is the first of its figures, still to be filled in. */
const beginnings: Record<Kind, (face: FullFace) => object> = {
  owned: (face) => ({ ...face, id: face.appid, playtime_minutes: 0 }),
  common: (face) => ({ ...playable(face), user_playtime: 0 }),
  shared: (face) => ({ ...playable(face), total_playtime: 0 }),
}

function playable({ appid, name, image_url, modes }: FullFace): PlayableFace {
  return { appid, name, image_url, modes }
}

const [QUOTE, ZERO, OPEN, CLOSE, LIST] = [...Buffer.from('"0{}[')] as [number, number, number, number, number]
const DAY_SECONDS = 86_400
const MIDNIGHT = 'T00:00:00.000Z"'
/** Days since 1970 as text that ends in {@link MIDNIGHT}; 32 bits of seconds have fewer than 50,000. */
const days = new Map<number, Buffer>()

/** Room for what is written sign by sign behind bytes: a figure, a quote, and what closes a game. */
const FIGURE_BYTES = 32
const FIRST_BYTES = 64 * 1024
/** What is kept for the next list; a library of thousands of games gives its memory back. */
const KEPT_BYTES = 1024 * 1024

/** Where lists are put together, one at a time: none waits for anything while it is written. */
let scratch = Buffer.allocUnsafeSlow(FIRST_BYTES)
let end = 0

/** Writes the figures of a game: {@link writeFirst}, then {@link writeNumber}, {@link writeTime}, {@link writeObject}. */
export type WriteFigures = (index: number) => void

/** The name of a figure with what it is when there is nothing to say, `0` or `null`: most figures are just that. */
export type Field = Buffer

/** The name of a number. */
export function numberField(name: string): Field {
  return ownBytes(Buffer.from(`,${JSON.stringify(name)}:0`))
}

/** The name of a time or an object. */
export function nullField(name: string): Field {
  return ownBytes(Buffer.from(`,${JSON.stringify(name)}:null`))
}

/** The JSON text `before[game,game,…]after`, each game its face and what `figures` writes of it. */
export function gamesText(
  kind: Kind,
  games: readonly ListedGame[],
  figures: WriteFigures,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Buffer {
  end = 0
  writeText(before)
  const start = end
  for (let index = 0; index < games.length; index++) {
    writeBytes(beginningOf(games[index]!, kind))
    figures(index)
    scratch[end++] = CLOSE
  }
  openAt(start, LIST)
  writeText(`]${after}`)
  const text = Buffer.from(scratch.subarray(0, end))
  if (scratch.length > KEPT_BYTES) scratch = Buffer.allocUnsafeSlow(FIRST_BYTES)
  return text
}

/** A whole number from 0 on; exact up to 2^53. */
export function writeNumber(field: Field, value: number): void {
  writeBytes(field)
  writeFirst(value)
}

/** The number that the bytes before it name and give as 0. */
export function writeFirst(value: number): void {
  if (value === 0) return
  end--
  writeDigits(value)
}

/** Seconds since 1970 as ISO 8601 text in quotes, as Date writes it; null for 0. */
export function writeTime(field: Field, seconds: number): void {
  writeBytes(field)
  if (seconds === 0) return
  end -= 'null'.length
  scratch[end++] = QUOTE
  const day = Math.floor(seconds / DAY_SECONDS)
  writeBytes(dayText(day))
  const rest = seconds - day * DAY_SECONDS
  const hour = Math.floor(rest / 3600)
  const minute = Math.floor(rest / 60) - hour * 60
  const clock = end - MIDNIGHT.length
  setTwoDigits(clock + 1, hour)
  setTwoDigits(clock + 4, minute)
  setTwoDigits(clock + 7, rest - hour * 3600 - minute * 60)
}

/** An object of numbers. */
export function writeObject(field: Field, fields: readonly Field[], values: readonly number[]): void {
  writeBytes(field)
  end -= 'null'.length
  const start = end
  for (let index = 0; index < fields.length; index++) writeNumber(fields[index]!, values[index]!)
  openAt(start, OPEN)
  scratch[end++] = CLOSE
}

/** Each item brings a comma before it; the first one's becomes the bracket. */
function openAt(start: number, bracket: number): void {
  if (end === start) end++
  scratch[start] = bracket
}

/** JSON without its closing brace, a comma before it. */
function beginningOf(game: ListedGame, kind: Kind): Buffer {
  return (game[kind] ??= ownBytes(
    Buffer.from(`,${JSON.stringify(beginnings[kind](game.face)).slice(0, -1)}`),
  ))
}

function dayText(day: number): Buffer {
  let text = days.get(day)
  if (text === undefined) {
    const date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length)
    text = ownBytes(Buffer.from(date + MIDNIGHT))
    days.set(day, text)
  }
  return text
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

function setTwoDigits(at: number, value: number): void {
  const tens = Math.floor(value / 10)
  scratch[at] = ZERO + tens
  scratch[at + 1] = ZERO + value - tens * 10
}
