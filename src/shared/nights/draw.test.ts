import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { checkDraw, drawFrom, drawText, seedHash } from './draw.ts'
import type { Odds } from './votes.ts'

const SEED = '050299e31bc62fccc31c5aabacd59b24a9153b7e6b2d9f943455c1f0304172d7'
const HASH = 'b4e760b7c9b77abebc207c27ca34f2f73ef84586028d2d6baadfd6b6f822aa1a'
const OTHER_SEED = 'ecd09841516321736f700bc336172d18d502aa0d61835994741a857bccead7d1'

/** Odds from weights by appid. */
const odds = (weights: Record<number, number>): Odds =>
  Object.entries(weights).map(([appid, weight]) => ({ appid: Number(appid), weight }))

/** The seed of a test's draw, the same in every run. */
const seedOf = (nth: number) => createHash('sha256').update(`night ${nth}`).digest('hex')

describe('a draw', () => {
  test('NIGHT-32: has seeds and results that never change, because shown draws must stay correct', () => {
    expect(seedHash(SEED)).toBe(HASH)
    const two = odds({ 440: 1, 730: 1 })
    const three = odds({ 440: 6, 620: 3, 730: 1 })
    expect(drawFrom(SEED, 1, 1, two)).toBe(440)
    expect(drawFrom(OTHER_SEED, 1, 2, two)).toBe(730)
    expect(drawFrom(SEED, 2, 1, two)).toBe(440)
    expect(drawFrom(SEED, 7, 1, three)).toBe(440)
    expect(drawFrom(OTHER_SEED, 7, 2, odds({ 620: 3, 730: 1 }))).toBe(620)
    expect(drawFrom(SEED, 7, 24, odds({ 730: 1 }))).toBe(730)
    expect(drawFrom(SEED, 4_294_967_295, 1, odds({ 10: 1, 4_294_967_295: 100 }))).toBe(4_294_967_295)
  })

  test('NIGHT-33: signs the night, the number of the draw and the odds by appid', () => {
    const given = [
      { appid: 730, weight: 1 },
      { appid: 440, weight: 6 },
    ]
    expect(drawText(7, 2, given)).toBe('7:2:440=6,730=1')
    for (let nth = 0; nth < 20; nth++)
      expect(drawFrom(seedOf(nth), 7, 2, given)).toBe(drawFrom(seedOf(nth), 7, 2, given.toReversed()))
  })

  test('NIGHT-33: matches the definition for any odds', () => {
    const arbitraryOdds = fc.uniqueArray(
      fc.record({
        appid: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        weight: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 2 ** 53 - 1 })),
      }),
      { selector: ({ appid }) => appid, minLength: 1, maxLength: 24 },
    )
    const arbitrarySeed = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex'))
    const number = fc.integer({ min: 1, max: 24 })
    fc.assert(
      fc.property(arbitrarySeed, fc.nat(), number, arbitraryOdds, (seed, nightId, nth, given) => {
        const ordered = given.toSorted((a, b) => a.appid - b.appid)
        const text = `${nightId}:${nth}:${ordered.map((one) => `${one.appid}=${one.weight}`).join(',')}`
        const code = BigInt(`0x${createHmac('sha256', Buffer.from(seed, 'hex')).update(text).digest('hex')}`)
        const upTo = ordered.map((_, at) =>
          ordered.slice(0, at + 1).reduce((sum, { weight }) => sum + BigInt(weight), 0n),
        )
        const expected = ordered.find((_, at) => code % upTo.at(-1)! < upTo[at]!)!.appid

        expect(drawFrom(seed, nightId, nth, given)).toBe(expected)
      }),
    )
  })

  const NOT_WHOLE = 'odds must be positive whole numbers'
  test.each<[what: string, given: Odds, message: string]>([
    ['none', [], NOT_WHOLE],
    ['zero', odds({ 10: 1, 20: 0 }), NOT_WHOLE],
    ['negative', odds({ 10: 5, 20: -3 }), NOT_WHOLE],
    ['fractions', odds({ 10: 0.5 }), NOT_WHOLE],
    ['too large to be exact', odds({ 10: 2 ** 53 }), NOT_WHOLE],
    ['of one game twice', [...odds({ 10: 1 }), ...odds({ 10: 1 })], 'odds must be of different games'],
  ])('NIGHT-33: refuses odds that are %s', (_what, given, message) => {
    expect(() => drawFrom(SEED, 1, 1, given)).toThrow(new RangeError(message))
  })
})

