import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryLibrary, UINT32_MAX } from '../../../tests/support/arbitrary-libraries.ts'
import {
  acceptedChanges,
  acceptedLengths,
  arbitraryBody,
  stored,
  unpacked,
} from '../../../tests/support/packed-bytes.ts'
import { blankLibrary, gamesIn, libraryFrom } from './library.ts'
import {
  PackedError,
  type PackedFriend,
  packFriends,
  packLibrary,
  unpackFriends,
  unpackFriendSet,
  unpackLibrary,
} from './packed.ts'

/** Three games that use every part of the format. */
const small = libraryFrom([
  { appid: 10, minutes: 127, recentMinutes: 0, lastPlayed: 0 },
  { appid: 440, minutes: 300, recentMinutes: 5, lastPlayed: 1_700_000_000 },
  { appid: UINT32_MAX, minutes: UINT32_MAX, recentMinutes: 0, lastPlayed: 1_699_999_000 },
])
// prettier-ignore
const smallBody = [
  3, // games
  9, 0xad, 0x03, 0xc6, 0xfc, 0xff, 0xff, 0x0f, // appids: 10 - 0 - 1, 440 - 10 - 1, 2^32 - 1 - 440 - 1
  127, 0xac, 0x02, 0xff, 0xff, 0xff, 0xff, 0x0f, // minutes
  1, 1, 5, // one game has recent minutes: one is skipped, 5 minutes
  0x80, 0xe2, 0xcf, 0xaa, 0x06, // last played of all: 1,700,000,000
  2, 1, 0, 0, 0xe8, 0x07, // two were ever played: one is skipped, 0 s before; the next, 1,000 s before
]

describe('packing and unpacking', () => {
  test('gives the same library', () => {
    fc.assert(
      fc.property(arbitraryLibrary, (library) => {
        expect(unpackLibrary(packLibrary(library))).toEqual(library)
      }),
      { numRuns: 500 },
    )
  })

  test('uses version 1 of the format, byte by byte, so that stored libraries stay readable', () => {
    expect([...packLibrary(small)]).toEqual([...stored(smallBody)])
    expect([...gamesIn(unpackLibrary(stored(smallBody)))]).toEqual([...gamesIn(small)])
  })

  test('reads from the middle of a larger buffer, as database drivers return it', () => {
    const packed = packLibrary(small)
    const around = new Uint8Array(packed.length + 20).fill(0xee)
    around.set(packed, 7)
    expect(unpackLibrary(around.subarray(7, 7 + packed.length))).toEqual(small)
    expect(unpackLibrary(Buffer.from(around.buffer, 7, packed.length))).toEqual(small)
  })

  test.each([[[0]], [[5, 5]], [[5, 4]], [[1, 9, 8]]])('refuses to pack the appids %j', (appids) => {
    const library = { ...blankLibrary(appids.length), appids: Uint32Array.from(appids) }
    expect(() => packLibrary(library)).toThrow(new RangeError('appids of a library must ascend from 1'))
  })
})

describe('damaged bytes are refused', () => {
  test('when any single byte is changed to any other', () => {
    expect(acceptedChanges(packLibrary(small), unpackLibrary)).toEqual([])
  })

  test('when truncated anywhere, or with bytes appended', () => {
    fc.assert(
      fc.property(arbitraryLibrary, fc.uint8Array({ minLength: 1, maxLength: 6 }), (library, more) => {
        expect(acceptedLengths(packLibrary(library), more, unpackLibrary)).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['no bytes', new Uint8Array(0), 'too short'],
    ['less than a header', Uint8Array.of(1, 0, 0, 0), 'too short'],
    ['another version', Uint8Array.of(2, 0, 0, 0, 0), 'version 2 is unknown'],
    ['an empty body', stored([]), 'ends too early'],
    ['a wrong checksum', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0), 'checksum does not match'],
    ['a count far larger than the bytes', stored([0xff, 0xff, 0xff, 0xff, 0x0f]), 'more games than bytes'],
    ['a count just larger than the bytes', stored([5, 0, 0, 0]), 'more games than bytes'],
    ['a count that fits, with games missing', stored([4, 0, 0]), 'ends too early'],
    ['an appid of 2^32', stored([2, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0]), 'appid out of range'],
    ['minutes of 2^32', stored([1, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0]), 'number out of range'],
    ['an endless number', stored([1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0]), 'number out of range'],
    ['recent minutes after the last game', stored([1, 0, 0, 1, 1, 5, 0, 0]), 'position out of range'],
    [
      'recent minutes of more games than there are',
      stored([1, 0, 0, 2, 0, 5, 0, 5]),
      'position out of range',
    ],
    ['recent minutes of 0 for a listed game', stored([1, 0, 0, 1, 0, 0, 0, 0]), 'listed without a value'],
    ['a time of 1970, which means never', stored([1, 0, 0, 0, 9, 1, 0, 9]), 'listed without a value'],
    ['a time before 1970', stored([1, 0, 0, 0, 9, 1, 0, 10]), 'listed without a value'],
    ['bytes after the end', stored([0, 0, 0, 0, 0]), 'bytes after the end'],
  ])('with the reason: %s', (_, bytes, reason) => {
    expect(() => unpackLibrary(bytes)).toThrow(new PackedError('library', reason))
  })

  test('or give a valid library, even if the checksum is right', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        const library = unpacked(unpackLibrary, stored(body))
        if (!library) return
        expect(libraryFrom(gamesIn(library))).toEqual(library)
      }),
      { numRuns: 2000 },
    )
  })
})

