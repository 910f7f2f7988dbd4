import { defineConfig } from '@playwright/test'
import { browserTests, IN_FIREFOX, IN_WEBKIT } from './tests/sizes.ts'

/** A Chromium that is there (scripts/prepare.mjs finds or installs it); unset: Playwright's own download. */
const executablePath = process.env.CHROMIUM_PATH || undefined

/** Tests that measure time: of people at human pace, of changes until others see them, and of large lists. */
const TIMED = /@timed/
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  // Of a tab that a page opens, the first request would leave before a test could hold it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]
/** No page of a test lives long enough to repay the compilers that optimise its code: an eighth of all time. */
const SHORT_LIVED = '--js-flags=--no-maglev --no-turbofan'
// As root Chromium runs only without its sandbox; the rest keeps it from calling home where nobody answers.
const launchOptions = (...args: string[]) => ({
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [...ARGUMENTS, ...args],
    // As people have it: Back shows the page as it was left.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
})
const FINE_AND_HOVERS = 2 | 4
/** Debian's Firefox, by WebDriver BiDi. It takes theme, motion and permissions from no test, and has no mouse of its own. */
const firefox = {
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: process.env.FIREFOX_PATH || '/usr/bin/firefox-esr',
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': 0,
      'ui.prefersReducedMotion': 1,
      'ui.primaryPointerCapabilities': FINE_AND_HOVERS,
      'ui.allPointerCapabilities': FINE_AND_HOVERS,
      'dom.events.testing.asyncClipboard': true,
    },
  },
}

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: browserTests.include,
  testIgnore: browserTests.exclude,
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than the cores of CI: a third of the time a test waits for a timer or an answer.
  workers: 3,
  forbidOnly: true,
  // Where a whole delivery waits for them. What passes only then is listed as flaky.
  retries: Number(process.env.TEST_RETRIES ?? 0),
  timeout: 90_000,
  // Ends what hangs: on two busy cores a page may take eight seconds to show its first lists.
  expect: { timeout: 20_000 },
  reporter: [['list']],
  projects: IN_WEBKIT
    ? [{ name: 'webkit', workers: 2 }]
    : IN_FIREFOX
      ? [{ name: 'firefox', grepInvert: /@chromium/, use: firefox }]
      : // The longest tests begin first, because they mostly wait and would end long after the others.
        [
          { name: 'timed', grep: TIMED, use: launchOptions() },
          { name: 'rest', grepInvert: TIMED, use: launchOptions(SHORT_LIVED) },
        ],
})
