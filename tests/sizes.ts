/**
 * The two sizes of tests. `npm test` runs the short ones; `npm run test:all` also those listed here, which take long
 * because they flood or kill servers, move whole databases, or look at every width and state. TEST_SIZE says which run:
 * 'short', 'long', or all where it is not set, so that a single file runs by its name.
 */
const LONG_TESTS = [
  'tests/{attack,chaos,fuzz}/**/*.test.ts',
  ...[
    'backup',
    'clocks',
    'cut-off-file',
    'deletion-limits',
    'demo-reset',
    'fair-share',
    'huge-libraries',
    'migrate-to-postgres',
    'mode',
    'night-two-worlds',
    'process',
    'real-world',
    'refused-starts',
    'rolling-upgrade',
    'sync-deadline',
    'sync-failures',
  ].map((name) => `tests/server/${name}.test.ts`),
]

/** Steps of their own in `npm run test:all`, because they need programs that only root can install. */
const DEPLOY_TESTS = ['tests/deploy/**/*.test.ts']

const LONG_BROWSER_TESTS = [
  'dashboard-failures',
  'dashboard-look',
  'demo',
  'dialogs',
  'failures',
  'first-run-journey',
  'friends-look',
  'friends-view',
  'group-name',
  'group-overlap',
  'large-library',
  'layout-and-view',
  'layout-shift',
  'load-failures',
  'news',
  'night-first-view',
  'night-host',
  'night-lists',
  'night-sizes',
  'night-together',
  'night-words',
  'nights-outside',
  'odd-addresses',
  'overlap',
  'people-picker',
  'real-world',
  'recovery',
  'sign-in',
  'sizes',
  'spec-fields',
].map((name) => `**/tests/e2e/${name}.spec.ts`)

const size = process.env.TEST_SIZE

/** Files of a configuration of tests: the part of `all` that TEST_SIZE asks for. */
function sized(all: string[], long: string[]) {
  if (size === 'long') return { include: long, exclude: [] }
  return { include: all, exclude: size === 'short' ? long : [] }
}

export function serverTests(all: string[]) {
  const { include, exclude } = sized(all, LONG_TESTS)
  return { include, exclude: size === undefined ? exclude : [...exclude, ...DEPLOY_TESTS] }
}
export const browserTests = sized(['*.spec.ts'], LONG_BROWSER_TESTS)
