import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { checkDraw, DRAWS_MAX, drawFrom, drawText, seedHash, seedOf } from './draw.ts'
import type { Odds } from './votes.ts'

const SECRET = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'

/** Odds from weights by appid. */
const odds = (weights: Record<number, number>): Odds =>
  Object.entries(weights).map(([appid, weight]) => ({ appid: Number(appid), weight }))

/** The secret of a test's night, the same in every run. */
const secretOf = (nth: number) => createHash('sha256').update(`night ${nth}`).digest('hex')

describe('a draw', () => {
  test('NIGHT-32: has seeds and results that never change, because shown draws must stay correct', () => {
    expect(seedHash(SECRET)).toBe('b4e760b7c9b77abebc207c27ca34f2f73ef84586028d2d6baadfd6b6f822aa1a')
    expect(seedOf(SECRET, 1)).toBe('050299e31bc62fccc31c5aabacd59b24a9153b7e6b2d9f943455c1f0304172d7')
    expect(seedOf(SECRET, 2)).toBe('ecd09841516321736f700bc336172d18d502aa0d61835994741a857bccead7d1')
    expect(seedOf(SECRET, DRAWS_MAX)).toBe(SECRET)
    const two = odds({ 440: 1, 730: 1 })
    const three = odds({ 440: 6, 620: 3, 730: 1 })
    const many = odds(Object.fromEntries(Array.from({ length: 24 }, (_, at) => [10 * at + 10, at + 1])))
    expect(drawFrom(SECRET, 1, 1, two)).toBe(440)
    expect(drawFrom(SECRET, 1, 2, two)).toBe(730)
    expect(drawFrom(SECRET, 2, 1, two)).toBe(440)
    expect(drawFrom(SECRET, 7, 1, three)).toBe(440)
    expect(drawFrom(SECRET, 7, 2, odds({ 620: 3, 730: 1 }))).toBe(620)
    expect(drawFrom(SECRET, 7, 3, three)).toBe(730)
    expect(drawFrom(SECRET, 7, DRAWS_MAX, odds({ 730: 1 }))).toBe(730)
    expect(drawFrom(SECRET, 4_294_967_295, 1, odds({ 10: 1, 4_294_967_295: 100 }))).toBe(4_294_967_295)
    expect(drawFrom(SECRET, 12, 5, many)).toBe(130)
  })

  test('NIGHT-33: signs the night, the number of the draw and the odds by appid', () => {
    const given = [
      { appid: 730, weight: 1 },
      { appid: 440, weight: 6 },
    ]
    expect(drawText(7, 2, given)).toBe('7:2:440=6,730=1')
    for (let nth = 0; nth < 20; nth++)
      expect(drawFrom(secretOf(nth), 7, 2, given)).toBe(drawFrom(secretOf(nth), 7, 2, given.toReversed()))
  })

  test('NIGHT-33: matches the definition for any odds', () => {
    const arbitraryOdds = fc.uniqueArray(
      fc.record({
        appid: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        weight: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 2 ** 53 - 1 })),
      }),
      { selector: ({ appid }) => appid, minLength: 1, maxLength: 24 },
    )
    const arbitrarySecret = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex'))
    const number = fc.integer({ min: 1, max: DRAWS_MAX })
    fc.assert(
      fc.property(arbitrarySecret, fc.nat(), number, arbitraryOdds, (secret, nightId, nth, given) => {
        let seed: Buffer = Buffer.from(secret, 'hex')
        for (let at = nth; at < DRAWS_MAX; at++) seed = createHash('sha256').update(seed).digest()
        const ordered = given.toSorted((a, b) => a.appid - b.appid)
        const text = `${nightId}:${nth}:${ordered.map((one) => `${one.appid}=${one.weight}`).join(',')}`
        const code = BigInt(`0x${createHmac('sha256', seed).update(text).digest('hex')}`)
        const upTo = ordered.map((_, at) =>
          ordered.slice(0, at + 1).reduce((sum, { weight }) => sum + BigInt(weight), 0n),
        )
        const expected = ordered.find((_, at) => code % upTo.at(-1)! < upTo[at]!)!.appid

        expect(seedOf(secret, nth)).toBe(seed.toString('hex'))
        expect(drawFrom(secret, nightId, nth, given)).toBe(expected)
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
    expect(() => drawFrom(SECRET, 1, 1, given)).toThrow(new RangeError(message))
  })

  test.each([0, -1, 1.5, Number.NaN, DRAWS_MAX + 1])('NIGHT-32: refuses the number %d', (number) => {
    const refusal = new RangeError('there is no draw of that number')
    expect(() => drawFrom(SECRET, 1, number, odds({ 10: 1 }))).toThrow(refusal)
    expect(() => seedOf(SECRET, number)).toThrow(refusal)
  })
})

describe('checking a draw', () => {
  const first = odds({ 440: 6, 620: 3, 730: 1 })
  const second = odds({ 620: 3, 730: 1 })
  /** What the night 7 shows after so many draws. */
  const after = (draws: number) => ({
    nightId: 7,
    seed: seedOf(SECRET, draws),
    seedNumber: draws,
    seedHash: seedHash(SECRET),
  })

  test('NIGHT-91: gives the game that was drawn, from what is shown', () => {
    expect(checkDraw(after(1), { number: 1, odds: first })).toEqual({ appid: 440, hashMatches: true })
  })

  test('NIGHT-32: checks earlier draws with the seed of the latest', () => {
    expect(checkDraw(after(2), { number: 1, odds: first })).toEqual({ appid: 440, hashMatches: true })
    expect(checkDraw(after(2), { number: 2, odds: second })).toEqual({ appid: 620, hashMatches: true })
  })

  test('NIGHT-32: says when the seed is not the one whose hash was shown', () => {
    const other = secretOf(1)
    for (const seed of [seedOf(other, 1), seedOf(SECRET, 2), SECRET])
      expect(checkDraw({ ...after(1), seed }, { number: 1, odds: first }).hashMatches).toBe(false)
    expect(checkDraw({ ...after(2), seed: seedOf(SECRET, 1) }, { number: 1, odds: first }).hashMatches).toBe(
      false,
    )
    expect(checkDraw({ ...after(1), seedHash: seedHash(other) }, { number: 1, odds: first })).toEqual({
      appid: 440,
      hashMatches: false,
    })
  })

  test('NIGHT-91: needs no hashing of the browser, which offers none without https', async () => {
    vi.stubGlobal('crypto', undefined)
    vi.resetModules()
    try {
      const { checkDraw: check } = await import('./draw.ts')
      expect(check(after(1), { number: 1, odds: first })).toEqual({ appid: 440, hashMatches: true })
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('NIGHT-32: cannot foresee a draw after the latest', () => {
    expect(() => checkDraw(after(1), { number: 2, odds: second })).toThrow(RangeError)
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
    // The last number is the fastest: its seed is the secret itself.
    ['nights', (nth, given) => drawFrom(secretOf(nth), 1, DRAWS_MAX, given)],
    ['nights of one seed', (nth, given) => drawFrom(SECRET, nth, DRAWS_MAX, given)],
    ['draws of a night', (nth, given) => drawFrom(secretOf(nth >> 5), 1, (nth % DRAWS_MAX) + 1, given)],
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
    expect(chiSquare(given, (nth) => drawFrom(secretOf(nth), 1, DRAWS_MAX, others))).toBeGreaterThan(13.82)
  })
})
