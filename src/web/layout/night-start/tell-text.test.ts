import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { isToBeTold, tellText, tellTextForDiscord, type ToldNight } from './tell-text.ts'

const URL = 'https://shelf.example/nights/7'
const NOW = Date.parse('2026-10-20T12:00:00Z')

beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs())
})

const planned = (starts_at: string, title: string | null = null): ToldNight => ({
  title,
  status: 'open',
  planned: true,
  starts_at,
  times: [],
  series: null,
})
const dating = (...times: string[]): ToldNight => ({
  ...planned(times.toSorted().at(-1)!),
  status: 'dating',
  planned: false,
  times: times.map((starts_at) => ({ starts_at, answers: {} })),
})

test.each([
  ['Europe/Berlin', 'Saturday 24 October at 20:30', 'Central European Summer Time'],
  ['America/New_York', 'Saturday 24 October at 14:30', 'Eastern Daylight Time'],
  ['Asia/Tokyo', 'Sunday 25 October at 03:30', 'Japan Standard Time'],
])('NIGHT-149: what, when and where, with the zone named, in %s', (zone, when, name) => {
  vi.stubEnv('TZ', zone)
  expect(tellText(planned('2026-10-24T18:30:00Z'), URL, NOW)).toBe(
    `Game night: ${when} (${name})\nAre you in? ${URL}`,
  )
})

test('NIGHT-149: another year is named, and a title is one line', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(tellText(planned('2027-01-02T19:30:00Z', 'New\nyear '), URL, NOW)).toBe(
    `New year: Saturday, 2 January 2027 at 20:30 (Central European Standard Time)\nAre you in? ${URL}`,
  )
})

test.each([
  ['week', 'It repeats every week.'],
  ['two_weeks', 'It repeats every two weeks.'],
] as const)('NIGHT-150: the message says that a night repeats: %s', (every, line) => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const next_starts_at = '2026-10-31T19:30:00Z'
  const night: ToldNight = {
    ...planned('2026-10-24T18:30:00Z'),
    series: { series_id: 1, every, zone: 'Europe/Berlin', next_starts_at },
  }
  expect(tellText(night, URL, NOW).split('\n')[1]).toBe(line)
  expect(tellTextForDiscord(night, URL, NOW)).toBe(
    `Game night: <t:1792866600:F>\n${line}\nAre you in? ${URL}`,
  )
})

test('NIGHT-149: proposed times that are ahead stand each on a line, the earliest first', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const night = dating('2026-10-24T18:00:00Z', '2026-10-19T18:00:00Z', '2026-10-23T18:00:00Z')
  expect(tellText(night, URL, NOW)).toBe(
    [
      'Game night: which suit you? (Central European Summer Time)',
      '- Friday 23 October at 20:00',
      '- Saturday 24 October at 20:00',
      URL,
    ].join('\n'),
  )
})

test('NIGHT-149: where summer time ends between the times, each has its zone', () => {
  // Clocks change on 25 October in Berlin, and on 1 November in New York.
  const night = dating('2026-10-24T18:00:00Z', '2026-10-25T19:00:00Z')
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(tellText(night, URL, NOW)).toBe(
    [
      'Game night: which suit you?',
      '- Saturday 24 October at 20:00 (Central European Summer Time)',
      '- Sunday 25 October at 20:00 (Central European Standard Time)',
      URL,
    ].join('\n'),
  )
  vi.stubEnv('TZ', 'America/New_York')
  expect(tellText(night, URL, NOW)).toBe(
    [
      'Game night: which suit you? (Eastern Daylight Time)',
      '- Saturday 24 October at 14:00',
      '- Sunday 25 October at 15:00',
      URL,
    ].join('\n'),
  )
})

test('NIGHT-149: Discord shows each reader the times in their own zone', () => {
  expect(tellTextForDiscord(planned('2026-10-24T18:30:00Z', 'Friday crew'), URL, NOW)).toBe(
    `Friday crew: <t:1792866600:F>\nAre you in? ${URL}`,
  )
  expect(tellTextForDiscord(dating('2026-10-24T18:30:00Z', '2026-10-23T18:30:00Z'), URL, NOW)).toBe(
    `Game night: which suit you?\n- <t:1792780200:F>\n- <t:1792866600:F>\n${URL}`,
  )
})

test('NIGHT-150: there is nothing to tell of a night that is decided or past', () => {
  const night = planned('2026-10-24T18:30:00Z')
  const over = Date.parse('2026-10-25T06:30:00Z')
  expect(isToBeTold(night, NOW)).toBe(true)
  expect(isToBeTold(night, over)).toBe(false)
  expect(isToBeTold({ ...night, planned: false }, NOW)).toBe(true)
  expect(isToBeTold({ ...night, status: 'tied' }, NOW)).toBe(true)
  for (const status of ['decided', 'cancelled', 'over'] as const)
    expect(isToBeTold({ ...night, status }, NOW)).toBe(false)
  expect(isToBeTold(dating('2026-10-24T18:30:00Z'), NOW)).toBe(true)
  expect(isToBeTold(dating('2026-10-19T18:30:00Z'), NOW)).toBe(false)
})
