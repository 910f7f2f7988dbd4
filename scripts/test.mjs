/**
 * `npm test`: installs what is missing, including a browser and PostgreSQL, and runs all checks, the fastest first.
 * `npm test -- types unit` runs only the steps given.
 */
import { join } from 'node:path'
import { ESSENTIAL, testOnCitus } from './test-citus.mjs'
import {
  ensureBackupReaders,
  ensureBrowser,
  ensurePackages,
  ensurePages,
  ensurePostgres,
  environment,
  root,
  run,
  runQuietly,
} from './prepare.mjs'

const tool = (name) => join(root, 'node_modules', '.bin', name)
const withPostgres = () => ({ ...environment(), POSTGRES_BIN: ensurePostgres() ?? '' })
const script = (name) => () => runQuietly('npm', ['run', '--silent', name])

/** What is tested with two servers too (`npm run test:two-servers` has all): members, sessions, nights, syncs. */
const WITH_TWO_SERVERS = [
  'departures',
  'groups',
  'hand-over',
  'membership',
  'night-races',
  'nights',
  'sign-in',
  'sync',
].map((name) => `tests/server/${name}.test.ts`)

/** Rounds follow each other. Steps of one round run at the same time, since each of them uses one core only. */
const rounds = [
  {
    format: script('format:check'),
    lint: script('lint'),
    types: script('types'),
    audit: () => runQuietly('node', ['scripts/audit.mjs']),
  },
  {
    unit: () => {
      ensureBackupReaders()
      return run(tool('vitest'), ['run'], { env: withPostgres() })
    },
  },
  {
    servers: () =>
      run(tool('vitest'), ['run', '--project', 'server', ...WITH_TWO_SERVERS], {
        env: { ...withPostgres(), TEST_SERVERS: '2' },
      }),
  },
  { citus: () => testOnCitus(ESSENTIAL) },
  { build: ensurePages },
  {
    browser: () =>
      run(tool('playwright'), ['test'], {
        env: { ...withPostgres(), CHROMIUM_PATH: ensureBrowser() ?? '' },
      }),
  },
]

const names = rounds.flatMap(Object.keys)
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are: ${names.join(', ')}.`)
  process.exit(2)
}

const started = Date.now()
const secondsSince = (start) => ((Date.now() - start) / 1000).toFixed(1)
const table = []
const failures = []

/** Runs one step. When it fails, the steps beside it still end, so that one run reports all of them. */
async function runStep(name, step) {
  const start = Date.now()
  console.log(`── ${name} …`)
  let outcome = 'passed'
  try {
    await step()
  } catch (error) {
    outcome = 'failed'
    failures.push(error.message)
  }
  table.push({ step: name, seconds: secondsSince(start), outcome })
  console.log(`── ${name}: ${outcome} in ${secondsSince(start)} s\n`)
}

try {
  ensurePackages()
  for (const round of rounds) {
    const steps = Object.entries(round).filter(([name]) => chosen.length === 0 || chosen.includes(name))
    await Promise.all(steps.map(([name, step]) => runStep(name, step)))
    if (failures.length > 0) break
  }
} catch (error) {
  failures.push(error.message)
}
for (const { step, seconds, outcome } of [
  ...table,
  { step: 'all', seconds: secondsSince(started), outcome: '' },
])
  console.log(`${step.padEnd(8)} ${seconds.padStart(7)} s  ${outcome}`.trimEnd())
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`)
  process.exit(1)
}
console.log('\nEverything passed.')
