/**
 * `npm run fuzz -- [--cases 300000] [--seed 1]`: what micromark, marked and markdown-it show of random replies once they
 * are sanitised. Prints each find with the shortest reply that shows it, and the counts; fails when there was one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')
const REPORT_EVERY = 10_000

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '300000' },
    seed: { type: 'string', default: '1' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'parley-fuzz-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const outfile = join(folder, 'fuzz.mjs')
await build({
  entryPoints: [join(ROOT, 'test/support/sanitizer-fuzz.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
})
const { fuzzSanitizer } = await import(pathToFileURL(outfile).href)
const started = Date.now()
const { finds } = fuzzSanitizer(Number(values.cases), Number(values.seed), (done) => {
  if (done % REPORT_EVERY === 0) console.error(`${done} of ${values.cases}`)
})
for (const find of finds) console.log(JSON.stringify(find))
console.log(
  `seed ${values.seed}: ${values.cases} replies, ${finds.length} finds, ${Math.round((Date.now() - started) / 1000)} s`,
)
process.exitCode = finds.length === 0 ? 0 : 1
