import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ballot, type Mark, MARKS, oddsOf, tally } from './votes.ts'
const ballot = (marks: Record<number, Mark>): Ballot =>
  Object.entries(marks).map(([appid, mark]) => ({ appid: Number(appid), mark }))

describe('votes match the definition', () => {
  const arbitraryAppid = fc.integer({ min: 1, max: 9 })
  const arbitraryBallots = fc.array(
    fc.uniqueArray(fc.record({ appid: arbitraryAppid, mark: fc.constantFrom(...MARKS) }), {
      selector: ({ appid }) => appid,
      maxLength: 9,
    }),
    { maxLength: 6 },
  )
  const arbitraryVote = {
    ballots: arbitraryBallots,
    appids: fc.uniqueArray(arbitraryAppid),
    forbids: fc.boolean(),
    by: fc.constantFrom('votes' as const, 'draw' as const),
    drawn: fc.uniqueArray(arbitraryAppid, { maxLength: 5 }),
  }

  test('NIGHT-27: a game that a ballot marks twice counts once', () => {
    const twice: Ballot = [...ballot({ 10: 'no' }), ...ballot({ 10: 'want' }), ...ballot({ 10: 'want' })]
    const { scores, ruledOut } = tally([twice], [30, 10, 20], { forbids: true })
    expect([scores.get(10), ruledOut]).toEqual([2, new Set()])
  })

  test('NIGHT-27, NIGHT-28, NIGHT-30: for random ballots', () => {
    fc.assert(
      fc.property(fc.record(arbitraryVote), ({ ballots, appids, forbids, by, drawn }) => {
        const marks = (appid: number) =>
          ballots.flatMap((votes) => votes.filter((vote) => vote.appid === appid).map(({ mark }) => mark))
        const score = (appid: number) =>
          marks(appid).reduce((sum, mark) => sum + (mark === 'want' ? 2 : mark === 'fine' ? 1 : -3), 0)
        const free = appids.filter((appid) => !marks(appid).includes('no'))
        const allowed = forbids && free.length > 0 ? free : appids
        const bestOf = (list: number[]) =>
          list.filter((appid) => list.every((other) => score(other) <= score(appid)))

        const counted = tally(ballots, appids, { forbids })
        expect(counted).toEqual({
          scores: new Map(appids.map((appid) => [appid, score(appid)])),
          ruledOut: new Set(appids.filter((appid) => !allowed.includes(appid))),
          everythingRuledOut: forbids && appids.length > 0 && free.length === 0,
          best: bestOf(allowed),
        })

        const left = allowed.filter((appid) => !drawn.includes(appid)).sort((a, b) => a - b)
        const wanted = by === 'draw' ? left.filter((appid) => score(appid) > 0) : []
        const odds = wanted.length > 0 ? wanted : bestOf(left)
        expect(oddsOf(counted, by, drawn)).toEqual(
          odds.map((appid) => ({ appid, weight: wanted.length > 0 ? score(appid) : 1 })),
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('NIGHT-27: the order of ballots does not matter, and a Want never harms a game', () => {
    fc.assert(
      fc.property(
        fc.record({ ...arbitraryVote, wanted: arbitraryAppid }),
        ({ ballots, appids, forbids, wanted }) => {
          const before = tally(ballots, appids, { forbids })
          expect(tally(ballots.toReversed(), appids, { forbids })).toEqual(before)
          const after = tally([...ballots, ballot({ [wanted]: 'want' })], appids, { forbids })
          if (before.best.includes(wanted)) expect(after.best).toEqual([wanted])
        },
      ),
    )
  })
})
