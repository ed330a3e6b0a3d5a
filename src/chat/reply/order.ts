import type { Alignment } from './align'
import { isMonth, isWeekday } from './figures'
import type { Lexicon } from './lexicon'
import { segmentsOf } from './segments'
import type { Token } from './tokens'

/** Words of a phrase that can change places with another: a name with its epithets. */
const MOST_WORDS = 4
const MOST_SIGNS = 16
/** Between the two stands what they do to each other, no more than a clause. */
const WIDEST_BETWEEN = 30

/** Words between two figures that are one statement. */
const NEAR = 4

/** Tokens of the claim that follow each other in the evidence as well. */
export interface Block {
  from: number
  to: number
  at: number
}

/**
 * Whether a claim has two phrases of its evidence in each other's place, around what stayed between them: "A sued B" as "B
 * sued A", 甲把乙 as 乙把甲. Word for word it says the opposite; where other words are there too ("B was sued by A"), it
 * may still say the same. A phrase that took its preposition or particle along was only moved, and the items of a list have
 * no order.
 */
export function judgeOrder(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  const blocks = blocksOf(tokens, alignment)
  let open = false
  for (const [i, later] of blocks.entries()) {
    if (!isPhrase(later, tokens)) continue
    for (const earlier of blocks.slice(i + 1)) {
      if (earlier.from - later.to > WIDEST_BETWEEN) break
      if (earlier.at >= later.at || !isPhrase(earlier, tokens)) continue
      const turned = turns(earlier, later, tokens, evidence, alignment, lexicon)
      if (turned === 'falls') return 'falls'
      open ||= turned === 'open'
    }
  }
  return open ? 'open' : 'stands'
}

/** The runs of a claim that follow each other in its evidence as well, in the claim's order. */
export function blocksOf(tokens: readonly Token[], { at }: Alignment): Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < tokens.length; ) {
    let to = from + 1
    while (to < tokens.length && at[to] === (at[to - 1] ?? -1) + 1) to++
    const start = at[from] ?? -1
    if (start >= 0) blocks.push({ from, to, at: start })
    from = start >= 0 ? to : from + 1
  }
  return blocks
}

function isPhrase({ from, to }: Block, tokens: readonly Token[]): boolean {
  const content = tokens.slice(from, to).filter((token) => !token.light)
  const signs = content.filter((token) => token.kind === 'sign').length
  // A lone sign is there by chance, unless a small one ("该药") or a figure ("周二") stands beside it.
  const isWord = signs < content.length || signs > 1 || tokens[from]?.light === true
  return (
    content.length > 0 &&
    (signs === 0 ? content.length <= MOST_WORDS : isWord && content.length <= MOST_SIGNS)
  )
}

/** What the evidence has first and the claim last, around what both have between them. */
function turns(
  earlier: Block,
  later: Block,
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  const start = earlier.at + earlier.to - earlier.from
  const end = later.at
  if (end - start > WIDEST_BETWEEN) return 'stands'
  if (isFigures(earlier, tokens) || isFigures(later, tokens))
    return exchangesFigures(earlier, later, tokens, evidence, lexicon)
  // In a script without spaces a particle may be a part of the name.
  const isMoved = takesAlong(earlier, later, tokens, lexicon)
  if (isMoved && !isSign(tokens[later.from]) && !isSign(tokens[earlier.from])) return 'stands'
  const between = Array.from({ length: earlier.from - later.to }, (_, k) => later.to + k)
  const stayed = between.filter((k) => (at[k] ?? -1) >= start && (at[k] ?? -1) < end)
  if (stayed.length * 2 < between.length || stayed.length === 0) return 'stands'
  if (isListed(start, end, evidence, lexicon)) return 'stands'
  const says = stayed.some((k) => tokens[k]?.light === false)
  const isWhole = stayed.length === between.length && end - start === between.length
  // What ends clauses may do so in any order ("one must fast, but may drink").
  const areClauses = [earlier, later].every(
    ({ to, at, from }) =>
      tokens[to]?.clause !== tokens[to - 1]?.clause &&
      evidence[at + to - from]?.clause !== evidence[at + to - from - 1]?.clause,
  )
  return says && isWhole && !isMoved && !areClauses ? 'falls' : 'open'
}

