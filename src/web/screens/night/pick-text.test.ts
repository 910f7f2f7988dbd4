/** NIGHT-105: the line about a pick. */
import { expect, test } from 'vitest'
import type { NightPerson } from '#shared/nights/entities.ts'
import { pickText } from './pick-text.ts'

const NOW = new Date('2026-11-22T18:00').getTime()

let last = 0
const person = (name: string | null, answer: NightPerson['answer'] = 'in'): NightPerson => ({
  steam_id: String(76_561_197_960_000_000 + ++last),
  display_name: name,
  avatar_url: null,
  answer,
  word: null,
  voted: false,
  personastate: 1,
  playing: null,
  playing_appid: null,
  library_status: 'ok',
  marks: null,
})
const line = (people: NightPerson[], time = '2026-11-22T20:30', game = 'Portal 2') =>
  pickText({ starts_at: new Date(time).toISOString(), planned: true, people }, game, NOW)

test('when, what and with whom, of those who are in', () => {
  expect(
    line([person('Ada'), person('Ben'), person('Cleo', 'maybe'), person('Dora', 'out'), person('Eve')]),
  ).toBe('Tonight at 20:30: Portal 2 with Ada, Ben and Eve')
  expect(line([person('Ada')], '2026-11-23T09:05')).toBe('Tomorrow at 09:05: Portal 2 with Ada')
  expect(line([])).toBe('Tonight at 20:30: Portal 2')
})

test('a night that was started at once has no time, which would be over when it is read', () => {
  const night = { starts_at: '2026-11-22T16:00:00.000Z', planned: false }
  expect(pickText({ ...night, people: [person('Ada'), person('Ben')] }, 'Portal 2', NOW)).toBe(
    'We are playing Portal 2 with Ada and Ben',
  )
  expect(pickText({ ...night, people: [] }, 'Portal 2', NOW)).toBe('We are playing Portal 2')
})

test('more than six people are counted, and it is always one line', () => {
  const many = Array.from({ length: 9 }, (_, nth) => person(`P${nth}`))
  expect(line(many)).toBe('Tonight at 20:30: Portal 2 with P0, P1, P2, P3, P4, P5 and 3 more')
  expect(line([person('A\n@everyone')], undefined, 'Por\r\ntal')).toBe(
    'Tonight at 20:30: Por tal with A @everyone',
  )
})
