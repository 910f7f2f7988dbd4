import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  gamesText,
  nullField,
  numberField,
  writeFirst,
  writeNumber,
  writeObject,
  writeTime,
} from './game-text.ts'

const face = { appid: 7, name: 'Ä "B" \u2028', image_url: null, icon_url: 'https://x', modes: [] }
const game = (of: typeof face) => ({
  face: of,
  place: { name: of.name, rank: 0 },
  owned: undefined,
  common: undefined,
  shared: undefined,
})
const A = numberField('a')
const MAYBE = nullField('a')
const list = (...args: Parameters<typeof gamesText>): unknown => JSON.parse(gamesText(...args).toString())

/** A list of one game, with what `write` writes of it. */
const written = (write: () => void) => gamesText('common', [game(face)], write).toString()

test('times are written as Date writes them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 - 1 }), (seconds) => {
      expect(written(() => writeTime(MAYBE, seconds))).toContain(
        `,"a":${JSON.stringify(new Date(seconds * 1000))}}]`,
      )
    }),
  )
  expect(written(() => writeTime(MAYBE, 0))).toContain(',"a":null}]')
})

test('figures are written as JSON writes them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      expect(written(() => writeNumber(A, value))).toContain(`,"a":${value}}]`)
    }),
  )
  for (const edge of [0, 9, 10, 99, 100, Number.MAX_SAFE_INTEGER])
    expect(written(() => writeNumber(A, edge))).toContain(`,"a":${edge}}]`)
})

test('objects of figures are written as JSON writes them, empty ones too', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.nat(), { noNullPrototype: true }), (object) => {
      const text = written(() =>
        writeObject(MAYBE, Object.keys(object).map(numberField), Object.values(object)),
      )
      expect(text).toContain(`,"a":${JSON.stringify(object)}}]`)
    }),
  )
})

describe('a list of games', () => {
  const nothing = () => {}

  test('shows of each game what its kind of list shows', () => {
    const { icon_url: _icon, ...playable } = face
    const figures = (index: number) => {
      writeFirst(index)
      writeNumber(A, 10 * index)
    }
    expect(list('owned', [game(face)], nothing)).toEqual([{ ...face, id: 7, playtime_minutes: 0 }])
    expect(list('common', [game(face), game(face)], figures)).toEqual([
      { ...playable, user_playtime: 0, a: 0 },
      { ...playable, user_playtime: 1, a: 10 },
    ])
  })

  test('may stand in an object, and be empty', () => {
    expect(list('owned', [], nothing, { before: '{"gämes":', after: ',"status":"ök"}' })).toEqual({
      gämes: [],
      status: 'ök',
    })
  })

  test('shows a new name at once', () => {
    expect(list('owned', [game(face), game({ ...face, name: 'C' })], nothing)).toMatchObject([
      { name: face.name },
      { name: 'C' },
    ])
  })

  test('is whole however long it is, and so are the lists before and after it', () => {
    const short = list('shared', [game(face)], (index) => writeNumber(A, index))
    const many = Array.from({ length: 20_000 }, (_, appid) => game({ ...face, appid }))
    const long = list('shared', many, (index) => writeNumber(A, index)) as { appid: number; a: number }[]
    expect(long).toHaveLength(many.length)
    expect(long.every(({ appid, a }, index) => appid === index && a === index)).toBe(true)
    expect(list('shared', [game(face)], (index) => writeNumber(A, index))).toEqual(short)
  })
})
