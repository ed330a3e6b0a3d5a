/**
 * `npm run eval:retrieval -- --set DIR --out RUN`: puts a test set through the real ingestion (one passage a document) and
 * the real search in workerd, and writes a TREC run. `--sets DIR --runs DIR [--only a,b]` does several sets on one server.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { mapParallel, openBase, withServer } from './eval/eval-server.mjs'
import { readSet } from './eval/read-set.mjs'

const TAG = 'parley'

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    out: { type: 'string' },
    sets: { type: 'string' },
    runs: { type: 'string' },
    only: { type: 'string' },
  },
})
const jobs = listJobs(values)
if (!jobs) {
  console.error('usage: --set DIR --out RUN | --sets DIR --runs DIR [--only a,b]')
  process.exit(2)
}
await withServer(async (call) => {
  for (const [folder, out] of jobs) await evaluate(call, folder, out)
})

function listJobs({ set, out, sets, runs, only }) {
  if (set && out) return [[set, out]]
  if (!sets || !runs) return null
  const wanted = only?.split(',')
  return readdirSync(sets, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (wanted?.includes(entry.name) ?? true))
    .map((entry) => [join(sets, entry.name), join(runs, `${entry.name}.run`)])
}

async function evaluate(call, folder, out) {
  const { name, corpus, queries } = readSet(folder)
  const began = performance.now()
  const search = await openBase(call, name, corpus)
  const ready = performance.now()
  const found = await mapParallel(queries, (query) => search(query.text))
  const done = performance.now()
  const lines = queries.flatMap((query, i) =>
    found[i].hits.map(({ id, score }, rank) => `${query.id} Q0 ${id} ${rank + 1} ${score} ${TAG}`),
  )
  mkdirSync(dirname(resolve(out)), { recursive: true })
  writeFileSync(out, `${lines.join('\n')}\n`)
  console.log(
    `${name}: ${corpus.length} passages ready in ${((ready - began) / 1000).toFixed(1)} s, ` +
      `${queries.length} questions in ${((done - ready) / 1000).toFixed(1)} s`,
  )
}
