/**
 * `npm run eval:answers -- --sets DIR --runs DIR [--only a,b]`: how often the offline answerer says what was asked. Takes
 * test sets with gold answers and the TREC runs that `npm run eval:retrieval` wrote for them, gives each question its six
 * best passages, and prints the share (in percent) of best passages, best sentences and whole answers that hold a gold answer.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { readSet } from './eval/read-set.mjs'

const PASSAGES = 6
const COMMON_TOKENS = 400

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    runs: { type: 'string' },
    only: { type: 'string' },
  },
})
if (!values.sets || !values.runs) {
  console.error('usage: --sets DIR --runs DIR [--only a,b]')
  process.exit(2)
}
const wanted = values.only?.split(',')
const { extractAnswer, readCandidates, wordTokens } = await loadAnswerer()
for (const name of readdirSync(values.sets)) {
  const folder = join(values.sets, name)
  const run = join(values.runs, `${name}.run`)
  if (wanted?.includes(name) === false || !existsSync(join(folder, 'answers.jsonl'))) continue
  if (existsSync(run)) evaluate(folder, run)
}

/** The product's own functions, bundled for Node. */
async function loadAnswerer() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-eval-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'answerer.mjs')
  const contents = `
    export { extractAnswer, readCandidates } from './src/models/offline/extract-answer'
    export { wordTokens } from './src/text/analyze'`
  await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '..') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

function evaluate(folder, runFile) {
  const { name, corpus, queries } = readSet(folder)
  const passages = new Map(corpus.map((passage) => [passage.id, passage]))
  const gold = readGold(folder)
  const run = readRun(runFile)
  const idf = weighTokens(corpus)
  const hits = { passage: 0, sentence: 0, answer: 0, none: 0 }
  let asked = 0
  for (const { id, text } of queries) {
    const answers = gold.get(id) ?? []
    if (answers.length === 0) continue
    asked++
    const found = (run.get(id) ?? []).slice(0, PASSAGES).map(({ passageId, score }, at) => {
      const { title = '', text: body } = passages.get(passageId)
      return { n: at + 1, title, text: body, heading: null, score }
    })
    const holds = (candidate) => answers.some((answer) => candidate?.includes(answer))
    const answer = extractAnswer(text, found, idf, 'en')
    if (holds(found[0]?.text)) hits.passage++
    if (holds(readCandidates(text, found, idf, 'en')[0]?.ranked[0]?.unit.text)) hits.sentence++
    if (answer === null) hits.none++
    else if (holds(answer)) hits.answer++
  }
  const percent = (count) => ((100 * count) / asked).toFixed(1)
  console.log(
    `${name}: ${asked} questions; a gold answer is in the best passage ${percent(hits.passage)}, ` +
      `the best sentence ${percent(hits.sentence)}, the answer ${percent(hits.answer)}; ` +
      `no answer ${percent(hits.none)}`,
  )
}

function readGold(folder) {
  const lines = readFileSync(join(folder, 'answers.jsonl'), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, answers }) => [id, answers]))
}

function readRun(file) {
  const run = new Map()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [query, , passageId, , score] = line.split(' ')
    if (!run.has(query)) run.set(query, [])
    run.get(query).push({ passageId, score: Number(score) })
  }
  return run
}

/** The table that a base gives with its hits: idf of its most frequent tokens, the mean of the rest. */
function weighTokens(corpus) {
  const counts = new Map()
  for (const { text } of corpus)
    for (const token of new Set(wordTokens(text))) counts.set(token, (counts.get(token) ?? 0) + 1)
  const idf = (count) => Math.log(1 + (corpus.length - count + 0.5) / (count + 0.5))
  const ranked = [...counts].sort((one, other) => other[1] - one[1])
  const rest = ranked.slice(COMMON_TOKENS)
  const common = ranked.slice(0, COMMON_TOKENS).map(([token, count]) => [token, idf(count)])
  return {
    common: Object.fromEntries(common),
    rest: rest.reduce((sum, [, count]) => sum + idf(count), 0) / Math.max(1, rest.length),
  }
}
