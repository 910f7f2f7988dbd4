import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/index.ts'
import { nightPick, type NightPlayer, nightPlayer, shortlistEntry } from '#shared/nights/entities.ts'
import { blank } from '../../../../tests/support/blank.ts'
import { neverPlayedBy } from '../../../../tests/support/game-facts.ts'
import type { Night } from '../../data/nights.ts'
import {
  ballotOf,
  changesBetween,
  chances,
  drawnOut,
  isAhead,
  isToTell,
  keepOrder,
  leading,
  marksByGame,
  peopleParts,
  readiness,
  standsFor,
  votesOf,
} from './night-view.ts'
import { isPast, whenText } from '../../ui/words/night-time.ts'

const person = (steam_id: string, more: Partial<NightPlayer> = {}) =>
  blank(nightPlayer, { steam_id, display_name: steam_id, library_status: 'ok', ...more })

const game = (appid: number) =>
  blank(shortlistEntry, {
    ...{ appid, name: `Game ${appid}`, modes: ['multi'], kind: 'game' },
    facts: { ...neverPlayedBy(2), played: 1, never_played: 1 },
  })

const pickOf = (appid: number, number = 1) =>
  blank(nightPick, { ...game(appid), number, by: 'draw', at: '2026-11-22T20:00:00.000Z', lacking: [] })

const night = (more: Partial<Night> = {}) =>
  blank(contract.nights.read.response, {
    ...{ night_id: 1, host_steam_id: 'host', status: 'open', version: 1, planned: true },
    starts_at: '2026-11-22T20:00:00.000Z',
    created_at: '2026-11-22T19:00:00.000Z',
    ...more,
  })

test('NIGHT-83: counts the games that all have, and after the vote the whole list', () => {
  const shortlist = [game(1), { ...game(2), lacking: ['ada'] }]
  expect(standsFor(night({ shortlist })).games).toBe(1)
  expect(standsFor(night({ shortlist, status: 'decided' })).games).toBe(2)
})

describe('NIGHT-79: when a night is, in the time zone of the visitor', () => {
  const now = new Date(2026, 10, 20, 12, 0).getTime()
  const at = (...parts: [number, number, number, number, number]) =>
    whenText({ starts_at: new Date(...parts).toISOString(), planned: true }, now)

  test('NIGHT-79: says today, tonight and tomorrow, then the weekday, then the date', () => {
    expect(at(2026, 10, 20, 14, 5)).toBe('today at 14:05')
    expect(at(2026, 10, 20, 20, 30)).toBe('tonight at 20:30')
    expect(at(2026, 10, 21, 0, 15)).toBe('tomorrow at 00:15')
    expect(at(2026, 10, 19, 23, 0)).toBe('yesterday at 23:00')
    expect(at(2026, 10, 26, 20, 0)).toBe('Thursday at 20:00')
    expect(at(2026, 10, 27, 20, 0)).toBe('Fri 27 November at 20:00')
    expect(at(2027, 1, 3, 20, 0)).toBe('Wed, 3 February 2027 at 20:00')
    expect(at(2026, 10, 1, 9, 0)).toBe('Sun 1 November at 09:00')
  })

  test('NIGHT-79: counts days of the calendar, also over a change of the clocks', () => {
    for (let day = 1; day <= 28; day++)
      for (const month of [2, 9]) {
        const noon = new Date(2026, month, day, 12, 0)
        const next = new Date(2026, month, day + 1, 1, 0)
        expect(whenText({ starts_at: next.toISOString(), planned: true }, noon.getTime())).toBe(
          'tomorrow at 01:00',
        )
      }
  })

  test('NIGHT-79: a night that was started at once says how long ago, never in the future', () => {
    const started = { starts_at: new Date(now).toISOString(), planned: false }
    expect(whenText(started, now - 4000)).toBe('Started just now')
    expect(whenText(started, now + 5 * 60_000)).toBe('Started 5 minutes ago')
  })

  test('NIGHT-79: is past twelve hours after its start, or when it was cancelled', () => {
    const start = Date.parse('2026-11-22T20:00:00.000Z')
    expect(isPast(night(), start + 12 * 3_600_000 - 1)).toBe(false)
    expect(isPast(night(), start + 12 * 3_600_000)).toBe(true)
    expect(isPast(night({ status: 'cancelled' }), start)).toBe(true)
  })
})

