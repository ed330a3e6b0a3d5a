import { defineConfig } from 'vitest/config'
import { AUTHORITY } from './test/support/certificates.ts'
import { countingLoops } from './test/support/count-loops.ts'

export default defineConfig({
  plugins: [countingLoops],
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/unit-and-api.json' }]]
      : ['default'],
    include: ['test/{unit,api,durable-objects}/**/*.test.ts'],
    setupFiles: ['test/support/watch-loops.ts', 'test/support/load-words.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // Files of one process share what is loaded and started once (`sharedParley`), so what a file changes it puts back.
    isolate: false,
    env: { NODE_EXTRA_CA_CERTS: AUTHORITY },
    // Files wait for timers and for each other's Workers much of the time: three keep two cores busy.
    maxWorkers: 3,
    // Of tests that say they are concurrent: peers that keep the Worker waiting until its deadline.
    maxConcurrency: 12,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
