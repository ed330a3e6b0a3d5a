import { formatCitation } from '../../../chat/citations'
import { detectLanguage, sameLanguage } from '../../../chat/language'
import type { Language } from '../../../config'
import { tokensA, tokensB } from '../../../knowledge/analyze'
import {
  type AnalyzedSentence,
  analyzeSentences,
  idfOf,
  scoreSentences,
  unite,
  weightShare,
} from '../../../knowledge/score-sentences'
import type { IdfTable, Passage } from '../../../knowledge/types'

/** A sentence of a passage and how well its form answers, 0 to 1: a heading or a question does not. */
interface Cut extends AnalyzedSentence {
  fitness: number
}

interface Candidate extends Cut {
  passage: Passage
  /** Index within its passage. */
  at: number
  /** Share of the question found in the sentence, 0 to 1. */
  share: number
  /** The share with the priors of language, rank and number. */
  score: number
}

/**
 * A question is answered when its best passage holds this share of it (mean of the A-tokens' idf mass and the
 * B-tokens) and the best sentence at least `MIN_SHARE`. On the dev sets 97 % of the answerable questions pass; pairs of
 * characters match less than stems, so unspaced scripts have a threshold of their own.
 */
const MIN_FIT = { spaced: 0.4, unspaced: 0.35 }
const MIN_SHARE = { spaced: 0.18, unspaced: 0.15 }
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A second or third sentence must hold this much of the question compared with the best one… */
const FOLLOWER_SHARE = { samePassage: 0.6, otherPassage: 0.85 }
/** …and repeat no more than this of a chosen one's words. */
const MAX_OVERLAP = 0.7
const MAX_SENTENCES = 3
const MAX_LIST_ITEMS = 10
const RANK_WEIGHT = 0.3
const SAME_LANGUAGE_BONUS = 0.1
const NUMBER_BONUS = 0.05
const FULL_PRIORS_SHARE = 0.25
const UNFIT_FACTOR = 0.5

const ASKS_NUMBER =
  /\b(?:how (?:many|much|long|often|old|far|big|large)|when|what (?:year|date|time|percentage|number|size)|which year)\b|cu[áa]nt[oa]s?|cu[áa]ndo|qu[ée] (?:año|fecha)|combien|quand|quelle (?:année|date|taille)|сколько|когда|в каком году|多少|几|幾|什么时候|什麼時候|哪一年|何时|何時|多久|多大|كم|متى/iu
const ASKS_LIST =
  /\b(?:how (?:do|can|to|should|would)|steps?|which|what (?:are|kinds?|types?|formats?|options)|list)\b|c[óo]mo|pasos|cu[áa]les|comment|étapes|quels|quelles|как(?!ой|ая|ое)|шаги|какие|如何|怎么|怎麼|怎样|怎樣|步骤|步驟|哪些|كيف|خطوات|ما هي/iu