test('NIGHT-81: people are parted by answer, with me first, then the host, then by name', () => {
  const people = [
    person('zoe', { answer: 'in' }),
    person('ada', { answer: 'in', voted: true }),
    person('host', { answer: 'in' }),
    person('me', { answer: 'in' }),
    person('bea', { answer: 'out' }),
    person('cy'),
  ]
  const parts = peopleParts({ people, host_steam_id: 'host' }, 'me')
  expect(Object.entries(parts).map(([part, of]) => [part, of.map((one) => one.steam_id)])).toEqual([
    ['in', ['me', 'host', 'ada', 'zoe']],
    ['maybe', []],
    ['out', ['bea']],
    ['none', ['cy']],
  ])
  expect(votesOf(people)).toEqual({ voted: 1, all: 4 })
})

describe('NIGHT-84: the order of the list', () => {
  const appids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 24 })

  test('NIGHT-84: keeps every game where it was, marks what left and adds what is new at the end', () => {
    fc.assert(
      fc.property(appids, appids, (before, after) => {
        const { entries, isOutdated } = keepOrder(before.map(game), after.map(game))
        const ids = entries.map((entry) => entry.game.appid)
        expect(ids.slice(0, before.length)).toEqual(before)
        expect(ids.slice(before.length)).toEqual(after.filter((id) => !before.includes(id)))
        for (const {
          game: { appid },
          is,
        } of entries) {
          const expected = !after.includes(appid) ? 'gone' : before.includes(appid) ? 'listed' : 'added'
          expect(is).toBe(expected)
        }
        expect(isOutdated).toBe(JSON.stringify(ids) !== JSON.stringify(after))
      }),
    )
  })

  test('NIGHT-84: shows what is known now of a game that stayed', () => {
    const changed = { ...game(1), name: 'Renamed' }
    expect(keepOrder([game(1)], [changed]).entries).toEqual([{ game: changed, is: 'listed' }])
  })
})

test('NIGHT-85, NIGHT-124: marks of games on the list are told from those that wait', () => {
  const marks = new Map([
    [1, 'want'],
    [2, 'no'],
    [9, 'fine'],
  ] as const)
  expect(ballotOf(marks, [game(2), game(3), game(1)])).toEqual({
    listed: [
      { appid: 2, mark: 'no' },
      { appid: 1, mark: 'want' },
    ],
    waiting: [{ appid: 9, mark: 'fine' }],
  })
})

test('NIGHT-85: marks by game, and nothing while they are hidden', () => {
  const ada = person('ada', { marks: [{ appid: 1, mark: 'want' }] })
  const ben = person('ben', {
    marks: [
      { appid: 1, mark: 'want' },
      { appid: 2, mark: 'no' },
    ],
  })
  expect(marksByGame([person('ada'), person('ben')])).toBeUndefined()
  const games = marksByGame([ada, ben, person('cy')])!
  expect(games.get(1)).toEqual({ want: [ada, ben], fine: [], no: [] })
  expect(games.get(2)).toEqual({ want: [], fine: [], no: [ben] })
})

test('NIGHT-86: chances are largest first, with their share of all', () => {
  const odds = [
    { appid: 1, weight: 1 },
    { appid: 2, weight: 299 },
    { appid: 3, weight: 100 },
  ]
  expect(chances(odds).map(({ appid, sum, percent }) => [appid, sum, percent])).toEqual([
    [2, 400, '75 %'],
    [3, 400, '25 %'],
    [1, 400, '< 1 %'],
  ])
  expect(chances([{ appid: 1, weight: 4 }])[0]).toMatchObject({ percent: '100 %' })
})

