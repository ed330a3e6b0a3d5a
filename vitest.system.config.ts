import { defineConfig } from 'vitest/config'
import { countingLoops } from './test/support/count-loops.ts'

const ALL = 'test/system/**/*.test.ts'
const BUILDS = 'test/system/dev.test.ts'

/** Tests that need Chromium (Debian's /usr/bin/chromium, or CHROMIUM_PATH). The built pages come from `npm run build`. */
export default defineConfig({
  plugins: [countingLoops],
  test: {
    // CI adds the reports up; see scripts/sum-results.mjs.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'dist/results/system.json' }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: [ALL],
          exclude: [BUILDS],
          globalSetup: ['test/support/build-once.ts'],
        },
      },
      // It builds the pages anew, which the others have open: it comes when they are done.
      { extends: true, test: { name: 'start', include: [BUILDS], sequence: { groupOrder: 1 } } },
    ],
    setupFiles: ['test/support/watch-loops.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A look at a page waits for what must be seen; see scripts/check-looks.mjs.
    expect: { poll: { timeout: 10_000 } },
    // Two browsers at once, each file with pages and tenants of its own: one alone leaves half of two cores idle.
    maxWorkers: 2,
  },
})
