import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
export const BUNDLE = join(ROOT, 'dist', 'test')

/** The real bundle, built once a run, so that every file's Worker starts from it. */
export function setup(): void {
  if (process.env.PARLEY_PREBUILT === '1' && existsSync(join(BUNDLE, 'index.js'))) return
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build-web.mjs')], {
    cwd: ROOT,
    stdio: 'pipe',
  })
  execFileSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
      'deploy',
      '--dry-run',
      '--env=',
      '--outdir',
      BUNDLE,
    ],
    { cwd: ROOT, stdio: 'pipe', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  )
}
