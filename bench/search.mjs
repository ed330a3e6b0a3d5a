/**
 * `node bench/search.mjs [--sets DIR] [--chunks N]`: a whole search beside its floor, the recipe's two bare SQL statements, in
 * one object of one workerd. Times are taken outside, over all questions at once: inside, the clock stands still.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestHarness } from 'wrangler'
import { readSet } from '../scripts/eval/read-set.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const PLANS = [
  { language: 'es', sets: ['squad-es', 'xquad-es'], asked: 'xquad-es' },
  { language: 'en', sets: ['xquad-en', 'cranfield-en'], asked: 'xquad-en' },
  { language: 'zh', sets: ['cmrc-zh', 'drcd-zhtw', 'xquad-zh'], asked: 'xquad-zh' },
]
const QUESTIONS = 100
const ROUNDS = 7
const PER_DOCUMENT = 50
const SENTENCES = 5
const HITS = 6
const TARGET = 1.2

const { values } = parseArgs({
  options: { sets: { type: 'string' }, chunks: { type: 'string', default: '10000' } },
})
const sets = resolve(ROOT, values.sets ?? '../shared/retrieval')
const server = createTestHarness({
  root: ROOT,
  workers: [
    {
      config: {
        name: 'search',
        main: 'test/fakes/search-floor-worker.ts',
        compatibility_date: '2026-11-01',
        compatibility_flags: ['nodejs_compat'],
        durable_objects: { bindings: [{ name: 'KNOWLEDGE_BASE', class_name: 'KnowledgeBase' }] },
        migrations: [{ tag: 'v1', new_sqlite_classes: ['KnowledgeBase'] }],
      },
    },
  ],
})
const { url } = await server.listen()
try {
  for (const plan of PLANS) await measure(plan, Number(values.chunks))
} finally {
  await server.close()
}

async function measure({ language, sets: names, asked }, size) {
  const texts = fill(
    names.flatMap((name) => readSet(resolve(sets, name)).corpus),
    size,
  )
  const began = performance.now()
  for (let i = 0; i < texts.length; i += PER_DOCUMENT) {
    await call(language, 'add', `d${i}`, texts.slice(i, i + PER_DOCUMENT))
  }
  const indexed = (performance.now() - began) / texts.length
  const questions = readSet(resolve(sets, asked))
    .queries.slice(0, QUESTIONS)
    .map((query) => query.text)
  const prepared = await call(language, 'prepare', questions)
  const first = await time(() => call(language, 'full', questions, HITS), questions)
  const bare = []
  const full = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await time(() => call(language, 'bare', prepared), questions))
    full.push(await time(() => call(language, 'full', questions, HITS), questions))
  }
  const ratio = median(full) / median(bare)
  console.log(
    `${language}, ${texts.length} chunks: bare SQL ${median(bare).toFixed(2)} ms, search ${median(full).toFixed(2)} ms, ` +
      `ratio ${ratio.toFixed(2)}${ratio > TARGET ? ' ✗' : ''}; first pass ${first.toFixed(2)} ms, indexing ${indexed.toFixed(2)} ms a chunk`,
  )
  if (ratio > TARGET) process.exitCode = 1
}

/** The passages, then new ones of their sentences, which keeps the vocabulary's frequencies. */
function fill(corpus, size) {
  const texts = corpus.slice(0, size).map((passage) => passage.text)
  const sentences = texts
    .flatMap((text) => text.split(/(?<=[.。!?！？])\s*/))
    .filter((one) => one.length > 8)
  let state = 7
  const pick = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return sentences[state % sentences.length]
  }
  while (texts.length < size) texts.push(Array.from({ length: SENTENCES }, pick).join(' '))
  return texts
}

async function call(name, method, ...args) {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ name, method, args }) })
  if (!answer.ok)
    throw new Error(`${method}: ${answer.status} ${(await answer.text()).slice(0, 500)}`)
  return answer.json()
}

async function time(work, questions) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / questions.length
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