describe('checking a draw', () => {
  const draw = {
    number: 1,
    odds: odds({ 440: 6, 620: 3, 730: 1 }),
    seed: SEED,
    seed_hash: HASH,
  }

  test('NIGHT-91: gives the game that was drawn, from what is shown', () => {
    expect(checkDraw(7, draw)).toEqual({ appid: 440, hashMatches: true })
  })

  test('NIGHT-32: says when the seed is not the one whose hash was shown', () => {
    expect(checkDraw(7, { ...draw, seed: OTHER_SEED }).hashMatches).toBe(false)
    expect(checkDraw(7, { ...draw, seed_hash: seedHash(OTHER_SEED) })).toEqual({
      appid: 440,
      hashMatches: false,
    })
  })

  test('NIGHT-91: needs no hashing of the browser, which offers none without https', async () => {
    vi.stubGlobal('crypto', undefined)
    vi.resetModules()
    try {
      const { checkDraw: check } = await import('./draw.ts')
      expect(check(7, draw)).toEqual({ appid: 440, hashMatches: true })
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

describe('draws are fair', () => {
  const DRAWS = 4000
  /** What a fair draw exceeds once in a thousand times, by the number of games less one. */
  const CHI_SQUARE: Record<number, number> = { 1: 10.83, 2: 13.82, 3: 16.27, 23: 49.73 }

  const equal = (games: number) =>
    odds(Object.fromEntries(Array.from({ length: games }, (_, at) => [10 * at + 10, 1])))
  const series: [what: string, given: Odds][] = [
    ['two games alike', equal(2)],
    ['three games alike', equal(3)],
    ['as many games as a shortlist has', equal(24)],
    ['six, three and one', odds({ 10: 6, 20: 3, 30: 1 })],
    ['one game much ahead', odds({ 10: 1, 20: 64 })],
    ['four games that are nearly alike', odds({ 10: 7, 20: 8, 30: 8, 40: 9 })],
  ]
  const ways: [what: string, draw: (nth: number, given: Odds) => number][] = [
    ['nights', (nth, given) => drawFrom(seedOf(nth), 1, 1, given)],
    ['nights of one seed', (nth, given) => drawFrom(SEED, nth, 1, given)],
  ]

  /** How far the drawn games are from what the odds say. */
  function chiSquare(given: Odds, draw: (nth: number, given: Odds) => number): number {
    const drawn = new Map(given.map(({ appid }) => [appid, 0]))
    for (let nth = 0; nth < DRAWS; nth++) {
      const appid = draw(nth, given)
      drawn.set(appid, drawn.get(appid)! + 1)
    }
    const sum = given.reduce((all, { weight }) => all + weight, 0)
    return given
      .map(({ appid, weight }) => ({ found: drawn.get(appid)!, expected: (DRAWS * weight) / sum }))
      .reduce((all, { found, expected }) => all + (found - expected) ** 2 / expected, 0)
  }

  test.each(series.flatMap(([odd, given]) => ways.map(([way, draw]) => ({ odd, way, given, draw }))))(
    'NIGHT-36: over many $way: $odd',
    ({ given, draw }) => {
      expect(chiSquare(given, draw)).toBeLessThan(CHI_SQUARE[given.length - 1]!)
    },
  )

  test('NIGHT-36: and the test would find a draw that is not', () => {
    const given = odds({ 10: 6, 20: 3, 30: 1 })
    const others = odds({ 10: 6, 20: 3, 30: 2 })
    expect(chiSquare(given, (nth) => drawFrom(seedOf(nth), 1, 1, others))).toBeGreaterThan(13.82)
  })
})
