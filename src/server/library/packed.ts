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
 * packing.ts has the checksum and varints. Real libraries take about 3.4 bytes per game without last-played times
 * and 7 with them.
 */
import type { Library } from './library.ts'
import {
  finishPacking,
  finishUnpacking,
  PackedError,
  readVarint,
  type Source,
  startPacking,
  startUnpacking,
  type Target,
  UINT32_MAX,
  VARINT32_MAX_BYTES,
  writeVarint,
} from './packing.ts'

const FORMAT = 'library'
const VERSION = 1
/** Appid, minutes, and an index distance and a value in each of the two sparse columns. */
const VARINTS_PER_GAME_MAX = 6

/**
 * Packs a library; {@link unpackLibrary} is the inverse.
 * @throws RangeError when the appids are not ascending from 1, which could not be unpacked again
 */
export function packLibrary(library: Library): Uint8Array {
  const { length, appids, minutes, recentMinutes, lastPlayed } = library
  const target = startPacking((4 + VARINTS_PER_GAME_MAX * length) * VARINT32_MAX_BYTES)
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

  return finishPacking(target, VERSION)
}

/**
 * Unpacks a library.
 * @throws PackedError for damaged bytes and unknown versions
 */
export function unpackLibrary(bytes: Uint8Array): Library {
  const source = startUnpacking(bytes, VERSION, FORMAT)
  const length = readVarint(source)
  // Each game takes at least two bytes, so a count that is too large is refused before memory is allocated for it.
  if (length * 2 > bytes.length) throw new PackedError(FORMAT, 'more games than bytes')
  // One buffer takes less memory than four.
  const columns = new Uint32Array(4 * length)
  const columnAt = (nth: number) => columns.subarray(nth * length, (nth + 1) * length)
  const [appids, minutes, recentMinutes, lastPlayed] = [columnAt(0), columnAt(1), columnAt(2), columnAt(3)]
  let appid = 0
  for (let index = 0; index < length; index++) {
    appid += readVarint(source) + 1
    if (appid > UINT32_MAX) throw new PackedError(FORMAT, 'appid out of range')
    appids[index] = appid
  }
  for (let index = 0; index < length; index++) minutes[index] = readVarint(source)
  readSparse(source, recentMinutes, (value) => value)
  const latest = readVarint(source)
  readSparse(source, lastPlayed, (ago) => latest - ago)
  finishUnpacking(source)
  return { length, appids, minutes, recentMinutes, lastPlayed }
}

function writeSparse(target: Target, column: Uint32Array, encode: (value: number) => number): void {
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

function readSparse(source: Source, column: Uint32Array, decode: (value: number) => number): void {
  const count = readVarint(source)
  let index = -1
  for (let read = 0; read < count; read++) {
    index += readVarint(source) + 1
    if (index >= column.length) throw new PackedError(FORMAT, 'position out of range')
    const value = decode(readVarint(source))
    if (value < 1) throw new PackedError(FORMAT, 'listed without a value')
    column[index] = value
  }
}
