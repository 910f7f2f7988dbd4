/**
 * Checks docs/develop/architecture.md and docs/develop/caching.md: every file and folder they name in backticks exists, and every
 * `file#name` is declared in that file. Paths may leave out src/ or src/server/. The tree of folders is that of the repository.
 * Pictures show texts that the product has. The server and its commands say what docs/operate/troubleshoot.md quotes. In all
 * documents, links between them lead somewhere.
 */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mapTexts, readCatalogue } from '../src/locales/catalogues.ts'

const root = join(import.meta.dirname, '..')
const bases = ['', 'src', 'src/server', 'src/web', 'docs']
const faults = []
let paths = 0
let names = 0

for (const document of ['docs/develop/architecture.md', 'docs/develop/caching.md']) {
  const text = readFileSync(join(root, document), 'utf8')
  for (const [, path, name] of text.matchAll(
    /`([\w./-]+(?:\/|\.(?:tsx?|mjs|cjs|md|json|yaml)))(?:#(\w+))?`/g,
  )) {
    paths++
    const file = bases.map((base) => join(root, base, path)).find((candidate) => existsSync(candidate))
    if (!file) faults.push(`${document}: ${path} does not exist`)
    else if (name !== undefined) {
      names++
      if (statSync(file).isDirectory() || !declares(readFileSync(file, 'utf8'), name))
        faults.push(`${document}: ${path} declares no ${name}`)
    }
  }
}
checkTree('docs/develop/architecture.md')
checkQuotes('docs/operate/troubleshoot.md')
checkPictures()
for (const document of globSync('{*,docs/**/*}.md', { cwd: root })) {
  const text = readFileSync(join(root, document), 'utf8')
  for (const [, target] of text.matchAll(/\]\((?!\w+:)([^)#]+)/g))
    if (!existsSync(join(root, dirname(document), target)))
      faults.push(`${document}: ${target} does not exist`)
}
for (const fault of faults) console.error(fault)
console.log(
  `docs/develop/architecture.md, docs/develop/caching.md: ${paths} paths, ${names} names; ${faults.length} faults`,
)
if (faults.length > 0) process.exit(1)

/** Checks the first code block of a document: what it names exists, and no folder of src/ and its parts is left out. */
function checkTree(document) {
  const [, tree] = /^```\n(.*?)^```/ms.exec(readFileSync(join(root, document), 'utf8'))
  const named = new Set(['src'])
  const parents = []
  for (const line of tree.trimEnd().split('\n')) {
    const level = /^ */.exec(line)[0].length / 2
    // Two spaces end the names; a word without a slash or a dot begins the description.
    const [names] = line.trim().split('  ')
    for (const name of names.split(' ').filter((word) => /[/.]/.test(word))) {
      const path = join(...parents.slice(0, level), name).replace(/\/$/, '')
      if (!existsSync(join(root, path))) faults.push(`${document}: ${path} in the tree does not exist`)
      named.add(path)
      parents[level] = path
    }
  }
  const folders = ['src', 'src/server', 'src/shared', 'src/web'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name)),
  )
  for (const path of folders) if (!named.has(path)) faults.push(`${document}: ${path} is not in the tree`)
}

/** Checks the sentences that begin the rows of a document's first three tables, each '…' of which is any text. */
function checkQuotes(document) {
  const code = globSync('{src/server,src/locales,src/shared,scripts}/**/*.{ts,mjs}', { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\n\s*['`]/g, '')
  const [tables] = readFileSync(join(root, document), 'utf8').split('## Users see')
  for (const row of tables.split('\n').filter((line) => line.startsWith('| `')))
    for (const [, sentence] of row.split('|')[1].matchAll(/`([^`]+)`/g))
      for (const part of sentence.split('…').map((each) => each.trim()))
        if (!code.includes(part)) faults.push(`${document}: no code says "${part}"`)
}

/** Checks that the texts that pictures show are still texts of the product. */
function checkPictures() {
  const texts = new Set()
  mapTexts(readCatalogue('en'), (text) => texts.add(text))
  const pictures = JSON.parse(readFileSync(join(root, 'docs/screenshots/texts.json'), 'utf8'))
  for (const [name, shown] of Object.entries(pictures))
    for (const text of shown.filter((each) => !texts.has(each)))
      faults.push(`docs/screenshots/${name}.webp shows "${text}", which has changed: npm run screenshots`)
}

/** Whether a file declares a function, class, type or variable, or a method or property of an object, of that name. */
function declares(text, name) {
  return new RegExp(
    `(?:function\\*?|class|const|let|type|async)\\s+#?${name}\\b|^\\s*(?:async )?#?${name}(?:[(:,?]|$)`,
    'm',
  ).test(text)
}
