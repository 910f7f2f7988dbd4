/**
 * Checks docs/SPEC-MAP.md: every file it names exists, every test it quotes is in the file it is said to be in, and
 * each line that begins a row begins a line of SPEC.md. Where SPEC.md is at hand (../shared/SPEC.md), no section and
 * no line of a list or table of it may be missing. Part of `npm run lint`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const specification = join(root, '..', 'shared', 'SPEC.md')
const problems = []

const read = (path) => readFileSync(join(root, path), 'utf8')
/** As the page of a test's file may write it: quotes escaped or not, and cells without bars. */
const plain = (text) => text.replaceAll('\\', '')

const rows = rowsOf(read('docs/SPEC-MAP.md'))
let untested = 0
for (const { begins, builtIn, proof } of rows) {
  for (const [, path] of `${builtIn} ${proof}`.matchAll(/`([^`]+)`/g))
    if (!existsSync(join(root, path))) problems.push(`"${begins}" names ${path}, which is not there.`)
  for (const [, path, name] of proof.matchAll(/`([^`]+)` “([^”]+)”/g))
    if (existsSync(join(root, path)) && !plain(read(path)).includes(name))
      problems.push(`"${begins}": no test of ${path} is called "${name}".`)
  if (proof === '—') untested += 1
}

if (existsSync(specification)) {
  const lines = linesOf(readFileSync(specification, 'utf8'))
  for (const { section, text } of lines)
    if (!rows.some((row) => row.section === section && text.startsWith(row.begins)))
      problems.push(`"${text.slice(0, 60)}" of section "${section}" is missing.`)
  for (const section of new Set(lines.map((line) => line.section)))
    if (!rows.some((row) => row.section === section)) problems.push(`Section "${section}" is missing.`)
}

for (const problem of problems) console.error(`docs/SPEC-MAP.md: ${problem}`)
console.log(
  `docs/SPEC-MAP.md: ${rows.length} lines, ${untested} without a test of their own` +
    (existsSync(specification)
      ? ''
      : '; SPEC.md is not at hand, so whether lines are missing was not looked at'),
)
if (problems.length > 0) process.exit(1)

/** The rows of the map with the section they stand in. */
function rowsOf(markdown) {
  const found = []
  let section = ''
  for (const line of markdown.split('\n')) {
    section = /^##+ (.*)/.exec(line)?.[1] ?? section
    if (!line.startsWith('| ') || /^\| (line|-+) /.test(line)) continue
    const [begins, builtIn, proof] = line
      .replaceAll('\\|', '\u0000')
      .split('|')
      .slice(1, -1)
      .map((cell) => plain(cell.replaceAll('\u0000', '|').trim()))
    found.push({ section, begins, builtIn, proof })
  }
  return found
}

/** What SPEC.md says in lists and tables; of a table's row its first cell. */
function linesOf(markdown) {
  const found = []
  let section = ''
  const lines = markdown.split('\n')
  for (const [at, line] of lines.entries()) {
    section = /^##+ (.*)/.exec(line)?.[1] ?? section
    const isHead = /^\|\s*-/.test(lines[at + 1] ?? '')
    const text = /^\s*- (.*)/.exec(line)?.[1] ?? (isHead ? undefined : /^\| ([^|]+) \|/.exec(line)?.[1])
    if (text !== undefined) found.push({ section, text: plain(text) })
  }
  return found
}
