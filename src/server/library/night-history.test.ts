import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countYear, type HeldNight, isOfSamePeople, lastTogether } from './night-history.ts'

const PEOPLE = ['76561197960265729', '76561197960265730', '76561197960265731', '76561197960265732']
const zones = [null, 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']

const arbitraryNight: fc.Arbitrary<HeldNight> = fc.record({
  night_id: fc.integer({ min: 1, max: 99 }),
  group_id: fc.constantFrom(null, 7),
  // Around the turn of the year, where zones disagree.
  starts_at: fc.integer({ min: Date.UTC(2026, 11, 30), max: Date.UTC(2027, 0, 3) }),
  zone: fc.constantFrom(...zones),
  people: fc.constant(PEOPLE),
  came: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 2 }),
  pick: fc.constantFrom(null, 10, 20, 30),
})

/** The hours by which the clocks of these zones differ from UTC around the turn of a year. */
const OFFSETS = new Map([
  [null, 0],
  ['Europe/Berlin', 1],
  ['America/Los_Angeles', -8],
  ['Pacific/Kiritimati', 14],
] as [string | null, number][])
const yearAt = (at: number, zone: string | null) =>
  new Date(at + OFFSETS.get(zone)! * 3_600_000).getUTCFullYear()

test('MEMORY-1: counts are those of a naive count, in the year of each night’s zone', () => {
  const now = fc.integer({ min: Date.UTC(2026, 11, 31), max: Date.UTC(2027, 0, 2) })
  fc.assert(
    fc.property(fc.array(arbitraryNight, { maxLength: 30 }), now, (nights, at) => {
      const counted = nights.filter((night) => yearAt(night.starts_at, night.zone) === yearAt(at, night.zone))
      const { nights: number, came, games } = countYear(nights, at)
      expect(number).toBe(counted.length)
      for (const one of PEOPLE)
        expect(came.find(({ steam_id }) => steam_id === one)?.nights ?? 0).toBe(
          counted.filter((night) => night.came.includes(one)).length,
        )
      for (const appid of [10, 20, 30]) {
        const picks = counted.filter(({ pick }) => pick === appid)
        const game = games.find((one) => one.appid === appid)
        expect(game?.picked ?? 0).toBe(picks.length)
      }
      // Most first, and nobody and no game that never came.
      expect(came.map((one) => one.nights)).toEqual(came.map((one) => one.nights).toSorted((a, b) => b - a))
      expect(games.map((one) => one.picked)).toEqual(games.map((one) => one.picked).toSorted((a, b) => b - a))
      expect([...came.map((one) => one.nights), ...games.map((one) => one.picked)]).not.toContain(0)
    }),
  )
})

test('MEMORY-3: nights are of the same people when they are of one group, or of the same players without one', () => {
  const [ada, ben, cleo] = PEOPLE as [string, string, string]
  const night = (group_id: number | null, ...people: string[]) => ({ group_id, people })
  expect(isOfSamePeople(night(7, ada), night(7, ada, ben))).toBe(true)
  expect(isOfSamePeople(night(7, ada), night(8, ada))).toBe(false)
  expect(isOfSamePeople(night(7, ada, ben), night(null, ada, ben))).toBe(false)
  expect(isOfSamePeople(night(null, ada, ben), night(null, ben, ada))).toBe(true)
  expect(isOfSamePeople(night(null, ada, ben), night(null, ada, ben, cleo))).toBe(false)
  expect(isOfSamePeople(night(null, ada, ben, cleo), night(null, ada, ben))).toBe(false)
})

test('MEMORY-2: the last night together is the first in the list to which all of them came', () => {
  const [ada, ben, cleo] = PEOPLE as [string, string, string]
  const nights = [{ came: [ada, ben] }, { came: [ben, cleo, ada] }, { came: [ada, ben, cleo] }]
  expect(lastTogether(nights, [ben, ada])).toBe(nights[0])
  expect(lastTogether(nights, [ada, cleo, ben])).toBe(nights[1])
  expect(lastTogether(nights, [PEOPLE[3]!, ada])).toBeUndefined()
  // Nobody is alone together.
  expect(lastTogether(nights, [ada])).toBeUndefined()
})
