// Builds the pages' assets: src/web -> public/assets (hashed names), public/widget.js, public/_headers and
// src/pages/{assets,early}.gen.ts. All are git-ignored; run it before anything that bundles or type-checks the Worker. Also
// has the modules built that are loaded late, so that there is one thing to run.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src/web/chat')
const loginSource = join(root, 'src/web/login')
const widgetSource = join(root, 'src/web/widget')
const consoleSource = join(root, 'src/web/console')
const out = join(root, 'public/assets')

await rm(out, { recursive: true, force: true })
await mkdir(join(out, 'docs'), { recursive: true })

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  outdir: out,
  metafile: true,
  logLevel: 'warning',
}

// What runs before the first paint stands in the page itself, and what renders the page is one of the late modules.
const early = await esbuild.build({
  ...shared,
  entryPoints: { early: join(source, 'early.ts') },
  format: 'iife',
  write: false,
})
const earlyScript = early.outputFiles[0].text.trim()
await writeFile(
  join(root, 'src/pages/early.gen.ts'),
  `// Written by scripts/build-web.mjs.
export const EARLY_SCRIPT = ${JSON.stringify(earlyScript)}
`,
)
const lateModules = import('./build-lazy.mjs')

const chat = {
  ...shared,
  entryPoints: { chat: join(source, 'main.tsx') },
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  drop: ['console', 'debugger'],
}
const { metafile: inPieces } = await esbuild.build({ ...chat, minify: false, write: false })

const [app, style, login, loginStyle, consoleApp, consoleStyle, worker] = await Promise.all([
  esbuild.build({ ...chat, plugins: [afterTheStart(inPieces)] }),
  esbuild.build({ ...shared, entryPoints: { chat: join(source, 'styles/chat.css') } }),
  esbuild.build({
    ...shared,
    entryPoints: { login: join(loginSource, 'main.tsx') },
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    drop: ['console', 'debugger'],
  }),
  esbuild.build({ ...shared, entryPoints: { login: join(loginSource, 'login.css') } }),
  // In a folder of its own: it has a chunk for each screen and for each screen's words.
  esbuild.build({
    ...chat,
    // A module is read as UTF-8 always, and half of the words are not Latin.
    charset: 'utf8',
    plugins: [wordsAsOne()],
    outdir: join(out, 'console'),
    entryPoints: { console: join(consoleSource, 'main.tsx') },
  }),
  esbuild.build({
    ...shared,
    outdir: join(out, 'console'),
    entryPoints: { console: join(consoleSource, 'styles/console.css') },
  }),
  esbuild.build({
    ...shared,
    entryPoints: { worker: join(root, 'src/web/worker/worker.ts') },
    format: 'iife',
  }),
  // Sites write this address into their pages: the one name that never changes.
  esbuild.build({
    ...shared,
    entryPoints: { widget: join(widgetSource, 'loader.ts') },
    entryNames: '[name]',
    outdir: join(root, 'public'),
    format: 'iife',
    drop: ['console', 'debugger'],
  }),
])

await lateModules
const locales = await writeLocales(source, 'locale')
const loginLocales = await writeLocales(loginSource, 'login')
const consoleLocales = await writeLocales(consoleSource, 'console')

