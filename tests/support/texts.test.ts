/** The catalogues of texts (LANG-2), and how messages are formatted. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { reasonCatalogue } from '#shared/errors.ts'
import { LANGUAGES, type Language, languageOf, languageOfHeader } from '#shared/languages.ts'
import { tokensOf } from '#shared/texts/compile.ts'
import { message, type Tokens, type Values } from '#shared/texts/message.ts'

const formatted = (language: Language, text: string, values: Values) =>
  message(language, tokensOf(text) as Tokens)(values)

/** All texts of a language by their path, such as 'web/groups.ts.groups.members'. */
async function textsOf(language: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const sources = join(import.meta.dirname, '../../src')
  const folder = join(sources, 'web/texts', language)
  for (const file of readdirSync(folder).filter((name) => !/^(first|rest|all|errors)\.ts$/.test(name)))
    add(`web/${file}`, (await import(join(folder, file))) as object)
  const server = (await import(join(sources, `server/texts/${language}.ts`))) as Record<string, object>
  add('server', server[language])
  return found

  function add(path: string, node: unknown) {
    if (typeof node === 'string') found.set(path, node)
    else for (const [key, value] of Object.entries(node as object)) add(`${path}.${key}`, value)
  }
}

type Placeholder = readonly [name: string, kind?: string, choices?: Record<string, readonly unknown[]>]

/** Placeholders of a message, with what they are: 'count plural'. */
function placeholdersOf(tokens: unknown): Set<string> {
  const found = new Set<string>()
  const visit = (token: unknown) => {
    if (!Array.isArray(token)) return
    const [name, , choices] = token as unknown as Placeholder
    found.add(name)
    if (choices) for (const choice of Object.values(choices)) if (Array.isArray(choice)) choice.forEach(visit)
  }
  if (Array.isArray(tokens)) tokens.forEach(visit)
  return found
}

const english = await textsOf('en')

test.each(LANGUAGES)(
  'LANG-2: %s has every text, each with the placeholders of the English one',
  async (language) => {
    const texts = await textsOf(language)
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [path, text] of texts) {
      expect(text.trim(), path).not.toBe('')
      expect(placeholdersOf(compileMessage(text)), path).toEqual(
        placeholdersOf(compileMessage(english.get(path)!)),
      )
    }
  },
)

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'LANG-6: %s has a text for every reason of a refusal, with the placeholders of the English one',
  async (language) => {
    const path = join(import.meta.dirname, `../../src/web/texts/${language}/errors.ts`)
    const { reasons } = (await import(path)) as { reasons: Record<string, string> }
    expect(Object.keys(reasons).toSorted()).toEqual(Object.keys(reasonCatalogue).toSorted())
    for (const [reason, text] of Object.entries(reasonCatalogue)) {
      expect(reasons[reason]!.trim(), reason).not.toBe('')
      expect(placeholdersOf(compileMessage(reasons[reason]!)), reason).toEqual(
        placeholdersOf(compileMessage(text)),
      )
    }
  },
)

test.each(LANGUAGES)('LANG-2: plurals of %s have every form of the language', async (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const [path, text] of await textsOf(language))
    for (const [, cases] of text.matchAll(/, plural, (.*)/g))
      for (const form of forms) expect(cases, path).toContain(`${form} {`)
})

// The types of the placeholders rely on it (types.ts).
test('words in a plural have a blank among them', () => {
  for (const [path, text] of english)
    for (const [, cases] of text.matchAll(/, plural, (.*)/g))
      expect(cases, path).not.toMatch(/(?:one|other|=\d) \{[^\s{}]+\}/)
})

test('LANG-1: a language is the first preferred one that there is, whatever its region', () => {
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

test('a name cannot smuggle in what the formatter works with', () => {
  expect(formatted('en', '**{name}**', { name: 'x\uE000' })).toBe('**x\uE000**')
  expect(formatted('en', '**{name}**', { name: 'x\uFDD0\\' })).toBe('**x\\**')
})
