/** DATE-15, DATE-17: what the page shows of a night whose date is being found. */
import { expect, test } from 'vitest'
import type { NightPlayer, NightTime } from '#shared/nights/entities.ts'
import { answeredOf, answeredSince, answerersOf, bestOf, inKeptOrder } from './dates-view.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const hours = (count: number) => new Date(NOW + count * 3_600_000).toISOString()
const player = (steam_id: string, answer: NightPlayer['answer'] = null) =>
  ({ steam_id, answer }) as NightPlayer
const time = (starts_at: string, answers: NightTime['answers'] = {}): NightTime => ({ starts_at, answers })
const people = [player('ada'), player('ben'), player('eve', 'out')]

test('DATE-15: people by their answer, and those who are missing; who is out is not', () => {
  const by = answerersOf(time(hours(1), { ada: 'maybe' }), people)
  expect(Object.entries(by).map(([part, all]) => [part, all.map(({ steam_id }) => steam_id)])).toEqual([
    ['yes', []],
    ['maybe', ['ada']],
    ['no', []],
    ['missing', ['ben']],
  ])
})

test('DATE-15: counts players who answered every time ahead; the best is one that somebody can come to', () => {
  const times = [time(hours(2), { ada: 'no' }), time(hours(-1))]
  expect(answeredOf({ times, people }, NOW)).toEqual({ answered: 1, partly: 0, asked: 2 })
  expect(bestOf({ times }, NOW)).toBeUndefined()
  expect(bestOf({ times: [time(hours(2), { ada: 'maybe' }), ...times] }, NOW)).toBe(hours(2))
  expect(bestOf({ times: [time(hours(-1), { ada: 'yes' })] }, NOW)).toBeUndefined()
})

test('DATE-17: times in the order in which they were shown', () => {
  const latest = [time('c'), time('a'), time('b')]
  expect(inKeptOrder(['a', 'b', 'c'], latest)).toEqual([time('a'), time('b'), time('c')])
  expect(inKeptOrder(['c', 'a', 'b'], latest)).toEqual(latest)
})

test('NIGHT-88: who has answered or changed an answer since', () => {
  const before = { times: [time('a', { ada: 'yes', ben: 'no' }), time('b')] }
  const after = { people, times: [time('b', { ben: 'yes' }), time('a', { ada: 'yes', ben: 'no' })] }
  expect(answeredSince(before, after)).toEqual([player('ben')])
  expect(answeredSince(before, { ...before, people })).toEqual([])
})