const ACCOUNT_ZERO = 76_561_197_960_265_728n
/** The last time that a `Date` can hold, in milliseconds. */
const TIME_MAX = 8.64e15
/** The first account of which the id begins with 7656120 instead of 7656119. */
const NEXT_HEAD = 2_039_734_272

const idOf = (account: number) => String(ACCOUNT_ZERO + BigInt(account))

const arbitraryAccount = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 1, max: UINT32_MAX }),
  fc.constantFrom(1, 2 ** 31, NEXT_HEAD - 1, NEXT_HEAD, NEXT_HEAD + 1, UINT32_MAX - 1, UINT32_MAX),
)
/** Seconds as Steam has them, any milliseconds, and none. */
const arbitraryTime = fc.oneof(
  fc.integer({ min: 0, max: UINT32_MAX }).map((seconds) => seconds * 1000),
  fc.constant(null),
)
const arbitraryMilliseconds = fc.oneof(
  fc.integer({ min: 0, max: TIME_MAX }),
  fc.constantFrom(0, 1, 999, TIME_MAX),
  fc.constant(null),
)

function arbitraryFriendsWith(since: fc.Arbitrary<number | null>): fc.Arbitrary<PackedFriend[]> {
  return fc.uniqueArray(fc.record({ steamId: arbitraryAccount.map(idOf), since }), {
    selector: ({ steamId }) => steamId,
    maxLength: 40,
  })
}
const arbitraryFriends = fc.oneof(
  arbitraryFriendsWith(arbitraryTime),
  arbitraryFriendsWith(arbitraryMilliseconds),
  arbitraryFriendsWith(fc.constant(null)),
)

const inOrder = (friends: readonly PackedFriend[]) =>
  friends.toSorted((a, b) => (a.steamId < b.steamId ? -1 : 1))

const smallList: PackedFriend[] = [
  { steamId: idOf(UINT32_MAX), since: null },
  { steamId: idOf(300), since: 1_699_999_000_000 },
  { steamId: idOf(10), since: 1_700_000_000_000 },
]
// prettier-ignore
const smallListBody = [
  3, // friends
  9, 0xa1, 0x02, 0xd2, 0xfd, 0xff, 0xff, 0x0f, // accounts: 10 - 0 - 1, 300 - 10 - 1, 2^32 - 1 - 300 - 1
  0xe8, 0x07, // whole seconds
  0x80, 0xe2, 0xcf, 0xaa, 0x06, // latest: 1,700,000,000
  1, 0xe9, 0x07, 0, // 0 s before, 1,000 s before, not known
]

