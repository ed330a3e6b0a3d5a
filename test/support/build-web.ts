import { execFileSync } from 'node:child_process'

/** Builds the pages once for all tests of a run. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build-web.mjs'], { stdio: 'inherit' })
}
