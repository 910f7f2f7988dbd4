import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparable } from '#shared/names.ts'
import { entriesOf, found } from './find-ranking.ts'

type Named = { name: string }
const named = (...names: string[]) =>
  entriesOf<Named>(
    names.map((name) => ({ name })),
    ({ name }) => name,
  )
const games = (...names: string[]) => [{ kind: 'games', entries: named(...names) }]
const namesFor = (names: string[], typed: string, limit = 12) =>
  found(games(...names), typed, limit).flatMap(({ items }) => items.map(({ name }) => name))

describe('NAV-10: what Find finds', () => {
  test('names that match alike keep their order', () => {
    expect(namesFor(['Portal 2', 'Portal', 'Portal Stories'], 'por')).toEqual([
      'Portal 2',
      'Portal',
      'Portal Stories',
    ])
  })

  test('without a search the first of each section', () => {
    const letters = 'abcdefghij'.split('')
    const all = found(
      [
        { kind: 'friends', entries: named(...letters) },
        { kind: 'games', entries: named(...letters) },
        { kind: 'groups', entries: named('one') },
      ],
      '  ',
      12,
    )
    expect(all.map(({ kind, items, total }) => [kind, items.length, total])).toEqual([
      ['friends', 8, 10],
      ['games', 3, 10],
      ['groups', 1, 1],
    ])
  })

  test('the section with the best match comes first, and no section is crowded out', () => {
    const all = found(
      [
        { kind: 'friends', entries: named(...Array.from({ length: 50 }, (_, nth) => `report ${nth}`)) },
        { kind: 'games', entries: named('Portal', 'Airport') },
        { kind: 'groups', entries: named('Nobody') },
      ],
      'port',
      12,
    )
    expect(all.map(({ kind, isMore, items, total }) => [kind, isMore, items.length, total])).toEqual([
      ['games', false, 1, 1],
      ['friends', false, 10, 50],
      ['games', true, 1, 1],
    ])
  })

  test('NAV-10: finds what a plain comparison of every name finds, best first, within the limit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '-', "'", 'B', 'ص'), maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { maxLength: 20 }), { minLength: 1, maxLength: 3 }),
        text.filter((typed) => typed.trim() !== ''),
        fc.integer({ min: 9, max: 12 }),
        (lists, typed, limit) => {
          const sections = lists.map((names, nth) => ({ kind: String(nth), entries: named(...names) }))
          const all = found(sections, typed, limit)
          const wanted = comparable(typed)
          const rank = (name: string) =>
            Math.min(...comparable(name).flatMap((plain) => wanted.map((part) => rankOf(plain, part))))
          const rankOf = (plain: string, wanted: string) => {
            if (plain === wanted) return 0
            if (plain.startsWith(wanted)) return 1
            if (plain.includes(` ${wanted}`)) return 2
            if (plain.includes(wanted)) return 4
            const words = plain.split(' ')
            const parts = wanted.split(' ')
            return parts.length > 1 && parts.every((part) => words.some((word) => word.startsWith(part)))
              ? 3
              : Infinity
          }
          const naive = lists.map((names) => names.filter((name) => rank(name) < Infinity))
          const matches = naive.reduce((sum, names) => sum + names.length, 0)
          // Every match is counted, in its section; of one that is not shown at all nothing is said.
          for (const [nth, names] of naive.entries()) {
            const total = all.reduce((sum, one) => sum + (one.kind === String(nth) ? one.total : 0), 0)
            if (matches <= limit) expect(total).toBe(names.length)
            else expect(total).toBeLessThanOrEqual(names.length)
          }
          // As many as there is room for are shown.
          expect(all.reduce((sum, { items }) => sum + items.length, 0)).toBe(Math.min(limit, matches))
          // Of each kind the best matches are shown.
          const ranksOf = (items: readonly Named[]) => items.map(({ name }) => rank(name))
          for (const [nth, names] of naive.entries()) {
            const shown = all.flatMap(({ kind, items }) => (kind === String(nth) ? ranksOf(items) : []))
            const sorted = names.map((name) => rank(name)).sort((a, b) => a - b)
            expect(shown).toEqual(sorted.slice(0, shown.length))
          }
          // The best section comes first, and matches within a word last.
          const bests = all.map(({ items }) => ranksOf(items)[0]!)
          expect(bests).toEqual([...bests].sort((a, b) => a - b))
          const isWithin = all.flatMap(({ items }) => ranksOf(items).map((one) => Number(one === 4)))
          expect(isWithin).toEqual([...isWithin].sort())
        },
      ),
    )
  })

  test('10,000 games and 2,000 friends are searched within a few milliseconds', () => {
    const words = ['Portal', 'Half', 'Life', 'Dark', 'Souls', 'Space', 'Station', 'Rocket', 'Port', 'Éclair']
    const name = (nth: number) => `${words[nth % 10]} ${words[(nth >> 3) % 10]} ${nth}`
    const sections = [
      { kind: 'friends', entries: named(...Array.from({ length: 2000 }, (_, nth) => name(nth))) },
      { kind: 'games', entries: named(...Array.from({ length: 10_000 }, (_, nth) => name(nth))) },
    ]
    const times = ['p', 'po', 'por', 'port', 'half li', 's', '99', 'nothing at all'].map((typed) => {
      const start = performance.now()
      found(sections, typed, 12)
      return performance.now() - start
    })
    // The quickest, because a busy machine may stop any of them.
    expect(Math.min(...times)).toBeLessThan(25)
  })
})
