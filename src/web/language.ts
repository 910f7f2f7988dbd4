/** The language of the pages: chosen here or in the account, else the browser's. Another one takes a reload. */
import type * as first from '../texts/en/first.ts'
import type * as rest from '../texts/en/rest.ts'
import { LANGUAGES, languageOf, type Language } from '../texts/languages.ts'
import type { Texts } from '../texts/types.ts'

type Catalogue = { first: () => Promise<Texts<typeof first>>; rest: () => Promise<Texts<typeof rest>> }

/** The build makes texts of the messages (`texts/vite-plugin.ts`), so a catalogue has other types than its source. */
const catalogues = {
  en: { first: () => import('../texts/en/first.ts'), rest: () => import('../texts/en/rest.ts') },
  de: { first: () => import('../texts/de/first.ts'), rest: () => import('../texts/de/rest.ts') },
} as unknown as Record<Language, Catalogue>

const KEY = 'language'

function chosen(): Language {
  const stored = globalThis.localStorage?.getItem(KEY)
  return LANGUAGES.find((language) => language === stored) ?? languageOf(navigator.languages)
}

export const language: Language = chosen()
export const catalogue: Catalogue = catalogues[language]
