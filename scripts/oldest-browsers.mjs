/**
 * The oldest browsers that the pages work in (PAGE-36) are in package.json, as `browserslist`; Vite builds syntax that they
 * understand. Here is what they lack, by `@mdn/browser-compat-data`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parse } from 'acorn'
import { simple } from 'acorn-walk'

const require = createRequire(import.meta.url)
const compat = require('@mdn/browser-compat-data')
const OLDEST = require('../package.json').browserslist.map((oldest) => oldest.split(' >= '))

/** What the pages, or libraries in them, ask for before they use it, or lose little without. */
const WITH_FALLBACK = new Set([
  // @noble/hashes has code of its own, React and its router ask, and so do we.
  ...[
    'Uint8Array.fromHex',
    'toHex',
    'setImmediate',
    'navigation',
    'navigationType',
    'currentEntry',
    'canIntercept',
  ],
  ...['fetchPriority', 'skipTransition', 'startViewTransition', 'requestIdleCallback'],
  // Fields are as tall as their rows, and scrollbars have the look and room of the system.
  ...['field-sizing', 'scrollbar-color', 'scrollbar-width', 'scrollbar-gutter'],
  // Safari forces no colours.
  'forced-color-adjust',
  ...['-webkit-tap-highlight-color', '-webkit-mask-composite'],
])
/** Names of ours or a library's that something new has too. */
const OURS = new Set([
  ...['isError', 'scrollMargin', 'displayName', 'subscriptionId', 'createContext', 'cssFloat', 'fromElement'],
  ...['marginTop', 'marginBottom', 'viewTransition'],
])

/** Every name that is too new, with the file that uses it. @param folder the built pages */
export function tooNew(folder) {
  const known = everyName()
  const found = new Set()
  for (const name of readdirSync(folder, { recursive: true })) {
    const text = () => readFileSync(join(folder, name), 'utf8')
    const report = (used) => WITH_FALLBACK.has(used) || OURS.has(used) || found.add(`${used} in ${name}`)
    // Older browsers must understand the script that says they are too old.
    if (name === 'theme.js') parse(text(), { ecmaVersion: 2019 })
    if (name.endsWith('.css')) for (const used of newProperties(text())) report(used)
    if (name.endsWith('.js')) for (const used of newNames(text(), known)) report(used)
  }
  return [...found]
}

/**
 * Globals, their members such as `URL.parse`, and members of two words or more that are new on every object: shorter
 * names may be our own.
 */
function newNames(code, known) {
  const found = []
  const isNew = (owner, name) =>
    known
      .get(owner)
      ?.get(name)
      ?.every((support) => !isOldEnough(support))
  simple(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Identifier: ({ name }) => {
      if (isNew('global', name)) found.push(name)
    },
    MemberExpression: ({ object, property: { name }, computed }) => {
      if (computed) return
      if (isNew(object.name, name)) found.push(`${object.name}.${name}`)
      else if (/[a-z][A-Z]/.test(name) && !known.get('global').has(name) && isNew('any', name))
        found.push(name)
    },
  })
  return found
}

/** What MDN says of every name: of globals, of members of each global, and of members of any object. */
function everyName() {
  const known = new Map()
  const add = (owner, name, { __compat }) => {
    if (!__compat) return
    if (!known.has(owner)) known.set(owner, new Map())
    known.get(owner).set(name, [...(known.get(owner).get(name) ?? []), __compat.support])
  }
  const { Intl, ...builtins } = compat.javascript.builtins
  for (const [owner, members] of Object.entries({ ...compat.api, ...builtins, ...Intl, Intl })) {
    add('global', owner, members)
    for (const [key, member] of Object.entries(members)) {
      const name = key.replace(/_static$/, '')
      add(owner, name, member)
      add(/^(Window|ServiceWorkerGlobalScope)$/.test(owner) ? 'global' : 'any', name, member)
    }
  }
  return known
}

const newProperties = (css) =>
  [...css.matchAll(/[{;]([a-z-]+):/g)]
    .map(([, name]) => name)
    .filter((name) => {
      const compatible = compat.css.properties[name]?.__compat
      return compatible && !isOldEnough(compatible.support)
    })

function isOldEnough(support) {
  return OLDEST.every(([browser, version]) =>
    [support[browser]]
      .flat()
      .some(
        ({ version_added: since, version_removed: until = Infinity, flags, alternative_name: other }) =>
          !flags &&
          !other &&
          Number.parseFloat(String(since).replace('≤', '')) <= Number(version) &&
          Number(version) < until,
      ),
  )
}
