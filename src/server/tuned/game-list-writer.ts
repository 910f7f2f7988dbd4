/**
 * Writes lists of games as JSON bytes. The part of a row that comes from the catalogue is serialised once, and numbers
 * are written digit by digit. With strings instead, a library that is not cached takes 1.5 times as long as a whole
 * request.
 */
import type { GameDetails, ListedGame } from '../catalogue/catalogue.ts'
import { ownBytes } from '../cache/lru-cache.ts'
import { RawJson } from '../endpoint-handler.ts'

/** `number`: a whole number from 0 to 2^53. `time`: seconds since 1970, written as ISO 8601; 0 is written as null. */
export type Column = { readonly name: string; readonly type: 'number' | 'time' }

/** The format of a row in a list of games. */
export type RowFormat = {
  /** The fields of the row that come from the catalogue. */
  game: (details: GameDetails) => object
  /** The values that follow them, in this order; at least one. */
  columns: readonly [Column, ...Column[]]
  /** Name of an object of numbers at the end of the row; the list gives its keys. */
  object?: string
}

/** A row of this format, as its JSON is. */
export type RowOf<Format extends RowFormat> = ReturnType<Format['game']> & {
  [Each in Format['columns'][number] as Each['name']]: Each['type'] extends 'number' ? number : string | null
} & (Format extends { object: infer Name extends string } ? Record<Name, Record<string, number>> : unknown)

/** Writes the values of row `index`: one for each column, then one for each key of the object. */
export type FillRow = (index: number, values: Float64Array) => void

/** Games in list order, prepared by {@link GameListWriter.list}. */
export type GameList = {
  readonly games: readonly ListedGame[]
  /** The JSON before each value of the object. */
  readonly keyTexts: readonly Buffer[]
  /** Start and end of each game's prefix in the writer's memory: from, to, from, to, … */
  readonly spans: Uint32Array
  /** The generation of prefixes that `spans` is valid for. */
  generation: number
}

/** Memory for the list being written; it grows for longer lists and shrinks afterwards. */
const LIST_BYTES = 1024 * 1024
/** Memory for the prefixes of about 40,000 games. When it is full, it is emptied and filled again as needed. */
const PREFIX_BYTES = 16 * 1024 * 1024
/** The longest value, a time in quotes. */
const VALUE_BYTES = 26
/** Values written in one slice, before other requests are served: about ten milliseconds. */
const VALUES_PER_SLICE = 40_000
/** Cost of writing a row's prefix, in values. */
const PREFIX_VALUES = 10

const [ZERO, CLOSE, COMMA] = [...Buffer.from('0},')] as [number, number, number]
const NULL = Buffer.from('null')
const DAY_SECONDS = 86_400
/** Midnight of each day as text, by days since 1970; 32 bits of seconds have fewer than 50,000 days. */
const days = new Map<number, Buffer>()

/**
 * Writes lists of one format. One buffer holds the prefixes (each the JSON of a game up to its first value), followed
 * by the list being written. With a Buffer for each game, cache misses took a fifth of a request's time.
 */
export class GameListWriter<const Format extends RowFormat> {
  readonly #format: Format
  /** [from][to]: the JSON between the values of columns `from - 1` and `to`, when all columns in between are empty. */
  readonly #between: Buffer[][]
  /** [from]: the JSON after the value of column `from - 1`, when all later columns are empty. */
  readonly #rest: Buffer[]
  #memory = Buffer.allocUnsafeSlow(LIST_BYTES)
  #prefixesEnd = 0
  #prefixes = new Map<ListedGame, { from: number; to: number }>()
  #generation = 1

