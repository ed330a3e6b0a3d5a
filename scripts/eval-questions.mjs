/**
 * `npm run eval:questions [-- --half report|tune|all --only kind --show wrong]`: natural questions over three kinds of bases (small shops in
 * seven languages, the demo guides, READMEs of installed packages) through the product's reader, base, gate, offline answerer
 * and check. Rules were tuned on one half (by a hash of the question); the other half is what is reported. Exits with 1 below
 * the goals. `asked back` counts whole questions, and single words of which the guides speak in several places, that an agent
 * with `ambiguity_check` answers with a question.
 */
import { parseArgs } from 'node:util'
import { loadLocal } from './eval/load-local.mjs'
import { baseOpener, QUESTION_SETS, readQuestions } from './eval/question-sets.mjs'
import { halfOf, WHOLE_SETS } from './eval/split-half.mjs'

/** Shares of the answerable questions, and of the others that may be answered. */
const GOALS = { right: 0.8, refused: 0.06, answered: 0.08 }
/** Shares of whole questions and of single words that an agent with `ambiguity_check` asks back. */
const ASKED_BACK = { questions: 0.03, words: 0.8 }
/** What the demo guides speak of in several places. */
const WORDS = {
  en: ['limit', 'key', 'delete', 'export'],
  es: ['límite', 'clave', 'borrar'],
  ru: ['ключ', 'удалить'],
  zh: ['限制', '密钥', '删除'],
  'zh-TW': ['限制', '金鑰', '刪除'],
  fr: ['limite', 'clé', 'supprimer'],
  ar: ['حد', 'مفتاح', 'حذف'],
}
const words = []
const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    only: { type: 'string' },
    show: { type: 'string' },
    set: { type: 'string' },
  },
})
/** The page has no words of its own in the other languages of these questions. */
const PAGE_LANGUAGES = Object.keys(WORDS)
const { openLocalBase, askLocally } = await loadLocal('scripts/eval/local-turn.ts')
const openBase = baseOpener(openLocalBase)
const rows = []
for (const set of QUESTION_SETS) if (!values.set || values.set === set) await ask(set)
report()

async function ask(set) {
  for (const group of readQuestions(set)) {
    const base = await openBase(group)
    if (set === 'demo')
      for (const word of WORDS[group.lang])
        words.push({ lang: group.lang, word, asked: await asksBack(base, word, group.lang) })
    for (const [ask, answer, kind, before] of group.questions)
      await put(base, set, { lang: group.lang, half: group.half, ask, answer, kind, before })
  }
}

async function put(base, set, question) {
  const half = question.half ?? WHOLE_SETS[set] ?? halfOf(question.ask)
  if (values.half !== 'all' && half !== values.half) return
  if (values.only && question.kind !== values.only) return
  const lang = PAGE_LANGUAGES.includes(question.lang) ? question.lang : 'en'
  const started = performance.now()
  const { reply, finishReason, passages, stage } = await askLocally(base, question.ask, {
    lang,
    history: await dialogueBefore(base, question.before, lang),
  })
  const ms = performance.now() - started
  const answered = finishReason !== 'no_match'
  const wanted = question.answer === null ? null : new RegExp(question.answer, 'isu')
  const result =
    wanted === null
      ? answered
        ? 'answered'
        : 'right'
      : !answered
        ? 'refused'
        : wanted.test(reply)
          ? 'right'
          : 'wrong'
  const found = wanted === null ? null : passages.some((passage) => wanted.test(passage.text))
  const asked = question.before ? null : await asksBack(base, question.ask, lang)
  rows.push({ set, ...question, result, reply, found, ms, stage, asked })
  if (values.show === 'all' || (values.show && result === values.show))
    console.log(
      `${result}${result === 'refused' ? ` by ${stage}` : ''} ${set}/${question.lang} ${question.ask}${found === false ? ' (not found)' : ''}\n    ${reply.replaceAll('\n', '\n    ')}`,
    )
}

/** What a follow-up leans on: a list of questions is asked, one that stands alone got an answer that says nothing. */
async function dialogueBefore(base, before, lang) {
  const history = []
  for (const content of [before ?? []].flat()) {
    const reply = Array.isArray(before)
      ? (await askLocally(base, content, { lang, history })).reply
      : 'As said.'
    history.push({ role: 'user', content }, { role: 'assistant', content: reply })
  }
  return history
}

/** Whether an agent that may would ask which of several things is meant. */
async function asksBack(base, message, lang) {
  const config = { ambiguity_check: true }
  const { finishReason } = await askLocally(base, message, { lang, config })
  return finishReason === 'clarify'
}

function report() {
  const line = (name, some) => {
    const can = some.filter((row) => row.answer !== null)
    const cannot = some.filter((row) => row.answer === null)
    const count = (all, result) => all.filter((row) => row.result === result).length
    console.log(
      `${name.padEnd(20)} answerable ${String(can.length).padStart(3)}: right ${count(can, 'right')}, wrong ${count(can, 'wrong')}, refused ${count(can, 'refused')}, in the top six ${can.filter((row) => row.found).length}; unanswerable ${cannot.length}: answered ${count(cannot, 'answered')}`,
    )
  }
  for (const set of new Set(rows.map((row) => row.set)))
    line(
      set,
      rows.filter((row) => row.set === set),
    )
  for (const lang of new Set(rows.map((row) => row.lang)))
    line(
      lang,
      rows.filter((row) => row.lang === lang),
    )
  for (const kind of new Set(rows.map((row) => row.kind)))
    line(
      kind,
      rows.filter((row) => row.kind === kind),
    )
  line('all', rows)
  causes(rows.filter((row) => row.answer !== null && row.result !== 'right'))
  const whole = rows.filter(({ asked }) => asked !== null)
  for (const [name, some] of Object.entries({ questions: whole, words }))
    console.log(`asked back of ${some.length} ${name}: ${countAsked(some)}`)
  const isAsked = (some) => (some.length === 0 ? null : countAsked(some) / some.length)
  const [ofQuestions, ofWords] = [isAsked(whole) ?? 0, isAsked(words) ?? 1]
  const asksWell = ofQuestions < ASKED_BACK.questions && ofWords >= ASKED_BACK.words
  process.exitCode = reachesGoals(rows) && asksWell ? 0 : 1
}

function countAsked(some) {
  return some.filter(({ asked }) => asked).length
}

/** By what answerable questions were not answered rightly; a wrong answer's fact was found or was not. */
function causes(missed) {
  const counts = new Map()
  for (const { result, stage, found } of missed) {
    const fact = found ? 'found' : 'not found'
    const cause = result === 'refused' ? `refused by ${stage}, fact ${fact}` : `wrong, fact ${fact}`
    counts.set(cause, (counts.get(cause) ?? 0) + 1)
  }
  for (const [cause, count] of [...counts].sort((one, other) => other[1] - one[1]))
    console.log(`${cause}: ${count}`)
}

function reachesGoals(all) {
  const can = all.filter((row) => row.answer !== null)
  const cannot = all.filter((row) => row.answer === null)
  const share = (some, result) =>
    some.length === 0 ? 0 : some.filter((row) => row.result === result).length / some.length
  return (
    share(can, 'right') >= GOALS.right &&
    share(can, 'refused') <= GOALS.refused &&
    share(cannot, 'answered') <= GOALS.answered
  )
}
