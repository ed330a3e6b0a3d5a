// Fails when something that people download, or that an isolate loads, has grown past its budget (gzip bytes).
// `node scripts/check-budgets.mjs` checks the built pages and the Worker; an argument `web` or `worker` checks one.
import { execFileSync } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const KIB = 1024
/** What a late part of the page may cost, in KiB; every other one 10. */
const LATE_PARTS = { voice: 4, forms: 5, history: 12, account: 12 }
/** What a screen of the console may cost, in KiB, where it is not 25. */
const CONSOLE_PARTS = { 'storylines/flow.tsx': 90 }
const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (import.meta.main) await check(process.argv[2])

async function check(only) {
  const rows = [
    ...(only === 'worker' ? [] : await measureWeb()),
    ...(only === 'web' ? [] : await measureWorker()),
  ]
  const over = rows.filter((row) => row.size > row.budget)
  for (const row of rows) console.log(sizeLine(row))
  if (over.length > 0) {
    console.error(`over budget: ${over.map((row) => row.name).join(', ')}`)
    process.exitCode = 1
  }
}

export function sizeLine({ name, size, budget }) {
  const share = `${Math.round((100 * size) / budget)} %`
  return `${name.padEnd(34)} ${kib(size).padStart(10)} of ${kib(budget).padStart(10)} ${share.padStart(6)}`
}

/** The first load of the chat page, its language files, and every chunk that is fetched later. */
async function measureWeb() {
  const rows = []
  const manifest = JSON.parse(await readFile(join(root, 'public/assets/manifest.json'), 'utf8'))
  const initial = [manifest.script, ...manifest.modules]
  const early = gzipSync(await readFile(join(root, 'dist/early.js')), { level: 9 }).length
  rows.push({ name: 'chat: initial script', size: early + (await sum(initial)), budget: 30 * KIB })
  rows.push({ name: 'chat: style sheet', size: await sum([manifest.style]), budget: 7 * KIB })
  for (const [lang, file] of Object.entries(manifest.locales)) {
    rows.push({ name: `chat: language ${lang}`, size: await sum([file]), budget: 4 * KIB })
  }
  rows.push({ name: 'widget: loader', size: await sum(['/widget.js']), budget: 4 * KIB })
  const { login, console: pages } = manifest
  rows.push({ name: 'login: script', size: await sum([login.script]), budget: 12 * KIB })
  rows.push({ name: 'login: style sheet', size: await sum([login.style]), budget: 3 * KIB })
  initial.push(login.script)
  const parts = JSON.parse(await readFile(join(root, 'dist/late-parts.json'), 'utf8'))
  for (const [name, budget] of Object.entries(LATE_PARTS)) {
    rows.push({ name: `chat: ${name}`, size: await sum([parts[name]]), budget: budget * KIB })
    initial.push(parts[name])
  }
  for (const file of await readdir(join(root, 'public/assets'))) {
    const address = `/assets/${file}`
    if (!file.endsWith('.js') || initial.includes(address)) continue
    rows.push({ name: `chat: lazy ${file}`, size: await sum([address]), budget: 10 * KIB })
  }
  return [...rows, ...(await measureConsole(pages))]
}

/** What the console starts with, and what each screen adds. */
async function measureConsole({ script, modules, style, locales }) {
  const rows = [
    { name: 'console: initial script', size: await sum([script, ...modules]), budget: 45 * KIB },
    { name: 'console: style sheet', size: await sum([style]), budget: 14 * KIB },
  ]
  for (const [lang, file] of Object.entries(locales))
    rows.push({ name: `console: language ${lang}`, size: await sum([file]), budget: 4 * KIB })
  const words = JSON.parse(await readFile(join(root, 'dist/console-words.json'), 'utf8'))
  for (const [name, file] of Object.entries(words))
    rows.push({ name: `console: ${name}`, size: await sum([file]), budget: 4 * KIB })
  const screens = JSON.parse(await readFile(join(root, 'dist/console-screens.json'), 'utf8'))
  for (const [name, files] of Object.entries(screens)) {
    if (files.includes(script)) continue
    const budget = (CONSOLE_PARTS[name] ?? 25) * KIB
    rows.push({ name: `console: ${name}`, size: await sum(files), budget })
  }
  return rows
}

/** The Worker as it would be uploaded. */
export async function measureWorker() {
  const rows = []
  const out = join(root, 'dist/budget')
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  await rm(out, { recursive: true, force: true })
  const args = ['deploy', '--dry-run', '--env', 'production', '--minify', '--outdir', out]
  execFileSync(process.execPath, [wrangler, ...args], { cwd: root, stdio: 'pipe' })
  let size = 0
  for (const file of await readdir(out, { recursive: true })) {
    if (!/\.(m?js|wasm|sql)$/.test(file)) continue
    const length = gzipSync(await readFile(join(out, file))).length
    size += length
    if (file === 'index.js')
      rows.push({ name: 'worker: main script', size: length, budget: 600 * KIB })
  }
  rows.push({ name: 'worker: all modules', size, budget: 1536 * KIB })
  return rows
}

async function sum(addresses) {
  let size = 0
  for (const address of addresses) {
    size += gzipSync(await readFile(join(root, 'public', address)), { level: 9 }).length
  }
  return size
}

function kib(bytes) {
  return `${(bytes / KIB).toFixed(1)} KiB`
}
