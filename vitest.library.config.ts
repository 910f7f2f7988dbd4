import { defineConfig } from 'vitest/config'

/** Only the tests of the packed library, without a database: what `npm run mutate` runs a thousand times. */
export default defineConfig({
  test: { environment: 'node', include: ['src/server/library/**/*.test.ts'] },
})
