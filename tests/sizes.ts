/**
 * The sizes of tests. `npm test` runs the short ones; `npm run test:all` also those listed here. TEST_SIZE says which run:
 * 'short', 'more', 'long', or all where it is not set, so that a single file runs by its name.
 */

/** Tests that flood or kill servers, or move whole databases. */
const LONG_TESTS = [
  'tests/{attack,chaos,fuzz}/**/*.test.ts',
  ...[
    'backup',
    'clocks',
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
    'real-world',
    'refused-starts',
    'rolling-upgrade',
    'sync-deadline',
    'sync-failures',
    'sync-together',
  ].map((name) => `tests/server/${name}.test.ts`),
]

/** Steps of their own in `npm run test:all`, because they need programs that only root can install. */
const DEPLOY_TESTS = ['tests/deploy/**/*.test.ts']

/** Browser tests that look at every width and state, at failures and large libraries. */
const LONG_BROWSER_TESTS = inBrowser([
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
])

/** Browser tests for which `npm test` has no time: of screens and dialogs that are used less. CI runs them after it. */
const MORE_BROWSER_TESTS = inBrowser([
  'account',
  'account-data',
  'add-member',
  'dashboard-charts',
  'dashboard-common-games',
  'find',
  'first-run',
  'friend-picker',
  'game-friends',
  'game-players',
  'group-form',
  'group-members',
  'group-near-misses',
  'group-owner',
  'group-picture',
  'hidden-games',
  'installed',
  'invitations',
  'languages',
  'left-groups',
  'lists',
  'membership',
  'night-changes',
  'night-draw',
  'night-people',
  'notifications',
  'notifications-account',
  'operator',
  'shelf',
  'signed-out',
  'status',
  'theme',
])

const size = process.env.TEST_SIZE

export function serverTests(all: string[]) {
  if (size === 'long') return { include: LONG_TESTS, exclude: DEPLOY_TESTS }
  return { include: all, exclude: size === 'short' ? [...LONG_TESTS, ...DEPLOY_TESTS] : [] }
}

export const browserTests = {
  include: size === 'more' ? MORE_BROWSER_TESTS : size === 'long' ? LONG_BROWSER_TESTS : ['*.spec.ts'],
  exclude: size === 'short' ? [...MORE_BROWSER_TESTS, ...LONG_BROWSER_TESTS] : [],
}

function inBrowser(names: string[]): string[] {
  return names.map((name) => `**/tests/e2e/${name}.spec.ts`)
}
