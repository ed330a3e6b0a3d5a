/**
 * `node scripts/fit-answers.mjs [--write | --check] [--turns [--show wrong]]`: fits by which weights the offline answerer orders sentences and
 * decides whether one of them answers (`src/models/offline/answer-weights.ts`), on the tune sets and tune halves of
 * `npm run eval:questions`. A sentence is the answer where the pattern of the right answer is in it as it is rendered. What is
 * maximised is the chance, by a softmax over all sentences found, that an answer stands first, and by a logistic function, that a
 * reply with the answer is told from one without; less L2 both. The second is fitted on what the first says of bases that it
 * has not seen: on questions that have no answer too, and on each other one once more without the sentences that answer it. It
 * answers as many unanswerable questions behind an open gate as `LET` allows. Prints how both do on bases that
 * no fit has seen (six folds); with `--turns` also how whole turns come out there, by set and language. No randomness: two runs give the same.
 * `--write` puts them into the file, `--check` exits with 1 where they are others than the file's.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadLocal } from './eval/load-local.mjs'
import { baseOpener, FITTED_SETS, readQuestions } from './eval/question-sets.mjs'
import { halfOf, WHOLE_SETS } from './eval/split-half.mjs'

const OUT = join(import.meta.dirname, '..', 'src', 'models', 'offline', 'answer-weights.ts')
const FOLDS = 6
const ORDER = { l2: 15, steps: 150, rate: 0.3 }
const CHANCE = { l2: 60, steps: 300, rate: 0.2 }
/** What a question without an answer counts beside one that has one: there are fewer of them. */
const COUNTS = 6
/** …and one whose answer was taken away. */
const SILENT_COUNTS = 0.15
/** Share of the unanswerable questions of which anything is found that may be answered. */
const LET = 0.24

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    turns: { type: 'boolean' },
    show: { type: 'string' },
  },
})
const {
  askLocally,
  CHANCES,
  detectLanguage,
  findLikely,
  openLocalBase,
  rank,
  readCandidates,
  readGate,
  render,
  signsOf,
  WEIGHTS,
} = await loadLocal('scripts/eval/local-answers.ts')
/** What is asked, with its base and all that is known of it. */
const asked = []
const parts = await collect()
const names = Object.keys(parts[0].units[0].features)
for (const { units } of [...parts, ...silences()])
  for (const unit of units)
    unit.row = Float64Array.from(names, (name) => Number(unit.features[name]))
const choices = parts.filter(({ units }) => new Set(units.map(({ isAnswer }) => isAnswer)).size > 1)
orderUnseen()
const signNames = Object.keys(signs(parts[0])).filter((name) => name !== 'always')
/** What the passages lack never speaks for an answer, whatever a few hundred questions say. */
const LACKS = ['lacking', 'lacksName'].map((name) => signNames.indexOf(name))
/** …nor does it speak against one that a heading or a question above says what is asked, or that a sentence is made for it. */
const HELPS = ['context', 'sameQuestion', 'serves', 'defines'].map((name) =>
  signNames.indexOf(name),
)
/** What is asked for says little of whether it is there: mostly what a writer of questions likes to ask in vain. */
const KIND_COSTS = 3
const KINDS = new Set(
  'number time place person reason how yesNo asksNothing'
    .split(' ')
    .map((name) => signNames.indexOf(name)),
)
for (const part of [...parts, ...silences()]) {
  const read = signs(part)
  part.row = Float64Array.from(signNames, (name) => read[name])
  part.isRight = likelyOf(part).said.some(({ isAnswer }) => isAnswer)
}
decideUnseen()
if (values.turns) await askUnseen()
if (values.write || values.check) {
  const fitted = put(fitOrder(choices), fitChance(parts))
  if (values.write) writeFileSync(OUT, fitted)
  const agrees = fitted === readFileSync(OUT, 'utf8')
  console.log(agrees ? 'The file has these weights.' : 'The file has other weights.')
  process.exitCode = agrees ? 0 : 1
}

