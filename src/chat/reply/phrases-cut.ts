import type { Alignment } from './align'
import { readForce } from './force'
import { FORCE, type Lexicon } from './lexicon'
import { blocksOf } from './order'
import type { Token } from './tokens'

/** Particles that tie what stands before them to what follows, where modifiers come first. */
const TIES = new Set(['的', 'の'])

/** Words of content that make a statement. */
const LEAST_SAID = 3

/**
 * Whether a claim takes a phrase of its evidence without the word that goes with it: "children are free" of "working children
 * are free" or of "… free for children living here". Whether that was said for them alone, nobody can tell by rule.
 */
export function cutsPhrase(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null) return false
  const blocks = blocksOf(tokens, alignment)
  const first = blocks.find(({ from, to }) => tokens.slice(from, to).some(({ light }) => !light))
  const last = blocks.at(-1)
  if (first === undefined || last === undefined) return false
  const keys = new Set(tokens.map(({ key }) => key))
  const laid = new Set(alignment.at)
  const isCut = (at: number, beside: number) => {
    const token = evidence[at]
    return (
      token !== undefined &&
      token.clause === evidence[beside]?.clause &&
      token.kind !== 'figure' &&
      !token.light &&
      !laid.has(at) &&
      !keys.has(token.key)
    )
  }
  const isStart = tokens.slice(0, first.from).every(({ light }) => light)
  const isEnd = last.to === tokens.length
  const end = last.at + last.to - last.from
  if (lexicon.unspaced) {
    const tie = evidence[first.at - 1]
    return isStart && tie !== undefined && TIES.has(tie.word) && isCut(first.at - 2, first.at)
  }
  const isFree = readForce(tokens, lexicon).some(({ bits }) => (bits & FORCE.free) !== 0)
  let behind = end
  // What is free is so for whom the phrase behind it names ("… is free for students").
  while (isFree && evidence[behind]?.light === true) behind++
  // … or from what on it is ("… is free from £50").
  const isFrom =
    evidence[behind]?.figure != null &&
    evidence[behind]?.clause === evidence[end - 1]?.clause &&
    !laid.has(behind)
  if (isFree && isEnd && (isFrom || isCut(behind, end - 1))) return true
  // … or which part of it stands before ("is in the first hour free").
  const isWithin = (k: number) => blocks.some(({ at }, i) => i > 0 && k === at - 1)
  if (isFree && evidence.some((_, k) => isWithin(k) && isCut(k, k + 1))) return true
  // "Open settings", "Back to the card": what is hardly a sentence leaves much out.
  if (tokens.filter(({ light }) => !light).length < LEAST_SAID) return false
  const content = tokens.slice(first.from, first.to).findIndex(({ light }) => !light)
  // An article stands before both: "the working children".
  // "You can unlock it" of "an administrator can unlock it": who may is another.
  const isAnybody = first.from > 0 && lexicon.asks.has(tokens[first.from - 1]?.word ?? '')
  const opens = isStart && (content === 0 || isAnybody) && isCut(first.at - 1, first.at)
  return opens || (isEnd && tokens.at(-1)?.light === false && isCut(end, end - 1))
}

/**
 * "The kitchen has 48 beds" of "it has 48 beds and a kitchen": what the evidence says last, and without a preposition, is said
 * first, where the subject stands. A language that tells subjects by their endings has them anywhere.
 */
export function movesSubject(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null || !lexicon.latin || lexicon.code === 'tr') return false
  const blocks = blocksOf(tokens, alignment).filter(({ from, to }) =>
    tokens.slice(from, to).some(({ light }) => !light),
  )
  const [first, ...others] = blocks
  if (first === undefined) return false
  const isSmall = (token: Token | undefined) =>
    token?.light === true && !lexicon.articles.has(token.word) && !lexicon.joins.has(token.word)
  const subject = tokens.findIndex(({ light }) => !light)
  if (tokens.slice(0, subject).some((token) => isSmall(token))) return false
  const clause = tokens[first.from]?.clause
  return others.some(
    ({ from, at }) =>
      at < first.at &&
      tokens[from]?.clause === clause &&
      evidence[at]?.clause === evidence[first.at]?.clause,
  )
}
