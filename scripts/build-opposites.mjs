/**
 * `node scripts/build-opposites.mjs [file]`: writes `src/language/opposites.lazy.ts`, or that file, from
 * `scripts/opposites/LANG.txt`: a group of words that exclude each other in each line, its sides parted by `/`, words of one
 * side by `,`, `_` for a blank. They are read here as the check reads a sentence, since a stem takes 25 µs. Left out is what
 * the check tells without them: rivals of the language packs, words that a prefix turns round, and groups of rare words alone,
 * which are names to it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadLocal } from './eval/load-local.mjs'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(import.meta.dirname, 'opposites')
/** A short line of Han characters does not tell which of the two it is written in. */
const TOGETHER = { 'zh-TW': 'zh' }
/** One sign stands in words of every kind. */
const LEAST_SIGNS = 2

const {
  isCommonWord,
  isOpposite,
  loadCommonWords,
  LATIN_MODE,
  lexiconOf,
  readTokens,
  SIDES,
  THESAURUS,
} = await loadLocal('scripts/local-words.ts')
await loadCommonWords()

const lines = {}
for (const file of readdirSync(SOURCES).sort()) {
  const code = basename(file, '.txt')
  const read = readFileSync(join(SOURCES, file), 'utf8').split(/\r?\n/u)
  const wanted = read.map((line) => line.trim()).filter((line) => line !== '' && line[0] !== '#')
  const language = TOGETHER[code] ?? code
  lines[language] = [...(lines[language] ?? []), ...wanted]
}
const fields = Object.entries(lines).map(
  ([language, some]) => `  ${language}:\n    '${groupsOf(language, some).join(';')}',`,
)
writeFileSync(
  process.argv[2] ?? join(ROOT, 'src', 'language', 'opposites.lazy.ts'),
  `// Written by scripts/build-opposites.mjs from scripts/opposites.
/* biome-ignore-all format: written by a script */
/* biome-ignore-all lint: written by a script */
/** Groups of stems that exclude each other, by language: sides are parted by \`/\`, words of one side by \`,\`. */
export const OPPOSITES: Readonly<Record<string, string>> = {
${fields.join('\n')}
}
`,
)

function groupsOf(language, some) {
  const lexicon = lexiconOf(language)
  const reading = { lexicon, mode: LATIN_MODE[language] ?? 'english' }
  const synonyms = new Set(
    (THESAURUS[language]?.synonyms ?? '').split(';').flatMap((group) => {
      const words = group.split(' ')
      return words.flatMap((one) => words.map((other) => `${one} ${other}`))
    }),
  )
  const groups = some.map((line) => groupOf(line, { reading, synonyms }))
  const sizes = groups
    .filter((sides) => sides.length > 1 && sides.flat().some(isEveryday))
    .filter((sides) => !isKnown(sides, lexicon))
    .map((sides) => sides.map(everydayOf))
    .sort((a, b) => count(b) - count(a))
  const known = []
  for (const group of sizes) if (!known.some((other) => isWithin(group, other))) known.push(group)
  return known.map((sides) => sides.map((words) => words.join(',')).join('/')).sort()
}

/** The sides of a line as stems, without what is no opposite to the check. */
function groupOf(line, { reading, synonyms }) {
  const { units } = reading.lexicon
  const written = line.split('/').map((side) => side.split(',').map(spaced))
  // Two weeks are fourteen days: what units say is told by figures.
  const isUnit = (side) => side.some((word) => units.has(word))
  if (written.filter(isUnit).length > 1) return []
  const sides = written.map((side) => [
    ...new Set(side.flatMap((word) => stemsOf(word, reading) ?? [])),
  ])
  const isElsewhere = (word, at) =>
    sides.some(
      (side, other) =>
        other !== at && side.some((one) => one === word || synonyms.has(`${one} ${word}`)),
    )
  return sides
    .map((side, at) => side.filter((word) => !isElsewhere(word, at)))
    .filter((side) => side.length > 0)
}

/** A word or phrase as the check compares it; null where it reads a figure, or nothing that says something. */
function stemsOf(word, reading) {
  const tokens = readTokens(word, reading)
  const signs = tokens.filter(({ kind }) => kind === 'sign').length
  if (tokens.length === 0 || tokens.some(({ kind }) => kind === 'figure')) return null
  if (signs > 0 && signs < LEAST_SIGNS) return null
  return tokens.map(({ key }) => key).join(signs > 0 ? '' : ' ')
}

function isEveryday(word) {
  return word.split(' ').every(isCommonWord)
}

/** The everyday words of a side, or its first one. */
function everydayOf(side) {
  const everyday = side.filter(isEveryday)
  return everyday.length > 0 ? everyday : side.slice(0, 1)
}

/** Whether the check tells every word of a side from those of all others without the list. */
function isKnown(sides, lexicon) {
  const excludes = (one, other) => {
    const [mine, theirs] = [one, other].map((word) => rivalsOf(word, lexicon))
    const group = (side) => Math.floor(side / SIDES)
    return (
      isOpposite(one, other) ||
      mine.some((side) => theirs.some((there) => there !== side && group(there) === group(side)))
    )
  }
  return sides.every((side, at) =>
    sides.slice(at + 1).every((rest) => side.every((a) => rest.every((b) => excludes(a, b)))),
  )
}

function rivalsOf(word, { rivalAt, unspaced }) {
  const words = unspaced ? [...word] : word.split(' ')
  const found = rivalAt(words, 0)
  return found?.length === words.length ? found.value : []
}

function isWithin(group, other) {
  return group.every((side) => other.some((one) => side.every((word) => one.includes(word))))
}

function count(group) {
  return group.flat().length
}

function spaced(word) {
  return word.replaceAll('_', ' ').trim()
}