/** Each part of each question with the sentences found. */
async function collect() {
  const found = []
  let question = 0
  const openBase = baseOpener(openLocalBase)
  const numbers = new Map()
  for (const set of FITTED_SETS) {
    if (WHOLE_SETS[set] === 'report') continue
    for (const group of readQuestions(set)) {
      const local = await openBase(group)
      const base = numbers.get(local) ?? numbers.size + 1
      numbers.set(local, base)
      for (const [ask, answer, , before] of group.questions) {
        if (before || (WHOLE_SETS[set] === undefined && halfOf(ask) !== 'tune')) continue
        question++
        const wanted = answer === null ? null : new RegExp(answer, 'isu')
        const one = { set, lang: group.lang, base, local, ask, wanted }
        asked.push(one)
        for (const part of await partsOf(one))
          found.push({ base, question, canAnswer: wanted !== null, ...part })
      }
    }
  }
  return found
}

async function partsOf(one) {
  const { local, ask, wanted } = one
  let result = null
  const found = new Map()
  const search = async (...given) => {
    const key = JSON.stringify(given)
    found.set(key, found.get(key) ?? (await local.search(...given)))
    result = found.get(key) ?? result
    return result
  }
  one.local = { ...local, search }
  const { passages } = await askLocally(one.local, ask)
  if (result === null) return []
  const isOpen = readGate(ask, result).open
  return readCandidates(ask, passages, result.idf, 'en').flatMap(
    ({ clause, ranked, read, found }) => {
      const units = ranked.map((one) => ({
        candidate: one,
        features: one.features,
        isAnswer: wanted?.test(withoutQuotes(render(clause, [one], read))) === true,
      }))
      if (units.length === 0) return []
      const silent = withoutAnswers(clause, units, read, result.idf, detectLanguage(ask) ?? 'en')
      return [{ found, isOpen, units, silent }]
    },
  )
}

/** The same part where nothing that answers it is said. */
function withoutAnswers(clause, units, read, idf, lang) {
  const left = new Set(
    units.flatMap(({ isAnswer, candidate }) => (isAnswer ? [candidate.unit] : [])),
  )
  const without = read
    .map((one) => ({ ...one, units: one.units.filter((unit) => !left.has(unit)) }))
    .filter((one) => one.units.length > 0)
  if (left.size === 0 || without.length === 0) return null
  const { ranked, found } = rank(clause, without, idf, lang)
  const rest = ranked.map((one) => ({ candidate: one, features: one.features, isAnswer: false }))
  return rest.length === 0 ? null : { found, units: rest }
}

/** All parts without their answers. */
function silences() {
  return parts.flatMap(({ base, silent }) => (silent ? [Object.assign(silent, { base })] : []))
}

function withoutQuotes(text) {
  return text.replaceAll(/\[(\d+)\|[^\]]*\]/g, '[$1]')
}

/** Gives each unit the odds that a fit on other bases gives it. */
function orderUnseen() {
  const byScore = [0, 0]
  const byWeights = [0, 0]
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitOrder(choices.filter(({ base }) => base % FOLDS !== fold))
    for (const { base, units } of [...parts, ...silences()])
      if (base % FOLDS === fold) for (const unit of units) unit.odds = dot(weights, unit.row)
  }
  for (const { units } of choices) {
    count(byScore, units, ({ features }) => features.score)
    count(byWeights, units, ({ odds }) => odds)
  }
  console.log(
    `of ${choices.length} questions, an answer first / among the first three, on unseen bases:`,
  )
  console.log(`  by score ${byScore.join(' / ')}, by weights ${byWeights.join(' / ')}`)
}

function count(counts, units, score) {
  const sorted = units.toSorted((one, other) => score(other) - score(one))
  if (sorted[0].isAnswer) counts[0]++
  if (sorted.slice(0, 3).some(({ isAnswer }) => isAnswer)) counts[1]++
}

