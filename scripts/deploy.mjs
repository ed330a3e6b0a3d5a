/**
 * `npm run deploy`: creates on Cloudflare what wrangler does not provision, checks the secrets, applies the migrations,
 * builds the pages and deploys. Safe to repeat: what exists is left as it is.
 *
 *   npm run deploy -- --dry-run                    prints the plan and builds the bundle; changes nothing, works offline
 *   npm run deploy -- --secrets-file .prod.vars    takes secrets along that the Worker does not have yet
 *   npm run deploy -- --location weur              where the database and the bucket are created
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listWeakSecrets, readVars, SECRET_NAMES } from './dev-secrets.mjs'
import { keepAssets } from './keep-assets.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const CONFIG = join(ROOT, 'wrangler.toml')
const ENVIRONMENT = ['--env', 'production']
const DATABASE = 'parley'
const BUCKET = 'parley-files'
const QUEUES = [
  'parley-jobs',
  'parley-ingest',
  'parley-deliveries',
  'parley-channels',
  'parley-jobs-dead',
  'parley-ingest-dead',
  'parley-deliveries-dead',
  'parley-channels-dead',
]
const INDEX = { name: 'parley-knowledge', dimensions: 1024, metric: 'cosine' }
/** Where both a D1 database and an R2 bucket can be created. */
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']
const NO_DATABASE = '00000000-0000-0000-0000-000000000000'

/** A failure with advice; nothing after the failed step was done. */
class DeployError extends Error {}

/** What a deployment does, one line a step, for people. */
export function describePlan() {
  return [
    `D1 database ${DATABASE}: create if missing, write its id into wrangler.toml ([[env.production.d1_databases]]), and there workers_dev`,
    `R2 bucket ${BUCKET}: create if missing`,
    ...QUEUES.map((queue) => `queue ${queue}: create if missing`),
    `Vectorize index ${INDEX.name}: create if missing, ${INDEX.dimensions} dimensions, ${INDEX.metric}`,
    `secrets ${SECRET_NAMES.join(', ')}: must be set, else stop`,
    'pages: build into public/, with the files of the deployments of the last two weeks, which open pages still fetch',
    `migrations: apply to ${DATABASE}`,
    'Worker: deploy with Durable Objects, queue consumers and cron triggers',
  ]
}

/** Writes the id into the production database of a wrangler.toml and leaves every other byte as it is. */
export function setDatabaseId(toml, id) {
  const pattern = /(\[\[env\.production\.d1_databases\]\][^[]*?database_id\s*=\s*")[^"]*(")/
  if (!pattern.test(toml))
    throw new DeployError(
      'wrangler.toml has no [[env.production.d1_databases]] with a database_id.',
    )
  return toml.replace(pattern, `$1${id}$2`)
}

/** The origin that people use, or ''. */
function publicBase(toml) {
  const production = toml.slice(toml.indexOf('[env.production]'))
  return /^PUBLIC_BASE\s*=\s*"([^"]*)"/m.exec(production)?.[1].replace(/\/$/, '') ?? ''
}

/**
 * Writes whether the Worker also answers on workers.dev: until PUBLIC_BASE names a route of the production environment
 * it is the only address; then it would be a second one, past whatever guards the first.
 */
export function setWorkersDev(toml) {
  const production = toml.slice(toml.indexOf('[env.production]'))
  const host = URL.parse(publicBase(toml))?.hostname
  const patterns = [...production.matchAll(/\bpattern\s*=\s*"([^"/]+)/g)].map(([, name]) => name)
  const wanted = !(host && patterns.includes(host))
  const line = /(\[env\.production\][\s\S]*?^workers_dev\s*=\s*)(?:true|false)/m
  if (!line.test(toml))
    throw new DeployError('wrangler.toml has no workers_dev in [env.production].')
  return toml.replace(line, `$1${wanted}`)
}

/**
 * Runs the plan.
 * @param wrangler (args, {show}) → {code, stdout, stderr}; `show` lets a long step write to the terminal
 * @param files {readConfig, writeConfig}: wrangler.toml
 * @param secrets values of --secrets-file, or {}
 * @param keepPages (base) → {added, lack}: adds what open pages still fetch to the built ones
 */
