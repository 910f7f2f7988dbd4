/** Formats compiled messages: plurals, numbers and choices, by Lingui. */
import { setupI18n, type I18n } from '@lingui/core'
import type { Language } from '#shared/languages.ts'
import { isolated } from '#shared/names.ts'

/** What `compileMessage` of Lingui makes of a message with placeholders. */
export type Tokens = readonly unknown[]
export type Values = Readonly<Record<string, string | number>>

const formatters: Partial<Record<Language, I18n>> = {}

/** A message with placeholders as a function of their values, in which names turn only themselves (PLAT-37). */
export function message(language: Language, tokens: Tokens): (values: Values) => string {
  return (values) => {
    const formatter = (formatters[language] ??= setupI18n({ locale: language, messages: { [language]: {} } }))
    const escaped = Object.entries(values).map(([name, value]) => [name, keptApart(value)])
    // Lingui takes a compiled message as well as a text.
    const text = formatter._('', Object.fromEntries(escaped) as Values, { message: tokens as never })
    return text.replaceAll(BACKSLASH, '\\')
  }
}

/** Lingui reads `\u0041` in a name as a letter. A character that no text has, as Unicode reserves it for programs. */
const BACKSLASH = '\uFDD0'

function keptApart(value: string | number): string | number {
  return typeof value === 'string'
    ? isolated(value).replaceAll(BACKSLASH, '').replaceAll('\\', BACKSLASH)
    : value
}