test('NIGHT-143: a planned night is ahead until an hour before its start; one started at once never is', () => {
  const starts_at = '2026-11-27T20:30:00.000Z'
  const at = (clock: string) => Date.parse(`2026-11-27T${clock}:00.000Z`)
  expect(isAhead({ planned: true, starts_at }, at('19:29'))).toBe(true)
  expect(isAhead({ planned: true, starts_at }, at('19:30'))).toBe(false)
  expect(isAhead({ planned: false, starts_at }, at('19:00'))).toBe(false)
})

test('NIGHT-87, NIGHT-136, NIGHT-143: who is in the game comes first, who does not own it last', () => {
  const pick = { ...pickOf(5), ready: ['a', 'b', 'c', 'd'], lacking: ['e'], elsewhere: ['g'] }
  const people = [
    person('e', { answer: 'in', personastate: 1 }),
    person('g', { answer: 'in', personastate: 1 }),
    person('f', { answer: 'in', personastate: 1 }),
    person('d', { answer: 'in', personastate: 3 }),
    person('c', { answer: 'in', personastate: 0 }),
    person('b', { answer: 'in', personastate: 1, playing: 'Other', playing_appid: 6 }),
    person('a', { answer: 'in', personastate: 1, playing: 'Game 5', playing_appid: 5 }),
    person('z', { answer: 'out', personastate: 1 }),
  ]
  expect(readiness({ people }, pick).map(({ person: { steam_id }, is }) => [steam_id, is])).toEqual([
    ['a', 'inGame'],
    ['b', 'online'],
    ['d', 'away'],
    ['c', 'offline'],
    ['g', 'elsewhere'],
    ['f', 'unknown'],
    ['e', 'lacking'],
  ])
  // NIGHT-143: before the evening only owning it counts.
  expect(readiness({ people }, pick, true).map(({ is }) => is)).toEqual([
    ...Array<string>(4).fill('owning'),
    'elsewhere',
    'unknown',
    'lacking',
  ])
})

describe('NIGHT-88: what changed, in words', () => {
  const before = night({ people: [person('me'), person('Ada'), person('Ben', { answer: 'in' })] })
  const after = (more: Partial<Night>) => changesBetween(before, { ...before, ...more }, 'me')

  test('NIGHT-88: names answers, votes, people who come and go, but not what I did', () => {
    expect(after({})).toBe('')
    expect(after({ people: [person('me', { answer: 'in', voted: true }), ...before.people.slice(1)] })).toBe(
      '',
    )
    expect(
      after({
        people: [
          before.people[0]!,
          person('Ada', { answer: 'maybe' }),
          person('Ben', { answer: 'in', voted: true }),
        ],
      }),
    ).toBe('Ada may come, Ben has voted')
    expect(after({ people: [before.people[0]!, person('Cy'), person('Ben', { answer: 'out' })] })).toBe(
      'Cy is here now, Ben is out, Ada is no longer part of this night',
    )
  })

  test('NIGHT-88: a name that is read from right to left leaves the order of the sentence as it is', () => {
    const rlo = '\u202Eright to left'
    for (const name of [rlo, 'لعبة'])
      expect(after({ people: [...before.people, person(name, { answer: 'in' })] })).toBe(
        `\u2068${name}\u2069 is in`,
      )
  })

  test('NIGHT-88: the pick comes first; of many changes three are named', () => {
    expect(after({ status: 'decided', pick: pickOf(5) })).toBe('The pick is Game 5')
    expect(after({ status: 'tied' })).toBe('Voting has ended, a draw decides')
    expect(after({ starts_at: '2026-11-22T21:00:00.000Z' })).toBe('The time has changed')
    expect(after({ host_steam_id: 'Ada' })).toBe('Ada is the host now')
    const crowd = ['A', 'B', 'C', 'D', 'E'].map((id) => person(id, { answer: 'in' }))
    expect(after({ people: [...before.people, ...crowd] })).toBe('A is in, B is in, C is in, and 2 more')
    const redrawn = changesBetween(night({ pick: pickOf(5, 1) }), night({ pick: pickOf(6, 2) }), 'me')
    expect(redrawn).toBe('The pick is Game 6')
  })
})

