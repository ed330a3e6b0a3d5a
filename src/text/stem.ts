import { newStemmer } from 'snowball-stemmers'
import { foldText } from './fold'
import type { LatinMode } from './latin-language'
import { LONGEST_REMEMBERED } from './remembered'

const PREFIX_LETTERS = 6
/** A stem takes some microseconds, so stems are remembered; at this many the memory starts anew. */
const REMEMBERED_STEMS = 40_000

/** Common endings that a stemmer knows only with their accents, which folding took off. */
const ACCENTED: Partial<Record<Algorithm, (word: string) => string>> = {
  spanish: (word) => word.replace(/([cs])ion$/, '$1ión'),
  french: (word) => word.replace(/ee(s?)$/, 'ée$1'),
  portuguese: (word) => word.replace(/cao$/, 'ção').replace(/coes$/, 'ções'),
}

type Algorithm = Exclude<LatinMode, 'prefix'> | 'russian' | 'arabic'

const stemmers = new Map<Algorithm, { stem(word: string): string }>()
const remembered = new Map<Algorithm | 'prefix', Map<string, string>>()
let rememberedStems = 0

/** The stem of a folded word. Words of scripts without a stemmer are cut to their first letters. */
export function stemWord(word: string, latin: LatinMode): string {
  const algorithm = chooseAlgorithm(word, latin)
  const known = remembered.get(algorithm)?.get(word)
  if (known !== undefined) return known
  const stem = algorithm === 'prefix' ? cut(word) : stemBy(algorithm, word)
  if (word.length > LONGEST_REMEMBERED) return stem
  if (rememberedStems >= REMEMBERED_STEMS) {
    remembered.clear()
    rememberedStems = 0
  }
  const stems = remembered.get(algorithm) ?? new Map<string, string>()
  remembered.set(algorithm, stems.set(word, stem))
  rememberedStems += 1
  return stem
}

function chooseAlgorithm(word: string, latin: LatinMode): Algorithm | 'prefix' {
  const code = word.charCodeAt(0)
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return latin
  if (code >= 0x400 && code < 0x530) return 'russian'
  if (code >= 0x600 && code < 0x700) return 'arabic'
  return 'prefix'
}

function stemBy(algorithm: Algorithm, word: string): string {
  let stemmer = stemmers.get(algorithm)
  if (!stemmer) {
    stemmer = newStemmer(algorithm)
    stemmers.set(algorithm, stemmer)
  }
  const restored = ACCENTED[algorithm]?.(word) ?? word
  return foldText(stemmer.stem(restored)) || word
}

function cut(word: string): string {
  return word.length <= PREFIX_LETTERS ? word : [...word].slice(0, PREFIX_LETTERS).join('')
}
