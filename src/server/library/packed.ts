/**
 * The stored binary formats of libraries and friend lists. Both begin with a version and a checksum of the rest (FNV-1a,
 * little endian), and their numbers are varints: 7 bits per byte, low bits first, with the high bit set on all bytes but
 * the last.
 *
 * | bytes    | of a library                                                                              |
 * |----------|-------------------------------------------------------------------------------------------|
 * | 1        | version, 1                                                                                |
 * | 4        | checksum                                                                                  |
 * | varint   | number of games n                                                                         |
 * | n varint | appids, each as the difference to the one before, minus 1 (the first to 0)                |
 * | n varint | minutes                                                                                   |
 * | sparse   | recent minutes: number of games that have any, then per game (index distance - 1, value)  |
 * | varint   | latest of all last-played times, 0 when there is none                                     |
 * | sparse   | last played: as above, with latest - time (seconds) as the value                          |
 *
 * Real libraries take about 3.4 bytes per game without last-played times and 7 with them.
 *
 * | bytes    | of a friend list                                                                               |
 * |----------|------------------------------------------------------------------------------------------------|
 * | 1        | version, 1                                                                                     |
 * | 4        | checksum                                                                                       |
 * | varint   | number of friends n                                                                            |
 * | n varint | account numbers, ascending, each as the difference to the one before, minus 1 (the first to 0) |
 * | varint   | 0; in older lists since when they are friends follows, which nobody reads                      |
 *
 * An account number is the last 32 bits of a steam id. Steam ids of individual accounts, the only ones that are stored
 * (OID-6), differ in nothing else. A friend takes 4 bytes where friends are spread over all accounts.
 */
import { indexIn, type Library } from './library.ts'
import type { SteamId } from '#shared/entities.ts'

/** Appid, minutes, and an index distance and a value in each of the two sparse columns. */
const VARINTS_PER_GAME_MAX = 6

/**
 * Packs a library; {@link unpackLibrary} is the inverse.
 * @throws RangeError when the appids are not ascending from 1, which could not be unpacked again
 */
export function packLibrary(library: Library): Uint8Array {
  const { length, appids, minutes, recentMinutes, lastPlayed } = library
  const target = startPacking((4 + VARINTS_PER_GAME_MAX * length) * VARINT32_MAX_BYTES)
  writeAscending(target, appids, 'appids of a library must ascend from 1')
  for (const value of minutes) writeVarint(target, value)
  writeSparse(target, recentMinutes, (value) => value)
  let latest = 0
  for (const time of lastPlayed) latest = Math.max(latest, time)
  writeVarint(target, latest)
  writeSparse(target, lastPlayed, (time) => latest - time)

  return finishPacking(target)
}

/**
 * Unpacks a library.
 * @throws PackedError for damaged bytes and unknown versions
 */
export function unpackLibrary(bytes: Uint8Array): Library {
  const source = startUnpacking(bytes, 'library')
  const length = readVarint(source)
  // Each game takes at least two bytes, so a count that is too large is refused before memory is allocated for it.
  if (length * 2 > bytes.length) throw new PackedError('library', 'more games than bytes')
  // One buffer takes less memory than four.
  const columns = new Uint32Array(4 * length)
  const columnAt = (nth: number) => columns.subarray(nth * length, (nth + 1) * length)
  const [appids, minutes, recentMinutes, lastPlayed] = [columnAt(0), columnAt(1), columnAt(2), columnAt(3)]
  readAscending(source, appids, 'appid out of range')
  for (let index = 0; index < length; index++) minutes[index] = readVarint(source)
  readSparse(source, recentMinutes, (value) => value)
  const latest = readVarint(source)
  readSparse(source, lastPlayed, (ago) => latest - ago)
  if (source.position !== bytes.length) throw new PackedError('library', 'bytes after the end')
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
    if (index >= column.length) throw new PackedError('library', 'position out of range')
    const value = decode(readVarint(source))
    if (value < 1) throw new PackedError('library', 'listed without a value')
    column[index] = value
  }
}

/** The version of both formats. */
const VERSION = 1
/** Bytes of version and checksum. */
const HEADER_BYTES = 5
const UINT32_MAX = 0xffff_ffff
/** Longest varint of a 32-bit number. */
const VARINT32_MAX_BYTES = 5

/** Bytes that are being written, and where the next one goes. */
type Target = { readonly bytes: Uint8Array; position: number }

/** Bytes that are being read, and what they are, for errors. */
type Source = { readonly bytes: Uint8Array; position: number; readonly format: string }

/** Stored bytes that are damaged, or of a version that this code does not know. */
export class PackedError extends Error {
  constructor(format: string, reason: string) {
    super(`stored ${format}: ${reason}`)
    this.name = 'PackedError'
  }
}

/** An empty target; `bytesMax`: at most as many are written, besides the header. */
function startPacking(bytesMax: number): Target {
  return { bytes: new Uint8Array(HEADER_BYTES + bytesMax), position: HEADER_BYTES }
}

