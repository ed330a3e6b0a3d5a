import { defineConfig } from 'vitest/config'
import { countingLoops } from './test/support/count-loops.ts'

export default defineConfig({
  plugins: [countingLoops],
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/unit-and-api.json' }]]
      : ['default'],
    include: ['test/{unit,api,durable-objects}/**/*.test.ts'],
    setupFiles: ['test/support/watch-loops.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // One Worker per file: two cores carry two of them.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
