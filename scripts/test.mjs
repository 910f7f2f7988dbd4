/**
 * `npm test`: installs what is missing, including a browser and PostgreSQL, and runs all checks, the fastest first.
 * `npm test -- types unit` runs only the steps given.
 */
import { join } from 'node:path'
import {
  ensureBrowser,
  ensurePackages,
  ensurePages,
  ensurePostgres,
  environment,
  root,
  run,
} from './prepare.mjs'

const tool = (name) => join(root, 'node_modules', '.bin', name)
const steps = {
  format: () => run('npm', ['run', '--silent', 'format:check']),
  lint: () => run('npm', ['run', '--silent', 'lint']),
  types: () => run('npm', ['run', '--silent', 'types']),
  audit: () => run('node', ['scripts/audit.mjs']),
  unit: () =>
    run(tool('vitest'), ['run'], { env: { ...environment(), POSTGRES_BIN: ensurePostgres() ?? '' } }),
  build: () => ensurePages(),
  browser: () =>
    run(tool('playwright'), ['test'], { env: { ...environment(), CHROMIUM_PATH: ensureBrowser() ?? '' } }),
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in steps))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are: ${Object.keys(steps).join(', ')}.`)
  process.exit(2)
}

try {
  ensurePackages()
  for (const [name, step] of Object.entries(steps)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const started = Date.now()
    console.log(`\n── ${name} ──`)
    step()
    console.log(`── ${name}: passed in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  }
  console.log('\nEverything passed.')
} catch (error) {
  console.error(`\n${error.message}`)
  process.exit(1)
}
