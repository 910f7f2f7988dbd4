import { defineConfig } from '@playwright/test'

/** A Chromium that is there (scripts/prepare.mjs finds or installs it); unset: Playwright's own download. */
const executablePath = process.env.CHROMIUM_PATH || undefined

/** The test whose people act at human pace. */
const LONG = /NIGHT-79: from the start to a pick/

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than the cores of CI: a third of the time a test waits for a timer or an answer.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  // The longest test begins first, because it mostly waits and would end long after the others.
  projects: [
    { name: 'long', grep: LONG },
    { name: 'rest', grepInvert: LONG },
  ],
  use: {
    launchOptions: {
      ...(executablePath && { executablePath }),
      // As root Chromium runs only without its sandbox; the rest keeps it from calling home where nobody answers.
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        // Of a tab that a page opens, the first request would leave before a test could hold it.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    },
  },
})
