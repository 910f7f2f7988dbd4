/** A language that nobody speaks: a page that shows plain English in it has a text in no catalogue (LANG-5). */
import type { Tokens } from './message.ts'

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKED = 'åƀçđéƒĝħîĵķłɱñöþɋŕšţûṽŵẋýžÅƁÇĐÉƑĜĦÎĴĶŁṀÑÖÞɊŔŠŢÛṼŴẊÝŽ'

/** A compiled text with every letter marked; placeholders stay. */
export function pseudo(compiled: string | Tokens): string | Tokens {
  return typeof compiled === 'string' ? marked(compiled) : compiled.map(markedToken)
}

function markedToken(token: unknown): unknown {
  if (typeof token === 'string') return token === '#' ? token : marked(token)
  const [name, kind, choices] = token as [string, string?, unknown?]
  if (typeof choices !== 'object' || choices === null) return token
  const marking = Object.entries(choices).map(([key, value]) => [
    key,
    Array.isArray(value) ? pseudo(value) : (value as unknown),
  ])
  return [name, kind, Object.fromEntries(marking)]
}

function marked(text: string): string {
  return [...text].map((letter) => [...MARKED][PLAIN.indexOf(letter)] ?? letter).join('')
}
