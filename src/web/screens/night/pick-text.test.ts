/** NIGHT-105: the line about a pick. */
import { expect, test } from 'vitest'
import { type NightPlayer, nightPlayer } from '#shared/nights/entities.ts'
import { blank } from '../../../../tests/support/blank.ts'
import { discordText, pickText } from './pick-text.ts'

const NOW = new Date('2026-11-22T18:00').getTime()

let last = 0
const person = (display_name: string | null, answer: NightPlayer['answer'] = 'in') =>
  blank(nightPlayer, { steam_id: String(76_561_197_960_000_000 + ++last), display_name, answer })
const URL = 'https://shelf.example/nights/7'
const ZONE = new Intl.DateTimeFormat('en', { timeZoneName: 'long' })
  .formatToParts(NOW)
  .find(({ type }) => type === 'timeZoneName')!.value
const line = (people: NightPlayer[], time = '2026-11-22T20:30', game = 'Portal 2') =>
  pickText({ starts_at: new Date(time).toISOString(), planned: true, people }, game, URL, NOW)

test('NIGHT-105: when and in which time zone, what, with whom of those who are in, and where', () => {
  expect(
    line([person('Ada'), person('Ben'), person('Cleo', 'maybe'), person('Dora', 'out'), person('Eve')]),
  ).toBe(`Tonight at 20:30 ${ZONE}: Portal 2 with Ada, Ben and Eve ${URL}`)
  expect(line([person('Ada')], '2026-11-23T09:05')).toBe(
    `Tomorrow at 09:05 ${ZONE}: Portal 2 with Ada ${URL}`,
  )
  expect(line([])).toBe(`Tonight at 20:30 ${ZONE}: Portal 2 ${URL}`)
})

test('NIGHT-105: a night that was started at once has no time, which would be over when it is read', () => {
  const night = { starts_at: '2026-11-22T16:00:00.000Z', planned: false }
  expect(pickText({ ...night, people: [person('Ada'), person('Ben')] }, 'Portal 2', URL, NOW)).toBe(
    `We are playing Portal 2 with Ada and Ben ${URL}`,
  )
  expect(pickText({ ...night, people: [] }, 'Portal 2', URL, NOW)).toBe(`We are playing Portal 2 ${URL}`)
})

test('NIGHT-105: more than six people are counted, and it is always one line', () => {
  const many = Array.from({ length: 9 }, (_, nth) => person(`P${nth}`))
  expect(line(many)).toBe(`Tonight at 20:30 ${ZONE}: Portal 2 with P0, P1, P2, P3, P4, P5 and 3 more ${URL}`)
  expect(line([person('A\n@everyone')], undefined, 'Por\r\ntal')).toBe(
    `Tonight at 20:30 ${ZONE}: Por tal with A @everyone ${URL}`,
  )
})

test('NIGHT-149: Discord shows each reader the time in their own zone', () => {
  const night = { starts_at: '2026-11-22T19:30:00.000Z', planned: true, people: [person('Ada')] }
  expect(discordText(night, 'Portal 2', URL)).toBe(`<t:1795375800:F>: Portal 2 with Ada ${URL}`)
})

test('NIGHT-105: it says who still has to get the game', () => {
  const [ada, ben] = [
    { ...person('Ada'), steam_id: '1' },
    { ...person('Ben', null), steam_id: '2' },
  ]
  const night = {
    starts_at: '2026-11-22T16:00:00.000Z',
    planned: false,
    people: [ada, ben],
    pick: { lacking: [ben.steam_id] },
  }
  expect(pickText(night, 'DayZ', '', NOW)).toBe('We are playing DayZ with Ada (missing for Ben)')
})
