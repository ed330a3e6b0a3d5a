/**
 * `npm run eval:nomatch [-- --half tune|report|all --sets DIR --only SET --embedder URL --model NAME]`: asks each base of the
 * retrieval sets questions that it answers and everyday questions that it does not, through the real ingestion, search and
 * gate, and prints how many of each are let through. Thresholds were fitted on one half of the questions (by a hash);
 * the other is reported. Exits with 1 when a base misses its goal.
 * With `--embedder`, an OpenAI-compatible endpoint (a key for it: EMBEDDER_KEY) or `english` for the small one of
 * `eval:embedder`, prints the least cosine that lets no more than 2 % of the foreign questions through, and how many of the
 * own ones pass with it: what `least-cosine.ts` wants to know of an embedder.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbed, ENGLISH, serveEnglish } from './eval/embedder.mjs'
import { loadLocal } from './eval/load-local.mjs'
import { readSet } from './eval/read-set.mjs'
import { halfOf } from './eval/split-half.mjs'

const ROOT = resolve(import.meta.dirname, '..')
/** Each set with the language of the foreign questions; none were written for the last three and for aeronautics. */
const SETS = {
  'xquad-en': 'en',
  'banking77-en': 'en',
  'cranfield-en': 'en',
  'xquad-es': 'es',
  'squad-es': 'es',
  'xquad-ru': 'ru',
  'xquad-zh': 'zh',
  'cmrc-zh': 'zh',
  'drcd-zhtw': 'zh',
  'xquad-de': null,
  'xquad-tr': null,
  'jsquad-ja': null,
}
const LEAST_KEPT = 0.92
const MOST_FOREIGN = 0.08
const QUESTIONS = 300
const HITS = 6
const MOST_NEAR = 0.02

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    sets: { type: 'string', default: '../shared/retrieval' },
    only: { type: 'string' },
    show: { type: 'string' },
    embedder: { type: 'string' },
    model: { type: 'string', default: 'default' },
  },
})
const FOREIGN = JSON.parse(
  readFileSync(join(import.meta.dirname, 'eval', 'questions', 'foreign.json'), 'utf8'),
)
const sets = Object.keys(SETS).filter((name) => !values.only || values.only === name)
if (values.embedder) await calibrate()
else process.exitCode = (await measure()) ? 0 : 1

async function measure() {
  const { openLocalBase, readGate } = await loadLocal('scripts/eval/local-gate.ts')
  let reached = true
  for (const name of sets) {
    const { own, foreign, corpus } = questionsOf(name)
    const base = await openLocalBase()
    for (const { id, title, text } of corpus.filter((one) => one.text.trim() !== ''))
      await base.addText(`${title ?? id}.txt`, text, 'txt')
    const pass = async (questions, wanted) => {
      let open = 0
      for (const question of questions) {
        const gate = readGate(question, await base.search(name, question, HITS))
        if (gate.open) open++
        if (values.show && gate.open !== wanted) console.log(`    ${question} (${gate.reasons})`)
      }
      return open / questions.length
    }
    const kept = await pass(own, true)
    const passed = foreign.length === 0 ? null : await pass(foreign, false)
    const good = kept >= LEAST_KEPT && (passed ?? 0) <= MOST_FOREIGN
    reached &&= good
    const rest =
      passed === null ? '' : `, ${percent(passed)} of ${foreign.length} foreign let through`
    console.log(`${name}: ${percent(kept)} of ${own.length} kept${rest}${good ? '' : ' ✗'}`)
  }
  console.log(
    `Goals: at least ${percent(LEAST_KEPT)} kept, at most ${percent(MOST_FOREIGN)} foreign.`,
  )
  return reached
}

async function calibrate() {
  const english = values.embedder === 'english'
  const embed = english
    ? createEmbed(await serveEnglish(), ENGLISH)
    : createEmbed(values.embedder, values.model, process.env.EMBEDDER_KEY)
  const languages = english ? ['en'] : ['en', 'es', 'ru', 'zh']
  const near = []
  const far = []
  for (const name of sets.filter((set) => languages.includes(SETS[set]))) {
    const { own, foreign, corpus } = questionsOf(name)
    const passages = await embed(corpus.map(({ text }) => text))
    const best = (vector) => Math.max(...passages.map((passage) => cosine(vector, passage)))
    near.push(...(await embed(own)).map(best))
    far.push(...(await embed(foreign)).map(best))
  }
  const sorted = far.toSorted((one, other) => other - one)
  const least = sorted[Math.floor(sorted.length * MOST_NEAR)]
  const kept = near.filter((value) => value > least).length / near.length
  console.log(
    `Least cosine ${least.toFixed(3)}: ${percent(MOST_NEAR)} foreign and ${percent(kept)} own pass.`,
  )
}

function cosine(one, other) {
  let product = 0
  let a = 0
  let b = 0
  for (const [at, value] of one.entries()) {
    product += value * other[at]
    a += value * value
    b += other[at] * other[at]
  }
  return product / Math.sqrt(a * b)
}

function questionsOf(name) {
  const { corpus, queries } = readSet(join(resolve(ROOT, values.sets), name))
  const mine = (question) => values.half === 'all' || halfOf(question) === values.half
  const own = queries.slice(0, QUESTIONS).map(({ text }) => text)
  return { corpus, own: own.filter(mine), foreign: (FOREIGN[SETS[name]] ?? []).filter(mine) }
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`
}
