import { configDefaults, defineConfig } from 'vitest/config'
import { texts } from './src/locales/vite-plugin.ts'
import { serverTests } from './tests/sizes.ts'

const server = serverTests([
  'src/{shared,server,simulator}/**/*.test.ts',
  'tests/{server,support,attack,fuzz,chaos,deploy}/**/*.test.ts',
  // Only in runs on a distributed PostgreSQL, after the others, because it stops machines.
  ...(process.env.TEST_CITUS_FOLDER ? ['tests/citus/**/*.test.ts'] : []),
])

export default defineConfig({
  test: {
    // These only end what hangs: a busy machine may take many times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    // More than the two cores of CI: much of the time a test waits for a database, a timer or another process.
    maxWorkers: 4,
    // Files of a worker share their modules: loading the server for each file took a third of the time.
    isolate: false,
    projects: [
      ...server.map(({ name, include, exclude, engine }) => ({
        extends: true as const,
        test: {
          name,
          env: engine ? { TEST_ENGINE: engine } : {},
          include,
          // What cannot hold where the run is (scripts/test-citus.mjs).
          exclude: [...configDefaults.exclude, ...exclude, ...(process.env.TEST_EXCLUDED?.split(',') ?? [])],
        },
      })),
      {
        // Tests that need a DOM name jsdom in their first line.
        extends: true,
        plugins: [texts()],
        test: {
          name: 'web',
          include: ['more', 'long'].includes(process.env.TEST_SIZE ?? '')
            ? []
            : ['src/web/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
