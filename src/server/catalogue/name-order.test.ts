import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameOrder } from './name-order.ts'

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const sign = (a: string, b: string) => Math.sign(collator.compare(a, b))

/** Expects the ranks of every pair of names to compare as the collator does. */
function expectInOrder(names: string[]): void {
  const order = createNameOrder()
  const ranks = names.map((name) => order.rankOf(name))
  for (const [one, a] of names.entries())
    for (const [other, b] of names.entries())
      expect(Math.sign(ranks[one]!.value - ranks[other]!.value)).toBe(sign(a, b))
}

test('ranks order names as the collator does, in whatever order they are added', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'B', 'b', 'Z', 'é', '1', '10', '2', ' ', '™', '雷'),
  })
  fc.assert(fc.property(fc.array(letters, { maxLength: 30 }), expectInOrder))
  expectInOrder(['Half-Life 10', 'half-life 2', 'DOOM', 'Doom', '', 'Æon Flux', '雷電'])
})

test('ranks are renumbered when the gap between two names is used up', () => {
  const order = createNameOrder()
  const first = order.rankOf('b')
  // Each is inserted right after the first, which halves the gap every time.
  const later = Array.from({ length: 200 }, (_, n) => order.rankOf(`b ${200 - n}`))
  for (const [n, rank] of later.entries()) {
    expect(rank.value).toBeGreaterThan(first.value)
    if (n > 0) expect(rank.value).toBeLessThan(later[n - 1]!.value)
  }
  expect(order.rankOf('B')).toBe(first)
})
