/** NIGHT-102: which game nights are current, and which of them come first. */
import { expect, test } from 'vitest'
import { type NightSummary, nightSummary } from '#shared/nights/entities.ts'
import { blank } from '../../../../tests/support/blank.ts'
import { needsMyAnswer, partsOf } from './night-lists.ts'

const NOW = Date.parse('2026-11-22T20:00:00Z')
const hours = (count: number) => new Date(NOW + count * 3_600_000).toISOString()

let last = 0
const night = (about: Partial<NightSummary>) =>
  blank(nightSummary, {
    ...{ night_id: ++last, starts_at: hours(0), status: 'open', version: 1, people: 1, in: 1 },
    ...{ is_mine: true, in_my_group: true, my_answer: 'in' },
    ...about,
  })

test('NIGHT-102: only an open night in which I am asked and have said nothing waits for my answer', () => {
  expect(needsMyAnswer(night({ my_answer: null }))).toBe(true)
  expect(needsMyAnswer(night({ my_answer: null, is_mine: false }))).toBe(false)
  expect(needsMyAnswer(night({ my_answer: null, status: 'tied' }))).toBe(false)
  for (const my_answer of ['in', 'maybe', 'out'] as const)
    expect(needsMyAnswer(night({ my_answer }))).toBe(false)
})

test('NIGHT-102: nights within a day, then later ones, each with unanswered ones first, then by time; past nights keep the server’s order', () => {
  const soon = night({ starts_at: hours(1) })
  const later = night({ starts_at: hours(30) })
  const asked = night({ starts_at: hours(40), my_answer: null })
  const askedSooner = night({ starts_at: hours(20), my_answer: null })
  const old = night({ starts_at: hours(-50), status: 'decided' })
  const older = night({ starts_at: hours(-90), status: 'over' })
  const given = [later, asked, old, soon, askedSooner, older]
  const before = [...given]
  expect(partsOf(given, NOW)).toEqual({ current: [askedSooner, soon, asked, later], past: [old, older] })
  expect(given).toEqual(before)
})

test('NIGHT-102: what I answered and nights of my groups come before others that start as soon', () => {
  const aside = night({ starts_at: hours(1), my_answer: null, in_my_group: false })
  const answered = night({ starts_at: hours(3), my_answer: 'out', in_my_group: false })
  const ofGroup = night({ starts_at: hours(2), my_answer: null })
  const later = night({ starts_at: hours(30) })
  expect(partsOf([later, aside, answered, ofGroup], NOW).current).toEqual([ofGroup, answered, aside, later])
})

test('NIGHT-102: the night under way that began last comes first', () => {
  const [first, last] = [night({ starts_at: hours(-2) }), night({ starts_at: hours(-0.1) })]
  expect(partsOf([first, last, night({ starts_at: hours(1) })], NOW).current[0]).toBe(last)
})

test('DATE-20: a night whose times wait for my answer is listed like one within a day', () => {
  const dating = (needs_me: boolean, more: Partial<NightSummary> = {}) =>
    night({
      status: 'dating',
      starts_at: hours(200),
      my_answer: null,
      dating: { answered: 1, partly: 0, asked: 3, needs_me },
      ...more,
    })
  expect(needsMyAnswer(dating(true))).toBe(true)
  expect(needsMyAnswer(dating(false))).toBe(false)
  const soon = night({ starts_at: hours(1) })
  const later = night({ starts_at: hours(30) })
  const [asked, answered] = [dating(true), dating(false, { in_my_group: false })]
  const mine = dating(true, { in_my_group: false, leads: true })
  const aside = dating(true, { in_my_group: false })
  const over = dating(true, { starts_at: hours(0) })
  expect(partsOf([over, answered, later, aside, mine, asked, soon], NOW)).toEqual({
    current: [mine, asked, soon, aside, later, answered],
    past: [over],
  })
})
