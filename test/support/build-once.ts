import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { waitToHold } from '../../scripts/hold.mjs'
import { ensureBuild } from '../../scripts/local-build.mjs'
import { migrate } from '../../scripts/local-server.mjs'
import { BUILD_ENV } from '../../scripts/run-script.mjs'
import { makeCertificates } from './certificates'

export const ROOT = join(import.meta.dirname, '..', '..')
export const BUNDLE = join(ROOT, 'dist', 'test')
/** What wrangler.toml says of the Worker, as miniflare takes it: whoever starts one need not load wrangler. */
export const OPTIONS = join(ROOT, 'dist', 'test-options.json')
/** A state on disk with every migration applied: what a Worker starts from. */
export const STATE = join(ROOT, 'dist', 'test-state')
/** Which build those were made of. */
const MADE_OF = join(ROOT, 'dist', 'test-build')

/**
 * The real bundle and a migrated database, from which every file's Worker starts: made once for each state of the sources,
 * of the build that `npm run dev` takes too. Whatever else is being run from this checkout waits for it.
 */
export async function setup(): Promise<void> {
  const release = await waitToHold(MADE_OF)
  await makeOnce().finally(release)
}

async function makeOnce(): Promise<void> {
  makeCertificates()
  // The pages in the checkout, which the tests read: a build that is kept leaves them as they are.
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'ensure-built.mjs')], {
    cwd: ROOT,
    env: { ...BUILD_ENV, ...process.env },
  })
  const { folder, worker, migrations } = await ensureBuild()
  if (existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === folder) return
  for (const path of [MADE_OF, BUNDLE, STATE]) rmSync(path, { recursive: true, force: true })
  cpSync(join(folder, 'worker'), BUNDLE, { recursive: true })
  writeFileSync(OPTIONS, JSON.stringify(worker))
  await makeState(migrations)
  // The last step: what has no such file was not finished.
  writeFileSync(MADE_OF, folder)
}

async function makeState(migrations: { name: string; sql: string }[]): Promise<void> {
  const { d1Databases } = JSON.parse(readFileSync(OPTIONS, 'utf8'))
  const runtime = new Miniflare({
    ...convertV4MiniflareOptions({
      log: new Log(LogLevel.NONE),
      cf: false,
      workers: [{ name: 'app', modules: true, script: 'export default {}', d1Databases }],
    }),
    resourcePersistencePath: join(STATE, 'v3'),
  })
  await migrate(runtime, 'app', migrations)
  await runtime.dispose()
}
