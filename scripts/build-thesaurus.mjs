/**
 * `node scripts/build-thesaurus.mjs`: writes `src/language/thesaurus.lazy.ts` from `scripts/thesaurus/LANGUAGE.txt`, which
 * hold a group of words of one meaning in each line. They are stemmed here, because a stem takes 25 µs and a turn has no
 * tenth of a second for those of all.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** How Latin words of a language are stemmed; all others are told by their script. */
const MODES = { es: 'spanish', fr: 'french', de: 'german', tr: 'turkish' }
const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(import.meta.dirname, 'thesaurus')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A word of more groups says too little. */
const MAX_GROUPS = 6

const folder = mkdtempSync(join(tmpdir(), 'parley-thesaurus-'))
const outfile = join(folder, 'rules.mjs')
await build({
  stdin: {
    contents: `export { wordToken } from './src/text/analyze'
      export { foldText } from './src/text/fold'`,
    resolveDir: ROOT,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  logLevel: 'error',
})
const { foldText, wordToken } = await import(pathToFileURL(outfile).href)
rmSync(folder, { recursive: true, force: true })

/** A short line of Han characters does not tell which of the two it is written in. */
const TOGETHER = { 'zh-TW': 'zh' }
const texts = {}
for (const file of readdirSync(SOURCES).sort()) {
  const language = basename(file, '.txt')
  const key = TOGETHER[language] ?? language
  texts[key] = `${texts[key] ?? ''}\n${readFileSync(join(SOURCES, file), 'utf8')}`
}
const lines = Object.entries(texts).map(
  ([language, text]) => `  ${language}:\n    '${groupsOf(language, text).join(';')}',`,
)
writeFileSync(
  join(ROOT, 'src', 'language', 'thesaurus.lazy.ts'),
  `// Written by scripts/build-thesaurus.mjs from scripts/thesaurus: groups of stems of one meaning, by language.
/* biome-ignore-all format: written by a script */
/* biome-ignore-all lint: written by a script */
export const GROUPS: Readonly<Record<string, string>> = {
${lines.join('\n')}
}
`,
)

function groupsOf(language, text) {
  const groups = text
    .split('\n')
    .map((line) => [
      ...new Set(
        line
          .trim()
          .split(/\s+/)
          .filter((word) => word !== '')
          .map((word) => stem(word, MODES[language] ?? 'english')),
      ),
    ])
    .filter((group) => group.length > 1)
  const counts = new Map()
  for (const word of groups.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  return groups
    .map((group) => group.filter((word) => counts.get(word) <= MAX_GROUPS))
    .filter((group) => group.length > 1)
    .map((group) => group.join(' '))
}

function stem(word, mode) {
  const folded = foldText(word).replaceAll(/[^\p{L}\p{N}]/gu, '')
  return UNSPACED.test(folded) ? folded : wordToken(folded, mode)
}
