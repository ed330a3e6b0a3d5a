/**
 * `node scripts/fit-answers.mjs [--write]`: fits the weights by which the offline answerer orders the sentences of a small base
 * (`src/models/offline/answer-weights.ts`) on the tune sets and tune halves of `npm run eval:questions`. A sentence is the
 * answer where the pattern of the right answer is in it as it is rendered. What is maximised is the chance, by a softmax over
 * all sentences found, that an answer stands first, less L2. Prints, on bases that a fit has not seen (six folds), how often an
 * answer stands first and among the first three, by the score alone and by the weights. No randomness: two runs give the same.
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
const L2 = 5
const STEPS = 150
const RATE = 0.5

const { values } = parseArgs({ options: { write: { type: 'boolean' } } })
const { askLocally, openLocalBase, readCandidates, render } = await loadLocal(
  'scripts/eval/local-answers.ts',
)
const lists = await collect()
const names = Object.keys(lists[0].units[0].features)
for (const list of lists)
  for (const unit of list.units) unit.values = names.map((name) => unit.features[name])
const seen = crossValidate()
console.log(
  `of ${lists.length} questions, an answer first / among the first three, on unseen bases:`,
)
console.log(`  by score ${seen.byScore.join(' / ')}, by weights ${seen.byWeights.join(' / ')}`)
if (values.write) write(fitWeights(lists))

/** The sentences of each question that one of them answers, and not all. */
async function collect() {
  const found = []
  let base = 0
  for (const set of SETS) {
    if (WHOLE_SETS[set] === 'report') continue
    const path = join(import.meta.dirname, 'eval', 'questions', `${set}.json`)
    for (const { documents = {}, questions } of JSON.parse(readFileSync(path, 'utf8'))) {
      if (Object.keys(documents).length === 0) continue
      base++
      const local = await openLocalBase()
      for (const [name, text] of Object.entries(documents)) await local.addText(name, text, 'md')
      for (const [ask, answer, , before] of questions) {
        if (answer === null || before) continue
        if (WHOLE_SETS[set] === undefined && halfOf(ask) !== 'tune') continue
        found.push(...(await listsOf(local, ask, new RegExp(answer, 'isu'), base)))
      }
    }
  }
  return found
}

async function listsOf(local, ask, wanted, base) {
  let idf = null
  const search = async (...given) => {
    const result = await local.search(...given)
    idf = result?.idf ?? null
    return result
  }
  const { passages } = await askLocally({ ...local, search }, ask)
  if (idf === null) return []
  return readCandidates(ask, passages, idf, 'en').flatMap(({ clause, ranked, read }) => {
    const units = ranked.flatMap((one) =>
      one.features === null
        ? []
        : [
            {
              features: one.features,
              isAnswer: wanted.test(withoutQuotes(render(clause, [one], read))),
            },
          ],
    )
    const answers = units.filter(({ isAnswer }) => isAnswer).length
    return answers === 0 || answers === units.length ? [] : [{ base, units }]
  })
}

function withoutQuotes(text) {
  return text.replaceAll(/\[(\d+)\|[^\]]*\]/g, '[$1]')
}

function crossValidate() {
  const byScore = [0, 0]
  const byWeights = [0, 0]
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitWeights(lists.filter(({ base }) => base % FOLDS !== fold))
    for (const { base, units } of lists) {
      if (base % FOLDS !== fold) continue
      count(byScore, units, ({ features }) => features.score)
      count(byWeights, units, (unit) => dot(weights, unit.values))
    }
  }
  return { byScore, byWeights }
}

function count(counts, units, score) {
  const sorted = units.toSorted((one, other) => score(other) - score(one))
  if (sorted[0].isAnswer) counts[0]++
  if (sorted.slice(0, 3).some(({ isAnswer }) => isAnswer)) counts[1]++
}

/** Gradient ascent with a rate for each weight that falls as it moves (Adagrad); features are scaled to a deviation of 1. */
function fitWeights(some) {
  const scale = deviations(some)
  const scaled = some.map(({ units }) =>
    units.map(({ values: all, isAnswer }) => ({
      x: all.map((value, at) => value / scale[at]),
      isAnswer,
    })),
  )
  const weights = names.map(() => 0)
  const moved = names.map(() => 1e-8)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight) => (L2 * weight) / some.length)
    for (const units of scaled) {
      const odds = units.map(({ x }) => dot(weights, x))
      const most = Math.max(...odds)
      const chances = odds.map((one) => Math.exp(one - most))
      const all = chances.reduce((sum, one) => sum + one, 0)
      const right = chances.reduce((sum, one, at) => sum + (units[at].isAnswer ? one : 0), 0)
      for (const [at, { x, isAnswer }] of units.entries()) {
        const pull = (chances[at] / all - (isAnswer ? chances[at] / right : 0)) / some.length
        for (const [name, value] of x.entries()) slope[name] += pull * value
      }
    }
    for (const [at, one] of slope.entries()) {
      moved[at] += one * one
      weights[at] -= (RATE * one) / Math.sqrt(moved[at])
    }
  }
  return weights.map((weight, at) => weight / scale[at])
}

function deviations(some) {
  const rows = some.flatMap(({ units }) => units.map((unit) => unit.values))
  return names.map((_, at) => {
    const mean = rows.reduce((sum, row) => sum + row[at], 0) / rows.length
    const spread = rows.reduce((sum, row) => sum + (row[at] - mean) ** 2, 0) / rows.length
    return Math.sqrt(spread) || 1
  })
}

function dot(weights, row) {
  let sum = 0
  for (const [at, weight] of weights.entries()) sum += weight * row[at]
  return sum
}

function write(weights) {
  const before = readFileSync(OUT, 'utf8')
  const lines = names.map((name, at) => `  ${name}: ${Number(weights[at].toFixed(2))},`)
  writeFileSync(OUT, `${before.slice(0, before.indexOf('= {') + 3)}\n${lines.join('\n')}\n}\n`)
}
