/**
 * Lists of games as JSON, built as bytes. What the catalogue says of a game is serialised once and used for as long
 * as it stays the same, and figures are written digit by digit: a string for each game costs several times as much.
 *
 * What was serialised stands in one piece of memory, and lists are put together behind it. With a Buffer for each
 * game the processor waited for the game, the Buffer and the bytes in turn, which was a fifth of a request.
 */
import type { FullFace, ListedGame, PlayableFace } from '../catalogue/catalogue.ts'
import { ownBytes } from '../cache/lru-cache.ts'

type Kind = Exclude<keyof ListedGame, 'face' | 'place' | 'edition'>

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
/** Kept for the next list; a library of thousands of games gives its memory back. */
const ROOM_BYTES = 1024 * 1024
/** Of beginnings, those of some 80,000 games. Then all begin anew: most of it is what games said once. */
const STORED_BYTES = 32 * 1024 * 1024
/** Before a beginning stands its length. */
const LENGTH_BYTES = 4

/** Beginnings, and behind them the list that is put together: one at a time, none waits while it is written. */
let memory = Buffer.allocUnsafeSlow(ROOM_BYTES)
let stored = 0
let end = 0
/** Beginnings of an earlier edition do not stand there any more. */
let edition = 1
const NOT_STORED = -1

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

/** Games of a list in their order. Made once for a list that is written again and again. */
export type GameList = {
  readonly kind: Kind
  readonly games: readonly ListedGame[]
  /** Where their beginnings stand, from, to, from, to, …; in which edition. */
  spans: Uint32Array
  edition: number
}

/** These games, as such a list shows them. */
export function gameList(kind: Kind, games: readonly ListedGame[]): GameList {
  return { kind, games, spans: new Uint32Array(2 * games.length), edition: 0 }
}

/** The JSON text `before[game,game,…]after`, each game its beginning and what `figures` writes of it. */
export function gamesText(
  list: GameList,
  figures: WriteFigures,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Buffer {
  if (stored > STORED_BYTES) beginAnew()
  if (list.edition !== edition) findBeginnings(list)
  const { spans } = list
  end = stored
  writeText(before)
  const start = end
  for (let index = 0; index < spans.length / 2; index++) {
    writeStored(spans[2 * index]!, spans[2 * index + 1]!)
    figures(index)
    memory[end++] = CLOSE
  }
  openAt(start, LIST)
  writeText(`]${after}`)
  const text = Buffer.from(memory.subarray(stored, end))
  if (memory.length > 2 * (stored + ROOM_BYTES)) resize(stored + ROOM_BYTES)
  return text
}

/** What is written before others have their turn, in games of one figure: some ten milliseconds. */
const WRITTEN_AT_ONCE = 40_000

/** As {@link gamesText} for a list of any length, whose games have `figuresEach`: long ones are written in slices. */
export async function longGamesText(
  list: GameList,
  figuresEach: number,
  figures: WriteFigures,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Promise<Buffer> {
  const games = Math.ceil(WRITTEN_AT_ONCE / (figuresEach + 10))
  if (list.games.length <= games) return gamesText(list, figures, { before, after })
  const parts: Uint8Array[] = [Buffer.from(`${before}[`)]
  for (let from = 0; from < list.games.length; from += games) {
    if (from > 0) parts.push(Buffer.from(','))
    const slice = gameList(list.kind, list.games.slice(from, from + games))
    // Without its brackets.
    parts.push(gamesText(slice, (index) => figures(from + index)).subarray(1, -1))
    await new Promise(setImmediate)
  }
  return Buffer.concat([...parts, Buffer.from(`]${after}`)])
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
  memory[end++] = QUOTE
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
  memory[end++] = CLOSE
}

/** Each item brings a comma before it; the first one's becomes the bracket. */
function openAt(start: number, bracket: number): void {
  if (end === start) end++
  memory[start] = bracket
}

function beginAnew(): void {
  stored = 0
  edition++
}

function findBeginnings(list: GameList): void {
  const { kind, games, spans } = list
  for (let index = 0; index < games.length; index++) {
    const start = startOf(games[index]!, kind)
    spans[2 * index] = start + LENGTH_BYTES
    spans[2 * index + 1] = start + LENGTH_BYTES + memory.readUInt32LE(start)
  }
  list.edition = edition
}

function startOf(game: ListedGame, kind: Kind): number {
  if (game.edition !== edition) {
    game.edition = edition
    game.owned = game.common = game.shared = NOT_STORED
  }
  if (game[kind] === NOT_STORED) game[kind] = store(beginnings[kind](game.face))
  return game[kind]
}

/** Stores JSON without its closing brace, a comma before it; returns where. */
function store(beginning: object): number {
  const start = stored
  const text = Buffer.from(`,${JSON.stringify(beginning).slice(0, -1)}`)
  end = start
  makeRoom(LENGTH_BYTES + text.length)
  end = memory.writeUInt32LE(text.length, start)
  writeBytes(text)
  stored = end
  return start
}

function writeStored(from: number, to: number): void {
  makeRoom(to - from)
  memory.copyWithin(end, from, to)
  end += to - from
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

function writeBytes(bytes: Buffer): void {
  makeRoom(bytes.length)
  memory.set(bytes, end)
  end += bytes.length
}

function writeText(text: string): void {
  writeBytes(Buffer.from(text))
}

/** Leaves room for a figure behind the bytes, so that figures need not look. */
function makeRoom(bytes: number): void {
  if (end + bytes + FIGURE_BYTES > memory.length) resize(2 * (memory.length + bytes))
}

function resize(bytes: number): void {
  const other = Buffer.allocUnsafeSlow(bytes)
  other.set(memory.subarray(0, Math.min(end, bytes)))
  memory = other
}

function writeDigits(value: number): void {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  let rest = value
  for (let at = end + digits - 1; at >= end; at--) {
    const tens = Math.floor(rest / 10)
    memory[at] = ZERO + (rest - tens * 10)
    rest = tens
  }
  end += digits
}

function setTwoDigits(at: number, value: number): void {
  const tens = Math.floor(value / 10)
  memory[at] = ZERO + tens
  memory[at + 1] = ZERO + value - tens * 10
}
