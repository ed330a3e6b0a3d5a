import { defineConfig } from 'vitest/config'
import { countingLoops } from './test/support/count-loops.ts'

/** Tests that need Chromium (Debian's /usr/bin/chromium, or CHROMIUM_PATH). The built pages come from `npm run build`. */
export default defineConfig({
  plugins: [countingLoops],
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/system.json' }]]
      : ['default'],
    include: ['test/system/**/*.test.ts'],
    setupFiles: ['test/support/watch-loops.ts'],
    globalSetup: ['test/support/build-once.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A look at a page waits for what must be seen; see scripts/check-looks.mjs.
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: false,
  },
})
