import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  agreedTime,
  bestFirst,
  canCome,
  DATE_ANSWERS,
  type DateAnswer,
  type ProposedTime,
  timeAtDeadline,
} from './dates.ts'

const NOW = 100
const PLAYERS = ['ada', 'ben', 'eve'] as const
type Player = (typeof PLAYERS)[number]
const time = (at: number, answers: Partial<Record<Player, DateAnswer>>): ProposedTime => ({
  at,
  answers: new Map(Object.entries(answers)),
})
const atOf = (times: readonly ProposedTime[]) => times.map(({ at }) => at)

const answers = fc.dictionary(fc.constantFrom(...PLAYERS), fc.constantFrom(...DATE_ANSWERS))
const times = fc
  .uniqueArray(fc.record({ at: fc.integer({ min: 95, max: 110 }), answers }), {
    selector: ({ at }) => at,
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.map(({ at, answers: given }) => time(at, given)))

/** How many answered a time so, counted one by one. */
function countOf({ answers: given }: ProposedTime, answer: DateAnswer): number {
  let count = 0
  for (const player of PLAYERS) if (given.get(player) === answer) count++
  return count
}

/** Whether `a` is better than `b`, by the sentence of DATE-5. */
function isBetter(a: ProposedTime, b: ProposedTime): boolean {
  const [ofA, ofB] = [a, b].map((one) => ({ can: countOf(one, 'yes') + countOf(one, 'maybe'), one }))
  if (ofA!.can !== ofB!.can) return ofA!.can > ofB!.can
  return countOf(a, 'maybe') < countOf(b, 'maybe')
}

describe('the order of times', () => {
  test('DATE-5: is the one of a naive comparison of each with each, whatever the order before', () => {
    fc.assert(
      fc.property(times, (all) => {
        const sorted = bestFirst(all, NOW)
        expect(atOf(sorted).toSorted()).toEqual(atOf(all).toSorted())
        expect(atOf(bestFirst(all.toReversed(), NOW))).toEqual(atOf(sorted))
        for (const [nth, a] of sorted.entries())
          for (const b of sorted.slice(nth + 1)) {
            if (a.at <= NOW !== b.at <= NOW) expect([a.at <= NOW, b.at <= NOW]).toEqual([false, true])
            else expect(isBetter(b, a) || (!isBetter(a, b) && b.at < a.at)).toBe(false)
          }
      }),
    )
  })
})

describe('a time that is taken without the host', () => {
  test('DATE-6: everyone has answered what is ahead, at least two can, and it is better than every other', () => {
    fc.assert(
      fc.property(times, fc.subarray([...PLAYERS]), (all, asked) => {
        const ahead = all.filter(({ at }) => at > NOW)
        const winners = ahead.filter(
          (one) =>
            countOf(one, 'yes') + countOf(one, 'maybe') >= 2 &&
            ahead.every((other) => other === one || isBetter(one, other)),
        )
        const isComplete = asked.every((player) => ahead.every(({ answers: given }) => given.has(player)))
        expect(agreedTime(all, asked, NOW)).toBe(isComplete ? winners[0]?.at : undefined)
      }),
    )
  })

  test('DATE-7: the deadline takes the earliest of the best ahead, and none if nobody can', () => {
    fc.assert(
      fc.property(times, (all) => {
        const possible = all.filter((one) => one.at > NOW && canCome(one) > 0)
        const best = possible.filter((one) => possible.every((other) => !isBetter(other, one)))
        const earliest = best.length === 0 ? undefined : Math.min(...atOf(best))
        expect(timeAtDeadline(all, NOW)).toBe(earliest)
      }),
    )
  })
})
