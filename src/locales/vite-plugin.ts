/**
 * Gives pages their texts: `import { nights } from 'virtual:texts'`. The texts of a language load in two parts: what modules of the
 * first load mention, and the rest.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { normalizePath, parseSync, type Plugin } from 'vite'
import { LANGUAGES, type Language } from '#shared/languages.ts'
import { compiled, declareTexts, FOLDER, readCatalogue, textsOfPages, type Texts } from './catalogues.ts'

/** What is loaded, as if it were files: `first.js` chooses between `en/first.js` and those of other languages. */
const LOADED = /\/locales(?:\/(\w+))?\/(first|rest|errors)\.js$/
const idOf = (name: string) => normalizePath(join(FOLDER, name))
const importOf = (name: string) => `() => import('${idOf(name)}')`
const MESSAGE = idOf('message.ts')
const LANGUAGE = idOf('../web/language.ts')

/**
 * @param folder of the languages
 * @param firstLoad the modules that, with all they import statically, are the first load; without them all texts load at once
 */
export function texts({ folder = FOLDER, firstLoad = [] as string[] } = {}): Plugin {
  let first: FirstLoad | undefined
  return {
    name: 'texts',
    enforce: 'pre',
    configResolved({ command }) {
      declareTexts()
      if (command === 'build' && firstLoad.length > 0) first = readFirstLoad(firstLoad)
    },
    resolveId(id, importer = '', options) {
      // Vite looks for packages to prepare, which texts are not.
      if ('scan' in options && options.scan === true) return id === 'virtual:texts' ? id : undefined
      if (id === 'virtual:texts') return idOf(!first || first.modules.has(importer) ? 'first.js' : 'rest.js')
      return LOADED.test(id) ? id : undefined
    },
    load(id) {
      const [, language, part] = LOADED.exec(id) ?? []
      if (part === undefined) return undefined
      if (language === undefined) return choosing(part)
      const catalogue = readCatalogue(language as Language, folder)
      for (const name of Object.keys(catalogue)) this.addWatchFile(join(folder, language, `${name}.json`))
      const all = part === 'errors' ? catalogue.errors! : textsOfPages(catalogue)
      const constants = Object.entries(all as Record<string, Texts>).map(([name, ofName]) => {
        const ofPart = Object.entries(ofName).filter(
          ([key]) => part === 'errors' || !first || first.mentions(name, key) === (part === 'first'),
        )
        return `export const ${name} = ${codeOf(Object.fromEntries(ofPart), language)}`
      })
      return [`import { message as $message } from '${MESSAGE}'`, ...constants].join('\n')
    },
  }
}

/** The texts of the language that the pages are in. */
function choosing(part: string): string {
  const imports = LANGUAGES.map((language) => `${language}: ${importOf(`${language}/${part}.js`)}`)
  const names = Object.keys(textsOfPages(readCatalogue('en')))
  const errors = LANGUAGES.filter((language) => language !== 'en').map(
    (language) => `${language}: ${importOf(`${language}/errors.js`)}`,
  )
  return [
    // No name of texts has a dollar.
    `import { language as $language } from '${LANGUAGE}'`,
    `const $texts = await { ${imports.join(', ')} }[$language]()`,
    ...(part === 'first'
      ? [
          `export const { ${names.join(', ')} } = $texts`,
          `export const loadErrors = { ${errors.join(', ')} }[$language]`,
        ]
      : [
          `import * as $first from '${idOf('first.js')}'`,
          ...names.map((name) => `export const ${name} = { ...$first.${name}, ...$texts.${name} }`),
        ]),
  ].join('\n')
}

function codeOf(texts: Texts | string, language: string): string {
  if (typeof texts === 'string') {
    const tokens = compiled(texts)
    const json = JSON.stringify(tokens)
    return typeof tokens === 'string' ? json : `$message('${language}', ${json})`
  }
  if (Array.isArray(texts)) return `[${texts.map((text: Texts) => codeOf(text, language)).join(', ')}]`
  const properties = Object.entries(texts).map(
    ([key, text]) => `${JSON.stringify(key)}: ${codeOf(text, language)}`,
  )
  return `{ ${properties.join(', ')} }`
}

type FirstLoad = {
  modules: Set<string>
  /** Whether one of its modules mentions `name.key`, or hands on all of `name`. */
  mentions: (name: string, key: string) => boolean
}

type Node = { type: string; [key: string]: unknown }

function readFirstLoad(entries: string[]): FirstLoad {
  const modules = new Set<string>()
  const mentioned = new Set<string>()
  const readModule = (file: string) => {
    if (modules.has(file)) return
    modules.add(file)
    const body = parseSync(file, readFileSync(file, 'utf8')).program.body as unknown as Node[]
    /** Names of texts by what this module calls them. */
    const names = new Map<string, string>()
    for (const { source, importKind, exportKind, specifiers } of body) {
      const from = (source as { value: string } | null | undefined)?.value
      if (from === undefined || importKind === 'type' || exportKind === 'type') continue
      if (/^\..*\.tsx?$/.test(from)) readModule(normalizePath(join(dirname(file), from)))
      if (from === 'virtual:texts')
        for (const { local, imported } of specifiers as Record<'local' | 'imported', { name: string }>[])
          names.set(local.name, imported.name)
    }
    if (names.size > 0) body.filter(({ type }) => type !== 'ImportDeclaration').forEach(visit)

    function visit(node: unknown) {
      if (Array.isArray(node)) return node.forEach(visit)
      // What types say is not loaded.
      if (
        typeof node !== 'object' ||
        node === null ||
        /^TS(Type|Interface)/.test(String((node as Node).type))
      )
        return
      const { type, object, property, key, computed, id, init, ...others } = node as Node
      const named = (item: unknown) => names.get((item as { name?: string } | null)?.name ?? '')
      if (type === 'Identifier' && named(node)) mentioned.add(named(node)!)
      else if (type === 'MemberExpression' && !computed && named(object))
        mentioned.add(`${named(object)}.${(property as { name: string }).name}`)
      else if (type === 'VariableDeclarator' && named(init) && isPattern(id))
        for (const { key } of id.properties) mentioned.add(`${named(init)}.${key.name}`)
      else visit([object, id, init, ...(computed ? [property, key] : []), ...Object.values(others)])
    }
  }
  entries.forEach((entry) => readModule(normalizePath(entry)))
  return { modules, mentions: (name, key) => mentioned.has(name) || mentioned.has(`${name}.${key}`) }
}

/** `const { title, hint } = crash`. */
const isPattern = (node: unknown): node is { properties: { key: { name: string } }[] } =>
  (node as Node).type === 'ObjectPattern' &&
  ((node as Node).properties as Node[]).every(({ type, computed }) => type === 'Property' && !computed)
