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
    storylines: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'parley-fuzz-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const started = Date.now()
const report = (done) => {
  if (done % REPORT_EVERY === 0) console.error(`${done}`)
}
const { finds, counts } = await (values.storylines === undefined ? sanitizer() : storylines())
for (const find of finds) console.log(JSON.stringify(find))
const seconds = Math.round((Date.now() - started) / 1000)
console.log(`seed ${values.seed}: ${counts}, ${finds.length} finds, ${seconds} s`)
process.exitCode = finds.length === 0 ? 0 : 1

async function sanitizer() {
  const { fuzzSanitizer } = await load('sanitizer-fuzz')
  const { finds } = fuzzSanitizer(Number(values.cases), Number(values.seed), report)
  return { finds, counts: `${values.cases} replies` }
}

async function storylines() {
  const { breakStorylines, walkStorylines } = await load('storyline-fuzz')
  const seed = Number(values.seed)
  const walked = walkStorylines(Number(values.storylines), seed, report)
  const broken = Math.ceil(walked.steps / 10)
  const { refused, finds } = breakStorylines(broken, seed)
  const counts = `${walked.steps} steps, ${walked.ended} ends, ${refused} of ${broken} broken ones refused`
  return { finds: [...walked.finds, ...finds], counts }
}

async function load(name) {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(ROOT, `test/support/${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  })
  return import(pathToFileURL(outfile).href)
}
