/**
 * Lists of games as JSON, written as bytes: what the catalogue says of a game is serialised once, and numbers are
 * written digit by digit. Building objects and strings for each row takes several times as long.
 */
import type { GameDetails, ListedGame } from '../catalogue/catalogue.ts'
import { ownBytes } from '../cache/lru-cache.ts'

/** `number`: a whole number from 0 to 2^53. `time`: seconds since 1970, written as ISO 8601; 0 is written as null. */
export type Column = { name: string; type: 'number' | 'time' }

/** What each row of a list of games consists of. */
export type RowFormat = {
  /** What the catalogue says of a game, as the row shows it. */
  game: (face: GameDetails) => object
  /** Values that the row adds, in this order; at least one. */
  columns: readonly [Column, ...Column[]]
  /** The name of an object of numbers that ends the row; its keys are given with the list. */
  object?: string
}

/** Writes the values of row `index`: one for each column, then one for each key of the object. */
export type FillRow = (index: number, values: Float64Array) => void

/** Games in their order, prepared by {@link GameListWriter.list}. */
export type GameList = {
  readonly games: readonly ListedGame[]
  /** What stands before each value of the object. */
  readonly keyTexts: readonly Buffer[]
  /** Where the prefixes of the games stand: from, to, from, to, … */
  readonly spans: Uint32Array
  /** Generation of the prefixes that `spans` speaks of. */
  generation: number
}

/** Room for lists; a longer one makes the memory grow and gives it back. */
const LIST_BYTES = 1024 * 1024
/** Room for prefixes, those of some 40,000 games. When it is full all are written again as they are needed. */
const PREFIX_BYTES = 16 * 1024 * 1024
/** Longest value: a time in quotes. */
const VALUE_BYTES = 26
/** Values written before other requests have their turn; they take about ten milliseconds. */
const VALUES_PER_SLICE = 40_000
/** Writing the prefix of a row takes as long as so many values. */
const PREFIX_VALUES = 10

const [ZERO, CLOSE, COMMA] = [...Buffer.from('0},')] as [number, number, number]
const NULL = Buffer.from('null')
const DAY_SECONDS = 86_400
/** Days since 1970 as the text before the time of day; 32 bits of seconds have fewer than 50,000. */
const days = new Map<number, Buffer>()

/**
 * Writes lists of one format. Prefixes, each the JSON of a game up to its first value, stand in one piece of memory
 * and the list is put together behind them: with a Buffer for each game, a fifth of a request was spent on waiting for memory.
 */
export class GameListWriter {
  readonly #format: RowFormat
  /** Text between the value of column `from - 1` and that of column `to`, all columns between being empty: [from][to]. */
  readonly #between: Buffer[][]
  /** Text after the value of column `from - 1`, all later columns being empty: [from]. */
  readonly #rest: Buffer[]
  #memory = Buffer.allocUnsafeSlow(LIST_BYTES)
  #prefixesEnd = 0
  #prefixes = new Map<ListedGame, { from: number; to: number }>()
  #generation = 1

  constructor(format: RowFormat) {
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

  /** Prepares a list; worth holding on to when it is written again. `keys`: of the object of every row. */
  list(games: readonly ListedGame[], keys: readonly string[] = []): GameList {
    const keyTexts = keys.map((key, index) => bytesOf(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`))
    return { games, keyTexts, spans: new Uint32Array(2 * games.length), generation: 0 }
  }

  /**
   * The JSON text `before[row,row,…]after`. Long lists are written in slices, so that other requests have their turn:
   * `fill` must give the same values however late it is called.
   */
  async write(list: GameList, fill: FillRow, { before = '', after = '' } = {}): Promise<Buffer> {
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
    if (this.#prefixesEnd > PREFIX_BYTES) this.#forgetPrefixes()
    if (list.generation !== this.#generation) this.#findPrefixes(list)
    const start = this.#prefixesEnd
    const head = Buffer.from(before)
    this.#makeRoom(start, head.length)
    this.#memory.set(head, start)
    let end = this.#rows(list, fill, rows, start + head.length)
    const tail = Buffer.from(after)
    this.#makeRoom(end, tail.length)
    this.#memory.set(tail, end)
    end += tail.length
    const text = Buffer.from(this.#memory.subarray(start, end))
    if (this.#memory.length > 2 * (start + LIST_BYTES)) this.#resize(start + LIST_BYTES, start)
    return text
  }

  /** Writes rows from `end` on, a comma between them; returns where they end. */
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
        this.#makeRoom(end, prefixEnd - prefix + most)
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

  #forgetPrefixes(): void {
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
    const { game: shown, columns } = this.#format
    const fields = JSON.stringify(shown(game.details)).slice(0, -1)
    const text = Buffer.from(`${fields},${JSON.stringify(columns[0].name)}:`)
    const from = this.#prefixesEnd
    this.#makeRoom(from, text.length)
    this.#memory.set(text, from)
    const prefix = { from, to: from + text.length }
    this.#prefixesEnd = prefix.to
    this.#prefixes.set(game, prefix)
    return prefix
  }

  /** Has at least so many bytes behind `end`. */
  #makeRoom(end: number, bytes: number): void {
    if (end + bytes > this.#memory.length) this.#resize(2 * (this.#memory.length + bytes), end)
  }

  /** Keeps what stands before `end`. */
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

/** As Date writes it. */
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

/** Midnight of a day, in quotes. */
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
