/**
 * The requirements of docs/specification, where each is built, and what proves it.
 *
 *   node scripts/specification.mjs                 checks: each id is unique, cited by code and
 *                                                  begins the title of a test, or says why it does not; every id that
 *                                                  is cited exists. With --documents also every document.
 *   node scripts/specification.mjs NIGHT-20 ...    prints a requirement, its code and its tests
 *   node scripts/specification.mjs src/config.ts   prints the requirements that a file serves or proves
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'

const root = join(import.meta.dirname, '..')
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const checksDocuments = process.argv.includes('--documents')

/** An id, an area of 3 to 5 letters and a number, or the first and last of several. */
const IDS = /\b([A-Z]{3,6})-(\d{1,3})\b(?: to \1-(\d{1,3})\b)?/g
/** The ids that a test's title begins with. */
const PROVED = /['"`]((?:[A-Z]{3,6}-\d{1,3}(?:, | and | to )?)+): (.*)/g
/** Prefixes that look like an area, as in UTF-8. */
const NOT_AREAS = new Set(['AES', 'UTF', 'SHA', 'PDF'])
/** A document's file name, or the short name and section of a document that the specification has replaced. */
const DOCUMENT = /\b[A-Z][A-Z-]*\.md\b|\b(?:SPEC|CONTRACT|STEAM|DESIGN) (?:\d+|[A-Z'][\w'-]*)/g
/** A path in backquotes, from the root or from a folder that the text is about. */
const PATH = /`((?:[\w.-]+\/)+[\w.-]*)`/g
const FROM_ROOT = /^(src|tests|bench|scripts|docs|deploy|ops)\//
/** The files that are read: code and documents. */
const FILE =
  /^(src|tests|bench|scripts)\/.+\.(ts|tsx|mjs|css|html)$|^docs\/.+\.md$|^[^/]+\.(ts|js|cjs|yaml|md)$|^Dockerfile$/
const TEST = /\.(test|spec)\.tsx?$|^tests\//

const faults = []
const texts = new Map()
const read = (path) => {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  return texts.get(path)
}

const requirements = new Map()
// Not globSync: this runs with the reader's own Node, which may be 20.
const paths = ['src', 'tests', 'bench', 'scripts', 'docs', '.']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.' }).map((path) => posix.join(folder, path)),
  )
  .filter((path) => FILE.test(path))
  .sort()
for (const path of paths)
  if (path.startsWith('docs/specification/') && basename(path) !== 'README.md') readRequirements(path)
for (const path of paths) readCitations(path)

if (asked.length > 0)
  for (const name of asked) print(requirements.has(name.toUpperCase()) ? name.toUpperCase() : name)
else check()

/** Ids of a text, ranges expanded. */
function idsOf(text) {
  return [...text.matchAll(IDS)].flatMap(([, area, first, last]) => {
    if (NOT_AREAS.has(area)) return []
    const count = Number(last ?? first) - Number(first) + 1
    return Array.from({ length: count }, (_, index) => `${area}-${Number(first) + index}`).filter(
      // Ids within a range may be gone, its ends may not.
      (id, index) => index === 0 || index === count - 1 || requirements.has(id),
    )
  })
}

/** Reads a page's requirements: id, sentence, and why it has no test, where it says so. */
function readRequirements(path) {
  const lines = read(path).split('\n')
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at].startsWith('- ')) continue
    const place = `${path}:${at + 1}`
    let item = lines[at]
    while (lines[at + 1]?.startsWith('  ')) item += ` ${lines[++at].trim()}`
    const [, id, text] = /^- \*\*([A-Z]{3,6}-\d{1,3})\*\* (.+)$/.exec(item) ?? []
    if (id === undefined) faults.push(`${place}: a requirement without an id`)
    else if (requirements.has(id))
      faults.push(`${place}: ${id} is given twice, first at ${requirements.get(id).place}`)
    else {
      const [sentence, untested] = text.split(' — untested: ')
      requirements.set(id, { place, id, sentence, untested, code: new Map(), tests: [] })
    }
  }
}

/** Notes which ids a file cites, as code that serves them or as tests that prove them. */
function readCitations(path) {
  const isTest = TEST.test(path)
  const isCode = !isTest && !path.endsWith('.md') && !path.startsWith('bench/')
  const documents = new Set(paths.map((name) => basename(name)))
  for (const [index, line] of read(path).split('\n').entries()) {
    for (const id of idsOf(line)) {
      const requirement = requirements.get(id)
      if (!requirement) faults.push(`${path}:${index + 1}: cites ${id}, which no requirement has`)
      else if (isCode && !requirement.code.has(path)) requirement.code.set(path, index + 1)
    }
    if (isTest)
      for (const [, ids, title] of line.matchAll(PROVED))
        for (const id of idsOf(ids))
          requirements
            .get(id)
            ?.tests.push({ path, line: index + 1, title: title.replace(/['"`][,)\]].*$/, '') })
    if (checksDocuments)
      for (const [name] of line.matchAll(DOCUMENT))
        if (!documents.has(name))
          faults.push(`${path}:${index + 1}: cites ${name}, which is not in the repository`)
    if (checksDocuments)
      for (const [, name] of line.matchAll(PATH))
        if (!isThere(name)) faults.push(`${path}:${index + 1}: cites ${name}, which does not exist`)
  }
}

/** Whether a path leads somewhere; one that is not from the root may be the end of a file's path. */
function isThere(name) {
  if (FROM_ROOT.test(name)) return existsSync(join(root, name))
  return !/\.(tsx?|mjs)$/.test(name) || paths.some((path) => path.endsWith(`/${name}`))
}

function check() {
  for (const { place, id, untested, code, tests } of requirements.values()) {
    if (tests.length === 0 && !untested)
      faults.push(`${place}: ${id} begins the title of no test, and does not say why`)
    if (tests.length > 0 && untested)
      faults.push(`${place}: ${id} is 'untested', but ${tests[0].path} tests it`)
    if (code.size === 0 && !untested) faults.push(`${place}: ${id} is cited by no code`)
  }
  for (const fault of faults) console.error(fault)
  const count = (is) => [...requirements.values()].filter(is).length
  console.log(
    `docs/specification: ${requirements.size} requirements, ${count(({ tests }) => tests.length > 0)} with a test, ` +
      `${count(({ untested }) => untested)} untested for a reason; ${faults.length} faults`,
  )
  if (faults.length > 0) process.exit(1)
}

function print(name) {
  const requirement = requirements.get(name)
  if (requirement) {
    const { place, id, sentence, untested, code, tests } = requirement
    console.log(`${id}  ${sentence}\n  ${place}\n\nbuilt in`)
    for (const [path, line] of code) console.log(`  ${path}:${line}`)
    console.log('proved by')
    for (const { path, line, title } of tests) console.log(`  ${path}:${line}  ${title}`)
    console.log(untested ? `  nothing: ${untested}\n` : '')
  } else if (paths.includes(name)) {
    for (const id of new Set(idsOf(read(name)))) console.log(`${id}  ${requirements.get(id)?.sentence}`)
  } else {
    console.error(
      `${name} is neither the id of a requirement (an area and a number) nor a file of src, tests, bench or scripts.`,
    )
    process.exitCode = 2
  }
}
