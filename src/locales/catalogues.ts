/**
 * The texts of a language are a folder of ICU messages in JSON. The server and the build compile them; browsers need no parser.
 * TypeScript knows the texts by a declaration of them, which is made of the English ones.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { LANGUAGES, type Language } from '#shared/languages.ts'
import * as limits from '#shared/limits.ts'
import { message, type Tokens } from './message.ts'

/** Where a language's folder is. */
export const FOLDER = import.meta.dirname

export type Texts = { readonly [key: string]: string | Texts }
/** The files of a language: `nights` is nights.json. */
export type Catalogue = Readonly<Record<string, Texts>>

export function readCatalogue(language: Language, folder = FOLDER): Catalogue {
  const names = readdirSync(join(folder, language)).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const json = readFileSync(join(folder, language, name), 'utf8')
      return [name.slice(0, -'.json'.length), withLimits(JSON.parse(json) as Texts)]
    }),
  )
}

/** With the product's limits for placeholders that are named like them: 'at most {GROUP_MEMBERS_MAX} members'. */
const withLimits = (texts: Texts) =>
  mapTexts(texts, (text) =>
    text.replace(/\{([A-Z][A-Z_]+)\}/g, (_, name: string) => {
      const limit: unknown = (limits as Record<string, unknown>)[name]
      if (typeof limit !== 'number') throw new Error(`"${text}" names no limit of src/shared/limits.ts`)
      return String(limit)
    }),
  ) as Texts

/** The texts in the same order, whose lists stay lists. */
export function mapTexts(texts: Texts, map: (text: string) => unknown): unknown {
  if (typeof texts === 'string') return map(texts)
  if (Array.isArray(texts)) return texts.map((text: Texts) => mapTexts(text, map))
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, mapTexts(text as Texts, map)]))
}

/** A compiled text; the text itself where it has no placeholders. */
export function compiled(text: string): string | Tokens {
  const tokens: unknown = compileMessage(text)
  if (!Array.isArray(tokens)) return text
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens
}

/** The texts as code uses them: those with placeholders are functions of their values. */
export function usable(language: Language, texts: Texts): unknown {
  return mapTexts(texts, (text) => {
    const tokens = compiled(text)
    return typeof tokens === 'string' ? tokens : message(language, tokens)
  })
}

type Token = string | readonly [name: string, kind?: string, choices?: Record<string, Token[] | string>]

/** The placeholders of a text with the types of their values. */
function placeholdersOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (token: Token) => {
    if (typeof token === 'string') return
    const [name, kind, choices = {}] = token
    const type = kind === undefined ? 'string | number' : kind === 'select' ? 'string' : 'number'
    if (kind !== undefined || !found.has(name)) found.set(name, type)
    for (const choice of Object.values(choices)) if (Array.isArray(choice)) choice.forEach(visit)
  }
  const tokens = compiled(text)
  if (typeof tokens !== 'string') (tokens as Token[]).forEach(visit)
  return found
}

/** What a language lacks, or has that English has not, as sentences (LANG-2). */
export function faultsOf(language: Language, folder = FOLDER): string[] {
  const [english, translated] = [textsByPath('en', folder), textsByPath(language, folder)]
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const faults: string[] = []
  for (const path of new Set([...english.keys(), ...translated.keys()])) {
    const [original, text] = [english.get(path), translated.get(path)]
    const fault = (problem: string) => faults.push(`${language}: ${path} ${problem}`)
    if (original === undefined) fault('is not in English')
    else if (text === undefined || text.trim() === '') fault('is missing')
    else {
      const [wanted, has] = [original, text].map((each) =>
        [...placeholdersOf(each).keys()].toSorted().join(', '),
      )
      if (wanted !== has) fault(`has the placeholders "${has}", and "${wanted}" in English`)
      for (const [, cases] of text.matchAll(/, plural, (.*)/g))
        for (const form of forms) if (!cases!.includes(`${form} {`)) fault(`lacks the plural "${form}"`)
    }
  }
  return faults
}

function textsByPath(language: Language, folder: string): Map<string, string> {
  const found = new Map<string, string>()
  const add = (path: string, texts: Texts | string) => {
    if (typeof texts === 'string') found.set(path, texts)
    else for (const [key, text] of Object.entries(texts)) add(path === '' ? key : `${path}.${key}`, text)
  }
  add('', readCatalogue(language, folder))
  return found
}

/** The files of which pages have no constants: the server's, and those of refusals, which load with the first one. */
const NOT_OF_PAGES = ['server', 'errors']

/** What pages import, by name. */
export function textsOfPages(catalogue: Catalogue): Record<string, Texts> {
  const parts = Object.keys(catalogue).filter((part) => !NOT_OF_PAGES.includes(part))
  return Object.assign({}, ...parts.map((part) => catalogue[part])) as Record<string, Texts>
}

/** Writes the declaration that TypeScript reads, and refuses languages that do not fit to English. */
export function declareTexts(): void {
  const faults = LANGUAGES.flatMap((language) => faultsOf(language))
  if (faults.length > 0) throw new Error(`Texts do not fit to English:\n${faults.join('\n')}`)
  const catalogues = ['en' as const, ...LANGUAGES].map((language) => readCatalogue(language))
  const ofPages = catalogues.map(textsOfPages)
  const constants = Object.keys(ofPages[0]!).map(
    (name) => `export const ${name}: ${typeOf(ofPages.map((texts) => texts[name]!))}`,
  )
  const declaration = `/** Made by \`npm run types\`. */
declare module 'virtual:texts' {
${constants.join('\n')}
export type ServerTexts = ${typeOf(catalogues.map(({ server }) => server!))}
export type ErrorTexts = ${typeOf(catalogues.map(({ errors }) => errors!))}
/** Loads the texts of refusals; English ones come with the response. */
export const loadErrors: undefined | (() => Promise<ErrorTexts>)
}
`
  const file = join(FOLDER, 'texts.d.ts')
  // Types and lint are checked at the same time.
  writeFileSync(`${file}.${process.pid}`, declaration)
  renameSync(`${file}.${process.pid}`, file)
}

/** The type of a text, English first; one language may need a number where others take any value. */
function typeOf(inLanguages: readonly (Texts | string)[]): string {
  const [english] = inLanguages
  if (typeof english === 'string') {
    const types = new Map<string, string>()
    for (const [name, type] of inLanguages.flatMap((text) => [...placeholdersOf(text as string)]))
      if (types.get(name) !== 'number') types.set(name, type)
    const values = [...types].map(([name, type]) => `${name}: ${type}`)
    return values.length === 0 ? 'string' : `(values: { ${values.join('; ')} }) => string`
  }
  const typeAt = (key: string) => typeOf(inLanguages.map((texts) => (texts as Record<string, Texts>)[key]!))
  if (Array.isArray(english))
    return `readonly [${[...english.keys()].map((at) => typeAt(String(at))).join(', ')}]`
  return `{ ${Object.keys(english!)
    .map((key) => `readonly ${JSON.stringify(key)}: ${typeAt(key)}`)
    .join('; ')} }`
}
