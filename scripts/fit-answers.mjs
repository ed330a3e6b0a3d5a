/**
 * `node scripts/fit-answers.mjs [--write]`: fits by which weights the offline answerer orders the sentences of a small base and
 * decides whether one of them answers (`src/models/offline/answer-weights.ts`), on the tune sets and tune halves of
 * `npm run eval:questions`. A sentence is the answer where the pattern of the right answer is in it as it is rendered. What is
 * maximised is the chance, by a softmax over all sentences found, that an answer stands first, and by a logistic function, that a
 * question with an answer is told from one without; less L2 both. The second is fitted on what the first says of bases that it
 * has not seen, and answers as many unanswerable questions behind an open gate as `LET` allows. Prints how both do on bases that
 * no fit has seen (six folds). No randomness: two runs give the same.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadLocal } from './eval/load-local.mjs'
import { halfOf, WHOLE_SETS } from './eval/split-half.mjs'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'src', 'models', 'offline', 'answer-weights.ts')
/** Sets over bases of a few documents. */
const SETS = ['shops', 'fresh', 'desks', 'plain', ...Object.keys(WHOLE_SETS)]
const FOLDS = 6
const ORDER = { l2: 15, steps: 150, rate: 0.3 }
const CHANCE = { l2: 20, steps: 300, rate: 0.2 }
/** What a question without an answer counts beside one that has one: there are fewer of them. */
const COUNTS = 3
/** Share of the unanswerable questions of which anything is found that may be answered. */
const LET = 0.17

const { values } = parseArgs({ options: { write: { type: 'boolean' } } })
const { askLocally, openLocalBase, readCandidates, readGate, render, signsOf } = await loadLocal(
  'scripts/eval/local-answers.ts',
)
const parts = await collect()
const names = Object.keys(parts[0].units[0].features)
for (const { units } of parts)
  for (const unit of units)
    unit.row = Float64Array.from(names, (name) => Number(unit.features[name]))
const choices = parts.filter(({ units }) => new Set(units.map(({ isAnswer }) => isAnswer)).size > 1)
orderUnseen()
const signNames = Object.keys(signs(parts[0])).filter((name) => name !== 'always')
/** What the passages lack never speaks for an answer, whatever a few hundred questions say. */
const LACKS = ['lacking', 'lacksName', 'lacksVerb'].map((name) => signNames.indexOf(name))
/** What is asked for says little of whether it is there: mostly what a writer of questions likes to ask in vain. */
const KIND_COSTS = 3
const KINDS = new Set(
  'number time place person reason how list yesNo asksNothing'
    .split(' ')
    .map((name) => signNames.indexOf(name)),
)
for (const part of parts) {
  const read = signs(part)
  part.row = Float64Array.from(signNames, (name) => read[name])
}
decideUnseen()
if (values.write) write(fitOrder(choices), fitChance(parts))

/** Each part of each question with the sentences found. */
async function collect() {
  const found = []
  let base = 0
  let question = 0
  for (const set of SETS) {
    if (WHOLE_SETS[set] === 'report') continue
    const path = join(import.meta.dirname, 'eval', 'questions', `${set}.json`)
    for (const { documents = {}, questions } of JSON.parse(readFileSync(path, 'utf8'))) {
      if (Object.keys(documents).length === 0) continue
      base++
      const local = await openLocalBase()
      for (const [name, text] of Object.entries(documents)) await local.addText(name, text, 'md')
      for (const [ask, answer, , before] of questions) {
        if (before || (WHOLE_SETS[set] === undefined && halfOf(ask) !== 'tune')) continue
        question++
        const wanted = answer === null ? null : new RegExp(answer, 'isu')
        for (const part of await partsOf(local, ask, wanted))
          found.push({ base, question, canAnswer: wanted !== null, ...part })
      }
    }
  }
  return found
}

async function partsOf(local, ask, wanted) {
  let result = null
  const search = async (...given) => {
    result = (await local.search(...given)) ?? result
    return result
  }
  const { passages } = await askLocally({ ...local, search }, ask)
  if (result === null) return []
  const isOpen = readGate(ask, result).open
  return readCandidates(ask, passages, result.idf, 'en').flatMap(
    ({ clause, ranked, read, found }) => {
      const units = ranked.map((one) => ({
        candidate: one,
        features: one.features,
        isAnswer: wanted?.test(withoutQuotes(render(clause, [one], read))) === true,
      }))
      return found === null || units.length === 0 ? [] : [{ found, isOpen, units }]
    },
  )
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
    for (const { base, units } of parts)
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
function signs({ found, units }) {
  const ranked = units
    .map(({ candidate, odds }) => ({ ...candidate, odds }))
    .sort((one, other) => other.odds - one.odds)
  return signsOf(found, ranked)
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
  const scale = deviations(some.map(({ row }) => row)).map((one, at) =>
    KINDS.has(at) ? one * KIND_COSTS : one,
  )
  const scaled = some.map(({ row, canAnswer }) => ({
    x: Float64Array.of(1, ...row.map((one, at) => one / scale[at])),
    canAnswer,
  }))
  const pull = (given, slope) => {
    let all = 0
    for (const { x, canAnswer } of scaled) {
      const counts = canAnswer ? 1 : COUNTS
      all += counts
      add(slope, x, counts * (1 / (1 + Math.exp(-dot(given, x))) - (canAnswer ? 1 : 0)))
    }
    return all
  }
  const keep = (given) => {
    for (const at of LACKS) given[at + 1] = Math.min(0, given[at + 1])
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

function write(order, { always, weights }) {
  const [head, ...rest] = readFileSync(OUT, 'utf8').split('= {\n')
  const lines = (given, all) =>
    given.map((name, at) => `  ${name}: ${Number(all[at].toFixed(2))},\n`).join('')
  const between = rest[0].slice(rest[0].indexOf('}\n'))
  const chance = lines(['always', ...signNames], [always, ...weights])
  writeFileSync(OUT, `${head}= {\n${lines(names, order)}${between}= {\n${chance}}\n`)
}
