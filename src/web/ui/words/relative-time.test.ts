import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.tsx'

const NOW = Date.parse('2026-03-10T20:00:00Z')

test.each([
  ['2026-03-10T19:59:31Z', 'just now'],
  ['2026-03-10T20:00:20Z', 'just now'],
  ['2026-03-10T19:58:30Z', '1 minute ago'],
  ['2026-03-10T18:00:00Z', '2 hours ago'],
  ['2026-03-10T23:59:00Z', 'in 3 hours'],
  ['2026-03-09T20:00:00Z', '1 day ago'],
  ['2026-02-08T20:00:00Z', '1 month ago'],
  ['2026-03-11T21:00:00Z', 'in 1 day'],
  ['2026-02-24T20:00:00Z', '2 weeks ago'],
  ['2024-03-01T20:00:00Z', '2 years ago'],
])('%s is "%s"', (time, words) => {
  expect(relativeTime(time, NOW)).toBe(words)
})
