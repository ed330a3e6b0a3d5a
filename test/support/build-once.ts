import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { listSources } from '../../scripts/local-build.mjs'
import { BUILD_ENV } from '../../scripts/run-script.mjs'
import { AUTHORITY, makeCertificates } from './certificates'
import { findNewer } from './find-newer'

export const ROOT = join(import.meta.dirname, '..', '..')
export const BUNDLE = join(ROOT, 'dist', 'test')
/** What wrangler.toml says of the Worker, as miniflare takes it: whoever starts one need not load wrangler. */
export const OPTIONS = join(ROOT, 'dist', 'test-options.json')
/** A state on disk with every migration applied: what a Worker starts from. */
export const STATE = join(ROOT, 'dist', 'test-state')

/** What `npm run dev` keeps for itself: wrangler takes it for the tests' too. */
const DEV_VARS = join(ROOT, '.dev.vars')
const WRANGLER = join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/**
 * The real bundle and a migrated database, made once a run, so that every file's Worker starts from them.
 * @throws when PARLEY_PREBUILT=1 asks for those of an earlier run and a source is newer than they are
 */
export async function setup(): Promise<void> {
  const made = [join(BUNDLE, 'index.js'), OPTIONS, STATE, AUTHORITY]
  if (process.env.PARLEY_PREBUILT === '1' && made.every((path) => existsSync(path))) {
    const newer = findNewer(listSources(), [join(BUNDLE, 'index.js'), OPTIONS], ROOT)
    if (newer === null) return
    const words = `PARLEY_PREBUILT=1, but ${newer} is newer than the build: run without it.`
    // The stack would be this file's, which is not at fault.
    throw Object.assign(new Error(words), { stack: words })
  }
  rmSync(STATE, { recursive: true, force: true })
  makeCertificates()
  await Promise.all([
    run(WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', STATE),
    run(join(ROOT, 'scripts', 'build-web.mjs')).then(() =>
      run(WRANGLER, 'deploy', '--dry-run', '--env=', '--outdir', BUNDLE),
    ),
  ])
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config)
  const { modulesRules: _rules, ...options } = workerOptions
  const bindings: Record<string, unknown> = Object.assign({}, options.bindings, config.vars)
  for (const name of namesIn(DEV_VARS)) if (!(name in config.vars)) delete bindings[name]
  writeFileSync(OPTIONS, JSON.stringify({ ...options, bindings }))
}

const namesIn = (file: string): string[] =>
  existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : []

const run = (script: string, ...rest: string[]) =>
  promisify(execFile)(process.execPath, [script, ...rest], {
    cwd: ROOT,
    env: { ...BUILD_ENV, ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
  })
