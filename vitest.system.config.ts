import { defineConfig } from 'vitest/config'
import { countingLoops } from './test/support/count-loops.ts'
import { LongFirst } from './test/support/long-first.ts'

/** Tests that need Chromium (Debian's /usr/bin/chromium, or CHROMIUM_PATH). */
export default defineConfig({
  plugins: [countingLoops],
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/system.json' }]]
      : ['default'],
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // Files of one process share what is loaded and started once (`sharedSite`), so what a file changes it puts back.
    isolate: false,
    setupFiles: ['test/support/watch-loops.ts'],
    // On a busy machine a page has a third of a processor; a test whose page never comes fails all the same.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A look at a page waits for what must be seen; see scripts/check-looks.mjs.
    expect: { poll: { timeout: 20_000 } },
    // Two browsers at once, each file with pages and tenants of its own: they fill two cores, and a third makes each step slower.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
})
