import { expect, test } from 'vitest'
import { shortName } from './short-name.ts'

test.each([
  ['Portal', 'Portal'],
  ['Twelve chars', 'Twelve chars'],
  ['Thirteen char', 'Thirteen cha…'],
  ['Counter-Strike 2', 'Counter-Stri…'],
  ['', ''],
])('%j is shown as %j', (name, shown) => expect(shortName(name)).toBe(shown))

test('DASH-17: a grapheme counts as one character and is never cut', () => {
  const family = '👨‍👩‍👧‍👦'
  expect(shortName(family.repeat(12))).toBe(family.repeat(12))
  expect(shortName(family.repeat(13))).toBe(`${family.repeat(12)}…`)
  expect(shortName('é'.normalize('NFD').repeat(13))).toBe(`${'é'.normalize('NFD').repeat(12)}…`)
})
