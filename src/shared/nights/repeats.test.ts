import { describe, expect, test } from 'vitest'
import { dateOf, instantOf, localTimeIn, nextTime } from './repeats.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
const shownIn = (timeZone: string, at: number) =>
  new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

describe.each(ZONES)('a night that repeats in %s', (zone) => {
  test.each(['week', 'two_weeks'] as const)('SERIES-2: every %s at the same local time', (every) => {
    let local = '2026-01-02T20:30:00.000'
    const offsets = new Set<number>()
    for (const end = '2027-01-08'; dateOf(local) < end; local = nextTime(local, every)) {
      const at = instantOf(zone, local)
      expect(shownIn(zone, at)).toBe(`${dateOf(local)} 20:30`)
      expect(localTimeIn(zone, at)).toBe(local)
      expect(new Date(`${local}Z`).getUTCDay()).toBe(5)
      offsets.add(Date.parse(`${local}Z`) - at)
    }
    // The clocks changed in between.
    expect(offsets.size).toBe(2)
  })
})

test.each([
  // Skipped: as much later as the clocks go forward.
  ['Europe/Berlin', '2026-03-29T02:30:00.000', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-03-08T02:00:00.000', '2026-03-08T07:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15:00.000', '2026-10-03T15:45:00.000Z'],
  // Twice: the earlier.
  ['Europe/Berlin', '2026-10-25T02:30:00.000', '2026-10-25T00:30:00.000Z'],
  ['America/New_York', '2026-11-01T01:30:00.000', '2026-11-01T05:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00.000', '2026-04-04T14:45:00.000Z'],
])('SERIES-2: in %s %s is %s', (zone, local, instant) => {
  expect(new Date(instantOf(zone, local)).toISOString()).toBe(instant)
})

test('SERIES-2: the time of day after a skipped one is as before', () => {
  const skipped = '2026-03-29T02:30:00.000'
  expect(localTimeIn('Europe/Berlin', instantOf('Europe/Berlin', skipped))).toBe('2026-03-29T03:30:00.000')
  expect(nextTime(skipped, 'week')).toBe('2026-04-05T02:30:00.000')
})
