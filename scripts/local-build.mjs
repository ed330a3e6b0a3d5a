/**
 * What a local start runs, built once for each state of the sources and kept below .wrangler/builds under its digest: a
 * second start builds nothing, and no build changes the files that another start is serving.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { arePagesFresh, PAGE_TOOLS } from './fresh-pages.mjs'
import { PAGES, waitToHold } from './hold.mjs'
import { runScript } from './run-script.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const BUILDS = join(ROOT, '.wrangler/builds')
const WRANGLER = join(ROOT, 'node_modules/wrangler/wrangler-dist/cli.js')
/** Folders and files that a build is made of. */
export const SOURCES = ['src', 'durable-objects', 'migrations', 'wrangler.toml']
const TOOLS = [
  'package-lock.json',
  ...PAGE_TOOLS,
  ...['ensure-built', 'fresh-pages', 'describe-worker', 'local-build'].map(
    (name) => `scripts/${name}.mjs`,
  ),
]
const GENERATED = /\.gen\.c?[jt]s$|\/lazy\//
/** A build that no start has used for so long goes when another is made; a running start says every five minutes that it is used. */
const KEPT_MS = 15 * 60 * 1000

/**
 * @param log says what is being done
 * @returns {{folder, worker, migrations}} `folder` holds `worker/` and `public/`
 * @throws SetupError with the tool's output when something does not build
 */
export async function ensureBuild({ log = () => {} } = {}) {
  const folder = join(BUILDS, digestSources())
  if (!existsSync(join(folder, 'worker.json'))) {
    const release = await waitToHold(BUILDS, () => log('waiting for the build of another start'))
    try {
      if (!existsSync(join(folder, 'worker.json'))) await build(folder, log)
    } finally {
      await release()
    }
  }
  keep(folder)
  return { folder, ...JSON.parse(readFileSync(join(folder, 'worker.json'), 'utf8')) }
}

/** Tells later starts that this build is in use. */
export function keep(folder) {
  const now = new Date()
  utimesSync(join(folder, 'worker.json'), now, now)
}

async function build(folder, log) {
  removeOld()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const description = join(folder, 'description.json')
  // wrangler is loaded while the pages are built: its own first step (ensure-built.mjs) waits until nobody holds them.
  const release = await waitToHold(PAGES)
  const worker = buildWorker(folder, description)
  try {
    await Promise.all([buildPages(folder, log).finally(release), worker])
  } finally {
    await worker.catch(() => {})
  }
  // The last step: a build without this file was not finished.
  renameSync(description, join(folder, 'worker.json'))
}

async function buildPages(folder, log) {
  if (!arePagesFresh()) {
    log('building the pages')
    await runScript([join(ROOT, 'scripts/build-web.mjs')], 'The pages could not be built')
  }
  cpSync(join(ROOT, 'public'), join(folder, 'public'), { recursive: true })
  log('building the Worker')
}

function buildWorker(folder, description) {
  const describe = ['--require', join(ROOT, 'scripts/describe-worker.mjs')]
  const deploy = ['deploy', '--dry-run', '--env=', '--outdir', join(folder, 'worker')]
  return runScript([...describe, WRANGLER, ...deploy], 'The Worker could not be built', {
    PARLEY_DESCRIPTION: description,
  })
}

function removeOld() {
  for (const name of existsSync(BUILDS) ? readdirSync(BUILDS) : []) {
    const done = join(BUILDS, name, 'worker.json')
    if (!existsSync(done) || Date.now() - statSync(done).mtimeMs > KEPT_MS)
      rmSync(join(BUILDS, name), { recursive: true, force: true })
  }
}

function digestSources() {
  const hash = createHash('sha256')
  for (const path of listSources())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** @returns the files, as paths in the checkout, that a build is made of and with */
export function listSources() {
  return [...SOURCES, ...TOOLS].flatMap(listFiles)
}

function listFiles(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((file) => !GENERATED.test(file))
    .sort()
}
