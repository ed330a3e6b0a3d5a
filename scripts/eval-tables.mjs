/**
 * `n24 scripts/eval-tables.mjs [--half report|tune|all]`: what the check does with the claims about tables in
 * `eval/questions/tables.json`, each said behind the mark of the passage that holds most of the true one, with a verifier that
 * answers nothing: kept, asked about or dropped.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadLocal } from './eval/load-local.mjs'
import { baseOpener } from './eval/question-sets.mjs'

const { values } = parseArgs({ options: { half: { type: 'string', default: 'report' } } })
const { openLocalBase } = await loadLocal('scripts/eval/local-turn.ts')
const { replyLocally, scriptedModel } = await loadLocal('scripts/eval/local-check.ts')
const open = baseOpener(openLocalBase)
const set = join(import.meta.dirname, 'eval', 'questions', 'tables.json')
const counts = { true: {}, false: {} }
for (const { claims, ...group } of JSON.parse(readFileSync(set, 'utf8')).groups) {
  const base = await open(group)
  for (const [at, [question, right, wrong]] of claims.entries()) {
    if (values.half !== 'all' && values.half !== ['report', 'tune'][at % 2]) continue
    for (const said of [right, wrong]) {
      const outcome = await judge(base, { question, said, right, lang: group.lang })
      const row = counts[said === right]
      row[outcome] = (row[outcome] ?? 0) + 1
    }
  }
}
console.log(counts)

async function judge(base, { question, said, right, lang }) {
  const { hits, idf } = await base.search('eval-base', said, 6)
  const passages = hits.map((hit, at) => ({ ...hit, base: 'eval', n: at + 1 }))
  const words = [...new Set(right.toLowerCase().match(/\p{N}+|\p{L}+/gu))]
  const held = passages.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)))
  const most = Math.max(...held.map(({ length }) => length))
  const n = held.findIndex(({ length }) => length === most) + 1
  const text = said.replace(/([.。])$/u, ` [${n}]$1`)
  let outcome = 'dropped'
  const verify = async () => {
    outcome = 'asked'
    return new Map()
  }
  const model = scriptedModel({ text, cut: 7, atLimit: false })
  const { finishReason } = await replyLocally({ passages, idf, question, lang, model, verify })
  return finishReason === 'stop' ? 'kept' : outcome
}
