/** `npm run -s routes`: every operation as METHOD<TAB>PATH, one a line, parameters as {name}. Needs no build and no runtime. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')
const outfile = join(ROOT, 'node_modules/.cache', `parley-routes-${process.pid}.mjs`)

/** Neither what `npm run build` generates nor compiled decoders are needed to list routes. */
const generated = {
  name: 'generated',
  setup(context) {
    context.onResolve({ filter: /\.(gen|gen\.js|wasm)$/ }, ({ path }) => ({
      path,
      namespace: 'generated',
    }))
    context.onLoad({ filter: /.*/, namespace: 'generated' }, () => ({
      contents: [
        ...['PAGE_ASSETS', 'LOGIN_ASSETS', 'CONSOLE_ASSETS', 'DOCS_ASSETS', 'EARLY_SCRIPT'].map(
          (name) => `export const ${name} = {}`,
        ),
        'export default undefined',
      ].join('\n'),
    }))
  },
}

try {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/routes/table.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Dependencies stay where they are, so that only our own files are read.
    packages: 'external',
    plugins: [generated],
    outfile,
    logLevel: 'error',
  })
  const { ROUTES } = await import(pathToFileURL(outfile).href)
  const lines = ROUTES.flatMap((route) =>
    [route.path, ...(route.also ?? [])].map((path) => `${route.method}\t${path}`),
  )
  process.stdout.write(`${lines.join('\n')}\n`)
} finally {
  rmSync(outfile, { force: true })
}
