/**
 * `npm run check`: types, lint and tests of what was changed since the last commit, or by it when nothing was since. Tests
 * are those that were changed, and the short ones in `src` that import what was changed, on SQLite. After a change in
 * `src/shared` only the tests there run. `npm test` has all.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, environment, root, runQuietly } from './prepare.mjs'

const git = (...args) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)

function changedFiles() {
  const uncommitted = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const files = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD')
  return files.filter((file) => existsSync(join(root, file)))
}

const binary = (name) => join(root, 'node_modules', '.bin', name)
const tool = (name, ...args) => runQuietly(binary(name), args)

/** Types of the parts that were changed. What was found is kept, so that only what depends on a change is checked again. */
async function types(files) {
  await runQuietly('node', ['scripts/declare-texts.mjs'])
  const parts = [
    ['tsconfig.json', /^(src\/(shared|server|simulator)|tests|bench)\/|^[^/]+$/],
    ['tsconfig.web.json', /^src\/(shared|web)\/|^[^/]+$/],
    ['tsconfig.sw.json', /^src\/web\/|^[^/]+$/],
    ['tsconfig.e2e.json', /^tests\/|^[^/]+$/],
  ]
  for (const [project, part] of parts)
    if (files.some((file) => part.test(file) && /\.(ts|tsx|json)$/.test(file)))
      await tool('tsc', '-p', project)
}

async function lint(files) {
  const code = files.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file))
  await tool('prettier', '--check', '--log-level', 'warn', '--ignore-unknown', ...files)
  if (code.length > 0) await tool('eslint', '--max-warnings', '0', '--no-warn-ignored', ...code)
  await runQuietly('node', ['scripts/specification.mjs', '--documents'])
  await runQuietly('node', ['scripts/architecture.mjs'])
}

async function tests(files) {
  const changed = files.filter((file) => file.endsWith('.test.ts') && file.startsWith('tests/'))
  if (changed.length > 0) await tool('vitest', 'run', '--passWithNoTests', ...changed)
  const beside = (...args) =>
    runQuietly(binary('vitest'), [...args, '--run', '--passWithNoTests'], {
      env: { ...environment(), TEST_SIZE: 'short', TEST_ENGINE: 'sqlite', TEST_EXCLUDED: 'tests/**' },
    })
  // Nearly every test imports something of `src/shared`.
  if (files.some((file) => /^src\/shared\/.*\.ts$/.test(file))) await beside('run', 'src/shared')
  const sources = files.filter((file) => /^src\/(?!shared\/).*\.tsx?$/.test(file))
  if (sources.length > 0) await beside('related', ...sources)
}

ensurePackages()
process.env.PATH = environment().PATH
const files = changedFiles()
console.log(`${files.length} changed files`)
const started = Date.now()
const outcomes = await Promise.allSettled([types(files).then(() => tests(files)), lint(files)])
const failures = outcomes.filter(({ status }) => status === 'rejected')
for (const { reason } of failures) console.error(reason.message)
console.log(
  `${failures.length === 0 ? 'Passed' : 'Failed'} in ${((Date.now() - started) / 1000).toFixed(1)} s`,
)
process.exit(failures.length === 0 ? 0 : 1)
