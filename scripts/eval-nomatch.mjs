/**
 * `npm run eval:nomatch [-- --half tune|report|all --sets DIR --only SET --embedder URL --model NAME]`: asks each base of the
 * retrieval sets questions that it answers and foreign ones (everyday questions, what help desks are asked, the questions of other sets), through the real ingestion, search and
 * gate, and prints how many of each are let through. Thresholds were fitted on one half of the questions (by a hash);
 * the other is reported. Exits with 1 when a base misses its goal. With `--guides` it asks the demo's guides, which lie in
 * the repository, their own questions and the everyday ones, of both halves: a sample that takes seconds.
 * With `--embedder`, an OpenAI-compatible endpoint (a key for it: EMBEDDER_KEY) or `english` for the small one of
 * `eval:embedder`, prints the least cosine that lets no more than 2 % of the foreign questions through, and how many of the
 * own ones pass with it: what `least-cosine.ts` wants to know of an embedder.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbed, ENGLISH, serveEnglish } from './eval/embedder.mjs'
import { loadLocal } from './eval/load-local.mjs'
import { readSet } from './eval/read-set.mjs'
import { halfOf } from './eval/split-half.mjs'

const ROOT = resolve(import.meta.dirname, '..')
/** Each set with its language and the sets whose questions are foreign to it; the two Spanish sets share their articles. */
const SETS = {
  'xquad-en': { lang: 'en', others: ['banking77-en', 'cranfield-en'] },
  'banking77-en': { lang: 'en', others: ['xquad-en', 'cranfield-en'] },
  'cranfield-en': { lang: 'en', others: ['xquad-en', 'banking77-en'] },
  'xquad-es': { lang: 'es', others: [] },
  'squad-es': { lang: 'es', others: [] },
  'xquad-ru': { lang: 'ru', others: [] },
  'xquad-zh': { lang: 'zh', others: ['cmrc-zh'] },
  'cmrc-zh': { lang: 'zh', others: ['xquad-zh'] },
  'drcd-zhtw': { lang: 'zh-TW', others: [] },
  'xquad-de': { lang: 'de', others: [] },
  'xquad-tr': { lang: 'tr', others: [] },
  'jsquad-ja': { lang: 'ja', others: [] },
}
/** What people ask help desks: foreign to every encyclopedia. */
const DESKS = ['shops.json', 'desks.json', 'fresh.json']
const LEAST_KEPT = 0.92
const MOST_FOREIGN = 0.08
const QUESTIONS = 300
const OF_ANOTHER_SET = 100
const HITS = 6
const MOST_NEAR = 0.02

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    sets: { type: 'string', default: '../shared/retrieval' },
    only: { type: 'string' },
    show: { type: 'string' },
    guides: { type: 'boolean', default: false },
    embedder: { type: 'string' },
    model: { type: 'string', default: 'default' },
  },
})
const EVERYDAY = readQuestions('foreign.json')
const sets = Object.keys(SETS).filter((name) => !values.only || values.only === name)
if (values.embedder) await calibrate()
else if (values.guides) process.exitCode = (await measureGuides()) ? 0 : 1
else process.exitCode = (await measure()) ? 0 : 1

async function measure() {
  const { openLocalBase, readGate } = await loadLocal('scripts/eval/local-gate.ts')
  let reached = true
  for (const name of sets) {
    const { own, foreign, corpus } = questionsOf(name)
    const base = await openLocalBase()
    for (const { id, title, text } of corpus.filter((one) => one.text.trim() !== ''))
      await base.addText(`${title ?? id}.txt`, text, 'txt')
    reached = (await measureBase(name, base, own, foreign, readGate)) && reached
  }
  console.log(
    `Goals: at least ${percent(LEAST_KEPT)} kept, at most ${percent(MOST_FOREIGN)} foreign.`,
  )
  return reached
}

async function measureGuides() {
  const { openLocalBase, readGate } = await loadLocal('scripts/eval/local-gate.ts')
  const { questions } = readQuestions('demo.json')
  const languages = [...new Set(questions.map(([lang]) => lang))]
  const base = await openLocalBase()
  for (const lang of languages) {
    const folder = join(ROOT, 'demo', 'help-desk', lang)
    for (const file of readdirSync(folder)) await base.add(join(folder, file), `${lang}/${file}`)
  }
  const own = questions.flatMap(([, ask, answer]) => (answer === null ? [] : [ask]))
  const foreign = languages.flatMap((lang) => EVERYDAY[lang])
  return measureBase('guides', base, own, foreign, readGate)
}

/** How many of a base's own questions and of foreign ones its gate lets through; whether that reaches the goals. */
async function measureBase(name, base, own, foreign, readGate) {
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
  const passed = await pass(foreign, false)
  const good = kept >= LEAST_KEPT && passed <= MOST_FOREIGN
  console.log(
    `${name}: ${percent(kept)} of ${own.length} kept, ${percent(passed)} of ${foreign.length} foreign let through${good ? '' : ' ✗'}`,
  )
  return good
}

async function calibrate() {
  const english = values.embedder === 'english'
  const embed = english
    ? createEmbed(await serveEnglish(), ENGLISH)
    : createEmbed(values.embedder, values.model, process.env.EMBEDDER_KEY)
  const languages = english ? ['en'] : ['en', 'es', 'ru', 'zh']
  const near = []
  const far = []
  for (const name of sets.filter((set) => languages.includes(SETS[set].lang))) {
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
  const { corpus, queries } = read(name)
  const mine = (question) => values.half === 'all' || halfOf(question) === values.half
  const own = queries.slice(0, QUESTIONS).map(({ text }) => text)
  return { corpus, own: own.filter(mine), foreign: foreignTo(name).filter(mine) }
}

/** Everyday questions, what help desks are asked, and the questions of other sets. */
function foreignTo(name) {
  const { lang, others } = SETS[name]
  const everyday = EVERYDAY[lang]
  const desks = name.startsWith('banking77')
    ? []
    : DESKS.flatMap((file) => deskQuestions(file, lang))
  return [
    ...everyday,
    ...desks,
    ...others.flatMap((set) => everyNth(read(set).queries, OF_ANOTHER_SET).map(({ text }) => text)),
  ]
}

/** Those that stand alone. */
function deskQuestions(file, lang) {
  return readQuestions(file)
    .filter((desk) => desk.lang === lang)
    .flatMap(({ questions }) => questions)
    .flatMap(([ask, , , before]) => (before === undefined ? [ask] : []))
}

function everyNth(list, most) {
  const step = Math.max(1, Math.floor(list.length / most))
  return list.filter((_, at) => at % step === 0).slice(0, most)
}

function read(name) {
  return readSet(join(resolve(ROOT, values.sets), name))
}

function readQuestions(file) {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'eval', 'questions', file), 'utf8'))
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`
}
