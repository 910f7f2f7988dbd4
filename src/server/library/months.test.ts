import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryLibrary } from '../../../tests/support/arbitrary-libraries.ts'
import { gamesIn, type Library, libraryFrom, type OwnedGame, totalMinutes } from './library.ts'
import { gainsByMonth, monthAfter, monthOf, monthText, newsBetween } from './months.ts'

const game = (appid: number, minutes: number, lastPlayed = 0): OwnedGame => ({
  appid,
  minutes,
  recentMinutes: 0,
  lastPlayed,
})
const minutesOf = (library: Library | undefined) =>
  library && Object.fromEntries([...gamesIn(library)].map(({ appid, minutes }) => [appid, minutes]))
const plain = (gains: Map<number, Library>) =>
  Object.fromEntries([...gains].map(([month, library]) => [month, minutesOf(library)]))

describe('months', () => {
  test.each([
    [Date.UTC(2026, 10, 30, 23, 59, 59, 999), 202_611],
    [Date.UTC(2026, 11, 1), 202_612],
    [Date.UTC(2027, 0, 1), 202_701],
  ])('%d is in %d', (time, month) => expect(monthOf(time)).toBe(month))

  test('go on over the turn of a year, in both directions', () => {
    expect([monthAfter(202_612), monthAfter(202_701, -1), monthAfter(202_611, -23)]).toEqual([
      202_701, 202_612, 202_412,
    ])
    expect(monthText(202_601)).toBe('2026-01')
  })
})

describe('minutes gained between two syncs', () => {
  const [october, november] = [Date.UTC(2026, 9, 20), Date.UTC(2026, 10, 5)]
  const gained = (before: OwnedGame[], after: OwnedGame[]) =>
    plain(
      gainsByMonth(
        { library: libraryFrom(before), at: october },
        { library: libraryFrom(after), at: november },
      ),
    )

  test('are none of a game that comes back, or with playtime from elsewhere', () => {
    const seconds = (time: number) => time / 1000
    const rust = game(9, 10)
    // More than all the time between the syncs and a day.
    expect(gained([rust], [rust, game(1, 17 * 24 * 60 + 1)])).toEqual({})
    expect(gained([rust], [rust, game(1, 17 * 24 * 60)])).toEqual({ 202611: { 1: 17 * 24 * 60 } })
    expect(gained([rust, game(1, 5)], [rust, game(1, 5 + 17 * 24 * 60 + 1)])).toEqual({})
    // New, and last played before the earlier sync.
    expect(gained([rust], [rust, game(1, 60, seconds(october))])).toEqual({})
    expect(gained([rust], [rust, game(1, 60, seconds(october) + 1)])).toEqual({ 202610: { 1: 60 } })
    // Known, and last played more than a day before the earlier sync: minutes played offline, for example.
    expect(gained([rust, game(1, 5)], [rust, game(1, 65, seconds(october) - 86_400)])).toEqual({})
    // A session that was running then is counted when it ends.
    expect(gained([rust, game(1, 5)], [rust, game(1, 65, seconds(october) - 9)])).toEqual({
      202611: { 1: 60 },
    })
  })

  test('PLAT-14: are none after a library without minutes, which may have been private (PLAT-14)', () => {
    expect(gained([game(1, 0)], [game(1, 5000)])).toEqual({})
  })

  test('SYNC-22: are what a naive count finds, for any libraries and times', () => {
    const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) })
    fc.assert(
      fc.property(arbitraryLibrary, arbitraryLibrary, time, time, (before, after, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const naive: Record<string, Record<number, number>> = {}
        let sum = 0
        for (const { appid, minutes, lastPlayed } of gamesIn(after)) {
          const known = [...gamesIn(before)].find((candidate) => candidate.appid === appid)
          const old = known?.minutes ?? 0
          if (minutes <= old || totalMinutes(before) === 0) continue
          if (minutes - old > (to - from) / 60_000 + 24 * 60) continue
          if (lastPlayed > 0 && lastPlayed * 1000 <= from - (known ? 24 * 60 * 60_000 : 0)) continue
          sum += minutes - old
          const played = new Date(lastPlayed * 1000)
          const within = played.getTime() > from && played.getTime() <= to
          const month = (within ? played : new Date(to)).toISOString().slice(0, 7).replace('-', '')
          ;(naive[month] ??= {})[appid] = minutes - old
        }
        const gains = gainsByMonth({ library: before, at: from }, { library: after, at: to })
        expect(plain(gains)).toEqual(naive)
        expect([...gains.values()].reduce((total, library) => total + totalMinutes(library), 0)).toBe(sum)
      }),
    )
  })
})

test('games are started that had no minutes before and have gained some, none with old minutes', () => {
  const [before, after] = [Date.UTC(2026, 10, 5), Date.UTC(2026, 10, 6)]
  const news = newsBetween(
    { library: libraryFrom([game(1, 0), game(3, 9), game(5, 0)]), at: before },
    { library: libraryFrom([game(1, 7), game(2, 30), game(3, 12), game(4, 90_000), game(5, 0)]), at: after },
    [],
  )
  expect(news.filter(({ kind }) => kind === 'started')).toEqual([
    { appid: 1, minutes: 7, kind: 'started' },
    { appid: 2, minutes: 30, kind: 'started' },
  ])
})
