import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNames, isolated, matcherOf, nameOf } from './names.ts'

test('ENT-16: a name without a visible character is none', () => {
  for (const display_name of [null, '', '\u3164', '\u2800 \u200B', '\u202E'])
    expect(nameOf({ display_name, steam_id: '7' })).toBe('7')
  expect(nameOf({ display_name: '\u3164a', steam_id: '7' })).toBe('\u3164a')
})

test('names are in the order of the English alphabet, case and accents aside, with numbers by their value', () => {
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const anyName = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'aAzZlL19 -·\u0301ÄßæſЖ'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    ),
    maxLength: 6,
  })
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      expect(Math.sign(compareNames(a, b))).toBe(Math.sign(collator.compare(a, b)))
    }),
    { numRuns: 3000 },
  )
})

describe('a name in a text that is no markup', () => {
  test('PLAT-37: stays as it is, where nothing turns the text', () => {
    for (const name of ['Ada', 'Raid (Friday) - 20:30', 'Ёж', '友', '😀', 'a\u200Db'])
      expect(isolated(name)).toBe(name)
  })

  test('PLAT-37: is isolated, and what it leaves open is closed', () => {
    expect(isolated('Ada\u202E')).toBe('\u2068Ada\u202E\u2069')
    expect(isolated('שלום')).toBe('\u2068שלום\u2069')
    expect(isolated('\u2067Ned\u2069 \u202Eevil')).toBe('\u2068\u2067Ned\u2069 \u202Eevil\u2069')
    expect(isolated('\u2067Ned')).toBe('\u2068\u2067Ned\u2069\u2069')
    expect(isolated('\u2069\u202EAda\u2029x')).toBe('\u2068\u202EAda x\u2069')
  })

  test('PLAT-37: never reaches beyond its end', () => {
    const anyName = fc.string({
      unit: fc.constantFrom('a', ' ', 'א', '\n', ...'\u202A\u202C\u202E\u2066\u2067\u2068\u2069'),
    })
    fc.assert(
      fc.property(anyName, (name) => {
        let open = 0
        const text = isolated(name)
        for (const [at, character] of [...text].entries()) {
          if (/[\u2066-\u2068]/.test(character)) open++
          if (character === '\u2069') open--
          // The first one is around all of it.
          expect(open > 0 || at === text.length - 1 || text === name).toBe(true)
        }
        expect(open).toBe(0)
        expect(text === name || !text.includes('\n')).toBe(true)
      }),
    )
  })
})

describe('what is typed in a search', () => {
  test.each([
    ['The Witcher® 3: Wild Hunt', ['witcher 3', 'WITCHER® 3:', 'the witcher 3 wild hunt']],
    [
      "Assassin's Creed™",
      ['assassins creed', 'assassin’s creed', 'assassin´s', 'assassin s creed', "'S CREED"],
    ],
    ['Тихий Ёж', ['тихий еж', 'Е\u0308Ж', 'ёж']],
    ['İstanbul Işık', ['istanbul isik', 'İSTANBUL', 'i̇stanbul', 'IŞIK', 'ışık']],
    ['F.E.A.R. 2', ['fear 2', 'f.e.a.r', 'f e a r']],
    ['Straße ﬁx ΟΔΟΣ', ['STRASSE', 'fix', 'οδος', 'οδοσ']],
    ['Half-Life', ['half life', '-']],
    ['XCOM® 2', ['®', 'xcom 2']],
    ['76561197960265729', ['0265']],
  ])('PAGE-10, LIST-1: finds %s', (name, typed) => {
    for (const text of typed) expect([text, matcherOf(text)(name)]).toEqual([text, true])
  })

  test('PAGE-10, LIST-1: any part of a name finds it, in any case; what is no part does not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), fc.nat(), (name, from, length) => {
        const part = [...name]
          .slice(from % (name.length + 1))
          .slice(0, length % 9)
          .join('')
        for (const typed of [part, part.toLowerCase(), part.toUpperCase()])
          expect(matcherOf(typed)(name)).toBe(true)
      }),
      { numRuns: 500 },
    )
    for (const typed of ['portals', 'p ortal', 'prtal', '2 portal'])
      expect(matcherOf(typed)('Portal 2')).toBe(false)
  })
})
