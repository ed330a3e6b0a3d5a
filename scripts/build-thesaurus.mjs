/**
 * `node scripts/build-thesaurus.mjs [file]`: writes `src/language/thesaurus.lazy.ts`, or that file, from `scripts/thesaurus`: `synonyms` holds
 * groups of words that mean the same in any text, `kin` of words that visitors of small organisations use for one another,
 * `verbs` everyday verbs, `small` words that any text has. Words are stemmed here, because a stem takes 25 µs and a turn has no
 * tenth of a second for those of all.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadLocal } from './eval/load-local.mjs'

/** How Latin words of a language are stemmed; all others are told by their script. */
const MODES = { es: 'spanish', fr: 'french', de: 'german', tr: 'turkish' }
const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(import.meta.dirname, 'thesaurus')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A word of more groups says too little. */
const MAX_GROUPS = 6

const { foldText, wordToken } = await loadLocal('scripts/local-words.ts')

/** A short line of Han characters does not tell which of the two it is written in. */
const TOGETHER = { 'zh-TW': 'zh' }
const MAX_TOGETHER = 10
/** Groups that share so much are one. */
const ALIKE = 0.67
/** Another ending of a word of which so much is the same is found without being listed; see `settleTerms`. */
const SAME_START = 0.7
const LONG = 5

const synonyms = each('synonyms', (language, words) =>
  stemsOf(language, words).map(spaced).join(';'),
)
const kin = each('kin', (language, words) => {
  const stems = stemsOf(language, words)
  const counts = new Map()
  for (const word of stems.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const telling = stems.map((group) => group.filter((word) => counts.get(word) <= MAX_GROUPS))
  return joinAlike(telling)
    .map((group) => withoutEndings(group).sort())
    .filter((group) => group.length > 1)
    .map(spaced)
    .sort()
    .join(';')
})
const verbs = each('verbs', foldAll)
const small = each('small', foldAll)
// A language's lists stand together: so they pack better.
const languages = Object.keys({ ...synonyms, ...kin, ...verbs, ...small }).sort()
const lists = languages.map((language) => {
  const fields = Object.entries({ synonyms, kin, verbs, small }).flatMap(([name, of]) =>
    of[language] === undefined ? [] : [`    ${name}:\n      '${of[language]}',\n`],
  )
  return `  ${language}: {\n${fields.join('')}  },\n`
})
writeFileSync(
  process.argv[2] ?? join(ROOT, 'src', 'language', 'thesaurus.lazy.ts'),
  `// Written by scripts/build-thesaurus.mjs from scripts/thesaurus.
/* biome-ignore-all format: written by a script */
/* biome-ignore-all lint: written by a script */
export interface ThesaurusLists {
  /** Groups of stems that mean the same in any text. */
  synonyms?: string
  /** Groups of stems that visitors use for one another. */
  kin?: string
  /** Everyday verbs, folded. */
  verbs?: string
  /** Words that say little by themselves, folded. */
  small?: string
}
export const THESAURUS: Readonly<Record<string, ThesaurusLists>> = {
${lists.join('')}}
`,
)

function stemsOf(language, lines) {
  const mode = MODES[language] ?? 'english'
  return lines.map((line) => [...new Set(line.split(' ').map((word) => stem(word, mode)))])
}

function foldAll(_, lines) {
  return [...new Set(lines.flatMap((line) => line.split(' ')).map(fold))].join(' ')
}

function spaced(group) {
  return group.join(' ')
}

/** What `make` makes of the lines of each language's list. */
function each(kind, make) {
  const lines = {}
  for (const file of readdirSync(join(SOURCES, kind)).sort()) {
    const language = basename(file, '.txt')
    const key = TOGETHER[language] ?? language
    const read = readFileSync(join(SOURCES, kind, file), 'utf8').split(/\r?\n/)
    lines[key] = [...(lines[key] ?? []), ...read.map((line) => line.trim()).filter(Boolean)]
  }
  return Object.fromEntries(
    Object.entries(lines).map(([language, some]) => [language, make(language, some)]),
  )
}

function joinAlike(groups) {
  const joined = []
  for (const group of groups.sort((one, other) => other.length - one.length)) {
    const into = joined.find((other) => {
      const shared = group.filter((word) => other.includes(word)).length
      const together = new Set([...other, ...group]).size
      return shared / group.length >= ALIKE && together <= MAX_TOGETHER
    })
    if (into) into.push(...group.filter((word) => !into.includes(word)))
    else joined.push([...group])
  }
  return joined
}

function withoutEndings(group) {
  return group.filter((word, at) => !group.slice(0, at).some((other) => beginsAlike(word, other)))
}

function beginsAlike(one, other) {
  const shorter = Math.min(one.length, other.length)
  const start = Math.max(LONG, Math.ceil(shorter * SAME_START))
  return shorter > LONG && one.slice(0, start) === other.slice(0, start)
}

function fold(word) {
  return foldText(word).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function stem(word, mode) {
  const folded = fold(word)
  return UNSPACED.test(folded) ? folded : wordToken(folded, mode)
}
