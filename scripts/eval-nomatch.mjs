/**
 * `npm run eval:nomatch [-- --sets DIR]`: asks bases questions that they answer and questions of another domain, through
 * the real ingestion and search, and prints how many of each the no-match rule lets pass. Exits with 1 when any
 * base misses its language's target.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { mapParallel, openBase, withServer } from './eval/eval-server.mjs'
import { readSet } from './eval/read-set.mjs'

const ROOT = resolve(import.meta.dirname, '..')
/** Base, sets whose questions are foreign to it. The parts of one encyclopedia are as near as foreign gets. */
const PLANS = {
  en: [
    ['xquad-en', ['banking77-en', 'cranfield-en']],
    ['banking77-en', ['xquad-en', 'cranfield-en']],
  ],
  zh: [
    ['xquad-zh', ['cmrc-zh', 'drcd-zhtw']],
    ['cmrc-zh', ['xquad-zh', 'drcd-zhtw']],
  ],
}
const TARGETS = { en: { kept: 0.93, foreign: 0.2 }, zh: { kept: 0.93, foreign: 0.11 } }
const QUESTIONS = 600
const HITS = 6

const { values } = parseArgs({ options: { sets: { type: 'string' } } })
const sets = resolve(ROOT, values.sets ?? '../shared/retrieval')
const isMatch = await loadRule()
process.exitCode = (await withServer(measure)) ? 0 : 1

async function measure(call) {
  let reached = true
  for (const [language, plans] of Object.entries(PLANS)) {
    const kept = []
    const foreign = []
    for (const [name, others] of plans) {
      const { corpus, queries } = readSet(join(sets, name))
      const search = await openBase(call, name, corpus)
      kept.push(await passing(search, queries))
      for (const other of others) {
        foreign.push(await passing(search, readSet(join(sets, other)).queries))
        console.log(
          `${name}: ${percent(kept.at(-1))} kept, ${percent(foreign.at(-1))} of ${other} pass`,
        )
      }
    }
    const target = TARGETS[language]
    const result = { kept: Math.min(...kept), foreign: Math.max(...foreign) }
    const good = result.kept >= target.kept && result.foreign <= target.foreign
    reached &&= good
    console.log(
      `${language}, the worst of each: ${percent(result.kept)} kept (at least ${percent(target.kept)}), ` +
        `${percent(result.foreign)} foreign pass (at most ${percent(target.foreign)})${good ? '' : ' ✗'}`,
    )
  }
  return reached
}

async function passing(search, queries) {
  const asked = queries.slice(0, QUESTIONS)
  const matched = await mapParallel(asked, async ({ text }) => {
    const { hits } = (await search(text, HITS)).found
    // Without vectors a hit's distance is what its coverage leaves.
    const coverage = Math.max(0, ...hits.map((hit) => 1 - hit.distance))
    return isMatch({ hits, coverage, cosine: null, embedder: null }, text)
  })
  return matched.filter(Boolean).length / asked.length
}

/** The rule itself is TypeScript of the Worker. */
async function loadRule() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/knowledge/match.ts')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  })
  const source = Buffer.from(outputFiles[0].contents).toString('base64')
  return (await import(`data:text/javascript;base64,${source}`)).isMatch
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}
