/** NIGHT-93: which time is proposed for a game night, and when one may begin. */
import { expect, test } from 'vitest'
import { formatZone } from '../../format.ts'
import { mayStartAt, proposedTime } from './start-time.ts'

const at = (text: string) => new Date(text).getTime()

test('NIGHT-93: the evening of the day is proposed, and the next one when it is near or over', () => {
  expect(proposedTime(at('2026-11-22T09:00'))).toBe(at('2026-11-22T20:30'))
  expect(proposedTime(at('2026-11-22T20:00'))).toBe(at('2026-11-22T20:30'))
  expect(proposedTime(at('2026-11-22T20:01'))).toBe(at('2026-11-23T20:30'))
  expect(proposedTime(at('2026-12-31T23:59'))).toBe(at('2027-01-01T20:30'))
})

test('NIGHT-93: from five minutes ago to 366 days ahead, and no time that is none', () => {
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
})
