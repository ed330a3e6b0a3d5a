// Loaded before wrangler builds (`node --require`): after a build that succeeded it writes what a local start has to know of
// wrangler.toml and of the migrations, so that neither has to load wrangler for it: JSON {worker, migrations: [{name, sql}]},
// to the file PARLEY_DESCRIPTION names.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'migrations')

process.once('exit', (code) => {
  if (code !== 0) return
  // The very module that ran: it is there already.
  const wrangler = createRequire(import.meta.url)('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const { modulesRules: _, ...worker } =
    wrangler.unstable_getMiniflareWorkerOptions(config).workerOptions
  // Secrets, which wrangler adds from .dev.vars, are no part of a build.
  worker.bindings = config.vars
  const migrations = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(FOLDER, name), 'utf8') }))
  writeFileSync(process.env.PARLEY_DESCRIPTION ?? '', JSON.stringify({ worker, migrations }))
})
