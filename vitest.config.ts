import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // How long something may take is what a busy machine makes of it, and a test that is right does not wait for it.
    expect: { poll: { timeout: 20_000, interval: 10 } },
    // More than the two cores of CI: much of the time a test waits for a database, a timer or another process.
    maxWorkers: 3,
    // Files of a worker share their modules: loading the server for each file took a third of the time.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'src/{shared,server,simulator}/**/*.test.ts',
            'tests/{server,support,attack,fuzz,chaos}/**/*.test.ts',
          ],
          globalSetup: ['tests/support/postgres.ts'],
        },
      },
      {
        // Tests that need a DOM name jsdom in their first line.
        extends: true,
        test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