/**
 * Two figures of one kind in each other's place: "from 10 to 7" for "from 7 to 10". A date may be written in any order, and
 * what is listed has none that the check could tell.
 */
function exchangesFigures(
  earlier: Block,
  later: Block,
  tokens: readonly Token[],
  evidence: readonly Token[],
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  const [one, other] = [kindOf(earlier, tokens), kindOf(later, tokens)]
  if (one === null || one !== other) return 'stands'
  const start = earlier.at + earlier.to - earlier.from
  const between = evidence.slice(start, later.at)
  const said = tokens.slice(later.to, earlier.from)
  const isSame =
    between.length === said.length && between.every(({ key }, i) => key === said[i]?.key)
  if (!isSame || between.length > NEAR || between.some(({ figure }) => figure !== null))
    return 'stands'
  if (!isListed(start, later.at, evidence, lexicon)) return 'falls'
  if (one === 'date') return 'stands'
  return between.length > 0 ? 'open' : 'falls'
}

const isFigures = ({ from, to }: Block, tokens: readonly Token[]): boolean =>
  tokens.slice(from, to).every((token) => token.kind === 'figure' || token.light)

/** A number, or a day of the week or a month with or without its day; null for more. */
const kindOf = ({ from, to }: Block, tokens: readonly Token[]): 'number' | 'date' | null => {
  const figures = tokens.slice(from, to).flatMap(({ figure }) => (figure === null ? [] : [figure]))
  const months = figures.filter((one) => isMonth(one) || isWeekday(one)).length
  if (months === 1 && figures.length < 3) return 'date'
  return months === 0 && figures.length === 1 ? 'number' : null
}

/** One of two phrases has its own small word with it: "in Vienna", 東京で. */
function takesAlong(
  one: Block,
  other: Block,
  tokens: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  const [first, last] = smallWords(one, tokens)
  const [otherFirst, otherLast] = smallWords(other, tokens)
  const isArticle = (word: string) => word === '' || lexicon?.articles.has(word) === true
  const isSame = first === otherFirst || (isArticle(first) && isArticle(otherFirst))
  return !isSame || last !== otherLast
}

/** The small words that a phrase begins and ends with. Signs that are small words also spell names: a dictionary tells. */
function smallWords({ from, to }: Block, tokens: readonly Token[]): [string, string] {
  const phrase = tokens.slice(from, to)
  const isSmall = (token: Token | undefined) => token?.light === true
  const [first, last] = [phrase[0], phrase.at(-1)]
  if (!isSmall(first) && !isSmall(last)) return ['', '']
  const words = segmentsOf(phrase.map(({ word }) => word).join(isSign(first) ? '' : ' '))
  const isWhole = (token: Token | undefined, word: string | undefined) =>
    isSmall(token) && (!isSign(token) || word === token?.word)
  return [
    isWhole(first, words[0]) ? (first?.key ?? '') : '',
    isWhole(last, words.at(-1)) ? (last?.key ?? '') : '',
  ]
}

const isSign = (token: Token | undefined) => token?.kind === 'sign'

/** Nothing but commas and "and" ties what stands between to its neighbours. */
function isListed(
  start: number,
  end: number,
  evidence: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  const isJoint = (at: number) => lexicon?.joins.has(evidence[at]?.word ?? '') === true
  const cutAt = (at: number) => (evidence[at]?.clause ?? 0) - (evidence[at - 1]?.clause ?? 0)
  // "In spring, A; in autumn, B": a comma and a semicolon are of two statements.
  const isMixed = cutAt(start) > 0 && cutAt(end) > 0 && cutAt(start) !== cutAt(end)
  return !isMixed && (isJoint(start) || cutAt(start) > 0) && (isJoint(end - 1) || cutAt(end) > 0)
}
