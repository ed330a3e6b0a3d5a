/** Bundles a TypeScript file of the product for Node, with the runtime's own modules left out. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..')
const BASE_CLASS =
  'export class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env } }\nexport class WorkerEntrypoint {}\nexport class RpcTarget {}\nexport const env = {}\nexport default null'

export async function loadLocal(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-eval-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    splitting: true,
    outdir: folder,
    entryNames: 'local',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'runtime',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'runtime' }))
          onLoad({ filter: /.*/, namespace: 'runtime' }, () => ({ contents: BASE_CLASS }))
          // Late modules are named by an object's fields, which the bundler does not follow: here they are read with the rest.
          onLoad({ filter: /\/src\/lazy\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replaceAll(
              /typeof import\('(.+?)'\)> =>\s*import\(AT\.\w+\)/g,
              "unknown> => import('$1')",
            ),
            loader: 'ts',
          }))
          onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, namespace: 'runtime' }))
        },
      },
    ],
  })
  return import(pathToFileURL(join(folder, 'local.mjs')).href)
}
