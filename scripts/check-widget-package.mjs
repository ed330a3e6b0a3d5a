// Makes the npm package of packages/widget as it would be published, in dist/widget-package, and packs it: one module of at
// most 1 KiB (gzip), its types, nothing else. Nothing is published.
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'

const BUDGET = 1024
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'packages/widget')
const out = join(root, 'dist/widget-package')
const run = (script, ...rest) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...rest], {
    cwd: out,
    encoding: 'utf8',
  })

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
await esbuild.build({
  entryPoints: [join(source, 'index.ts')],
  outfile: join(out, 'index.js'),
  format: 'esm',
  minify: true,
  target: 'es2022',
})
const types = ['--declaration', '--emitDeclarationOnly', '--strict', '--target', 'es2022']
run('typescript/bin/tsc', join(source, 'index.ts'), ...types, '--ignoreConfig', '--outDir', out)
for (const file of ['package.json', 'README.md'])
  await copyFile(join(source, file), join(out, file))

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--offline'], { cwd: out, encoding: 'utf8' }),
)
const files = packed.files.map(({ path }) => path).sort()
const size = gzipSync(await readFile(join(out, 'index.js')), { level: 9 }).length
console.log(
  `widget package: ${packed.filename}, ${files.join(', ')}, module ${size} of ${BUDGET} bytes`,
)
const expected = ['README.md', 'index.d.ts', 'index.js', 'package.json']
if (String(files) !== String(expected) || size > BUDGET) process.exitCode = 1
