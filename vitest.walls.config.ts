import { defineConfig } from 'vitest/config'

/** Walls that are written as tests, for `npm run check`: they read the code and the configuration, and need nothing built. */
export default defineConfig({
  test: {
    include: ['test/unit/{choke-points,build-gates,scripts/deployment-names}.test.ts'],
    reporters: ['dot'],
    isolate: false,
    testTimeout: 60_000,
  },
})