/** What tells whether a part is answered, by the odds of unseen bases. */
function signs(part) {
  return signsOf(part.found, rankedOf(part), likelyOf(part))
}

function likelyOf(part) {
  return findLikely(rankedOf(part))
}

function rankedOf({ units }) {
  return units
    .map(({ candidate, isAnswer, odds }) => ({ ...candidate, isAnswer, odds }))
    .sort((one, other) => other.odds - one.odds)
}

function decideUnseen() {
  const answered = { yes: new Set(), no: new Set() }
  const all = { yes: new Set(), no: new Set() }
  for (let fold = 0; fold < FOLDS; fold++) {
    const { always, weights } = fitChance(parts.filter(({ base }) => base % FOLDS !== fold))
    for (const { base, question, canAnswer, isOpen, row } of parts) {
      if (base % FOLDS !== fold) continue
      const which = canAnswer ? 'yes' : 'no'
      all[which].add(question)
      if (isOpen && always + dot(weights, row) > 0) answered[which].add(question)
    }
  }
  console.log(
    `answered of ${all.yes.size} questions with an answer ${answered.yes.size}, of ${all.no.size} without ${answered.no.size}`,
  )
}

/** Whole turns by weights that were fitted on other bases. */
async function askUnseen() {
  const kept = { order: { ...WEIGHTS }, chance: { ...CHANCES } }
  const rows = []
  for (let fold = 0; fold < FOLDS; fold++) {
    const order = fitOrder(choices.filter(({ base }) => base % FOLDS !== fold))
    const { always, weights } = fitChance(parts.filter(({ base }) => base % FOLDS !== fold))
    for (const [at, name] of names.entries()) WEIGHTS[name] = order[at]
    for (const [at, name] of signNames.entries()) CHANCES[name] = weights[at]
    CHANCES.always = always
    for (const one of asked) if (one.base % FOLDS === fold) rows.push(await askOne(one))
  }
  Object.assign(WEIGHTS, kept.order)
  Object.assign(CHANCES, kept.chance)
  console.log('whole turns on unseen bases:')
  for (const key of ['set', 'lang'])
    for (const name of new Set(rows.map((row) => row[key])))
      line(
        name,
        rows.filter((row) => row[key] === name),
      )
  line('all', rows)
}

async function askOne(one) {
  const { set, lang, local, ask, wanted } = one
  const { reply, finishReason, stage } = await askLocally(local, ask)
  const isAnswered = finishReason !== 'no_match'
  const answered = wanted === null ? 'let' : wanted.test(reply) ? 'right' : 'wrong'
  const result = isAnswered ? answered : wanted === null ? 'none' : 'refused'
  if (values.show === result || values.show === 'all')
    console.log(
      `${result} ${stage ?? ''} ${set}/${lang} ${ask}\n    ${reply.replaceAll('\n', '\n    ')}`,
    )
  return { set, lang, result, stage }
}

function line(name, rows) {
  const of = (result) => rows.filter((row) => row.result === result)
  const [right, wrong, refused, let_, none] = ['right', 'wrong', 'refused', 'let', 'none'].map(of)
  const byGate = refused.filter(({ stage }) => stage === 'gate').length
  console.log(
    `  ${name.padEnd(20)} right ${right.length}, wrong ${wrong.length}, refused ${refused.length} (${byGate} by the gate); let ${let_.length} of ${let_.length + none.length}`,
  )
}

function fitOrder(some) {
  const scale = deviations(some.flatMap(({ units }) => units.map(({ row }) => row)))
  const scaled = some.map(({ units }) =>
    units.map(({ row, isAnswer }) => ({ x: row.map((one, at) => one / scale[at]), isAnswer })),
  )
  const weights = ascend(ORDER, scale.length, (given, slope) => {
    for (const units of scaled) {
      const odds = units.map(({ x }) => dot(given, x))
      const most = Math.max(...odds)
      const chances = odds.map((one) => Math.exp(one - most))
      const all = chances.reduce((sum, one) => sum + one, 0)
      const right = chances.reduce((sum, one, at) => sum + (units[at].isAnswer ? one : 0), 0)
      for (const [at, { x, isAnswer }] of units.entries())
        add(slope, x, chances[at] / all - (isAnswer ? chances[at] / right : 0))
    }
    return scaled.length
  })
  return weights.map((weight, at) => weight / scale[at])
}

