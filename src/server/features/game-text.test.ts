import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gameText, timeText } from './game-text.ts'
import { createNameOrder } from './name-order.ts'

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

test('names have the order in which people sort them, whichever was met first', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Portal', 'portal', 'Pörtal', 'Game 2', 'Game 10'),
  )
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      const rankOf = createNameOrder()
      for (const each of names) rankOf(each)
      for (const a of names)
        for (const b of names)
          expect(Math.sign(rankOf(a) - rankOf(b))).toBe(Math.sign(collator.compare(a, b)))
    }),
  )
})

test('there is always room between two names', () => {
  const rankOf = createNameOrder()
  const names = Array.from({ length: 300 }, (_, n) => 'a'.repeat(300 - n))
  rankOf('b')
  for (const name of names) rankOf(name)
  const ranks = names.map(rankOf)
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a))
  expect(new Set(ranks).size).toBe(300)
  expect(rankOf('b')).toBeGreaterThan(ranks[0]!)
})

test('times are written as Date writes them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 - 1 }), (seconds) => {
      expect(timeText(seconds)).toBe(JSON.stringify(new Date(seconds * 1000)))
    }),
  )
  expect(timeText(0)).toBe('null')
})

test('a game shows what its list shows, and a new name at once', () => {
  const face = { appid: 7, name: 'A "B" \u2028', image_url: null, icon_url: 'https://x', modes: [] }
  expect(JSON.parse(gameText(face, 'full', '"id":7'))).toEqual({ ...face, id: 7 })
  expect(JSON.parse(gameText(face, 'playable', '"id":7'))).toEqual({
    appid: 7,
    name: face.name,
    image_url: null,
    modes: [],
    id: 7,
  })
  expect(JSON.parse(gameText({ ...face, name: 'C' }, 'full', '"id":7'))).toMatchObject({ name: 'C' })
})
