/** The server's texts by language: messages, calendars, shared links, and pages without their scripts (LANG-6 to LANG-9). */
import type { Language } from '#shared/languages.ts'
import { tokensOf } from '#shared/texts/compile.ts'
import { message } from '#shared/texts/message.ts'
import { pseudo } from '#shared/texts/pseudo.ts'
import type { Texts, Translated } from '#shared/texts/types.ts'
import { de } from './de.ts'
import { en } from './en.ts'

/** `language` is what numbers, times and plurals follow. */
export type ServerTexts = Texts<typeof en> & { readonly language: Language }

/** The texts of a language; English where a user has chosen none. */
export type TextsOf = (language: Language | null) => ServerTexts

const catalogues: Record<Language, Translated<typeof en>> = { en, de }

/** Compiles the catalogues. @param isPseudo every text is one that nobody wrote, which shows what is in no catalogue (LANG-5) */
export function createTexts({ isPseudo = false } = {}): TextsOf {
  const compiled = Object.entries(catalogues).map(([key, catalogue]) => {
    const language = key as Language
    return [language, { ...compiledIn(language, catalogue, isPseudo), language }] as const
  })
  const byLanguage = new Map(compiled as [Language, ServerTexts][])
  // A newer server may have stored a language that this one does not know.
  return (language) => (byLanguage.get(language ?? 'en') ?? byLanguage.get('en'))!
}

/** The texts of the product. */
export const textsOf: TextsOf = createTexts()

function compiledIn(language: Language, catalogue: object, isPseudo: boolean): object {
  const compile = (node: unknown) => {
    if (typeof node !== 'string') return compiledIn(language, node as object, isPseudo)
    const compiled = isPseudo ? pseudo(tokensOf(node)) : tokensOf(node)
    return typeof compiled === 'string' ? compiled : message(language, compiled)
  }
  return Object.fromEntries(Object.entries(catalogue).map(([key, node]) => [key, compile(node)]))
}
