// Writes what a local start has to know of wrangler.toml and of the migrations, so that it need not load wrangler:
// JSON {worker, migrations: [{name, statements}]}, to the file of argument 1.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from 'wrangler'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'migrations')

const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions(config).workerOptions
// Secrets, which wrangler adds from .dev.vars, are no part of a build.
worker.bindings = config.vars
const migrations = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({
    name,
    statements: unstable_splitSqlQuery(readFileSync(join(FOLDER, name), 'utf8')),
  }))
writeFileSync(process.argv[2] ?? '', JSON.stringify({ worker, migrations }))
