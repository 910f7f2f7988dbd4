/** A language that nobody speaks: what is plain English in it is in no catalogue (LANG-5). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mapTexts, readCatalogue } from '#locales/catalogues.ts'
import { LANGUAGES } from '#shared/languages.ts'
import { temporaryFolder } from './folders.ts'

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKED = [...'åƀçđéƒĝħîĵķłɱñöþɋŕšţûṽŵẋýžÅƁÇĐÉƑĜĦÎĴĶŁṀÑÖÞɊŔŠŢÛṼŴẊÝŽ']

/** A folder like `src/locales`, in which each letter of every language is marked. */
export function pseudoLanguages(): string {
  const folder = temporaryFolder('pseudo-languages')
  for (const language of LANGUAGES) {
    mkdirSync(join(folder, language))
    for (const [part, texts] of Object.entries(readCatalogue(language)))
      writeFileSync(join(folder, language, `${part}.json`), JSON.stringify(mapTexts(texts, marked)))
  }
  return folder
}

/** A message whose words are marked; what is at an odd depth of braces names placeholders and their forms. */
function marked(text: string): string {
  let depth = 0
  return [...text]
    .map((letter) => {
      if (letter === '{') depth++
      if (letter === '}') depth--
      return (depth % 2 === 0 && MARKED[PLAIN.indexOf(letter)]) || letter
    })
    .join('')
}