const [script, ...modules] = await startOf(app)
const frame = [entry(app, 'frame/frame.tsx'), ...staticImports(app, 'frame/frame.tsx')].filter(
  (address) => address !== script && !modules.includes(address),
)
const manifest = {
  script,
  modules,
  style: entry(style, 'chat.css'),
  worker: entry(worker, 'worker.ts'),
  chunks: lateChunks(app, 'main.tsx').filter((address) => !frame.includes(address)),
  frame,
  icon: await writeHashed('icon', 'svg', await readFile(join(source, 'icon.svg'), 'utf8')),
  locales,
}
const loginManifest = {
  ...manifest,
  script: entry(login, 'main.tsx'),
  modules: [],
  chunks: [],
  frame: [],
  style: entry(loginStyle, 'login.css'),
  locales: loginLocales,
}
const consoleManifest = {
  ...loginManifest,
  script: entry(consoleApp, 'main.tsx'),
  modules: staticImports(consoleApp, 'main.tsx'),
  style: entry(consoleStyle, 'console.css'),
  locales: consoleLocales,
}
const docs = {
  script: await copyHashed('docs/reference', 'swagger-ui-bundle.js'),
  // The table of a tried operation is wider than a phone: it scrolls by itself, not the page.
  style: await copyHashed(
    'docs/reference',
    'swagger-ui.css',
    '.swagger-ui .responses-inner{overflow-x:auto}',
  ),
}
await writeFile(
  join(out, 'manifest.json'),
  `${JSON.stringify({ ...manifest, login: loginManifest, console: consoleManifest }, null, 2)}\n`,
)
// For the budgets: what stands in the page itself, and which chunk was built from what.
await mkdir(join(root, 'dist'), { recursive: true })
await writeFile(join(root, 'dist/early.js'), earlyScript)
await writeFile(
  join(root, 'dist/late-parts.json'),
  `${JSON.stringify({
    voice: entry(app, 'voice/voice.tsx'),
    forms: entry(app, 'ui/form-card.tsx'),
    history: entry(app, 'app/late.ts'),
    account: entry(app, 'account/account.tsx'),
  })}\n`,
)
await writeFile(
  join(root, 'dist/console-screens.json'),
  `${JSON.stringify(screensOf(consoleApp), null, 2)}\n`,
)
await writeFile(
  join(root, 'dist/console-words.json'),
  `${JSON.stringify(wordsOf(consoleApp), null, 2)}\n`,
)
await writeFile(
  join(root, 'src/pages/assets.gen.ts'),
  `// Written by scripts/build-web.mjs.
import type { DocsAssets, PageAssets } from './types'

export const PAGE_ASSETS: PageAssets = ${JSON.stringify(manifest, null, 2)}

export const LOGIN_ASSETS: PageAssets = ${JSON.stringify(loginManifest, null, 2)}

export const CONSOLE_ASSETS: PageAssets = ${JSON.stringify(consoleManifest, null, 2)}

/** The library behind /docs. */
export const DOCS_ASSETS: DocsAssets = ${JSON.stringify(docs, null, 2)}
`,
)

// Hashed names never change their content; the manifest does.
await writeFile(
  join(root, 'public/_headers'),
  `/assets/*
  Cache-Control: public, max-age=31536000, immutable
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: same-origin
/assets/manifest.json
  ! Cache-Control
  Cache-Control: no-cache
/assets/kept.json
  ! Cache-Control
  Cache-Control: no-cache
/widget.js
  Cache-Control: public, max-age=300, stale-while-revalidate=86400
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: cross-origin
  Access-Control-Allow-Origin: *
`,
)

/**
 * The bundler makes a file for each set of late parts that share something with the start: a dozen requests of a few
 * hundred bytes, before the page can be used. As every late part comes after the start anyway, each says that it needs
 * all of it, and so all of it is one file.
 */
function afterTheStart({ outputs }) {
  const late = new Set(
    Object.values(outputs).flatMap(({ entryPoint }) =>
      entryPoint && /\.tsx?$/.test(entryPoint) ? [join(root, entryPoint)] : [],
    ),
  )
  const start = join(source, 'main.tsx')
  late.delete(start)
  return {
    name: 'after-the-start',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!late.has(path)) return undefined
        const text = await readFile(path, 'utf8')
        const contents = `${text}\nimport ${JSON.stringify(start)}\n`
        return { contents, loader: extname(path) === '.tsx' ? 'tsx' : 'ts' }
      })
    },
  }
}

/** The bundler names each word of a language file once more, to be imported alone, which is half of the file's size. */
function wordsAsOne() {
  return {
    name: 'words-as-one',
    setup(build) {
      build.onLoad({ filter: /\/locales\/[\w-]+\.json$/ }, async ({ path }) => {
        const words = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
        return { contents: `export default ${words}`, loader: 'js' }
      })
    },
  }
}