const LIST_ITEM = /^(?:[-*+•‣–]|\d{1,3}[.)、]|[a-z][.)])\s+/u
const LEAD_IN = /[:：]\s*$/u
const QUESTION = /[?？؟]\s*["'”’»)]*$/u
const HEADING = /^#{1,6}\s/u
/** A short line of words without a full stop: a heading whose mark the file's reader has taken off. */
const BARE_HEADING = /^[\p{L}\p{M}\p{N}\s,'’"“”«»()&+\-–—·、，]{1,80}$/u

/**
 * Answers a question with the best supporting sentences of the passages, in reading order, each with its citation mark;
 * null when no sentence fits. Steps and lists are quoted as lists. Pure and deterministic.
 */
export function extractAnswer(
  question: string,
  passages: readonly Passage[],
  idf: IdfTable,
  lang: Language,
): string | null {
  const ranked = rankSentences(question, passages, idf, lang)
  const [best] = ranked
  if (best === undefined || !fits(question, best, ranked, idf)) return null
  const list = quoteList(question, best, ranked)
  if (list !== null) return list
  const chosen = chooseSentences(best, ranked)
  return chosen.map((one) => cite(one.text.replace(LIST_ITEM, ''), one.passage)).join(' ')
}

function fits(
  question: string,
  best: Candidate,
  ranked: readonly Candidate[],
  idf: IdfTable,
): boolean {
  const script = UNSPACED.test(question) ? 'unspaced' : 'spaced'
  const own = ranked.filter((candidate) => candidate.passage === best.passage)
  const { title } = best.passage
  const a = new Set([...own.flatMap((one) => [...one.a]), ...tokensA(title, best.mode)])
  const b = new Set([...own.flatMap((one) => [...one.b]), ...tokensB(title)])
  const heldA = weightShare(new Set(tokensA(question, best.mode)), a, (token) => idfOf(idf, token))
  const heldB = weightShare(new Set(tokensB(question)), b, () => 1)
  return (heldA + heldB) / 2 >= MIN_FIT[script] && best.share >= MIN_SHARE[script]
}

/** Every sentence of the passages, best first. Exported for the evaluation of answer hits. */
export function rankSentences(
  question: string,
  passages: readonly Passage[],
  idf: IdfTable,
  lang: Language,
): Candidate[] {
  const asked = detectLanguage(question) ?? lang
  const cut = passages.map((passage) => withContext(analyzeSentences(passage.text), passage))
  const scores = scoreSentences(question, cut.flat(), idf)
  const top = Math.max(...passages.map((passage) => passage.score), Number.MIN_VALUE)
  const known = new Set(question.match(/\d+/gu))
  const asksNumber = ASKS_NUMBER.test(question)
  let k = 0
  const candidates = passages.flatMap((passage, index) => {
    const speaks = sameLanguage(detectLanguage(passage.text), asked) ? SAME_LANGUAGE_BONUS : 0
    const rank = RANK_WEIGHT * Math.max(0, passage.score / top)
    return (cut[index] ?? []).map((sentence, at): Candidate => {
      const share = scores[k++] ?? 0
      const numbers = sentence.text.match(/\d+/gu) ?? []
      const number = asksNumber && numbers.some((found) => !known.has(found)) ? NUMBER_BONUS : 0
      // Priors order what already fits; a sentence with hardly a word of the question gains hardly anything.
      const priors = (speaks + rank + number) * Math.min(1, share / FULL_PRIORS_SHARE)
      const score = share * sentence.fitness + priors
      return { ...sentence, passage, at, share, score }
    })
  })
  return candidates.sort((x, y) => y.score - x.score || x.passage.n - y.passage.n || x.at - y.at)
}

/** Headings and questions repeat the question's words but do not answer it. */
function fitnessOf(
  { text, end }: AnalyzedSentence,
  next: AnalyzedSentence | undefined,
  passage: string,
): number {
  if (HEADING.test(text) || QUESTION.test(text)) return UNFIT_FACTOR
  const isHeading =
    next !== undefined &&
    BARE_HEADING.test(text) &&
    !LIST_ITEM.test(text) &&
    !QUESTION.test(next.text) &&
    passage.slice(end, next.start).includes('\n')
  return isHeading ? UNFIT_FACTOR : 1
}

/** A sentence also stands for the heading, question or lead-in right before it: it carries their words. */
function withContext(cut: AnalyzedSentence[], passage: Passage): Cut[] {
  let context = passage.heading === null ? null : (analyzeSentences(passage.heading)[0] ?? null)
  return cut.map((sentence, at) => {
    const introduced = context
    const fitness = fitnessOf(sentence, cut[at + 1], passage.text)
    if (fitness < 1 || LEAD_IN.test(sentence.text)) {
      context = sentence
      return { ...sentence, fitness }
    }
    if (!LIST_ITEM.test(sentence.text)) context = null
    if (introduced === null) return { ...sentence, fitness }
    const a = unite(sentence.a, introduced.a)
    return { ...sentence, fitness, a, b: unite(sentence.b, introduced.b) }
  })
}

function chooseSentences(best: Candidate, ranked: readonly Candidate[]): Candidate[] {
  const chosen = [best]
  for (const candidate of ranked) {
    if (chosen.length === MAX_SENTENCES) break
    const where = candidate.passage === best.passage ? 'samePassage' : 'otherPassage'
    if (candidate.share < Math.max(FOLLOWER_SHARE[where] * best.share, MIN_SHARE.unspaced)) continue
    if (candidate.fitness < 1 || LEAD_IN.test(candidate.text)) continue
    if (chosen.some((one) => overlap(one, candidate) > MAX_OVERLAP)) continue
    chosen.push(candidate)
  }
  return chosen.sort((x, y) => x.passage.n - y.passage.n || x.at - y.at)
}

/** Share of the shorter sentence's words that the longer one holds too. */
function overlap(one: Candidate, other: Candidate): number {
  const smaller = Math.min(one.a.size, other.a.size)
  return smaller === 0 ? 1 : [...one.a].filter((token) => other.a.has(token)).length / smaller
}

/** The list that the best sentence introduces or, when the question asks for one, belongs to; else null. */
function quoteList(question: string, best: Candidate, ranked: readonly Candidate[]): string | null {
  const introduces = LEAD_IN.test(best.text)
  if (!introduces && !(LIST_ITEM.test(best.text) && ASKS_LIST.test(question))) return null
  const inPassage = ranked
    .filter((candidate) => candidate.passage === best.passage)
    .sort((x, y) => x.at - y.at)
  const isItem = (at: number) => LIST_ITEM.test(inPassage[at]?.text ?? '')
  let first = introduces ? best.at + 1 : best.at
  while (!introduces && isItem(first - 1)) first--
  let last = first
  while (isItem(last) && last - first < MAX_LIST_ITEMS) last++
  const items = inPassage.slice(first, last)
  if (items.length < 2) return null
  const lead = inPassage[first - 1]
  const lines = items.map((item) => cite(item.text, item.passage))
  return lead !== undefined && LEAD_IN.test(lead.text)
    ? [`${cite(lead.text, lead.passage)}\n`, ...lines].join('\n')
    : lines.join('\n')
}

function cite(text: string, passage: Passage): string {
  const plain = text.replaceAll(/\s+/gu, ' ')
  const item = LIST_ITEM.exec(plain)?.[0] ?? ''
  return `${plain} ${formatCitation(passage.n, plain.slice(item.length))}`
}
