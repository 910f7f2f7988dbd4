/**
 * Writes a .br and a .gz file beside every built text file, so that the server does not compress pages itself. Prints
 * the sizes of scripts and styles, and fails when the first load of the dashboard, with all static imports, is too large,
 * when zod has come along, or when the oldest browsers lack something.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { tooNew } from './oldest-browsers.mjs'

const folder = join(import.meta.dirname, '..', 'dist', 'web')
/** Compressed size of each script in bytes, by file name. */
const scripts = new Map()
let styles = 0
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|txt)$/.test(name)) continue
  const path = join(folder, name)
  const text = readFileSync(path)
  if (text.length < 512) continue
  const brotli = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(`${path}.br`, brotli)
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
  if (name.endsWith('.js')) scripts.set(basename(name), brotli.length)
  if (text.includes('ZodError'))
    throw new Error(`${name} has zod, which browsers do not need: import a type, or move the value`)
  if (name.endsWith('.css')) styles += brotli.length
}

const unknown = tooNew(folder)
if (unknown.length > 0)
  throw new Error(
    `The oldest browsers that we support (browserslist in package.json) lack ${unknown.join(', ')}`,
  )

const FIRST_LOAD_MAX = 130_000
const STYLES_MAX = 16_000
const first = sizeOf(needed('dashboard-screen-', largestCatalogue()))
console.log(
  `JavaScript (brotli): ${kB(first)} for the first load of the dashboard (at most ${kB(FIRST_LOAD_MAX)}), ` +
    `${kB(sizeOf(needed('login-screen-', largestCatalogue())))} for the login, ${kB(sizeOf(scripts.keys()))} for all pages`,
)
console.log(`CSS (brotli): ${kB(styles)} for all pages (at most ${kB(STYLES_MAX)})`)
if (first > FIRST_LOAD_MAX || styles > STYLES_MAX) {
  console.error('The first load is too large; load code that it does not need later.')
  process.exit(1)
}

/** The catalogue of the first screens, one for each language, that is largest. */
function largestCatalogue() {
  const built = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'))
  const names = Object.keys(built)
    .filter((source) => /locales\/\w+\/first\.js$/.test(source))
    .map((source) => basename(built[source].file))
  return names.toSorted((a, b) => scripts.get(b) - scripts.get(a))[0]
}

/** The scripts whose names start with one of the prefixes, and all their static imports. */
function needed(...prefixes) {
  const found = new Set()
  const add = (name) => {
    if (found.has(name)) return
    found.add(name)
    const code = readFileSync(join(folder, 'assets', name), 'utf8')
    for (const [, imported] of code.matchAll(
      /\bfrom\s?["'`]\.\/([^"'`]+\.js)["'`]|\bimport\s?["'`]\.\/[^"'`]+\.js/g,
    ))
      if (imported) add(imported)
  }
  for (const name of readdirSync(join(folder, 'assets')))
    if (name.endsWith('.js') && prefixes.some((prefix) => name.startsWith(prefix))) add(name)
  return found
}

function sizeOf(names) {
  let sum = 0
  for (const name of names) sum += scripts.get(name) ?? readFileSync(join(folder, 'assets', name)).length
  return sum
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}
