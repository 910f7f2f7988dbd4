/** The languages of pages, messages and calendars. A new one is a line here and a folder in `src/web/texts` (docs/develop/languages.md). */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

export const LANGUAGES = Object.keys(languages) as Language[]

/**
 * The first of the preferred languages that there are texts in, English if there is none (LANG-1).
 * @param preferred tags such as 'de-AT', most wanted first
 */
export function languageOf(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const found = LANGUAGES.find((language) => language === tag.toLowerCase().split('-', 1)[0])
    if (found) return found
  }
  return 'en'
}

/** As {@link languageOf}, of an `Accept-Language` header; browsers send the most wanted first. */
export function languageOfHeader(header: string | undefined): Language {
  return languageOf((header ?? '').split(',').map((part) => part.split(';', 1)[0]!.trim()))
}
