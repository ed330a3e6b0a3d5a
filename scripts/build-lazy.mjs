// Makes one minified module of each src/**/NAME.lazy.ts, with everything it needs and as workerd resolves it:
// src/lazy/NAME.mjs (git-ignored), which src/lazy.ts imports; and src/text/snowball.gen.cjs, the stemmers less those that
// no language here uses, and src/platform/uploads/fflate.gen.cjs, what is used of fflate. Both stand for their packages ([alias]
// in wrangler.toml). Called by build-web.mjs.
import { globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { withoutViewer } from './leaner-pdf.mjs'
import { leanerSnowball } from './leaner-snowball.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const entries = globSync('src/**/*.lazy.ts', { cwd: root }).map((file) => [
  basename(file, '.lazy.ts'),
  file,
])

const { metafile } = await esbuild.build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entries),
  outdir: 'src/lazy',
  outExtension: { '.js': '.mjs' },
  assetNames: '[name]',
  loader: { '.wasm': 'copy' },
  bundle: true,
  // What several of them need is there once.
  splitting: true,
  // Words of other scripts as they are: escaped they take a tenth more when packed.
  charset: 'utf8',
  chunkNames: 'shared-[hash]',
  minify: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  platform: 'browser',
  // What nobody here calls of what the libraries import.
  alias: { '@ai-sdk/gateway': './src/models/leaner/gateway.ts' },
  plugins: [
    withoutUnused(),
    withoutViewer(),
    withOneValidator(),
    withOneWire(),
    withoutSignIn(),
    withOneEventParser(),
  ],
  external: ['node:*', 'cloudflare:*'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

// Only afterwards: others may be reading the folder. A part that was split off and that nothing imports in the end goes too.
const needed = neededFiles(metafile.outputs)
for (const file of globSync('src/lazy/*', { cwd: root })) {
  if (!needed.has(file)) await rm(join(root, file))
}

await writeFile(join(root, 'src/text/snowball.gen.cjs'), await leanerSnowball(root))

// Its tables are filled by long loops, for which the engine compiles the function around them: here one of their own, else
// all that the bundle does when it starts.
await esbuild.build({
  stdin: { contents: "export { Inflate } from 'fflate'", resolveDir: root },
  outfile: join(root, 'src/platform/uploads/fflate.gen.cjs'),
  bundle: true,
  minify: true,
  format: 'cjs',
  target: 'es2024',
  platform: 'browser',
  legalComments: 'none',
  logLevel: 'warning',
})

/** @returns {esbuild.Plugin} aliases for what one package imports, where an alias for all would be wrong. */
function withoutUnused() {
  const instead = [
    ['./mime-types.js', '/nodemailer/', 'src/platform/mail/leaner/mime-types.ts'],
    ['../fetch/index.js', '/nodemailer/', 'src/platform/mail/leaner/fetch.ts'],
    ['zod/v4', '/openai-compatible/', 'src/models/leaner/zod.ts'],
  ]
  return {
    name: 'without-unused',
    setup(build) {
      const filter = /^(?:\.\/mime-types\.js|\.\.\/fetch\/index\.js|zod\/v4)$/
      build.onResolve({ filter }, ({ path, importer }) => {
        const found = instead.find(([name, from]) => name === path && importer.includes(from))
        return found ? { path: join(root, found[2]) } : null
      })
    },
  }
}

/**
 * The MCP client and server each carry a copy of the JSON Schema checker that we depend on ourselves.
 * @returns {esbuild.Plugin} takes ours instead of both.
 */
function withOneValidator() {
  const COPY = /\/\/#region \S+@cfworker[\s\S]*(?=\/\/#region \S+cfWorkerProvider\.ts)/
  return {
    name: 'with-one-validator',
    setup(build) {
      build.onLoad({ filter: /[\\/]cfWorkerProvider-[\w-]+\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        if (!COPY.test(source)) throw new Error(`${path} carries no copy of @cfworker/json-schema`)
        return {
          contents: source.replace(COPY, "import { Validator } from '@cfworker/json-schema'\n"),
        }
      })
    },
  }
}

/**
 * The MCP client and server each carry the schemas of both revisions of the protocol, the same text.
 * @returns {esbuild.Plugin} takes each once: whichever file is read first stands for the other too.
 */
function withOneWire() {
  const SHARED = 'resultFamilies'
  const REVISIONS = { 2025: 'rev2025-11-25/buildSchemas', 2026: 'rev2026-07-28/buildSchemas' }
  const regionIn = (source, name) => {
    const found = new RegExp(`//#region \\S+/${name}\\.ts\\n[\\s\\S]*?//#endregion`).exec(source)
    if (!found) throw new Error(`The MCP library has no part ${name}`)
    return found[0]
  }
  const IMPORTS = /^import .* from "(?:@modelcontextprotocol\/core\/internal|zod\/v4)";$/gm
  const parts = new Map()
  return {
    name: 'with-one-wire',
    setup(build) {
      build.onLoad(
        { filter: /[\\/](?:client|server)[\\/]dist[\\/]src-[\w-]+\.mjs$/ },
        async ({ path }) => {
          const source = await readFile(path, 'utf8')
          const shared = regionIn(source, SHARED)
          let contents = source
          for (const [year, name] of Object.entries(REVISIONS)) {
            const region = regionIn(source, name)
            const known = parts.get(year)
            if (known !== undefined && known.region !== region)
              throw new Error(`${path} carries other schemas of ${year}`)
            const head = source.match(IMPORTS).join('\n')
            const text = `${head}\n${shared}\n${region}\nexport { buildSchemas${year} }`
            parts.set(year, known ?? { region, text, resolveDir: dirname(path) })
            contents = contents.replace(
              region,
              () => `import { buildSchemas${year} } from 'mcp-wire:${year}'`,
            )
          }
          return { contents }
        },
      )
      build.onResolve({ filter: /^mcp-wire:/ }, ({ path }) => ({
        path: path.slice(9),
        namespace: 'mcp-wire',
      }))
      build.onLoad({ filter: /./, namespace: 'mcp-wire' }, ({ path }) => {
        const { text, resolveDir } = parts.get(path)
        return { contents: text, resolveDir }
      })
    },
  }
}

/**
 * The MCP client can sign in to a server by OAuth, which we never ask it to: its transports get no provider of tokens.
 * @returns {esbuild.Plugin} leaves out what only that function uses.
 */
function withoutSignIn() {
  const SIGN_IN = /^async function auth\(provider, options\) \{[\s\S]*?^\}$/m
  return {
    name: 'without-sign-in',
    setup(build) {
      build.onLoad({ filter: /[\\/]client[\\/]dist[\\/]public-[\w-]+\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        if (!SIGN_IN.test(source)) throw new Error(`${path} has no function that signs in`)
        const none = "async function auth() { throw new Error('There is no signing in.') }"
        return { contents: source.replace(SIGN_IN, none) }
      })
    },
  }
}

/**
 * Three packages carry the same release of the parser of event streams.
 * @returns {esbuild.Plugin} takes one of them for all.
 */
function withOneEventParser() {
  const resolveDir = join(root, 'node_modules/@ai-sdk/provider-utils')
  return {
    name: 'with-one-event-parser',
    setup(build) {
      build.onResolve({ filter: /^eventsource-parser/ }, ({ path, kind, importer }) =>
        importer.startsWith(resolveDir)
          ? null
          : build.resolve(path, { resolveDir, kind, importer: resolveDir }),
      )
    },
  }
}

/** @returns {Set<string>} the late modules and what they import; other files are copied as they are. */
function neededFiles(outputs) {
  const needed = new Set(Object.keys(outputs).filter((file) => !/\/shared-[^/]+$/.test(file)))
  for (const file of needed)
    for (const { path } of outputs[file]?.imports ?? []) if (path in outputs) needed.add(path)
  return needed
}
