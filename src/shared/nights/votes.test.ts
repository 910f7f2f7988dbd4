import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ballot, type Mark, MARKS, oddsOf, tally } from './votes.ts'

const APPIDS = [30, 10, 20]
const ballot = (marks: Record<number, Mark>): Ballot =>
  Object.entries(marks).map(([appid, mark]) => ({ appid: Number(appid), mark }))

describe('counting ballots', () => {
  test('NIGHT-27: Want counts 2, Fine 1, Not tonight -3 and no mark nothing', () => {
    const ballots = [ballot({ 10: 'want', 20: 'fine', 30: 'no' })]
    const { scores, best } = tally(ballots, [10, 20, 30, 40], { forbids: false })
    expect([...scores]).toEqual([
      [10, 2],
      [20, 1],
      [30, -3],
      [40, 0],
    ])
    expect(best).toEqual([10])
  })

  test('one refusal outweighs one wish, and two outweigh it', () => {
    const [want, no] = [ballot({ 10: 'want' }), ballot({ 10: 'no' })]
    expect(tally([want, no], APPIDS, { forbids: false }).best).toEqual([30, 20])
    expect(tally([want, want, no], APPIDS, { forbids: false }).best).toEqual([10])
  })

  test('NIGHT-27: a game that a ballot marks twice counts once', () => {
    const twice: Ballot = [...ballot({ 10: 'no' }), ...ballot({ 10: 'want' }), ...ballot({ 10: 'want' })]
    const counted = tally([twice], APPIDS, { forbids: true })
    expect(counted.scores.get(10)).toBe(2)
    expect(counted.ruledOut).toEqual(new Set())
  })

  test('NIGHT-27: games with the highest score are best together, in the order of the list', () => {
    const ballots = [ballot({ 10: 'want' }), ballot({ 30: 'want', 20: 'fine' })]
    expect(tally(ballots, APPIDS, { forbids: false }).best).toEqual([30, 10])
    expect(tally([], APPIDS, { forbids: true }).best).toEqual(APPIDS)
  })

  test('NIGHT-27: marks of games that left the list do not count', () => {
    const counted = tally([ballot({ 99: 'want', 10: 'fine' })], APPIDS, { forbids: false })
    expect([...counted.scores.keys()]).toEqual(APPIDS)
    expect(counted.best).toEqual([10])
    const refused = tally([ballot({ 99: 'no' })], [10], { forbids: true })
    expect(refused).toMatchObject({ ruledOut: new Set(), everythingRuledOut: false })
  })

  test('NIGHT-28: Not tonight can rule a game out', () => {
    const ballots = [ballot({ 10: 'want', 20: 'fine' }), ballot({ 10: 'no' }), ballot({ 10: 'want' })]
    ballots.push(ballot({ 10: 'want' }))
    expect(tally(ballots, APPIDS, { forbids: false })).toMatchObject({
      ruledOut: new Set(),
      best: [10],
    })
    expect(tally(ballots, APPIDS, { forbids: true })).toMatchObject({
      ruledOut: new Set([10]),
      everythingRuledOut: false,
      best: [20],
    })
  })

  test('NIGHT-28: where that would leave no game, Not tonight only weighs', () => {
    const ballots = [ballot({ 10: 'no', 20: 'no' }), ballot({ 30: 'no', 10: 'want' })]
    expect(tally(ballots, APPIDS, { forbids: true })).toMatchObject({
      ruledOut: new Set(),
      everythingRuledOut: true,
      best: [10],
    })
    expect(tally(ballots, APPIDS, { forbids: false }).everythingRuledOut).toBe(false)
    expect(tally(ballots, [], { forbids: true })).toMatchObject({ everythingRuledOut: false, best: [] })
  })
})

describe('the odds of a draw', () => {
  const ballots = [ballot({ 10: 'want', 20: 'fine' }), ballot({ 10: 'fine', 20: 'want', 30: 'fine' })]
  const counted = () => tally(ballots, APPIDS, { forbids: false })

  test('NIGHT-30: of a tie are equal among the best, by appid', () => {
    expect(oddsOf(counted(), 'votes')).toEqual([
      { appid: 10, weight: 1 },
      { appid: 20, weight: 1 },
    ])
  })

  test('NIGHT-30: of a draw for us are in proportion to the scores', () => {
    expect(oddsOf(counted(), 'draw')).toEqual([
      { appid: 10, weight: 3 },
      { appid: 20, weight: 3 },
      { appid: 30, weight: 1 },
    ])
  })

  test('NIGHT-30: of a draw are none for games at 0 or below, unless all are: then the best have equal odds', () => {
    const mixed = tally([ballot({ 10: 'fine', 20: 'no' })], APPIDS, { forbids: false })
    expect(oddsOf(mixed, 'draw')).toEqual([{ appid: 10, weight: 1 }])
    const refused = tally([ballot({ 20: 'no' })], APPIDS, { forbids: false })
    expect(oddsOf(refused, 'draw')).toEqual([
      { appid: 10, weight: 1 },
      { appid: 30, weight: 1 },
    ])
  })

  test('NIGHT-30: leave out games that are ruled out', () => {
    const votes = [ballot({ 10: 'want', 20: 'fine' }), ballot({ 10: 'no' }), ballot({ 10: 'want' })]
    const forbidding = tally(votes, APPIDS, { forbids: true })
    expect(oddsOf(forbidding, 'draw')).toEqual([{ appid: 20, weight: 1 }])
    expect(oddsOf(forbidding, 'votes', [20])).toEqual([{ appid: 30, weight: 1 }])
    expect(oddsOf(forbidding, 'votes', [20, 30])).toEqual([])
  })

  test('NIGHT-30: of another draw are those of the games that were not drawn, until none is left', () => {
    expect(oddsOf(counted(), 'votes', [10])).toEqual([{ appid: 20, weight: 1 }])
    expect(oddsOf(counted(), 'votes', [10, 20])).toEqual([{ appid: 30, weight: 1 }])
    expect(oddsOf(counted(), 'draw', [20])).toEqual([
      { appid: 10, weight: 3 },
      { appid: 30, weight: 1 },
    ])
    for (const by of ['votes', 'draw'] as const) expect(oddsOf(counted(), by, APPIDS)).toEqual([])
  })
})

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

  test('NIGHT-27: for random ballots', () => {
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
