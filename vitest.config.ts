import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: [
            'src/{shared,server,simulator}/**/*.test.ts',
            'tests/{server,support,attack,fuzz,chaos}/**/*.test.ts',
          ],
          globalSetup: ['tests/support/postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['src/web/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
