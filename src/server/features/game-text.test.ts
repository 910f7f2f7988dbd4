import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type GameList,
  gameList,
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
  edition: 0,
  owned: -1,
  common: -1,
  shared: -1,
})
const A = numberField('a')
const MAYBE = nullField('a')
type Around = Parameters<typeof gamesText>[2]

function list(
  kind: GameList['kind'],
  games: GameList['games'],
  figures: (index: number) => void,
  around?: Around,
): unknown {
  return JSON.parse(gamesText(gameList(kind, games), figures, around).toString())
}

/** A list of one game, with what `write` writes of it. */
const written = (write: () => void) => gamesText(gameList('common', [game(face)]), write).toString()

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

  test('stays the same when what was stored of games was too much and all begin anew', () => {
    const known = gameList('owned', [game({ ...face, name: 'A' }), game({ ...face, name: 'B' })])
    const before = gamesText(known, writeFirst).toString()
    // More than is kept of 40 MB of names.
    const many = Array.from({ length: 400 }, (_, appid) =>
      game({ ...face, appid, name: 'x'.repeat(100_000) }),
    )
    for (const one of many)
      expect(list('owned', [one], nothing)).toMatchObject([{ appid: one.face.appid, name: one.face.name }])
    expect(gamesText(known, writeFirst).toString()).toBe(before)
    expect(list('common', known.games, nothing)).toMatchObject([{ name: 'A' }, { name: 'B' }])
  })
})
