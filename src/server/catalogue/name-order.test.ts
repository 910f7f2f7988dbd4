import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameOrder } from './name-order.ts'

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const sign = (a: string, b: string) => Math.sign(collator.compare(a, b))

/** Every pair of names stands as people read them. */
function expectInOrder(names: string[]): void {
  const order = createNameOrder()
  const places = names.map((name) => order.placeOf(name))
  for (const [one, a] of names.entries())
    for (const [other, b] of names.entries())
      expect(Math.sign(places[one]!.rank - places[other]!.rank)).toBe(sign(a, b))
}

test('names stand as people read them, in whatever order they came', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'B', 'b', 'Z', 'é', '1', '10', '2', ' ', '™', '雷'),
  })
  fc.assert(fc.property(fc.array(letters, { maxLength: 30 }), expectInOrder))
  expectInOrder(['Half-Life 10', 'half-life 2', 'DOOM', 'Doom', '', 'Æon Flux', '雷電'])
})

test('there is always room between two names', () => {
  const order = createNameOrder()
  const first = order.placeOf('b')
  // Each stands right behind the first one, where the gap halves every time.
  const later = Array.from({ length: 200 }, (_, n) => order.placeOf(`b ${200 - n}`))
  for (const [n, place] of later.entries()) {
    expect(place.rank).toBeGreaterThan(first.rank)
    if (n > 0) expect(place.rank).toBeLessThan(later[n - 1]!.rank)
  }
  expect(order.placeOf('B')).toBe(first)
})