/** What was written, with its header. */
function finishPacking({ bytes, position }: Target): Uint8Array {
  const packed = bytes.slice(0, position)
  packed[0] = VERSION
  viewOf(packed).setUint32(1, checksum(packed), true)
  return packed
}

/**
 * Checks the header; the source is then at the start of the body.
 * @throws PackedError
 */
function startUnpacking(bytes: Uint8Array, format: string): Source {
  if (bytes.length < HEADER_BYTES) throw new PackedError(format, 'too short')
  if (bytes[0] !== VERSION) throw new PackedError(format, `version ${bytes[0]} is unknown`)
  if (viewOf(bytes).getUint32(1, true) !== checksum(bytes))
    throw new PackedError(format, 'checksum does not match')
  return { bytes, position: HEADER_BYTES, format }
}

/** Writes a whole number from 0 to 2^32 - 1. */
function writeVarint(target: Target, value: number): void {
  let rest = value
  while (rest > 0x7f) {
    target.bytes[target.position++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  target.bytes[target.position++] = rest
}

/**
 * Reads a number from 0 to 2^32 - 1.
 * @throws PackedError when there is none
 */
function readVarint(source: Source): number {
  let value = 0
  // Multiplication instead of a shift, which would set the sign bit at bit 31.
  for (let scale = 1; scale <= UINT32_MAX; scale *= 0x80) {
    const byte = source.bytes[source.position++]
    if (byte === undefined) throw new PackedError(source.format, 'ends too early')
    value += (byte & 0x7f) * scale
    if (byte > 0x7f) continue
    if (value > UINT32_MAX) break
    return value
  }
  throw new PackedError(source.format, 'number out of range')
}

/** Writes how many numbers there are, and each as the difference to the one before. @throws RangeError `problem` */
function writeAscending(target: Target, numbers: Uint32Array, problem: string): void {
  writeVarint(target, numbers.length)
  let before = 0
  for (const number of numbers) {
    if (number <= before) throw new RangeError(problem)
    writeVarint(target, number - before - 1)
    before = number
  }
}

/** Fills `numbers` after their count was read. @throws PackedError `problem` */
function readAscending(source: Source, numbers: Uint32Array, problem: string): void {
  let number = 0
  for (let index = 0; index < numbers.length; index++) {
    number += readVarint(source) + 1
    if (number > UINT32_MAX) throw new PackedError(source.format, problem)
    numbers[index] = number
  }
}

/** FNV-1a of everything after the header; a change of any single byte changes it. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let index = HEADER_BYTES; index < bytes.length; index++)
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  return hash >>> 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset)
}

/** The steam id of account number 0, which no account has. */
const ACCOUNT_ZERO = 76_561_197_960_265_728n

/**
 * Packs the ids of friends, in any order; {@link unpackFriends} is the inverse.
 * @throws RangeError for a friend given twice, or an id of no individual account
 */
export function packFriends(friends: readonly SteamId[]): Uint8Array {
  const accounts = Uint32Array.from(friends, (steamId) => {
    const account = accountOf(steamId)
    if (account < 1 || account > UINT32_MAX) throw new RangeError('not the steam id of an individual account')
    return account
  })
  const target = startPacking((friends.length + 2) * VARINT32_MAX_BYTES)
  writeAscending(target, accounts.sort(), 'a friend is listed twice')
  writeVarint(target, 0)
  return finishPacking(target)
}

/** Who is on a friend list; `ids` in their order. */
export type FriendSet = { readonly size: number; has(steamId: SteamId): boolean; ids(): SteamId[] }

/**
 * Unpacks a friend list to look up who is on it, in 4 bytes each.
 * @throws PackedError for damaged bytes and unknown versions
 */
export function unpackFriends(bytes: Uint8Array): FriendSet {
  const source = startUnpacking(bytes, 'friend list')
  const length = readVarint(source)
  // Each friend takes at least a byte, so a count that is too large is refused before memory is allocated for it.
  if (length > bytes.length) throw new PackedError('friend list', 'more friends than bytes')
  const accounts = new Uint32Array(length)
  readAscending(source, accounts, 'account number out of range')
  let ids: SteamId[] | undefined
  return {
    size: length,
    has: (steamId) => indexIn(accounts, accountOf(steamId)) !== -1,
    ids: () => (ids ??= Array.from(accounts, idOf)),
  }
}

/** Without big numbers, which are slower: a friend list is asked 150 times in one request. */
function accountOf(steamId: SteamId): number {
  return Number(steamId.slice(-ID_DIGITS)) - ID_ZERO + (steamId[6] === '9' ? 0 : 10 ** ID_DIGITS)
}
/** The last digits of an id, and what they are for account number 0; what comes before them is 7656119 or 7656120. */
const ID_DIGITS = 10
const ID_ZERO = Number(ACCOUNT_ZERO % 10n ** 10n)

function idOf(account: number): SteamId {
  return String(ACCOUNT_ZERO + BigInt(account))
}
