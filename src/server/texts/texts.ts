/** The server's texts by language: messages, calendars, shared links, and pages without their scripts (LANG-6 to LANG-9). */
import type { ServerTexts as Texts } from 'virtual:texts'
import { LANGUAGES, type Language } from '#shared/languages.ts'
import { readCatalogue, usable } from '#locales/catalogues.ts'

/** `language` is what numbers, times and plurals follow. */
export type ServerTexts = Texts & { readonly language: Language }

/** The texts of a language; English where a user has chosen none. */
export type TextsOf = (language: Language | null) => ServerTexts

/** Reads and compiles the texts. @param folder of the languages, where they are not the product's */
export function createTexts(folder?: string): TextsOf {
  const byLanguage = new Map<string, ServerTexts>()
  for (const language of LANGUAGES) {
    const texts = usable(language, readCatalogue(language, folder).server!) as Texts
    byLanguage.set(language, { ...texts, language })
  }
  // A newer server may have stored a language that this one does not know.
  return (language) => (byLanguage.get(language ?? 'en') ?? byLanguage.get('en'))!
}

/** The texts of the product. */
export const textsOf: TextsOf = createTexts()
