/**
 * The stored binary format of a library. Version 1:
 *
 * | bytes    | what                                                                                      |
 * |----------|-------------------------------------------------------------------------------------------|
 * | 1        | version, 1                                                                                |
 * | 4        | checksum: FNV-1a of everything after it, little endian                                    |
 * | varint   | number of games n                                                                         |
 * | n varint | appids, each as the difference to the one before, minus 1 (the first to 0)                |
 * | n varint | minutes                                                                                   |
 * | sparse   | recent minutes: number of games that have any, then per game (index distance - 1, value)  |
 * | varint   | latest of all last-played times, 0 when there is none                                     |
 * | sparse   | last played: as above, with latest - time (seconds) as the value                          |
 *
 * A varint holds 7 bits per byte, low bits first, with the high bit set on all bytes but the last. Real libraries take
 * about 3.4 bytes per game without last-played times and 7 with them.
 */
import type { Library, Playtimes } from './library.ts'

const VERSION = 1
const HEADER_BYTES = 5
const UINT32_MAX = 0xffff_ffff
/** Longest varint of a 32-bit number. */
const VARINT_MAX_BYTES = 5
/** Appid, minutes, and an index distance and a value in each of the two sparse columns. */
const VARINTS_PER_GAME_MAX = 6

/** Stored bytes that are damaged, or of a version that this code does not know. */
export class PackedLibraryError extends Error {
  constructor(message: string) {
    super(`stored library: ${message}`)
    this.name = 'PackedLibraryError'
  }
}

/**
 * Packs a library; {@link unpackLibrary} is the inverse.
 * @throws RangeError when the appids are not ascending from 1, which could not be unpacked again
 */
export function packLibrary(library: Library): Uint8Array {
  const { length, appids, minutes, recentMinutes, lastPlayed } = library
  const target: Cursor = {
    bytes: new Uint8Array(HEADER_BYTES + (4 + VARINTS_PER_GAME_MAX * length) * VARINT_MAX_BYTES),
    position: HEADER_BYTES,
  }
  writeVarint(target, length)
  let before = 0
  for (const appid of appids) {
    if (appid <= before) throw new RangeError('appids of a library must ascend from 1')
    writeVarint(target, appid - before - 1)
    before = appid
  }
  for (const value of minutes) writeVarint(target, value)
  writeSparse(target, recentMinutes, (value) => value)
  let latest = 0
  for (const time of lastPlayed) latest = Math.max(latest, time)
  writeVarint(target, latest)
  writeSparse(target, lastPlayed, (time) => latest - time)

  const bytes = target.bytes.slice(0, target.position)
  bytes[0] = VERSION
  writeChecksum(bytes, checksum(bytes))
  return bytes
}

/**
 * Unpacks a library.
 * @throws PackedLibraryError for damaged bytes and unknown versions
 */
export function unpackLibrary(bytes: Uint8Array): Library {
  const { source, playtimes } = openPacked(bytes)
  const { length } = playtimes
  const recentMinutes = new Uint32Array(length)
  const lastPlayed = new Uint32Array(length)
  readSparse(source, recentMinutes, (value) => value)
  const latest = readVarint(source)
  readSparse(source, lastPlayed, (ago) => latest - ago)
  if (source.position !== bytes.length) throw new PackedLibraryError('bytes after the end')
  return { ...playtimes, recentMinutes, lastPlayed }
}

/**
 * Unpacks only appids and minutes, which takes half the time and memory and is all that operations on several libraries
 * need.
 * @throws PackedLibraryError as {@link unpackLibrary}
 */
export function unpackPlaytimes(bytes: Uint8Array): Playtimes {
  return openPacked(bytes).playtimes
}

/** Checks the header and reads the first two columns; `source` is then at the start of the others. */
function openPacked(bytes: Uint8Array): { source: Cursor; playtimes: Playtimes } {
  if (bytes.length < HEADER_BYTES) throw new PackedLibraryError('too short')
  if (bytes[0] !== VERSION) throw new PackedLibraryError(`version ${bytes[0]} is unknown`)
  if (readChecksum(bytes) !== checksum(bytes)) throw new PackedLibraryError('checksum does not match')

  const source: Cursor = { bytes, position: HEADER_BYTES }
  const length = readVarint(source)
  // Each game takes at least two bytes, so a count that is too large is refused before memory is allocated for it.
  if (length * 2 > bytes.length) throw new PackedLibraryError('more games than bytes')
  const appids = new Uint32Array(length)
  const minutes = new Uint32Array(length)
  let appid = 0
  for (let index = 0; index < length; index++) {
    appid += readVarint(source) + 1
    if (appid > UINT32_MAX) throw new PackedLibraryError('appid out of range')
    appids[index] = appid
  }
  for (let index = 0; index < length; index++) minutes[index] = readVarint(source)
  return { source, playtimes: { length, appids, minutes, numbers: undefined } }
}

/** Position of reading or writing. */
type Cursor = { readonly bytes: Uint8Array; position: number }

function writeSparse(target: Cursor, column: Uint32Array, encode: (value: number) => number): void {
  let count = 0
  for (const value of column) if (value > 0) count++
  writeVarint(target, count)
  let before = -1
  for (let index = 0; index < column.length; index++) {
    const value = column[index]!
    if (value === 0) continue
    writeVarint(target, index - before - 1)
    writeVarint(target, encode(value))
    before = index
  }
}

function readSparse(source: Cursor, column: Uint32Array, decode: (value: number) => number): void {
  const count = readVarint(source)
  let index = -1
  for (let read = 0; read < count; read++) {
    index += readVarint(source) + 1
    if (index >= column.length) throw new PackedLibraryError('position out of range')
    const value = decode(readVarint(source))
    if (value < 1) throw new PackedLibraryError('listed without a value')
    column[index] = value
  }
}

/** FNV-1a of everything after the header; a change of any single byte changes it. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let index = HEADER_BYTES; index < bytes.length; index++)
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  return hash >>> 0
}

function readChecksum(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true)
}

function writeChecksum(bytes: Uint8Array, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(1, value, true)
}

function writeVarint(target: Cursor, value: number): void {
  let rest = value
  while (rest > 0x7f) {
    target.bytes[target.position++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  target.bytes[target.position++] = rest
}

function readVarint(source: Cursor): number {
  let value = 0
  // Multiplication instead of a shift, which would set the sign bit at bit 31.
  for (let scale = 1; scale < 2 ** (7 * VARINT_MAX_BYTES); scale *= 2 ** 7) {
    const byte = nextByte(source)
    value += (byte & 0x7f) * scale
    if (byte > 0x7f) continue
    if (value > UINT32_MAX) break
    return value
  }
  throw new PackedLibraryError('number out of range')
}

function nextByte(source: Cursor): number {
  const byte = source.bytes[source.position++]
  if (byte === undefined) throw new PackedLibraryError('ends too early')
  return byte
}
