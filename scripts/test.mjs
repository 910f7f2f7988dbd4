/**
 * The tests, by size (tests/sizes.ts). Each installs what is missing, including a browser and PostgreSQL.
 *
 *   npm test                 all checks, the fastest first, and the short tests
 *   npm run test:long        the others, also on two servers, on Citus, and of the ways to deploy
 *   npm run test:all         both
 *   npm test -- types unit   only the steps given, of either
 */
import { join } from 'node:path'
import { audit } from './audit.mjs'
import { ESSENTIAL, testOnCitus } from './test-citus.mjs'
import { testImage, testProxies, testService } from './test-deploy.mjs'
import {
  ensureBackupPrograms,
  ensureBrowser,
  ensureFullBrowser,
  ensurePackages,
  ensurePages,
  ensurePostgres,
  ensurePrograms,
  environment,
  root,
  run,
  runQuietly,
} from './prepare.mjs'

// Limits of processes, signals and `sh` belong to the tests; the server itself needs none of them.
if (process.platform === 'win32') {
  console.error(
    'npm test needs a POSIX system and has none here: run it in the Windows Subsystem for Linux (wsl --install), in a clone ' +
      'of its own; npm start works without.',
  )
  process.exit(1)
}

const tool = (name) => join(root, 'node_modules', '.bin', name)
const withPostgres = () => ({ ...environment(), POSTGRES_BIN: ensurePostgres() ?? '' })
const script = (name) => () => runQuietly('npm', ['run', '--silent', name])

/** One of the parts that a long step is cut into, so that each fits into the time of CI. */
const shardOf = (shard) => (shard ? [`--shard=${shard}`] : [])

const unit = (size, shard) => () => {
  ensureBackupPrograms()
  return run(tool('vitest'), ['run', ...shardOf(shard)], { env: { ...withPostgres(), TEST_SIZE: size } })
}

const browser = (size, shard) => () => {
  ensurePages()
  const env = {
    ...withPostgres(),
    CHROMIUM_PATH: ensureBrowser() ?? '',
    FULL_CHROMIUM_PATH: ensureFullBrowser() ?? '',
    TEST_SIZE: size,
  }
  return run(tool('playwright'), ['test', ...shardOf(shard)], { env })
}

/** Tests of screens in Debian's Firefox. */
const inFirefox = () => {
  const missing = ensurePrograms({ 'firefox-esr': 'firefox-esr' })
  if (missing) return missing
  ensurePages()
  const NODE_OPTIONS = `--import ${join(root, 'tests', 'e2e', 'firefox.mjs')}`
  return run(tool('playwright'), ['test'], { env: { ...withPostgres(), TEST_SIZE: 'firefox', NODE_OPTIONS } })
}

/** Every screen in WebKit, the engine of Safari, with what drives Debian's. */
const inWebkit = () => {
  const libraries = `/usr/lib/${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-linux-gnu`
  const missing = ensurePrograms({
    WebKitWebDriver: 'webkit2gtk-driver',
    Xvfb: 'xvfb',
    [`${libraries}/girepository-1.0/WebKit2-4.1.typelib`]: 'gir1.2-webkit2-4.1',
    '/usr/lib/python3/dist-packages/gi': 'python3-gi',
  })
  if (missing) return missing
  ensurePages()
  return run(tool('playwright'), ['test'], { env: { ...withPostgres(), TEST_SIZE: 'webkit' } })
}

/** Rounds follow each other; steps of one round run at the same time, since each of the first uses one core only. */
const SHORT = [
  { format: script('format:check'), lint: script('lint'), types: script('types'), audit },
  { unit: unit('short') },
  { build: ensurePages },
  { browser: browser('short') },
]
const LONG = [
  { 'more-unit': unit('more') },
  { 'long-unit-1': unit('long', '1/2') },
  { 'long-unit-2': unit('long', '2/2') },
  {
    servers: () =>
      run(tool('vitest'), ['run', '--project', 'server'], {
        env: { ...withPostgres(), TEST_SIZE: 'servers', TEST_SERVERS: '2' },
      }),
  },
  { citus: () => testOnCitus(ESSENTIAL) },
  { 'more-browser-1': browser('more', '1/2') },
  { 'more-browser-2': browser('more', '2/2') },
  { 'long-browser': browser('long') },
  { firefox: inFirefox },
  { webkit: inWebkit },
  { proxies: testProxies },
  { image: testImage },
  { service: testService },
]

const chosen = process.argv.slice(2).filter((argument) => argument !== '--long')
const names = [...SHORT, ...LONG].flatMap(Object.keys)
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are: ${names.join(', ')}.`)
  process.exit(2)
}
const rounds =
  chosen.length > 0
    ? [...SHORT, ...LONG].map((round) =>
        Object.fromEntries(Object.entries(round).filter(([name]) => chosen.includes(name))),
      )
    : process.argv.includes('--long')
      ? LONG
      : SHORT
const left = rounds.flatMap(Object.keys)

const started = Date.now()
const secondsSince = (start) => ((Date.now() - start) / 1000).toFixed(1)
const table = []
const failures = []

/**
 * Runs one step, which may return why it is skipped. When it fails, the steps beside it still end, so that one run
 * reports all of them.
 */
async function runStep(name, step) {
  const start = Date.now()
  console.log(`── ${name} …`)
  let outcome = 'passed'
  try {
    const skipped = await step()
    if (typeof skipped === 'string') outcome = `skipped: ${skipped}`
  } catch (error) {
    outcome = 'failed'
    failures.push(error.message)
  }
  left.splice(left.indexOf(name), 1)
  table.push({ step: name, seconds: secondsSince(start), outcome })
  const rest = left.length > 0 ? `; left: ${left.join(', ')}` : ''
  console.log(`── ${name}: ${outcome}, after ${secondsSince(start)} s${rest}\n`)
}

try {
  ensurePackages()
  for (const round of rounds) {
    await Promise.all(Object.entries(round).map(([name, step]) => runStep(name, step)))
    if (failures.length > 0) break
  }
} catch (error) {
  failures.push(error.message)
}
for (const { step, seconds, outcome } of [
  ...table,
  { step: 'all', seconds: secondsSince(started), outcome: '' },
])
  console.log(`${step.padEnd(12)} ${seconds.padStart(7)} s  ${outcome}`.trimEnd())
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`)
  process.exit(1)
}
const skipped = table.filter(({ outcome }) => outcome.startsWith('skipped')).map(({ step }) => step)
console.log(
  skipped.length > 0 ? `\nPassed, without what was skipped: ${skipped.join(', ')}.` : '\nEverything passed.',
)
