import type { IdfTable } from '../knowledge/types'
import { EVIDENCE_PACKS } from '../language/packs'
import { wordToken } from './analyze'
import { leanToTraditional } from './chinese-script'
import { foldText } from './fold'
import { modeOf } from './question-reader'

/** From this weight of a language’s most frequent word on, less than some third of a base’s passages are in that language. */
const THIRD = 1.1

const isOf = (script: RegExp) => (token: string) => script.test(token)

/** What is written in a language's own letters. */
const OWN_LETTERS: Readonly<Record<string, (token: string) => boolean>> = {
  zh: (token) => leanToTraditional(token) < 0,
  'zh-TW': (token) => leanToTraditional(token) > 0,
  ja: isOf(/[\p{Script=Hiragana}\p{Script=Katakana}]/u),
  ru: isOf(/\p{Script=Cyrillic}/u),
  ar: isOf(/\p{Script=Arabic}/u),
}

/**
 * A base's weights as if it held nothing but its passages in the question's language, by the code of its pack: of a base in
 * seven languages a question meets the words of one. How many passages those are is told by the most frequent word of it.
 */
export function ownIdf(code: string, idf: IdfTable): IdfTable {
  const known = own.get(idf) ?? new Map<string, IdfTable>()
  own.set(idf, known)
  const found = known.get(code) ?? readOwn(code, idf)
  known.set(code, found)
  return found
}

/** By a base's table, which stays the same until its passages change: a question would go through all of its words. */
const own = new WeakMap<IdfTable, Map<string, IdfTable>>()

function readOwn(code: string, idf: IdfTable): IdfTable {
  const isOurs = tellerOf(code)
  let most = Number.POSITIVE_INFINITY
  for (const [token, weight] of Object.entries(idf.common))
    if (weight < most && isOurs(token)) most = weight
  if (most < THIRD || most === Number.POSITIVE_INFINITY) return idf
  const common: Record<string, number> = {}
  for (const [token, weight] of Object.entries(idf.common))
    common[token] = Math.max(0, weight - most)
  return { common, rest: Math.max(0, idf.rest - most) }
}

const tellers = new Map<string, (token: string) => boolean>()

/** Tells a language's words by their letters, or by what is a function word of no other language in Latin letters. */
function tellerOf(code: string): (token: string) => boolean {
  const known = tellers.get(code) ?? OWN_LETTERS[code]
  if (known !== undefined) return known
  const words = functionWords(code)
  const teller = (token: string) => words.has(token)
  tellers.set(code, teller)
  return teller
}

function functionWords(code: string): ReadonlySet<string> {
  const latin = EVIDENCE_PACKS.filter((pack) => OWN_LETTERS[pack.code] === undefined)
  const others = new Set(
    latin.flatMap((pack) => (pack.code === code ? [] : tokensOf(pack.functionWords, pack.code))),
  )
  const own = latin.find((pack) => pack.code === code)?.functionWords ?? []
  return new Set(tokensOf(own, code).filter((token) => !others.has(token)))
}

const tokensOf = (words: readonly string[], code: string): string[] =>
  words.map((word) => wordToken(foldText(word), modeOf(code)))
