import { isCommonWord } from '../language/prior'
import { wordToken } from './analyze'
import { type AskedClause, type AskedTerm, CONTENT, LIGHT, SAME_MEANING, SAME_WORD } from './asked'
import { holds } from './hold-term'
import { isFunctionWord, type LatinMode } from './latin-language'
import { soundsLike } from './transliterate'
import { isSlipOf, isTypoOf } from './typos'

const LATIN = /^\p{Script=Latin}{3,}$/u
const CODE = /^[45]\p{N}{2}$/u
const SHORTEST = 3
const TYPO_LEAST = 4
/** Looking through all words costs: a question has few that nobody wrote, a hostile one many. */
const MAX_SOUGHT = 16
/** Words that are listened to, or looked for beside others. */
const MAX_COSTLY = 4
const MAX_NEAR = 4
/** One letter of a shorter word makes another word of it. */
const SHORT = 5
const LEAST_PART = 5
const LEAST_REST = 4
/** Half of a term's tokens: `holds` gives nothing below. */
const HELD = 0.1

/** A text as terms are looked for in it. */
export interface ReadText {
  mode: LatinMode
  tokens: ReadonlySet<string>
  /** Its words in spaced scripts, folded. */
  words: readonly string[]
  /** The tokens of what it stands under. */
  context: readonly ReadonlySet<string>[]
  question?: ReadonlySet<string> | null
}

/** What all texts say. */
interface Said {
  isHeld(term: AskedTerm): boolean
  isSaid(token: string): boolean
}

/** The clauses with words that no text holds joined by the texts' words that are a typo away, another form or a compound of them. */
export function settleTerms(
  clauses: readonly AskedClause[],
  texts: readonly ReadText[],
): AskedClause[] {
  const known = new Map<LatinMode, readonly string[]>()
  const wordsIn = (mode: LatinMode) => {
    // No word is a slip of the pen for one of a language's own small words ("perro", "pero").
    const words = known.get(mode) ?? [
      ...new Set(
        texts
          .filter((text) => text.mode === mode)
          .flatMap((text) => text.words.filter((word) => !isFunctionWord(word))),
      ),
    ]
    known.set(mode, words)
    return words
  }
  let latin: readonly string[] | null = null
  const latinWords = () => {
    latin ??= [...new Set(texts.flatMap((text) => text.words).filter((word) => LATIN.test(word)))]
    return latin
  }
  const isHeld = (term: AskedTerm, least: number) =>
    texts.some(({ mode, tokens }) => holds(term, tokens, mode) >= least)
  const isSaid = (token: string) => texts.some(({ tokens }) => tokens.has(token))
  const said = { isHeld: (term: AskedTerm) => isHeld(term, HELD), isSaid }
  let sought = 0
  const settle = (term: AskedTerm, at: number, { mode, terms }: AskedClause): AskedTerm => {
    if (term.unspaced) return asVerb(recut(term, terms[at - 1], texts, said), said)
    if (term.name || term.text.length < SHORTEST || /\p{N}/u.test(term.text)) return term
    if (isHeld(term, SAME_WORD)) return term
    if (++sought > MAX_SOUGHT) return term
    if (term.text.length < SHORT && sought <= MAX_COSTLY) {
      const beside = slipBeside(term, [terms[at - 1], terms[at + 1]], texts)
      if (beside.length > 0) return { ...term, words: [...term.words, ...beside] }
    }
    if (term.text.length < TYPO_LEAST) return term
    const isHeard = term.common || sought > MAX_COSTLY ? null : soundsLike(term.text)
    const heard = isHeard === null ? [] : latinWords().filter(isHeard).slice(0, MAX_NEAR)
    if (heard.length > 0) return { ...term, words: [...term.words, ...heard] }
    const words = wordsIn(mode)
    const near = words.filter((word) => isNear(term.text, word)).slice(0, MAX_NEAR)
    if (near.length > 0) return { ...term, words: [...term.words, ...near] }
    const parts = words.filter((word) => isPart(word, term.text)).slice(0, MAX_NEAR)
    return { ...term, parts }
  }
  return clauses
    .map((clause) => ({
      ...clause,
      terms: recutAhead(clause.terms, said).map((term, at, terms) =>
        settle(term, at, { ...clause, terms }),
      ),
    }))
    .map((clause) => aroundCode(clause, texts))
}

/** What programs answer with ("404"). */
export const isCode = ({ text }: AskedTerm): boolean => CODE.test(text)

