import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryLibrary, UINT32_MAX } from '../../../tests/support/arbitrary-libraries.ts'
import { blankLibrary, gamesIn, libraryFrom, type Library } from './library.ts'
import { PackedError, packFriends, packLibrary, unpackFriends, unpackLibrary } from './packed.ts'

type Unpack = (bytes: Uint8Array) => unknown

/** A body as version 1 of a format stores it, after the version and the FNV-1a checksum. */
function stored(body: readonly number[]): Uint8Array {
  const hash = body.reduce((sum, byte) => ((sum ^ BigInt(byte)) * 16_777_619n) & 0xffff_ffffn, 2_166_136_261n)
  const littleEndian = [0n, 8n, 16n, 24n].map((shift) => Number((hash >> shift) & 0xffn))
  return Uint8Array.from([1, ...littleEndian, ...body])
}

/** Bodies of any bytes, often of small ones. */
const arbitraryBody = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.nat(255)), { maxLength: 24 })

/** What `unpack` makes of bytes; undefined when it refuses them as damaged. Other errors are thrown. */
function unpacked<Value>(unpack: (bytes: Uint8Array) => Value, bytes: Uint8Array): Value | undefined {
  try {
    return unpack(bytes)
  } catch (error) {
    if (error instanceof PackedError) return undefined
    throw error
  }
}

const isRefused = (unpack: Unpack, bytes: Uint8Array) => unpacked(unpack, bytes) === undefined

/** The changes of one byte after which `unpack` still accepts the bytes. */
function acceptedChanges(packed: Uint8Array, unpack: Unpack): string[] {
  const accepted: string[] = []
  for (let index = 0; index < packed.length; index++)
    for (let change = 1; change < 256; change++) {
      const damaged = packed.slice()
      damaged[index]! ^= change
      if (!isRefused(unpack, damaged)) accepted.push(`byte ${index} ^ ${change}`)
    }
  return accepted
}

/** The lengths to which bytes can be cut, or with `more` be prolonged, so that `unpack` still accepts them. */
function acceptedLengths(packed: Uint8Array, more: Uint8Array, unpack: Unpack): number[] {
  const longer = Buffer.concat([packed, more])
  const lengths = [...packed.keys(), longer.length]
  return lengths.filter((length) => !isRefused(unpack, longer.subarray(0, length)))
}

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

const ACCOUNT_ZERO = 76_561_197_960_265_728n
/** The first account whose id begins with 7656120 instead of 7656119. */
const NEXT_HEAD = 2_039_734_272

const idOf = (account: number) => String(ACCOUNT_ZERO + BigInt(account))

const arbitraryId = fc
  .oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: UINT32_MAX }),
    fc.constantFrom(1, 2 ** 31, NEXT_HEAD - 1, NEXT_HEAD, NEXT_HEAD + 1, UINT32_MAX - 1, UINT32_MAX),
  )
  .map(idOf)
const arbitraryFriends = fc.uniqueArray(arbitraryId, { maxLength: 40 })

const smallList = [idOf(UINT32_MAX), idOf(300), idOf(10)]
// prettier-ignore
const smallListBody = [
  3, // friends
  9, 0xa1, 0x02, 0xd2, 0xfd, 0xff, 0xff, 0x0f, // accounts: 10 - 0 - 1, 300 - 10 - 1, 2^32 - 1 - 300 - 1
  0, // no times
]

/** Each format with values of every kind, and values that use each part of it, whose bytes are in `smallBody` and `smallListBody`. */
const FORMATS = {
  library: {
    any: arbitraryLibrary as fc.Arbitrary<unknown>,
    small: small as unknown,
    body: smallBody,
    pack: (library: unknown) => packLibrary(library as Library),
    unpack: unpackLibrary as (bytes: Uint8Array) => unknown,
    /** What is unpacked of a packed value. */
    same: (library: unknown) => library,
    isValid: (library: unknown) => expect(libraryFrom(gamesIn(library as Library))).toEqual(library),
  },
  'friend list': {
    any: arbitraryFriends as fc.Arbitrary<unknown>,
    small: smallList as unknown,
    body: smallListBody,
    pack: (friends: unknown) => packFriends(friends as string[]),
    unpack: (bytes: Uint8Array): unknown => unpackFriends(bytes).ids(),
    same: (friends: unknown) => (friends as string[]).toSorted(),
    isValid: (friends: unknown) =>
      expect(new Set(friends as string[]).size).toBe((friends as string[]).length),
  },
}