  constructor(format: Format) {
    this.#format = format
    const { columns, object } = format
    const end = object === undefined ? '}' : `,${JSON.stringify(object)}:{`
    const emptyFrom = (from: number, to: number) =>
      columns
        .slice(from, to)
        .map(({ name, type }) => `,${JSON.stringify(name)}:${type === 'time' ? 'null' : '0'}`)
        .join('')
    this.#between = columns.map((_, from) =>
      columns.map(({ name }, to) => bytesOf(`${emptyFrom(from, to)},${JSON.stringify(name)}:`)),
    )
    this.#rest = [...columns, undefined].map((_, from) => bytesOf(emptyFrom(from, columns.length) + end))
  }

  /** Prepares a list; callers that write it again should cache it. `keys`: the keys of the object in every row. */
  list(games: readonly ListedGame[], keys: readonly string[] = []): GameList {
    const keyTexts = keys.map((key, index) => bytesOf(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`))
    return { games, keyTexts, spans: new Uint32Array(2 * games.length), generation: 0 }
  }

  /**
   * The list as JSON. Long lists are written in slices, between which other requests are served, so `fill` must give the same
   * values however late it is called.
   * @param total number of rows of which the list has the first ones
   */
  async write(list: GameList, fill: FillRow, total?: number): Promise<RawJson<RowOf<Format>[]>> {
    return new RawJson(await this.#text(list, fill, '', ''), total)
  }

  /** The same in an object that has it as its first field, `name`, before the fields of `rest`. */
  async writeWithin<Name extends string, Rest extends object>(
    list: GameList,
    fill: FillRow,
    { name, rest }: { name: Name; rest: Rest },
  ): Promise<RawJson<Record<Name, RowOf<Format>[]> & Rest>> {
    const after = `,${JSON.stringify(rest).slice(1)}`
    return new RawJson(await this.#text(list, fill, `{${JSON.stringify(name)}:`, after))
  }

  async #text(list: GameList, fill: FillRow, before: string, after: string): Promise<Buffer> {
    const { length } = list.games
    const rows = Math.ceil(
      VALUES_PER_SLICE / (this.#format.columns.length + list.keyTexts.length + PREFIX_VALUES),
    )
    if (length <= rows) return this.#slice(list, fill, { from: 0, to: length }, `${before}[`, `]${after}`)
    const slices: Buffer[] = []
    for (let from = 0; from < length; from += rows) {
      const to = Math.min(length, from + rows)
      slices.push(
        this.#slice(
          list,
          fill,
          { from, to },
          from === 0 ? `${before}[` : ',',
          to === length ? `]${after}` : '',
        ),
      )
      await new Promise(setImmediate)
    }
    return Buffer.concat(slices)
  }

  #slice(
    list: GameList,
    fill: FillRow,
    rows: { from: number; to: number },
    before: string,
    after: string,
  ): Buffer {
    if (this.#prefixesEnd > PREFIX_BYTES) this.#clearPrefixes()
    if (list.generation !== this.#generation) this.#findPrefixes(list)
    const start = this.#prefixesEnd
    const head = Buffer.from(before)
    this.#ensureCapacity(start, head.length)
    this.#memory.set(head, start)
    let end = this.#rows(list, fill, rows, start + head.length)
    const tail = Buffer.from(after)
    this.#ensureCapacity(end, tail.length)
    this.#memory.set(tail, end)
    end += tail.length
    const text = Buffer.from(this.#memory.subarray(start, end))
    if (this.#memory.length > 2 * (start + LIST_BYTES)) this.#resize(start + LIST_BYTES, start)
    return text
  }

  /** Writes rows, separated by commas, at offset `end`; returns the new end. */
  #rows(
    { spans, keyTexts }: GameList,
    fill: FillRow,
    { from, to }: { from: number; to: number },
    end: number,
  ): number {
    const { columns, object } = this.#format
    const width = columns.length
    const isTime = columns.map(({ type }) => type === 'time')
    const values = new Float64Array(width + keyTexts.length)
    let most = 2 + this.#rest[0]!.length + this.#between[0]!.at(-1)!.length
    most += values.length * VALUE_BYTES
    for (const text of keyTexts) most += text.length
    let memory = this.#memory
    for (let row = from; row < to; row++) {
      const [prefix, prefixEnd] = [spans[2 * row]!, spans[2 * row + 1]!]
      if (end + prefixEnd - prefix + most > memory.length) {
        this.#ensureCapacity(end, prefixEnd - prefix + most)
        memory = this.#memory
      }
      if (row > from) memory[end++] = COMMA
      memory.copyWithin(end, prefix, prefixEnd)
      end += prefixEnd - prefix
      fill(row, values)
      end = isTime[0]! ? writeTime(memory, end, values[0]!) : writeDigits(memory, end, values[0]!)
      let written = 1
      for (let column = 1; column < width; column++) {
        const value = values[column]!
        if (value === 0) continue
        end = writeBytes(memory, end, this.#between[written]![column]!)
        end = isTime[column]! ? writeTime(memory, end, value) : writeDigits(memory, end, value)
        written = column + 1
      }
      end = writeBytes(memory, end, this.#rest[written]!)
      if (object === undefined) continue
      for (let key = 0; key < keyTexts.length; key++) {
        end = writeBytes(memory, end, keyTexts[key]!)
        end = writeDigits(memory, end, values[width + key]!)
      }
      memory[end++] = CLOSE
      memory[end++] = CLOSE
    }
    return end
  }

  #clearPrefixes(): void {
    this.#prefixes.clear()
    this.#prefixesEnd = 0
    this.#generation++
  }

  #findPrefixes(list: GameList): void {
    const { games, spans } = list
    for (let index = 0; index < games.length; index++) {
      const { from, to } = this.#prefixes.get(games[index]!) ?? this.#addPrefix(games[index]!)
      spans[2 * index] = from
      spans[2 * index + 1] = to
    }
    list.generation = this.#generation
  }

  #addPrefix(game: ListedGame): { from: number; to: number } {
    const { game: fieldsOf, columns } = this.#format
    const fields = JSON.stringify(fieldsOf(game.details)).slice(0, -1)
    const text = Buffer.from(`${fields},${JSON.stringify(columns[0].name)}:`)
    const from = this.#prefixesEnd
    this.#ensureCapacity(from, text.length)
    this.#memory.set(text, from)
    const prefix = { from, to: from + text.length }
    this.#prefixesEnd = prefix.to
    this.#prefixes.set(game, prefix)
    return prefix
  }

  /** Grows the memory unless it has this many bytes after `end`. */
  #ensureCapacity(end: number, bytes: number): void {
    if (end + bytes > this.#memory.length) this.#resize(2 * (this.#memory.length + bytes), end)
  }

  /** Copies the bytes before `end` into new memory of this size. */
  #resize(bytes: number, end: number): void {
    const other = Buffer.allocUnsafeSlow(bytes)
    other.set(this.#memory.subarray(0, end))
    this.#memory = other
  }
}

function bytesOf(text: string): Buffer {
  return ownBytes(Buffer.from(text))
}

function writeBytes(memory: Buffer, end: number, bytes: Buffer): number {
  memory.set(bytes, end)
  return end + bytes.length
}

function writeDigits(memory: Buffer, end: number, value: number): number {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  let rest = value
  for (let at = end + digits - 1; at >= end; at--) {
    const tens = Math.floor(rest / 10)
    memory[at] = ZERO + (rest - tens * 10)
    rest = tens
  }
  return end + digits
}

/** Writes a time as `Date.toJSON` does, in quotes. */
function writeTime(memory: Buffer, end: number, seconds: number): number {
  if (seconds === 0) return writeBytes(memory, end, NULL)
  const day = Math.floor(seconds / DAY_SECONDS)
  const rest = seconds - day * DAY_SECONDS
  const hour = Math.floor(rest / 3600)
  const minute = Math.floor(rest / 60) - hour * 60
  const start = end
  end = writeBytes(memory, end, dayText(day))
  writeTwoDigits(memory, start + 12, hour)
  writeTwoDigits(memory, start + 15, minute)
  writeTwoDigits(memory, start + 18, rest - hour * 3600 - minute * 60)
  return end
}

/** Midnight of a day as ISO 8601, in quotes. */
function dayText(day: number): Buffer {
  let text = days.get(day)
  if (text === undefined) {
    text = bytesOf(JSON.stringify(new Date(day * DAY_SECONDS * 1000)))
    days.set(day, text)
  }
  return text
}

function writeTwoDigits(memory: Buffer, at: number, value: number): void {
  const tens = Math.floor(value / 10)
  memory[at] = ZERO + tens
  memory[at + 1] = ZERO + value - tens * 10
}
