/**
 * Libraries for property tests: generated ones that overlap and reach every limit.
 */
import fc from 'fast-check'
import { libraryFrom, type OwnedGame } from '../../src/server/library/library.ts'

export const UINT32_MAX = 2 ** 32 - 1

/** A few small appids, so that libraries have games in common, and the ends of the range. */
export const arbitraryAppid = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 24 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: UINT32_MAX }) },
  { weight: 1, arbitrary: fc.constantFrom(UINT32_MAX - 1, UINT32_MAX) },
)

/** Zero, often equal values, values at which a varint gets longer, and the largest. */
const arbitraryValue = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom(127, 128, 2 ** 14, 2 ** 21 - 1, 2 ** 28 - 1, 2 ** 28, 2 ** 31, UINT32_MAX),
  fc.integer({ min: 0, max: UINT32_MAX }),
)

const arbitraryGame: fc.Arbitrary<OwnedGame> = fc.record({
  appid: arbitraryAppid,
  minutes: arbitraryValue,
  recentMinutes: arbitraryValue,
  lastPlayed: arbitraryValue,
})

/** Games in any order. */
export const arbitraryGames = fc.uniqueArray(arbitraryGame, { maxLength: 40, selector: ({ appid }) => appid })

export const arbitraryLibrary = arbitraryGames.map(libraryFrom)
