/**
 * The sizes of tests. `npm test` runs the short ones; `npm run test:all` also those listed here. TEST_SIZE says which run:
 * 'short', 'more', 'long', 'servers', 'firefox', 'webkit', or all where it is not set, so that a single file runs by its name.
 */
import { globSync, readFileSync } from 'node:fs'

/** Tests that flood or kill servers, move whole databases, or try random orders for long. */
const LONG_TESTS = [
  'tests/{attack,chaos,fuzz}/**/*.test.ts',
  'src/server/pictures/encode.test.ts',
  'src/server/sync/refresh-worker.test.ts',
  ...inServer([
    'backup',
    'clocks',
    'compose',
    'cut-off-file',
    'deleted-bytes',
    'deletion-limits',
    'demo',
    'demo-reset',
    'fair-share',
    'huge-libraries',
    'migrate-to-postgres',
    'mode',
    'night-two-worlds',
    'process',
    'refused-starts',
    'stale-responses',
    'sync-deadline',
    'sync-failures',
    'sync-together',
  ]),
]

/** Files of calls that `npm test` runs on both engines: what is written at the same time. */
const ON_BOTH_ENGINES = inServer(['groups', 'night-races'])

/** What can differ between servers: members, sessions, nights, syncs. */
const ON_TWO_SERVERS = inServer([
  'departures',
  'groups',
  'hand-over',
  'membership',
  'night-races',
  'nights',
  'sign-in',
  'sync',
])

/** Steps of their own in `npm run test:all`, because they need programs that only root can install. */
const DEPLOY_TESTS = ['tests/deploy/**/*.test.ts']

/** Browser tests that look at every width and state, at failures and large libraries. */
const LONG_BROWSER_TESTS = inBrowser([
  'demo',
  'failures',
  'first-run-journey',
  'large-library',
  'layout-shift',
  'load-failures',
  'news',
  'night-view',
  'nights-outside',
  'people-picker',
  'sign-in',
])

/** Browser tests of the screens that everyone meets, for which `npm test` has time. CI runs the others after it. */
const SHORT_BROWSER_TESTS = inBrowser([
  'dashboard',
  'friends',
  'group-detail',
  'lately',
  'live',
  'login',
  'my-games',
  'night-page',
])

const size = process.env.TEST_SIZE

/** Files of tests; on both engines where none is named. */
export interface ServerTests {
  name: string
  include: string[]
  exclude: string[]
  engine?: 'sqlite' | 'postgres'
}

/**
 * What runs of `all`. The short tests have both engines for storage and ON_BOTH_ENGINES; the other files of calls
 * run on SQLite there, in a third of the time, and on PostgreSQL in 'more'.
 */
export function serverTests(all: string[]): ServerTests[] {
  if (size === 'long') return [{ name: 'server', include: LONG_TESTS, exclude: DEPLOY_TESTS }]
  if (size === 'servers') return [{ name: 'server', include: ON_TWO_SERVERS, exclude: [] }]
  if (size === undefined) return [{ name: 'server', include: all, exclude: [] }]
  const notShort = [...LONG_TESTS, ...DEPLOY_TESTS]
  const onOne = globSync('tests/server/*.test.ts', {
    exclude: [...notShort, ...ON_BOTH_ENGINES],
  }).filter((file) => readFileSync(file, 'utf8').includes('describe.each(engines)'))
  if (size === 'more') return [{ name: 'postgres', include: onOne, exclude: [], engine: 'postgres' }]
  return [
    { name: 'server', include: all, exclude: [...notShort, ...onOne] },
    { name: 'sqlite', include: onOne, exclude: [], engine: 'sqlite' },
  ]
}

export const IN_FIREFOX = size === 'firefox'
export const IN_WEBKIT = size === 'webkit'

/** Browser tests that run in Firefox too: those for which its driver has all that they need. */
const FIREFOX_TESTS = inBrowser([
  'account',
  'dashboard',
  'friends',
  'group-detail',
  'groups',
  'join',
  'languages',
  'live',
  'login',
  'my-games',
  'night-page',
  'theme',
])
const WEBKIT_TESTS = inBrowser(['webkit/webkit'])

const BROWSER_TESTS = {
  webkit: WEBKIT_TESTS,
  firefox: FIREFOX_TESTS,
  short: SHORT_BROWSER_TESTS,
  long: LONG_BROWSER_TESTS,
}

export const browserTests = {
  include: BROWSER_TESTS[size as keyof typeof BROWSER_TESTS] ?? ['*.spec.ts'],
  exclude: [
    ...(IN_WEBKIT ? [] : WEBKIT_TESTS),
    ...(size === 'more' ? [...SHORT_BROWSER_TESTS, ...LONG_BROWSER_TESTS] : []),
  ],
}

function inBrowser(names: string[]): string[] {
  return names.map((name) => `**/tests/e2e/${name}.spec.ts`)
}

function inServer(names: string[]): string[] {
  return names.map((name) => `tests/server/${name}.test.ts`)
}
