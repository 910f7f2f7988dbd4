/**
 * The server's texts by language: messages, calendars, shared links, and pages without their scripts (LANG-6 to LANG-9); and
 * times in them, for readers whose time zone is not known.
 */
import type { ServerTexts as Texts } from 'virtual:texts'
import { LANGUAGES, type Language } from '#shared/languages.ts'
import { isTimeZone } from '#shared/nights/repeats.ts'
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

export const textsOf: TextsOf = createTexts()

/**
 * 'Friday 5 June at 20:30, GMT+2': in the zone that the time was chosen in (NIGHT-76, NIGHT-120), in UTC where that is not
 * known. The zone's short name leaves room for the time in a picture.
 * @param at in milliseconds
 */
export function whenInZone({ dates, language }: ServerTexts, at: number, zone: string | null): string {
  const timeZone = zone !== null && isTimeZone(zone) ? zone : 'UTC'
  const parts = partsOf(language, at, { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
  const name = partsOf(language, at, { timeZone, timeZoneName: 'short' }).timeZoneName
  return dates.inZone({ ...parts, zone: name })
}

type Parts = Record<'weekday' | 'day' | 'month' | 'year' | 'timeZoneName' | 'time', string>

/** What a text says of a time; the text has their order and what stands between them. */
function partsOf(language: string, at: number, options: Intl.DateTimeFormatOptions): Parts {
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(at)
  const clock = { timeZone: options.timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return {
    ...(Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Parts),
    time: new Intl.DateTimeFormat(language, clock).format(at),
  }
}