/**
 * "I get 401 unauthorized": a code that a heading names tells what is asked. The words around it are how a program says it,
 * and need not stand below.
 */
function aroundCode(clause: AskedClause, texts: readonly ReadText[]): AskedClause {
  const code = clause.terms.find(isCode)
  if (code === undefined) return clause
  const below = texts.filter(({ context, question, mode }) =>
    [...context, ...(question ? [question] : [])].some((head) => holds(code, head, mode) === 1),
  )
  if (below.length === 0) return clause
  const isBelow = (term: AskedTerm) =>
    below.some(({ tokens, mode }) => holds(term, tokens, mode) >= SAME_MEANING)
  return {
    ...clause,
    terms: clause.terms.map((term) =>
      term === code || term.name || isBelow(term)
        ? term
        : { ...term, weight: Math.min(LIGHT, term.weight) },
    ),
  }
}

/** "file siz" of "file size": a short word is a typo of another only beside the same word. */
function slipBeside(
  term: AskedTerm,
  neighbours: readonly (AskedTerm | undefined)[],
  texts: readonly ReadText[],
): string[] {
  const found = new Set<string>()
  for (const { words, mode } of texts)
    for (const [at, word] of words.entries()) {
      if (found.size >= MAX_NEAR) return [...found]
      if (word === term.text || !isTypoOf(term.text, word)) continue
      const around = new Set(
        [words[at - 1], words[at + 1]].flatMap((one) =>
          one === undefined ? [] : [wordToken(one, mode)],
        ),
      )
      if (neighbours.some((one) => one && holds(one, around, mode) === 1)) found.add(word)
    }
  return [...found]
}

/** "机器|人答" of "机器人答": a sign that no text has here belongs to the word before it where texts have it so. */
function recut(
  term: AskedTerm,
  before: AskedTerm | undefined,
  texts: readonly ReadText[],
  { isHeld, isSaid }: Said,
): AskedTerm {
  const [first = '', ...rest] = [...term.text]
  const last = [...(before?.text ?? '')].at(-1)
  if (rest.length === 0 || !before?.unspaced || last === undefined) return term
  if (!isSaid(last + first) || isHeld(term)) return term
  const isJoined = texts.some(
    ({ tokens, mode }) => tokens.has(last + first) && holds(before, tokens, mode) === 1,
  )
  if (!isJoined) return term
  const text = rest.join('')
  return {
    ...term,
    text,
    words: [text],
    weight: rest.length === 1 ? LIGHT : term.weight,
    common: isCommonWord(text),
  }
}

/** "买错", "寄到", "删掉": what comes of what is done is written to the verb, which texts have without it. */
function asVerb(term: AskedTerm, { isHeld }: Said): AskedTerm {
  const [verb] = /^.(?=[错錯掉完到在成给給住]$)/u.exec(term.text) ?? []
  return verb && !isHeld(term) ? { ...term, parts: [verb] } : term
}

/** "开发|票" of "开发票": a sign that no text has here belongs to the word behind it where texts have it so. */
function recutAhead(terms: readonly AskedTerm[], { isHeld, isSaid }: Said): AskedTerm[] {
  const cut = [...terms]
  for (const [at, term] of terms.entries()) {
    const next = terms[at + 1]
    const signs = [...term.text]
    if (!term.unspaced || !next?.unspaced || signs.length < 2) continue
    const joined = `${signs.at(-1)}${[...next.text][0]}`
    if (!isSaid(joined) || isHeld(term)) continue
    const text = signs.slice(0, -1).join('')
    cut[at] = { ...term, text, words: [text], parts: [], synonyms: [], kin: [], weight: LIGHT }
    cut[at + 1] = { ...next, text: joined, words: [joined], weight: CONTENT }
  }
  return cut
}

/** "Aufgaben" of "Hauptaufgaben": a compound's first or last part. */
const isPart = (part: string, word: string): boolean =>
  part.length >= LEAST_PART &&
  word.length >= part.length + LEAST_REST &&
  (word.startsWith(part) || word.endsWith(part))

/** A typo or two, a longer word that holds it, or another ending of a long word. */
function isNear(word: string, other: string): boolean {
  if (word.length < SHORT) return isSlipOf(word, other)
  if (isTypoOf(word, other)) return true
  if (other.length > word.length && (other.startsWith(word) || other.endsWith(word))) return true
  const stem = word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)))
  return word.length >= 6 && other.length <= word.length + 3 && other.startsWith(stem)
}
