/**
 * Checks docs/specification: every requirement has an id that is unique within an unbroken series, every file it
 * names exists, every test title it quotes is in that file, and every id cited in the repository exists. With
 * `--documents` it also refuses citations of documents that are not in the repository.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const checksDocuments = process.argv.includes('--documents')

/** An id: an area of 3 to 5 letters, and a number. */
const ID = /\b([A-Z]{3,5})-(\d{1,3})\b/g
/** Prefixes that look like an area, as in UTF-8. */
const NOT_AREAS = new Set(['AES', 'UTF', 'SHA', 'PDF'])
/** A document's file name, or the short name and section of a document that the specification has replaced. */
const DOCUMENT = /\b[A-Z][A-Z-]*\.md\b|\b(?:SPEC|CONTRACT|STEAM|DESIGN) (?:\d+|[A-Z'][\w'-]*)/g

const faults = []
const texts = new Map()
const read = (path) => {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  return texts.get(path)
}

const requirements = globSync('docs/specification/*.md', { cwd: root })
  .filter((path) => basename(path) !== 'README.md')
  .sort()
  .flatMap(requirementsOf)
checkIds(requirements)
for (const requirement of requirements) checkEvidence(requirement)
const cited = checkCitations(new Set(requirements.map(({ id }) => id)))

for (const fault of faults) console.error(fault)
const count = (kind) => requirements.filter((requirement) => requirement[kind]).length
console.log(
  `docs/specification: ${requirements.length} requirements, ${count('titles')} with a test, ${count('pending')} pending, ` +
    `${count('untested')} untested for a reason, ${count('withdrawn')} withdrawn; ${cited} ids cited; ${faults.length} faults`,
)
if (faults.length > 0) process.exit(1)

/** The requirements of a page, each with its location, its sentence, and the evidence after the dash. */
function requirementsOf(path) {
  const found = []
  const lines = read(path).split('\n')
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at].startsWith('- ')) continue
    const place = `${path}:${at + 1}`
    let item = lines[at]
    while (lines[at + 1]?.startsWith('  ')) item += ` ${lines[++at].trim()}`
    const [, id, rest] = /^- \*\*([A-Z]{3,5}-\d{1,3})\*\* (.+)$/.exec(item) ?? []
    if (id === undefined) faults.push(`${place}: a requirement without an id`)
    else {
      const dash = rest.lastIndexOf(' — ')
      const [sentence, evidence] = dash < 0 ? [rest, ''] : [rest.slice(0, dash), rest.slice(dash + 3)]
      found.push({ place, id, sentence, evidence, withdrawn: sentence.startsWith('Withdrawn:') })
    }
  }
  return found
}

function checkIds(all) {
  const numbers = new Map()
  for (const { place, id } of all) {
    const [area, number] = id.split('-')
    const seen = numbers.get(area) ?? new Map()
    numbers.set(area, seen)
    if (seen.has(Number(number)))
      faults.push(`${place}: ${id} is given twice, first at ${seen.get(Number(number))}`)
    else seen.set(Number(number), place)
  }
  for (const [area, seen] of numbers)
    for (let number = 1; number <= Math.max(...seen.keys()); number++)
      if (!seen.has(number))
        faults.push(`docs/specification: ${area}-${number} is missing; a withdrawn one stays`)
}

/** Checks the files and tests after the dash, and sets the kinds of evidence on the requirement. */
function checkEvidence(requirement) {
  const { place, id, evidence, withdrawn } = requirement
  if (withdrawn) return
  for (const part of evidence.split(' · ')) {
    if (part === 'pending') requirement.pending = true
    else if (/^untested: \S/.test(part)) requirement.untested = true
    else if (/^`[^`]+`(?:, `[^`]+`)*$/.test(part)) {
      requirement.files = true
      for (const [, path] of part.matchAll(/`([^`]+)`/g)) checkFile(place, id, path)
    } else {
      const [, path, titles] = /^`([^`]+)`((?: “[^”]+”)+)$/.exec(part) ?? []
      if (path === undefined)
        faults.push(`${place}: ${id} has "${part}", which is neither file, test nor mark`)
      else if (checkFile(place, id, path)) {
        requirement.titles = true
        for (const [, title] of titles.matchAll(/“([^“”]+)”/g))
          if (!read(path).replaceAll('\\', '').includes(title))
            faults.push(`${place}: ${id}: no test of ${path} is called "${title}"`)
      }
    }
  }
  const { titles, pending, untested, files } = requirement
  if (!titles && !pending && !untested) faults.push(`${place}: ${id} names no test and does not say why`)
  if (!files && !untested) faults.push(`${place}: ${id} names no file that implements it`)
}

function checkFile(place, id, path) {
  if (existsSync(join(root, path))) return true
  faults.push(`${place}: ${id} names ${path}, which does not exist`)
  return false
}

/** Checks the ids and documents cited in all texts and sources; returns the number of ids outside the specification. */
function checkCitations(known) {
  const patterns = [
    '*.md',
    '{src,tests,bench,scripts}/**/*.{ts,tsx,mjs,css,html}',
    '*.{ts,js,cjs,yaml}',
    'docs/**/*.md',
  ]
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  const documents = new Set(paths.map((path) => basename(path)))
  let count = 0
  for (const path of paths) {
    for (const [index, line] of read(path).split('\n').entries()) {
      for (const [id, area] of line.matchAll(ID)) {
        if (NOT_AREAS.has(area)) continue
        if (!known.has(id)) faults.push(`${path}:${index + 1}: cites ${id}, which no requirement has`)
        else if (!path.startsWith('docs/specification/')) count++
      }
      if (!checksDocuments) continue
      for (const [name] of line.matchAll(DOCUMENT))
        if (!documents.has(name))
          faults.push(`${path}:${index + 1}: cites ${name}, which is not in the repository`)
    }
  }
  return count
}
