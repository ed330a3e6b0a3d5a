import { defineConfig } from 'vitest/config'
import { BUILD_ENV } from './scripts/run-script.mjs'
import { AUTHORITY } from './test/support/certificates.ts'
import { countingLoops } from './test/support/count-loops.ts'
import { LongFirst } from './test/support/long-first.ts'

/** For V8, in MiB. */
const YOUNG_ROOM = '--min-semi-space-size=16'

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
    // Test processes and Workers start small and live short: without room for what is new they clear it up all the time.
    execArgv: [YOUNG_ROOM],
    env: {
      ...BUILD_ENV,
      NODE_EXTRA_CA_CERTS: AUTHORITY,
      MINIFLARE_WORKERD_V8_FLAGS: YOUNG_ROOM,
    },
    // Files wait for timers and for each other's Workers much of the time: three keep two cores busy, four took as long.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Of tests that say they are concurrent: peers that keep the Worker waiting until its deadline.
    maxConcurrency: 12,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes; a second, as is usual, is short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
})
