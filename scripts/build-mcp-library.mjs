// Makes one minified module of src/mcp/library.ts, with everything it needs and as workerd resolves it: src/mcp/library.gen.js
// (git-ignored). Called by build-web.mjs.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

await esbuild.build({
  absWorkingDir: root,
  entryPoints: [join(root, 'src/mcp/library.ts')],
  outfile: join(root, 'src/mcp/library.gen.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
})
