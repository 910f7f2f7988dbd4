import { defineConfig } from 'vitest/config'

/** Only tests of pure rules, without a database: what `npm run mutate` runs a thousand times. */
export default defineConfig({
  test: { environment: 'node', include: ['src/{server/library,shared/nights}/**/*.test.ts'] },
})