test('NIGHT-17: says when every possible first result has been drawn', () => {
  const odds = (...weights: number[]) => weights.map((weight, nth) => ({ appid: nth + 1, weight }))
  expect(drawnOut([])).toBeUndefined()
  expect(drawnOut([{ appid: 1, odds: odds(1) }])).toBe('best')
  expect(drawnOut([{ appid: 1, odds: odds(1, 1) }])).toBeUndefined()
  expect(
    drawnOut([
      { appid: 2, odds: odds(1, 1) },
      { appid: 1, odds: odds(1) },
    ]),
  ).toBe('best')
  expect(
    drawnOut([
      { appid: 2, odds: odds(3, 1) },
      { appid: 1, odds: odds(3) },
    ]),
  ).toBe('chance')
})

describe('NIGHT-85: who leads, as the vote stands', () => {
  const marked = (steam_id: string, ...appids: number[]) =>
    person(steam_id, {
      answer: 'in',
      voted: true,
      marks: appids.map((appid) => ({ appid, mark: 'want' as const })),
    })
  const my = { ...night().my, voted: true, marks: [{ appid: 1, mark: 'want' as const }] }
  const shortlist = [
    game(1),
    { ...game(2), lacking: ['ben'] },
    { ...game(3), lacking: ['ben'], is_free: true },
  ]
  const appids = (of: ReturnType<typeof leading>) =>
    [of.games, of.missed].map((games) => games.map((one) => one.appid))

  test('NIGHT-85: the games with the best score of those that all have, are free, or its leader allows', () => {
    const people = [marked('a', 1, 2), marked('b', 2, 3)]
    expect(appids(leading(night({ my, shortlist, people })))).toEqual([[1, 3], []])
    expect(appids(leading(night({ my, shortlist, people, any_owner: true })))).toEqual([[2], []])
    expect(appids(leading(night({ shortlist, people })))).toEqual([[], []])
  })

  test('NIGHT-152: to leaders, libraries that do not decide rule no game out', () => {
    const people = [marked('a', 1, 2), marked('b', 2, 3)]
    const led = (...pick_counts: string[]) => night({ my: { ...my, pick_counts }, shortlist, people })
    expect(appids(leading(led()))).toEqual([[2], []])
    expect(appids(leading(led('ben')))).toEqual([[1, 3], []])
  })

  test('NIGHT-152: games that somebody lacks, if no others have votes', () => {
    expect(appids(leading(night({ my, shortlist, people: [marked('a', 2)] })))).toEqual([[], [2]])
  })
})

test('NIGHT-81: its leader is to tell the others until one of them has answered', () => {
  const leads = { ...night().my, leads: true }
  const asked = [person('host', { answer: 'in' }), person('ben')]
  expect(isToTell(night({ my: leads, people: asked }))).toBe(true)
  expect(isToTell(night({ people: asked }))).toBe(false)
  expect(isToTell(night({ my: leads, people: [...asked, person('ada', { answer: 'out' })] }))).toBe(false)
  const times = [{ starts_at: '2026-11-22T20:00:00.000Z', answers: { host: 'yes' as const } }]
  expect(isToTell(night({ my: leads, people: asked, status: 'dating', times }))).toBe(true)
  expect(
    isToTell(
      night({
        my: leads,
        people: asked,
        status: 'dating',
        times: [{ ...times[0]!, answers: { ben: 'no' } }],
      }),
    ),
  ).toBe(false)
})
