import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/unit-and-api.json' }]]
      : ['default'],
    include: ['test/{unit,api,durable-objects}/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // One Worker per file: two cores carry two of them.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