export async function deploy({
  wrangler,
  files,
  secrets,
  secretsFile,
  location,
  buildPages,
  keepPages,
  say,
}) {
  requireLogin(wrangler)
  const place = location ? ['--location', location] : []
  const id = ensureDatabase(wrangler, place, say)
  const config = files.readConfig()
  const wanted = setWorkersDev(setDatabaseId(config, id))
  if (wanted !== config) {
    files.writeConfig(wanted)
    say(`wrote the database id ${id} and workers_dev into wrangler.toml: commit this change`)
  }
  ensure(
    wrangler,
    say,
    `R2 bucket ${BUCKET}`,
    ['r2', 'bucket', 'info', BUCKET],
    ['r2', 'bucket', 'create', BUCKET, ...place],
  )
  for (const queue of QUEUES) {
    ensure(wrangler, say, `queue ${queue}`, ['queues', 'info', queue], ['queues', 'create', queue])
  }
  ensureIndex(wrangler, say)
  checkSecrets(wrangler, secrets)
  await buildPages()
  const { added, lack } = await keepPages(publicBase(wanted))
  say(`files of former deployments: ${added}${lack === null ? '' : ` (${lack})`}`)
  must(
    wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', ...ENVIRONMENT], { show: true }),
    'The migrations failed',
  )
  const carried = secretsFile ? ['--secrets-file', secretsFile] : []
  must(
    wrangler(['deploy', '--minify', ...ENVIRONMENT, ...carried], { show: true }),
    'The deployment failed',
  )
}

function requireLogin(wrangler) {
  if (wrangler(['whoami', '--json']).code === 0) return
  throw new DeployError(
    'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.',
  )
}

/** The database is found by name in the account's list: `d1 info` would resolve the name through wrangler.toml. */
function ensureDatabase(wrangler, place, say) {
  const find = () => {
    const { stdout } = must(
      wrangler(['d1', 'list', '--json']),
      'The D1 databases could not be listed',
    )
    return JSON.parse(stdout).find((database) => database.name === DATABASE)?.uuid
  }
  const known = find()
  if (known) {
    say(`D1 database ${DATABASE}: exists`)
    return known
  }
  must(
    wrangler(['d1', 'create', DATABASE, ...place]),
    `D1 database ${DATABASE} could not be created`,
  )
  const made = find()
  if (!made)
    throw new DeployError(
      `D1 database ${DATABASE} was created but is not listed yet. Run this again.`,
    )
  say(`D1 database ${DATABASE}: created`)
  return made
}

function ensure(wrangler, say, what, look, create) {
  if (wrangler(look).code === 0) {
    say(`${what}: exists`)
    return
  }
  must(wrangler(create), `${what} could not be created`)
  say(`${what}: created`)
}

/** An index of another shape cannot be changed, and every query against it would fail: better to stop. */
function ensureIndex(wrangler, say) {
  const { code, stdout } = wrangler(['vectorize', 'get', INDEX.name, '--json'])
  if (code === 0) {
    const { config } = JSON.parse(stdout)
    if (config.dimensions !== INDEX.dimensions || config.metric !== INDEX.metric) {
      throw new DeployError(
        `Vectorize index ${INDEX.name} has ${config.dimensions} dimensions and the metric ${config.metric}, but ${INDEX.dimensions} and ${INDEX.metric} are needed. Delete it (npx wrangler vectorize delete ${INDEX.name}) and run this again; documents then need a reindex.`,
      )
    }
    say(`Vectorize index ${INDEX.name}: exists`)
    return
  }
  const shape = [`--dimensions=${INDEX.dimensions}`, `--metric=${INDEX.metric}`]
  must(
    wrangler(['vectorize', 'create', INDEX.name, ...shape]),
    `Vectorize index ${INDEX.name} could not be created`,
  )
  say(`Vectorize index ${INDEX.name}: created`)
}

