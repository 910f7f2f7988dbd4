/** The texts of every language (LANG-2), and how messages are formatted. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compiled, faultsOf, FOLDER } from '#locales/catalogues.ts'
import { message, type Tokens, type Values } from '#locales/message.ts'
import { LANGUAGES, type Language, languageOf, languageOfHeader } from '#shared/languages.ts'
import { temporaryFolder } from './folders.ts'

const formatted = (language: Language, text: string, values: Values) =>
  message(language, compiled(text) as Tokens)(values)

test.each(LANGUAGES)('LANG-2, LANG-6: %s has every text, with its placeholders and plurals', (language) => {
  expect(faultsOf(language)).toEqual([])
})

test('LANG-2: texts that a language or English lacks are named', () => {
  const folder = temporaryFolder('languages')
  cpSync(FOLDER, folder, { recursive: true })
  const file = join(folder, 'de/common.json')
  const { copying, ...others } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
  const messages = {
    ...others.messages,
    justNow: ' ',
    playtime: '{hours} Stunden {minuten}',
    copied: 'Kopiert',
    sync: { ...(others.messages as { sync: object }).sync, progress: '{total, plural, other {{synced}/#}}' },
  }
  writeFileSync(file, JSON.stringify({ ...others, copying: { ...copying, byKey: undefined }, messages }))
  expect(faultsOf('de', folder).toSorted()).toEqual([
    'de: common.copying.byKey is missing',
    'de: common.messages.copied is not in English',
    'de: common.messages.justNow is missing',
    'de: common.messages.playtime has the placeholders "hours, minuten", and "hours, minutes" in English',
    'de: common.messages.sync.progress lacks the plural "one"',
  ])
})

test('LANG-1: the first preferred language that exists is taken, whatever its region', () => {
  // Klingon and Latin.
  expect(languageOf(['tlh', 'de-AT', 'en'])).toBe('de')
  expect(languageOf(['tlh', 'la'])).toBe('en')
  expect(languageOf([])).toBe('en')
  expect(languageOfHeader('de-AT;q=0.9, en;q=0.5')).toBe('de')
  expect(languageOfHeader(undefined)).toBe('en')
  for (const none of [undefined, '*']) expect(languageOfHeader(none, 'de')).toBe('de')
  expect(languageOfHeader('tlh', 'de')).toBe('en')
})

test('a name is shown as it is, also one that looks like code', () => {
  for (const name of ['\\u0041', '\\x41\\', '{count}', "it's", '<b>', '#'])
    expect(formatted('en', 'Hello {name}', { name })).toBe(`Hello ${name}`)
})

test('numbers and plurals follow the language', () => {
  const text = '{count, plural, one {# Spiel} other {# Spiele}}'
  expect(formatted('de', text, { count: 1204 })).toBe('1.204 Spiele')
  expect(formatted('en', text, { count: 1 })).toBe('1 Spiel')
})

test('a name cannot smuggle in characters of the formatter', () => {
  expect(formatted('en', '**{name}**', { name: 'x\uE000' })).toBe('**x\uE000**')
  expect(formatted('en', '**{name}**', { name: 'x\uFDD0\\' })).toBe('**x\\**')
})
