/** NIGHT-93: which time is proposed for a game night, and when one may begin. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatZone } from '../../format.ts'
import { eveningsOf, isDeadline, mayStartAt, proposedTime, weekLater } from './start-time.ts'

const at = (text: string) => new Date(text).getTime()

test('NIGHT-93: the evening of the day is proposed, and the next one when it is near or over', () => {
  expect(proposedTime(at('2026-11-22T09:00'))).toBe(at('2026-11-22T20:30'))
  expect(proposedTime(at('2026-11-22T20:00'))).toBe(at('2026-11-22T20:30'))
  expect(proposedTime(at('2026-11-22T20:01'))).toBe(at('2026-11-23T20:30'))
  expect(proposedTime(at('2026-12-31T23:59'))).toBe(at('2027-01-01T20:30'))
})

test('NIGHT-93: from five minutes ago to 366 days ahead, and no invalid time', () => {
  const now = at('2026-11-22T12:00')
  const [minute, day] = [60_000, 86_400_000]
  expect(mayStartAt(now, now)).toBe(true)
  expect(mayStartAt(now - 5 * minute, now)).toBe(true)
  expect(mayStartAt(now - 5 * minute - 1, now)).toBe(false)
  expect(mayStartAt(now + 366 * day, now)).toBe(true)
  expect(mayStartAt(now + 366 * day + 1, now)).toBe(false)
  expect(mayStartAt(NaN, now)).toBe(false)
})

test('NIGHT-93: the time zone is said as people call it, in summer and in winter', () => {
  expect(formatZone(at('2026-01-15T12:00Z'), 'Europe/Berlin')).toBe('Central European Standard Time')
  expect(formatZone(at('2026-07-15T12:00Z'), 'Europe/Berlin')).toBe('Central European Summer Time')
  expect(formatZone(undefined, 'Europe/Berlin')).toBe('Central European Time')
  expect(formatZone(undefined, 'UTC')).toBe('Coordinated Universal Time')
})

test('DATE-14: the evenings that are left of this week are proposed, and Friday to Sunday of the next', () => {
  const evenings = (now: string) => {
    const { week, weekend } = eveningsOf(at(now))
    return [week, weekend].map((all) => all.map((time) => new Date(time).getDate()))
  }
  // A Wednesday, in the morning and when its evening has begun.
  expect(evenings('2026-11-25T09:00')).toEqual([
    [25, 26, 27, 28, 29],
    [4, 5, 6],
  ])
  expect(evenings('2026-11-25T19:31')[0]).toEqual([26, 27, 28, 29])
  expect(evenings('2026-11-29T12:00')).toEqual([[29], [4, 5, 6]])
  expect(evenings('2026-11-29T21:00')).toEqual([[], [4, 5, 6]])
  expect(evenings('2026-11-30T12:00')[0]).toHaveLength(7)
})

test('DATE-15, DATE-14: evenings are at 20:00 there, also where clocks change between them', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [zone, minutes] of [
    ['Europe/Berlin', -60],
    ['America/New_York', 300],
    ['Australia/Lord_Howe', -660],
  ] as const) {
    vi.stubEnv('TZ', zone)
    expect(new Date(Date.UTC(2026, 0, 1)).getTimezoneOffset()).toBe(minutes)
    for (let day = 0; day < 366; day++) {
      const { week, weekend } = eveningsOf(Date.UTC(2026, 0, 1 + day, 3))
      for (const time of [...week, ...weekend]) {
        const shown = new Date(time)
        expect([shown.getHours(), shown.getMinutes()]).toEqual([20, 0])
      }
    }
  }
})

test('DATE-14: a deadline is ahead and before the last time', () => {
  expect(isDeadline(11, [20, 30], 10)).toBe(true)
  expect(isDeadline(29, [20, 30], 10)).toBe(true)
  for (const wrong of [10, 30, NaN]) expect(isDeadline(wrong, [20, 30], 10)).toBe(false)
})

test('MEMORY-8: a week later at the same time by the clock, also where clocks change, or in the first week that is ahead', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TZ', 'Europe/Berlin')
  const later = (startsAt: string, now: string) =>
    new Date(weekLater(startsAt, Date.parse(now))).toISOString()
  expect(later('2026-11-20T19:30:00Z', '2026-11-21T10:00:00Z')).toBe('2026-11-27T19:30:00.000Z')
  // Still ahead itself.
  expect(later('2026-11-20T19:30:00Z', '2026-11-18T10:00:00Z')).toBe('2026-11-27T19:30:00.000Z')
  expect(later('2026-10-23T18:30:00Z', '2026-10-24T10:00:00Z')).toBe('2026-10-30T19:30:00.000Z')
  expect(later('2026-03-27T19:30:00Z', '2026-03-28T10:00:00Z')).toBe('2026-04-03T18:30:00.000Z')
  expect(later('2026-09-04T18:30:00Z', '2026-11-25T10:00:00Z')).toBe('2026-11-27T19:30:00.000Z')
  expect(later('2026-11-20T19:30:00Z', '2026-11-27T19:30:00Z')).toBe('2026-12-04T19:30:00.000Z')
  expect(weekLater('no date', Date.now())).toBeNaN()
  vi.stubEnv('TZ', 'America/New_York')
  expect(later('2026-10-30T23:00:00Z', '2026-10-31T10:00:00Z')).toBe('2026-11-07T00:00:00.000Z')
})