describe.each(Object.entries(FORMATS))(
  'a packed %s',
  (name, { any, small, body, pack, unpack, same, isValid }) => {
    test('is unpacked as it was', () => {
      fc.assert(
        fc.property(any, (value) => {
          expect(unpack(pack(value))).toEqual(same(value))
        }),
        { numRuns: 500 },
      )
    })

    test('is in version 1 of the format, byte by byte, so that what is stored stays readable', () => {
      expect([...pack(small)]).toEqual([...stored(body)])
      expect(unpack(stored(body))).toEqual(same(small))
    })

    test('is read from the middle of a larger buffer, as database drivers return it', () => {
      const packed = pack(small)
      const around = new Uint8Array(packed.length + 20).fill(0xee)
      around.set(packed, 7)
      expect(unpack(around.subarray(7, 7 + packed.length))).toEqual(same(small))
      expect(unpack(Buffer.from(around.buffer, 7, packed.length))).toEqual(same(small))
    })

    test('is refused when any single byte is changed to any other', () => {
      expect(acceptedChanges(pack(small), unpack)).toEqual([])
    })

    test('is refused when truncated anywhere, or with bytes appended', () => {
      fc.assert(
        fc.property(any, fc.uint8Array({ minLength: 1, maxLength: 6 }), (value, more) => {
          expect(acceptedLengths(pack(value), more, unpack)).toEqual([])
        }),
        { numRuns: 30 },
      )
    })

    test('is refused or valid, even if the checksum of any bytes is right', () => {
      fc.assert(
        fc.property(arbitraryBody, (bytes) => {
          const value = unpacked(unpack, stored(bytes))
          if (value !== undefined) isValid(value)
        }),
        { numRuns: 2000 },
      )
    })

    test.each([
      ['no bytes', new Uint8Array(0), 'too short'],
      ['less than a header', Uint8Array.of(1, 0, 0, 0), 'too short'],
      ['another version', Uint8Array.of(2, 0, 0, 0, 0), 'version 2 is unknown'],
      ['a wrong checksum', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0), 'checksum does not match'],
      ['an empty body', stored([]), 'ends too early'],
    ])('of %s is refused with the reason', (_, bytes, reason) => {
      expect(() => unpack(bytes)).toThrow(new PackedError(name, reason))
    })
  },
)

describe('a library', () => {
  test.each([[[0]], [[5, 5]], [[5, 4]], [[1, 9, 8]]])('of the appids %j is not packed', (appids) => {
    const library = { ...blankLibrary(appids.length), appids: Uint32Array.from(appids) }
    expect(() => packLibrary(library)).toThrow(new RangeError('appids of a library must ascend from 1'))
  })

  test.each([
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
  ])('with %s is refused with the reason', (_, bytes, reason) => {
    expect(() => unpackLibrary(bytes)).toThrow(new PackedError('library', reason))
  })
})

describe('a friend list', () => {
  test('says of each player whether they are a friend', () => {
    fc.assert(
      fc.property(arbitraryFriends, arbitraryId, (friends, steamId) => {
        const set = unpackFriends(packFriends(friends))
        expect(set.size).toBe(friends.length)
        for (const friend of friends) expect(set.has(friend)).toBe(true)
        expect(set.has(steamId)).toBe(friends.includes(steamId))
      }),
    )
  })

  test('takes 4 bytes for each of 2,000 friends, the most that Steam has', () => {
    const friends = Array.from({ length: 2000 }, (_, nth) => idOf(1 + ((nth * 2_654_435_761) % UINT32_MAX)))
    const packed = packFriends(friends)
    expect(unpackFriends(packed).ids()).toEqual(friends.toSorted())
    expect(packed.length).toBeLessThan(4 * 2000)
  })

  test('that was stored with times is read without them', () => {
    const times = [0xe8, 0x07, 0x80, 0xe2, 0xcf, 0xaa, 0x06, 1, 0xe9, 0x07, 0]
    const bytes = stored([...smallListBody.slice(0, -1), ...times])
    expect(unpackFriends(bytes).ids()).toEqual(smallList.toSorted())
  })

  test.each([
    ['a friend twice', [smallList[0]!, smallList[1]!, smallList[0]!], 'a friend is listed twice'],
    ['account 0', [idOf(0)], 'not the steam id of an individual account'],
    ['an id after all accounts', ['76561202255233024'], 'not the steam id of an individual account'],
  ])('refuses to pack %s', (_, friends, reason) => {
    expect(() => packFriends(friends)).toThrow(new RangeError(reason))
  })

  test.each([
    ['a count far larger than the bytes', stored([0xff, 0xff, 0xff, 0xff, 0x0f]), 'more friends than bytes'],
    ['a count that fits, with friends missing', stored([3, 0, 0]), 'ends too early'],
    ['account 2^32', stored([2, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0]), 'account number out of range'],
    ['a difference of 2^32', stored([1, 0x80, 0x80, 0x80, 0x80, 0x10, 0]), 'number out of range'],
  ])('with %s is refused with the reason', (_, bytes, reason) => {
    expect(() => unpackFriends(bytes)).toThrow(new PackedError('friend list', reason))
  })
})
