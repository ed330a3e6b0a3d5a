/**
 * `npm run eval:embedder [-- --url URL --model NAME --half tune|report|all --sets DIR --only SET --share 0.1,0.2,…]`: what a
 * trained embedder adds to a base's search. Puts the English retrieval sets, and questions that ask in other words than their
 * passages, through the real base, and prints nDCG@10 of the lexical lists, of the vectors and of both by the product's
 * weights, or by those shares of the vectors that `--share` names. Without `--url` it measures a small English embedder that
 * it installs into the temporary folder. A key for the endpoint: EMBEDDER_KEY in the environment.
 * Weights were chosen on one half of the questions (by a hash); the other is reported. Exits with 1 where both together
 * fall below the lexical lists alone.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbed, ENGLISH, serveEnglish } from './eval/embedder.mjs'
import { loadLocal } from './eval/load-local.mjs'
import { readSet } from './eval/read-set.mjs'
import { halfOf } from './eval/split-half.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const SETS = ['xquad-en', 'banking77-en', 'cranfield-en']
const OWN = 'other-words'
const DEPTH = 10

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string' },
    half: { type: 'string', default: 'report' },
    sets: { type: 'string', default: '../shared/retrieval' },
    only: { type: 'string' },
    share: { type: 'string' },
  },
})
const model = values.model ?? (values.url ? 'default' : ENGLISH)
const embed = createEmbed(values.url ?? (await serveEnglish()), model, process.env.EMBEDDER_KEY)
const { openFusionBase } = await loadLocal('scripts/eval/local-fusion.ts')
/** Undefined: the product's own weights. */
const tried = values.share?.split(',').map(Number) ?? [undefined]
const names = [...SETS, OWN].filter((name) => !values.only || values.only === name)
let fell = false
console.log(
  `| Set | Questions | Words | Vectors | ${tried.map((share) => (share === undefined ? 'Both' : `Both, ${share}`)).join(' | ')} |`,
)
console.log(`|---|---|---|---|${tried.map(() => '---').join('|')}|`)
for (const name of names) {
  const { corpus, queries, relevant } = readQuestions(name)
  const mine = queries.filter(({ text }) => values.half === 'all' || halfOf(text) === values.half)
  const base = await openFusionBase(corpus, model, embed)
  const vectors = await embed(mine.map(({ text }) => text))
  const sums = { words: 0, vectors: 0, both: tried.map(() => 0) }
  for (const [at, { id, text }] of mine.entries()) {
    const gain = (ranked) => ndcg(ranked, relevant.get(id) ?? new Map())
    sums.words += gain(base.rank(base.lists(text, null)))
    const lists = base.lists(text, vectors[at])
    sums.vectors += gain(base.nearest(lists))
    for (const [n, share] of tried.entries()) sums.both[n] += gain(base.rank(lists, share))
  }
  const mean = (sum) => (sum / mine.length).toFixed(3)
  fell ||= sums.both.some((sum) => mean(sum) < mean(sums.words))
  const row = [name, mine.length, mean(sums.words), mean(sums.vectors), ...sums.both.map(mean)]
  console.log(`| ${row.join(' | ')} |`)
}
process.exitCode = fell && !values.share ? 1 : 0

/** A set of the retrieval data, or our own questions in other words, where each has one passage. */
function readQuestions(name) {
  if (name === OWN) {
    const file = join(import.meta.dirname, 'eval', 'questions', `${OWN}.json`)
    const own = JSON.parse(readFileSync(file, 'utf8'))
    const corpus = own.map(({ text }, at) => ({ id: String(at), text }))
    const queries = own.flatMap(({ questions }, at) =>
      questions.map((text, n) => ({ id: `${at}-${n}`, text })),
    )
    const relevant = new Map(queries.map(({ id }) => [id, new Map([[id.split('-')[0], 1]])]))
    return { corpus, queries, relevant }
  }
  const folder = join(resolve(ROOT, values.sets), name)
  if (!existsSync(folder)) throw new Error(`${folder} is not there: name the folder by --sets`)
  const { corpus, queries } = readSet(folder)
  return {
    corpus: corpus.filter(({ text }) => text.trim() !== ''),
    queries,
    relevant: readRelevant(folder),
  }
}

function readRelevant(folder) {
  const relevant = new Map()
  const lines = readFileSync(join(folder, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1)
  for (const line of lines) {
    const [query, passage, grade] = line.split('\t')
    if (!relevant.has(query)) relevant.set(query, new Map())
    relevant.get(query).set(passage, Number(grade))
  }
  return relevant
}

function ndcg(ranked, relevant) {
  const discounted = (grades) =>
    grades.slice(0, DEPTH).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)
  const ideal = discounted([...relevant.values()].sort((one, other) => other - one))
  return ideal === 0 ? 0 : discounted(ranked.map(({ id }) => relevant.get(id) ?? 0)) / ideal
}
