/**
 * A library as bytes, as it is stored. Version 1:
 *
 * | bytes    | what                                                                                      |
 * |----------|-------------------------------------------------------------------------------------------|
 * | 1        | version, 1                                                                                |
 * | 4        | checksum: FNV-1a of everything behind it, little endian                                   |
 * | varint   | number of games n                                                                         |
 * | n varint | appids, each as its distance from the one before, less 1 (the first from -1)              |
 * | n varint | minutes                                                                                   |
 * | sparse   | recent minutes: how many games have any, then (distance of position less 1, minutes) each |
 * | varint   | latest of all last-played times, 0 when there is none                                     |
 * | sparse   | last played: as above, with (latest - time) in seconds                                    |
 *
 * A varint holds 7 bits a byte, low ones first, the high bit set on all but the last. Real libraries take about
 * 4 bytes a game without last-played times and 8 with them.
 */
import { blankLibrary, type Library } from './library.ts'

const VERSION = 1
const HEADER_BYTES = 5
const UINT32_MAX = 0xffff_ffff

/** Stored bytes that are not a library, or of a version this code does not know. */
export class PackedLibraryError extends Error {
  constructor(message: string) {
    super(`stored library: ${message}`)
    this.name = 'PackedLibraryError'
  }
}

/** Packs a library; {@link unpackLibrary} gives the same one back. */
export function packLibrary(library: Library): Uint8Array {
  const { length, appids, minutes, recentMinutes, lastPlayed } = library
  const writer = new VarintWriter(HEADER_BYTES, length)
  writer.write(length)
  let before = -1
  for (const appid of appids) {
    writer.write(appid - before - 1)
    before = appid
  }
  for (const value of minutes) writer.write(value)
  writeSparse(writer, recentMinutes, (value) => value)
  let latest = 0
  for (const time of lastPlayed) latest = Math.max(latest, time)
  writer.write(latest)
  writeSparse(writer, lastPlayed, (time) => latest - time)

  const bytes = writer.bytes()
  bytes[0] = VERSION
  new DataView(bytes.buffer).setUint32(1, checksum(bytes), true)
  return bytes
}

/**
 * Unpacks a library.
 * @throws PackedLibraryError for damaged bytes and unknown versions; never returns nonsense
 */
export function unpackLibrary(bytes: Uint8Array): Library {
  if (bytes.length < HEADER_BYTES) throw new PackedLibraryError('too short')
  if (bytes[0] !== VERSION) throw new PackedLibraryError(`version ${bytes[0]} is unknown`)
  const stored = (bytes[1]! | (bytes[2]! << 8) | (bytes[3]! << 16) | (bytes[4]! << 24)) >>> 0
  if (stored !== checksum(bytes)) throw new PackedLibraryError('checksum does not match')

  const reader = new VarintReader(bytes, HEADER_BYTES)
  const length = reader.read()
  // Each game takes two bytes at least, so a wild count is refused before memory is taken for it.
  if (length * 2 > bytes.length) throw new PackedLibraryError('more games than bytes')
  const library = blankLibrary(length)
  const { appids, minutes, recentMinutes, lastPlayed } = library
  let appid = -1
  for (let index = 0; index < length; index++) {
    appid += reader.read() + 1
    if (appid > UINT32_MAX) throw new PackedLibraryError('appid out of range')
    appids[index] = appid
  }
  for (let index = 0; index < length; index++) minutes[index] = reader.read()
  readSparse(reader, recentMinutes, (value) => value)
  const latest = reader.read()
  readSparse(reader, lastPlayed, (ago) => latest - ago)
  if (!reader.atEnd()) throw new PackedLibraryError('bytes behind the end')
  return library
}

function writeSparse(writer: VarintWriter, column: Uint32Array, encode: (value: number) => number): void {
  let count = 0
  for (const value of column) if (value > 0) count++
  writer.write(count)
  let before = -1
  for (const [index, value] of column.entries()) {
    if (value === 0) continue
    writer.write(index - before - 1)
    writer.write(encode(value))
    before = index
  }
}

function readSparse(reader: VarintReader, column: Uint32Array, decode: (value: number) => number): void {
  const count = reader.read()
  let index = -1
  for (let read = 0; read < count; read++) {
    index += reader.read() + 1
    if (index >= column.length) throw new PackedLibraryError('position out of range')
    column[index] = decode(reader.read())
  }
}

/** FNV-1a over everything behind the header: any single changed byte changes it. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let index = HEADER_BYTES; index < bytes.length; index++)
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  return hash >>> 0
}

class VarintWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #end: number

  constructor(start: number, games: number) {
    this.#bytes = new Uint8Array(64 + games * 12)
    this.#end = start
  }

  write(value: number): void {
    if (this.#end + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#end++] = (rest & 0x7f) | 0x80
      rest = rest >>> 7
    }
    this.#bytes[this.#end++] = rest
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#end)
  }
}

class VarintReader {
  readonly #bytes: Uint8Array
  #position: number

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#position = start
  }

  read(): number {
    let byte = this.#next()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; shift <= 28; shift += 7) {
      byte = this.#next()
      // Beyond bit 31 a shift would lose bits or turn the sign.
      value = shift === 28 ? value + (byte & 0x7f) * 2 ** 28 : value | ((byte & 0x7f) << shift)
      if (byte < 0x80) {
        if (value > UINT32_MAX) break
        return value
      }
    }
    throw new PackedLibraryError('number out of range')
  }

  atEnd(): boolean {
    return this.#position === this.#bytes.length
  }

  #next(): number {
    const byte = this.#bytes[this.#position++]
    if (byte === undefined) throw new PackedLibraryError('ends too early')
    return byte
  }
}
