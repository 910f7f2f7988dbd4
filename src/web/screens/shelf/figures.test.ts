import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figuresOf, percentOf } from './figures.ts'

const game = (playtime_minutes: number, playtime_2weeks_minutes = 0) => ({
  playtime_minutes,
  playtime_2weeks_minutes,
})

describe('SHELF-1: the figures of a shelf', () => {
  test('each game counts in the one span of its playtime', () => {
    const { spread } = figuresOf(
      [0, 1, 59, 60, 599, 600, 2999, 3000, 11_999, 12_000, 90_000].map((m) => game(m)),
    )
    expect(spread).toEqual([
      { span: 'never', games: 1 },
      { span: 'minutes', games: 2 },
      { span: 'few', games: 2 },
      { span: 'some', games: 2 },
      { span: 'many', games: 2 },
      { span: 'most', games: 2 },
    ])
  })

  test('the last two weeks have the games played then, most first', () => {
    const { recent, recentMinutes } = figuresOf([game(500, 20), game(9000), game(70, 65)])
    expect(recent.map((one) => one.playtime_2weeks_minutes)).toEqual([65, 20])
    expect(recentMinutes).toBe(85)
  })

  test('an empty library has figures too', () => {
    expect(figuresOf([])).toMatchObject({ games: 0, minutes: 0, played: 0, recent: [], recentMinutes: 0 })
  })

  test('SHELF-1: the spans of any library add up to all games, as do played and never played', () => {
    const minutes = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(minutes, minutes)), (rows) => {
        const games = rows.map(([all, recent]) => game(all, recent))
        const figures = figuresOf(games)
        expect(figures.spread.reduce((sum, span) => sum + span.games, 0)).toBe(games.length)
        expect(figures.played).toBe(games.filter((one) => one.playtime_minutes > 0).length)
        expect(figures.minutes).toBe(games.reduce((sum, one) => sum + one.playtime_minutes, 0))
        expect(figures.recent).toHaveLength(games.filter((one) => one.playtime_2weeks_minutes > 0).length)
      }),
    )
  })

  test('a share reads 0% or 100% only where nothing or everything is meant', () => {
    expect([percentOf(0, 9), percentOf(9, 9), percentOf(0, 0)]).toEqual([0, 100, 0])
    expect([percentOf(1, 9999), percentOf(9998, 9999), percentOf(1, 2)]).toEqual([1, 99, 50])
  })
})