/** Secrets come with the Worker already, or with --secrets-file; without all three the Worker would answer nothing. */
function checkSecrets(wrangler, secrets) {
  const brought = Object.keys(secrets).filter((name) => SECRET_NAMES.includes(name))
  const weak = listWeakSecrets(secrets).filter((name) => brought.includes(name))
  if (weak.length > 0)
    throw new DeployError(`${weak.join(', ')} in the secrets file: shorter than 32 bytes.`)
  const listed = wrangler(['secret', 'list', ...ENVIRONMENT])
  const isNew = listed.code !== 0 && /not found/i.test(`${listed.stdout}${listed.stderr}`)
  if (listed.code !== 0 && !isNew) must(listed, 'The secrets could not be listed')
  const set = isNew ? [] : JSON.parse(listed.stdout).map((secret) => secret.name)
  const missing = SECRET_NAMES.filter((name) => !set.includes(name) && !brought.includes(name))
  if (missing.length === 0) return
  throw new DeployError(
    [
      `Secrets are missing: ${missing.join(', ')}. Nothing was deployed.`,
      'First deployment: make random ones and take them along:',
      '  node scripts/dev-secrets.mjs .prod.vars',
      '  npm run deploy -- --secrets-file .prod.vars',
      'Keep .prod.vars in a safe place (it is git-ignored): without MASTER_KEYS no conversation can be read.',
      `A single one: npx wrangler secret put ${missing[0]} --env production`,
    ].join('\n'),
  )
}

function must(result, complaint) {
  if (result.code === 0) return result
  throw new DeployError(`${complaint}.\n${`${result.stdout}${result.stderr}`.trim()}`)
}

function runWrangler(args, { show = false } = {}) {
  const result = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  return { code: result.status ?? 1, stdout: result.stdout ?? '', stderr: result.stderr ?? '' }
}

/** wrangler needs the folder even where this checkout has no pages to build. */
function buildPages() {
  mkdirSync(join(ROOT, 'public'), { recursive: true })
  const script = join(ROOT, 'scripts/build-web.mjs')
  if (!existsSync(script)) return
  const { status } = spawnSync(process.execPath, [script], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new DeployError('The pages could not be built.')
}

function dryRun() {
  console.log('A deployment would do this:')
  for (const [index, step] of describePlan().entries()) console.log(`  ${index + 1}. ${step}`)
  buildPages()
  const bundle = ['deploy', '--dry-run', '--minify', '--outdir', 'dist', ...ENVIRONMENT]
  must(runWrangler(bundle, { show: true }), 'The bundle could not be built')
  if (readFileSync(CONFIG, 'utf8').includes(`database_id = "${NO_DATABASE}"`)) {
    console.log(
      'The database id in wrangler.toml is still the placeholder; the first deployment writes it.',
    )
  }
}

/** What a person typed. @throws DeployError naming what may be typed. */
export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'secrets-file': { type: 'string' },
        location: { type: 'string' },
      },
    })
    if (values.location === undefined || LOCATIONS.includes(values.location)) return values
  } catch {}
  throw new DeployError(
    `${args.join(' ')}: npm run deploy takes --dry-run, --secrets-file FILE and --location with ${LOCATIONS.join(', ')}.`,
  )
}

async function main() {
  const values = readOptions(process.argv.slice(2))
  if (values['dry-run']) return dryRun()
  const secretsFile = values['secrets-file']
  if (secretsFile && !existsSync(secretsFile))
    throw new DeployError(`There is no file ${secretsFile}.`)
  await deploy({
    wrangler: runWrangler,
    files: {
      readConfig: () => readFileSync(CONFIG, 'utf8'),
      writeConfig: (text) => writeFileSync(CONFIG, text),
    },
    secrets: secretsFile ? readVars(secretsFile) : {},
    secretsFile: secretsFile ? resolve(secretsFile) : null,
    location: values.location,
    buildPages,
    keepPages: (base) => keepAssets({ base, folder: join(ROOT, 'public/assets') }),
    say: (line) => console.log(`deploy  ${line}`),
  })
  console.log('\nDeployed. The first tenant: docs/deploy.md, "The first tenant".')
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  main().catch((error) => {
    console.error(error instanceof DeployError ? `deploy  ${error.message}` : error)
    process.exit(1)
  })
}