/** Whether it was built from the file of this name, given with any folders before it: `domain.tsx` is no `main.tsx`. */
function isEntry({ entryPoint }, name) {
  return `/${entryPoint}`.endsWith(`/${name}`)
}

/** Address of the output that was built from the entry of this name. */
function entry(result, name) {
  for (const [file, output] of Object.entries(result.metafile.outputs)) {
    if (isEntry(output, name)) return `/assets/${relative(out, join(root, file))}`
  }
  throw new Error(`no output for ${name}`)
}

/**
 * Addresses of what the page starts with, the one that starts it first. As every late part imports the start, the bundler
 * puts it into a chunk and leaves an entry of one line that imports that: a file more to wait for, so the page names the
 * chunk itself.
 */
async function startOf(app) {
  const start = entry(app, 'main.tsx')
  const file = join(out, basename(start))
  const alone = /^import\s*"\.\/([\w-]+\.js)";$/.exec((await readFile(file, 'utf8')).trim())
  if (alone === null) return [start, ...staticImports(app, 'main.tsx')]
  await rm(file)
  const whole = `/assets/${alone[1]}`
  return [whole, ...staticImports(app, 'main.tsx').filter((address) => address !== whole)]
}

/** Addresses of the chunks that the entry of this name cannot start without. */
function staticImports(result, name) {
  const { outputs } = result.metafile
  const [start] = Object.keys(outputs).filter((file) => isEntry(outputs[file], name))
  const found = new Set([start])
  for (const file of found) {
    for (const imported of outputs[file].imports) {
      if (imported.kind === 'import-statement') found.add(imported.path)
    }
  }
  found.delete(start)
  return [...found].map((file) => `/assets/${relative(out, join(root, file))}`)
}

/** Addresses of the chunks that the entry of this name loads when they are needed. */
function lateChunks(result, name) {
  const early = new Set(staticImports(result, name))
  return Object.entries(result.metafile.outputs)
    .filter(([file, output]) => file.endsWith('.js') && !isEntry(output, name))
    .map(([file]) => `/assets/${relative(out, join(root, file))}`)
    .filter((address) => !early.has(address))
    .sort()
}

/** What the console loads for each part that comes late, without what it has anyway; by the part's source. */
function screensOf({ metafile: { outputs } }) {
  const early = new Set(staticImports({ metafile: { outputs } }, 'main.tsx'))
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, { entryPoint }]) => /\.tsx?$/.test(entryPoint ?? ''))
      .map(([, { entryPoint }]) => [
        relative('src/web/console', entryPoint),
        [entry({ metafile: { outputs } }, entryPoint)]
          .concat(staticImports({ metafile: { outputs } }, entryPoint))
          .filter((address) => !early.has(address)),
      ]),
  )
}

/** The address of each language file of a part of the console, by the file. */
function wordsOf({ metafile: { outputs } }) {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, { entryPoint }]) => entryPoint?.endsWith('.json'))
      .map(([file, { entryPoint }]) => [
        relative('src/web/console', entryPoint),
        `/assets/${relative(out, join(root, file))}`,
      ]),
  )
}

async function writeHashed(name, extension, text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()
  const file = `${name}-${hash}.${extension}`
  await writeFile(join(out, file), text)
  return `/assets/${file}`
}

/** A file of the library behind /docs, without the line that names a source map, which is not deployed. */
async function copyHashed(name, file, ours = '') {
  const text = await readFile(join(root, 'node_modules/swagger-ui-dist', file), 'utf8')
  return writeHashed(
    name,
    extname(file).slice(1),
    text.replace(/\n\/[/*]# sourceMappingURL=.*$/, '') + ours,
  )
}

/** One hashed file per language. */
async function writeLocales(folder, prefix) {
  const written = {}
  for (const file of (await readdir(join(folder, 'locales'))).sort()) {
    const text = await readFile(join(folder, 'locales', file), 'utf8')
    const lang = file.replace(/\.json$/, '')
    written[lang] = await writeHashed(`${prefix}-${lang}`, 'json', JSON.stringify(JSON.parse(text)))
  }
  return written
}