describe('packing and unpacking', () => {
  test('gives the same friends and times, in the order of the ids', () => {
    fc.assert(
      fc.property(arbitraryFriends, (friends) => {
        const packed = packFriends(friends)
        expect(unpackFriends(packed)).toEqual(inOrder(friends))
        expect(unpackFriendSet(packed).ids()).toEqual(inOrder(friends).map(({ steamId }) => steamId))
      }),
      { numRuns: 500 },
    )
  })

  test('says of each player whether they are a friend', () => {
    fc.assert(
      fc.property(arbitraryFriends, arbitraryAccount.map(idOf), (friends, steamId) => {
        const packed = packFriends(friends)
        const set = unpackFriendSet(packed)
        expect(set.size).toBe(friends.length)
        for (const friend of friends) expect(set.has(friend.steamId)).toBe(true)
        expect(set.has(steamId)).toBe(friends.some((friend) => friend.steamId === steamId))
      }),
    )
  })

  test('gives the same list of 2,000 friends, the most that Steam has, in 8 bytes each', () => {
    const friends = Array.from({ length: 2000 }, (_, nth) => ({
      steamId: idOf(1 + ((nth * 2_654_435_761) % UINT32_MAX)),
      since: (1_300_000_000 + ((nth * 7919 * 40_503) % 400_000_000)) * 1000,
    }))
    const packed = packFriends(friends)
    expect(unpackFriends(packed)).toEqual(inOrder(friends))
    expect(packed.length).toBeLessThan(8 * 2000)
  })

  test('uses version 1 of the format, byte by byte, so that stored lists stay readable', () => {
    expect([...packFriends(smallList)]).toEqual([...stored(smallListBody)])
    expect(unpackFriends(stored(smallListBody))).toEqual(inOrder(smallList))
  })

  test('reads from the middle of a larger buffer, as database drivers return it', () => {
    const packed = packFriends(smallList)
    const around = new Uint8Array(packed.length + 20).fill(0xee)
    around.set(packed, 7)
    expect(unpackFriends(around.subarray(7, 7 + packed.length))).toEqual(inOrder(smallList))
    expect(unpackFriendSet(Buffer.from(around.buffer, 7, packed.length)).ids()).toHaveLength(3)
  })

  test.each([
    ['a friend twice', [smallList[0]!, smallList[1]!, smallList[0]!], 'a friend is listed twice'],
    ['account 0', [{ steamId: idOf(0), since: null }], 'not the steam id of an individual account'],
    [
      'an id after all accounts',
      [{ steamId: '76561202255233024', since: null }],
      'not the steam id of an individual account',
    ],
    ['a time before 1970', [{ steamId: idOf(1), since: -1 }], '-1 is not a time'],
    ['part of a millisecond', [{ steamId: idOf(1), since: 0.5 }], '0.5 is not a time'],
    ['a time after all dates', [{ steamId: idOf(1), since: TIME_MAX + 1 }], '8640000000000001 is not a time'],
  ])('refuses to pack %s', (_, friends, reason) => {
    expect(() => packFriends(friends)).toThrow(new RangeError(reason))
  })
})

describe('damaged bytes are refused', () => {
  test('when any single byte is changed to any other', () => {
    expect(acceptedChanges(packFriends(smallList), unpackFriends)).toEqual([])
  })

  test('when truncated anywhere, or with bytes appended', () => {
    fc.assert(
      fc.property(arbitraryFriends, fc.uint8Array({ minLength: 1, maxLength: 6 }), (friends, more) => {
        expect(acceptedLengths(packFriends(friends), more, unpackFriends)).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['no bytes', new Uint8Array(0), 'too short'],
    ['another version', Uint8Array.of(2, 0, 0, 0, 0), 'version 2 is unknown'],
    ['a wrong checksum', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0), 'checksum does not match'],
    ['an empty body', stored([]), 'ends too early'],
    ['a count far larger than the bytes', stored([0xff, 0xff, 0xff, 0xff, 0x0f]), 'more friends than bytes'],
    ['a count that fits, with friends missing', stored([3, 0, 0]), 'ends too early'],
    ['account 2^32', stored([2, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0]), 'account number out of range'],
    ['a difference of 2^32', stored([1, 0x80, 0x80, 0x80, 0x80, 0x10, 0]), 'number out of range'],
    ['no unit', stored([1, 0]), 'ends too early'],
    ['an unknown unit', stored([1, 0, 2, 9, 1]), 'unit 2 is unknown'],
    ['a time before 1970', stored([1, 0, 1, 9, 11]), 'time before 1970'],
    ['no time', stored([1, 0, 1, 9]), 'ends too early'],
    ['bytes after the end', stored([0, 0, 0]), 'bytes after the end'],
  ])('with the reason: %s', (_, bytes, reason) => {
    expect(() => unpackFriends(bytes)).toThrow(new PackedError('friend list', reason))
  })

  test('or give a valid list, even if the checksum is right', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        const friends = unpacked(unpackFriends, stored(body))
        if (!friends) return
        for (const { since } of friends)
          expect(since === null || (Number.isSafeInteger(since) && since >= 0)).toBe(true)
        expect(new Set(friends.map(({ steamId }) => steamId)).size).toBe(friends.length)
      }),
      { numRuns: 2000 },
    )
  })
})