/** …with the constant from which on as many unanswerable questions are answered as may be. */
function fitChance(some) {
  const silent = some.flatMap((part) => (part.silent ? [part.silent] : []))
  const scale = deviations(some.map(({ row }) => row)).map((one, at) =>
    KINDS.has(at) ? one * KIND_COSTS : one,
  )
  const scaled = [...some, ...silent].map(({ row, canAnswer, isRight }) => ({
    x: Float64Array.of(1, ...row.map((one, at) => one / scale[at])),
    isRight,
    counts: canAnswer === undefined ? SILENT_COUNTS : canAnswer ? 1 : COUNTS,
  }))
  const pull = (given, slope) => {
    let all = 0
    for (const { x, isRight, counts } of scaled) {
      all += counts
      add(slope, x, counts * (1 / (1 + Math.exp(-dot(given, x))) - (isRight ? 1 : 0)))
    }
    return all
  }
  const keep = (given) => {
    for (const at of LACKS) given[at + 1] = Math.min(0, given[at + 1])
    for (const at of HELPS) given[at + 1] = Math.max(0, given[at + 1])
  }
  const [, ...weights] = ascend(CHANCE, scale.length + 1, pull, keep).map((weight, at) =>
    at === 0 ? weight : weight / scale[at - 1],
  )
  const surest = new Map()
  for (const { question, canAnswer, isOpen, row } of some)
    if (!canAnswer) {
      const odds = isOpen ? dot(weights, row) : Number.NEGATIVE_INFINITY
      surest.set(question, Math.max(surest.get(question) ?? odds, odds))
    }
  const sorted = [...surest.values()].sort((one, other) => other - one)
  return { always: -sorted[Math.floor(LET * sorted.length)], weights }
}

/** Gradient ascent with a rate for each weight that falls as it moves (Adagrad); features are scaled to a deviation of 1. */
function ascend({ l2, steps, rate }, length, pull, keep = () => {}) {
  const weights = new Float64Array(length)
  const moved = new Float64Array(length).fill(1e-8)
  for (let step = 0; step < steps; step++) {
    const slope = weights.map((weight) => l2 * weight)
    const all = pull(weights, slope)
    for (const [at, one] of slope.entries()) {
      moved[at] += (one / all) ** 2
      weights[at] -= (rate * one) / all / Math.sqrt(moved[at])
    }
    keep(weights)
  }
  return Array.from(weights)
}

function add(slope, x, pull) {
  for (let at = 0; at < x.length; at++) slope[at] += pull * x[at]
}

function deviations(rows) {
  return Array.from(rows[0], (_, at) => {
    const mean = rows.reduce((sum, row) => sum + row[at], 0) / rows.length
    const spread = rows.reduce((sum, row) => sum + (row[at] - mean) ** 2, 0) / rows.length
    return Math.sqrt(spread) || 1
  })
}

function dot(weights, row) {
  let sum = 0
  for (let at = 0; at < row.length; at++) sum += weights[at] * row[at]
  return sum
}

/** The file with these weights. */
function put(order, { always, weights }) {
  const [head, ...rest] = readFileSync(OUT, 'utf8').split('= {\n')
  const lines = (given, all) =>
    given.map((name, at) => `  ${name}: ${Number(all[at].toFixed(2))},\n`).join('')
  const between = rest[0].slice(rest[0].indexOf('}\n'))
  const chance = lines(['always', ...signNames], [always, ...weights])
  return `${head}= {\n${lines(names, order)}${between}= {\n${chance}}\n`
}
