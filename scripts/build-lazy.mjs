// Makes one minified module of each src/**/NAME.lazy.ts, with everything it needs and as workerd resolves it:
// src/lazy/NAME.mjs (git-ignored), which src/lazy.ts imports; and src/text/snowball.gen.cjs, the stemmers less those that
// no language here uses, and src/platform/uploads/fflate.gen.cjs, what is used of fflate. Both stand for their packages ([alias]
// in wrangler.toml). Called by build-web.mjs.
import { globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

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
  chunkNames: 'shared-[hash]',
  minify: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  platform: 'browser',
  // What nobody here calls of what the libraries import.
  alias: { '@ai-sdk/gateway': './src/models/leaner/gateway.ts' },
  plugins: [withoutUnused(), withoutViewer(), withOneValidator()],
  external: ['node:*', 'cloudflare:*'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

// Only afterwards: others may be reading the folder.
for (const file of globSync('src/lazy/*', { cwd: root })) {
  if (!(file in metafile.outputs)) await rm(join(root, file))
}

await writeFile(join(root, 'src/text/snowball.gen.cjs'), await withoutStemmers())

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

/** @returns {Promise<string>} the package's one file: its stemmers are classes, one after another, found by their names. */
async function withoutStemmers() {
  const UNUSED = ['basque', 'irish', 'porter', 'slovene']
  const file = join(root, 'node_modules/snowball-stemmers/snowball-stemmers.js')
  let source = await readFile(file, 'utf8')
  for (const name of UNUSED) {
    const parts = [
      new RegExp(`^ {4}var ${name}Stemmer = [^]*?^ {4}\\}\\(SnowballStemmer\\);$`, 'm'),
      new RegExp(`^ +${name}: ${name}Stemmer,$`, 'm'),
    ]
    for (const part of parts) source = replacePart(source, part, '')
  }
  return source
}

/** @returns {esbuild.Plugin} aliases for what one package imports, where an alias for all would be wrong. */
function withoutUnused() {
  const instead = [
    ['./mime-types.js', '/nodemailer/', 'src/platform/mail/leaner/mime-types.ts'],
    ['zod/v4', '/openai-compatible/', 'src/models/leaner/zod.ts'],
  ]
  return {
    name: 'without-unused',
    setup(build) {
      build.onResolve({ filter: /^(?:\.\/mime-types\.js|zod\/v4)$/ }, ({ path, importer }) => {
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
 * @returns {esbuild.Plugin} the PDF parser less its Brotli decoder, because `guardPdf` refuses such files before it sees
 * them, less the list of all it has on `globalThis`, which would keep its viewer in the bundle, and less what draws, edits
 * and fills in forms: we read text. Such a class is left empty, so that whoever names it finds one, and what it alone
 * used falls away.
 */
function withoutViewer() {
  const parts = [
    [
      /makeBrotliDecode=\(\)=>\{.*?return decode\}(?=,\w+=makeBrotliDecode\(\);)/su,
      'makeBrotliDecode=()=>()=>{throw Error("Brotli is refused before")}',
    ],
    [/globalThis\._pdfjsTestingUtils=\{\w+\},globalThis\.pdfjsLib=\{[^}]*\};/u, ''],
  ]
  const unused = [
    ...['CanvasGraphics', 'PDFEditor', 'SignatureExtractor'],
    ...['AnnotationFactory', 'AnnotationEditor', 'AnnotationEditorLayer', 'WidgetAnnotation'],
    ...['FreeTextEditor', 'HighlightEditor', 'StampEditor', 'SignatureEditor', 'InkEditor'],
    ...['XFAFactory', 'TemplateNamespace', 'ConfigNamespace', 'LocaleSetNamespace'],
    ...['Subform', 'Field', 'Draw', 'ExclGroup', 'Proto', 'XhtmlObject'],
  ]
  return {
    name: 'without-viewer',
    setup(build) {
      build.onLoad({ filter: /\/unpdf\/dist\/pdfjs\.mjs$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [part, instead] of parts) contents = replacePart(contents, part, instead)
        // Printed anew, a class that stands at the top ends with the next brace at the start of a line.
        contents = (await esbuild.transform(contents, { target: 'es2024' })).code
        for (const name of unused) contents = emptyClass(contents, name)
        return { contents, loader: 'js' }
      })
    },
  }
}

function emptyClass(source, name) {
  const part = new RegExp(
    `^(.*\\bclass ${name}\\b|(?:var |\\}, )${name} = class)[^{\\n]*\\{\\n[^]*?^\\}`,
    'm',
  )
  return replacePart(source, part, (_, head) => `${head} {\n}`)
}

function replacePart(source, part, instead) {
  if (!part.test(source)) throw new Error(`The library has no such part: ${part}`)
  return source.replace(part, instead)
}
