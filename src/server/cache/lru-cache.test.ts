/** What the cache holds and evicts, against the order in which entries were used. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLruCache } from './lru-cache.ts'

test('everything stays while it fits, also what is never read', () => {
  const cache = createLruCache<number, string>(1000)
  for (let key = 0; key < 1000; key++) cache.set(key, `${key}`)
  for (let key = 0; key < 1000; key++) expect(cache.get(key)).toBe(`${key}`)
})

test('without room a sixteenth is evicted, of what was not used for longest', () => {
  const evicted: string[][] = []
  const cache = createLruCache<number, string>(
    160,
    () => 1,
    (values) => evicted.push([...values]),
  )
  for (let key = 0; key < 160; key++) cache.set(key, `${key}`)
  expect(evicted).toEqual([])
  expect(cache.get(0)).toBe('0')
  cache.set(160, '160')
  expect(evicted).toEqual([Array.from({ length: 11 }, (_, nth) => `${nth + 1}`)])
  expect(cache.get(11)).toBeUndefined()
  expect(cache.get(0)).toBe('0')
})

test('what is read all the time stays, however much else is set', () => {
  const cache = createLruCache<number, string>(100)
  for (let key = 0; key < 10_000; key++) {
    cache.set(key, `${key}`)
    expect(cache.get(0)).toBe('0')
    expect(cache.get(key)).toBe(`${key}`)
  }
})

test('values are those that were set last, within the limit, and evicted values are named once', () => {
  type Step = { kind: 'set' | 'get' | 'delete'; key: number; weight: number }
  const step = fc.record({
    kind: fc.constantFrom<Step['kind']>('set', 'set', 'get', 'delete'),
    key: fc.integer({ min: 0, max: 12 }),
    weight: fc.integer({ min: 1, max: 60 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const stored = new Map<number, { weight: number }>()
      const cache = createLruCache<number, { weight: number }>(
        100,
        ({ weight }) => weight,
        (values) => {
          for (const value of values) {
            const [key] = [...stored].find(([, one]) => one === value)!
            stored.delete(key)
          }
        },
      )
      for (const { kind, key, weight } of steps) {
        if (kind === 'get') expect(cache.get(key)).toBe(stored.get(key))
        if (kind === 'delete') {
          cache.delete(key)
          stored.delete(key)
        }
        if (kind !== 'set') continue
        const value = { weight }
        if (weight > 50) stored.delete(key)
        else stored.set(key, value)
        cache.set(key, value)
        expect([...stored.values()].reduce((sum, one) => sum + one.weight, 0)).toBeLessThanOrEqual(100)
      }
      for (let key = 0; key <= 12; key++) expect(cache.get(key)).toBe(stored.get(key))
    }),
  )
})
