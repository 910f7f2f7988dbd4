/**
 * The stored binary format of a friend list. Version 1:
 *
 * | bytes    | what                                                                                         |
 * |----------|----------------------------------------------------------------------------------------------|
 * | 1        | version, 1                                                                                   |
 * | 4        | checksum: FNV-1a of everything after it, little endian                                       |
 * | varint   | number of friends n                                                                          |
 * | n varint | account numbers, ascending, each as the difference to the one before, minus 1 (the first to 0) |
 * | varint   | unit of the times in milliseconds: 1000 or 1, or 0 when none is known and nothing follows    |
 * | varint   | latest of all times                                                                          |
 * | n varint | since when they are friends: 0 when that is not known, else latest - time + 1                |
 *
 * An account number is the last 32 bits of a steam id. Steam ids of individual accounts, the only ones that are stored
 * (OID-6), differ in nothing else. packing.ts has the checksum and varints. A friend takes 4 bytes where friends
 * are spread over all accounts, and about 4 more with the time in whole seconds, as Steam has it.
 */
import type { SteamId } from '#shared/entities.ts'
import {
  finishPacking,
  finishUnpacking,
  PackedError,
  readVarint,
  type Source,
  startPacking,
  startUnpacking,
  UINT32_MAX,
  VARINT32_MAX_BYTES,
  writeVarint,
} from './packing.ts'

const FORMAT = 'friend list'
const VERSION = 1
const SECOND_MS = 1000
const VARINT_MAX_BYTES = 8
/** The last time that a `Date` can hold. */
const TIME_MAX = 8.64e15

/** The steam id of account number 0, which no account has. */
const ACCOUNT_ZERO = 76_561_197_960_265_728n

/** A friend; `since`: when they became friends, in milliseconds since 1970, null when that is not known. */
export type PackedFriend = { steamId: SteamId; since: number | null }

/**
 * Packs friends, in any order; {@link unpackFriends} is the inverse.
 * @throws RangeError for a friend given twice, an id of no individual account, or a time that is not a whole number from 0
 */
export function packFriends(friends: readonly PackedFriend[]): Uint8Array {
  const sorted = friends
    .map(({ steamId, since }) => ({ account: accountOf(steamId), since: validTime(since) }))
    .sort((a, b) => a.account - b.account)
  const target = startPacking((sorted.length + 2) * (VARINT32_MAX_BYTES + VARINT_MAX_BYTES))
  writeVarint(target, sorted.length)
  let before = 0
  for (const { account } of sorted) {
    if (account === before) throw new RangeError('a friend is listed twice')
    writeVarint(target, account - before - 1)
    before = account
  }
  const times = sorted.flatMap(({ since }) => since ?? [])
  const unit = times.every((time) => time % SECOND_MS === 0) ? SECOND_MS : 1
  writeVarint(target, times.length === 0 ? 0 : unit)
  if (times.length > 0) {
    const latest = times.reduce((a, b) => Math.max(a, b)) / unit
    writeVarint(target, latest)
    for (const { since } of sorted) writeVarint(target, since === null ? 0 : latest - since / unit + 1)
  }
  return finishPacking(target, VERSION)
}

/**
 * Unpacks a friend list, in the order of the ids.
 * @throws PackedError for damaged bytes and unknown versions
 */
export function unpackFriends(bytes: Uint8Array): PackedFriend[] {
  const { source, accounts } = openPacked(bytes)
  const friends: PackedFriend[] = Array.from(accounts, (account) => ({ steamId: idOf(account), since: null }))
  const unit = readVarint(source)
  if (unit === 1 || unit === SECOND_MS) readTimes(source, unit, friends)
  else if (unit !== 0) throw new PackedError(FORMAT, `unit ${unit} is unknown`)
  finishUnpacking(source)
  return friends
}

/** Who is on a friend list; `ids` in their order. */
export type FriendSet = { readonly size: number; has(steamId: SteamId): boolean; ids(): SteamId[] }

/**
 * Unpacks a friend list to look up who is on it, in 4 bytes each.
 * @throws PackedError as {@link unpackFriends}
 */
export function unpackFriendSet(bytes: Uint8Array): FriendSet {
  const { accounts } = openPacked(bytes)
  let ids: SteamId[] | undefined
  return {
    size: accounts.length,
    has: (steamId) => isAmong(accounts, numberOf(steamId)),
    ids: () => (ids ??= Array.from(accounts, idOf)),
  }
}

/** Checks the header and reads the account numbers; `source` is then at the times. */
function openPacked(bytes: Uint8Array): { source: Source; accounts: Uint32Array } {
  const source = startUnpacking(bytes, VERSION, FORMAT)
  const length = readVarint(source)
  // Each friend takes at least a byte, so a count that is too large is refused before memory is allocated for it.
  if (length > bytes.length) throw new PackedError(FORMAT, 'more friends than bytes')
  const accounts = new Uint32Array(length)
  let account = 0
  for (let index = 0; index < length; index++) {
    account += readVarint(source) + 1
    if (account > UINT32_MAX) throw new PackedError(FORMAT, 'account number out of range')
    accounts[index] = account
  }
  return { source, accounts }
}

function readTimes(source: Source, unit: number, friends: readonly PackedFriend[]): void {
  const max = Math.floor(Number.MAX_SAFE_INTEGER / unit)
  const latest = readVarint(source, max)
  for (const friend of friends) {
    const value = readVarint(source, Number.MAX_SAFE_INTEGER)
    if (value === 0) continue
    if (value > latest + 1) throw new PackedError(FORMAT, 'time before 1970')
    friend.since = (latest - value + 1) * unit
  }
}

function accountOf(steamId: SteamId): number {
  const account = Number(BigInt(steamId) - ACCOUNT_ZERO)
  if (account < 1 || account > UINT32_MAX) throw new RangeError('not the steam id of an individual account')
  return account
}

/** As {@link accountOf}, faster: a friend list is asked 150 times in one request. */
function numberOf(steamId: SteamId): number {
  return Number(steamId.slice(-ID_DIGITS)) - ID_ZERO + (steamId[6] === '9' ? 0 : 10 ** ID_DIGITS)
}
/** The last digits of an id, and what they are for account number 0; what comes before them is 7656119 or 7656120. */
const ID_DIGITS = 10
const ID_ZERO = Number(ACCOUNT_ZERO % 10n ** 10n)

/** Whether ascending numbers contain one. */
function isAmong(numbers: Uint32Array, wanted: number): boolean {
  let low = 0
  let high = numbers.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = numbers[middle]!
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}

function idOf(account: number): SteamId {
  return String(ACCOUNT_ZERO + BigInt(account))
}

function validTime(since: number | null): number | null {
  if (since !== null && !(Number.isInteger(since) && since >= 0 && since <= TIME_MAX))
    throw new RangeError(`${since} is not a time`)
  return since
}
