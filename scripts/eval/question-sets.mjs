/** The sets of questions, all in one form: some documents, and what is asked of them in one language. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WHOLE_SETS } from './split-half.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const SETS = join(import.meta.dirname, 'questions')
const GUIDES = ['en', 'es', 'ru', 'zh', 'zh-TW', 'fr', 'ar']

/** From the fourth on: written when the rules were there, over documents that nothing was tuned on until then. */
export const QUESTION_SETS = [
  'shops',
  'demo',
  'packages',
  'fresh',
  'desks',
  'plain',
  'newcomers',
  'guests',
  'manuals',
  'organisations-2',
  'passers-by',
  'townsfolk',
  'strangers',
  'walk-ins',
  'crowd',
  'drop-ins',
  'callers',
  'plain-things',
  'first-day',
  'near-misses',
  'small-bases',
  'tables',
  'slips',
  'talks',
  ...Object.keys(WHOLE_SETS),
]
const UNFITTED = new Set(
  'crowd drop-ins callers first-day near-misses small-bases tables slips talks'.split(' '),
)
/** Sets that the answerer's weights are fitted on. */
export const FITTED_SETS = QUESTION_SETS.filter((set) => !UNFITTED.has(set))

/**
 * A set's groups `{lang, half, files, own, documents, guides, questions: [ask, answer, kind, before][]}`; the answer is null where
 * there is none. A group that names its half lies in it whole, a set with a `note` has its groups under `groups`.
 */
export function readQuestions(set) {
  const read = JSON.parse(readFileSync(join(SETS, `${set}.json`), 'utf8'))
  if (set === 'demo') return byLanguage(read)
  if (set === 'packages') return [{ ...read, files: read.documents, documents: {} }]
  if (set === 'slips') return read.groups.map(slipped)
  if (set === 'tables') return read.groups.flatMap(everyOther)
  return (read.groups ?? read).map((group) => (group.talks ? withTalks(group) : group))
}

/** A group whose questions lie in the report half and the other by turns. */
const everyOther = ({ questions, ...group }) =>
  ['report', 'tune'].map((half, at) => ({
    ...group,
    half,
    questions: questions.filter((_, i) => i % 2 === at),
  }))

/** A group of another set, whose questions are typed with slips. */
function slipped({ lang, half, of, group, questions }) {
  const asked = readQuestions(of)[group]
  const answers = new Map(asked.questions)
  return {
    ...asked,
    lang,
    half,
    questions: questions.map(([as, typed, kind]) => [typed, answers.get(as), kind]),
  }
}

/** A group of whole talks: each of their turns is a question behind those before it. */
function withTalks({ talks, of: [set, at] = [], ...group }) {
  const base = set === undefined ? { guides: GUIDES } : readQuestions(set)[at]
  const questions = talks.flatMap((talk) =>
    talk.flatMap(([ask, answer, kind], turn) =>
      kind === undefined
        ? []
        : [[ask, answer, kind, turn === 0 ? undefined : talk.slice(0, turn).map(([said]) => said)]],
    ),
  )
  return { ...base, ...group, questions }
}

/** Of the demo's set, whose questions name their language. */
function byLanguage({ questions, followUps }) {
  const all = [
    ...questions.map(([lang, ...rest]) => ({ lang, question: rest })),
    ...followUps.map(([lang, before, ask, answer]) => ({
      lang,
      question: [ask, answer, 'follow-up', before],
    })),
  ]
  return [...Map.groupBy(all, ({ lang }) => lang)].map(([lang, some]) => ({
    lang,
    guides: GUIDES,
    questions: some.map(({ question }) => question),
  }))
}

/** Opens a group's base; groups of the same documents share one. */
export function baseOpener(openLocalBase) {
  const opened = new Map()
  return ({ files = [], own = [], documents = {}, guides = [] }) => {
    const key = JSON.stringify([files, own, documents, guides])
    const base = opened.get(key) ?? fill(openLocalBase, { files, own, documents, guides })
    opened.set(key, base)
    return base
  }
}

async function fill(openLocalBase, { files, own, documents, guides }) {
  const base = await openLocalBase()
  for (const path of files) await base.add(join(ROOT, 'node_modules', path), path)
  for (const path of own) await base.add(join(SETS, path), path)
  for (const [name, text] of Object.entries(documents))
    await base.addText(name, text, name.split('.').at(-1))
  for (const folder of guides) await addGuides(base, folder)
  await base.settle()
  return base
}

async function addGuides(base, folder) {
  const path = join(ROOT, 'demo', 'help-desk', folder)
  for (const file of readdirSync(path)) await base.add(join(path, file), `${folder}/${file}`)
}
