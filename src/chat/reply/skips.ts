import type { Alignment } from './align'
import { isMonth } from './figures'
import type { Lexicon } from './lexicon'
import { type Block, blocksOf } from './order'
import { isForm } from './replaced'
import type { Token } from './tokens'

/** Signs that make a word. */
const LEAST = { word: 1, sign: 2 }
/** Clauses that a semicolon or the end of a sentence lies between. */
const APART = 2

/**
 * Whether a claim goes on in another statement of its evidence than it began in: "the Vienna office is led by Novak" of "the
 * Vienna office is led by Huber, the Graz office by Novak". What shares its subject follows its comma or "and" at once ("opens
 * at nine and closes at six"); where the next statement has words of its own before, they were passed over.
 */
export function skipsSubject(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): boolean {
  // "Typically" for "usually" may have come from anywhere.
  const says = ({ light, word }: Token) => !light && (lexicon?.forceAt([word], 0)?.value ?? 0) === 0
  const blocks = blocksOf(tokens, alignment).filter(({ from, to }) =>
    tokens.slice(from, to).some(says),
  )
  const keys = new Set(tokens.flatMap(({ light, key }) => (light ? [] : [key])))
  return blocks.some((block, i) => {
    const next = blocks[i + 1]
    const clause = tokens[block.from]?.clause
    if (next === undefined) return false
    const start = block.at + block.to - block.from
    // "If A, then D" of "if A, then B; if C, then D": the claim has a comma where its evidence has a semicolon.
    const isOver =
      (tokens[next.from]?.clause ?? 0) - (tokens[block.to - 1]?.clause ?? 0) === 1 &&
      (evidence[next.at]?.clause ?? 0) - (evidence[start - 1]?.clause ?? 0) > APART
    if (clause !== tokens[next.to - 1]?.clause && !isOver) return false
    const between = tokens.slice(block.to, next.from).filter(({ light }) => !light)
    // "Erstattet" of what the evidence has as "erstatten" between the two.
    const isForms =
      between.length < 2 &&
      between.every((token) => evidence.slice(start, next.at).some((one) => isForm(token, one)))
    if (!isForms) return false
    if (next.at < start) return goesBack(block, next, tokens, evidence, alignment, lexicon)
    const isOwn = (_: number, k: number) => tokens[k]?.clause === clause
    const laid = new Set(alignment.at.filter(isOwn))
    const beside = new Set(alignment.at.filter((place, k) => !isOwn(place, k)))
    const isSmall = (word: string) =>
      lexicon?.articles.has(word) !== false || lexicon.joins.has(word)
    // A subject may be no more than a pronoun.
    const isLeft = ({ light, word }: Token, at: number) =>
      !laid.has(at) && (!light || (beside.has(at) && !isSmall(word)))
    return passesOver(start, next.at, { evidence, isLeft, keys, lexicon })
  })
}

interface Left {
  evidence: readonly Token[]
  /** Whether the claim's clause leaves a word of its evidence out. */
  isLeft: (token: Token, at: number) => boolean
  keys: ReadonlySet<string>
  lexicon: Lexicon | null
}

function passesOver(
  start: number,
  end: number,
  { evidence, isLeft, keys, lexicon }: Left,
): boolean {
  const places: number[] = []
  const parts: number[] = []
  let border = start
  for (let at = start; at <= end; at++) {
    const [before, here] = [evidence[at - 1], evidence[at]]
    const isCut = before?.clause !== here?.clause
    if (isCut || lexicon?.joins.has(here?.word ?? '') === true) border = at
    const gap = (here?.clause ?? 0) - (before?.clause ?? 0)
    const isContrast = isCut && lexicon?.contrasts.has(before?.word ?? '') === true
    if (gap >= APART || isContrast) parts.push(at)
    if (at < end && here !== undefined && isLeft(here, at)) places.push(at)
  }
  const leastOf = (place: number | undefined) =>
    LEAST[evidence[place ?? -1]?.kind === 'sign' ? 'sign' : 'word']
  const isBetween = (at: number) => {
    const after = places.filter((place) => place >= at)
    const least = leastOf(after[0])
    return at > start && after.length >= least && places.length - after.length >= least
  }
  const least = leastOf(places[0])
  const isElsewhere = () =>
    places.filter((place) => keys.has(evidence[place]?.key ?? '')).length >= least
  const part = parts.find((at) => at > (places[least - 1] ?? end))
  // Items of a list ("batteries, paint and oil are not accepted") say none of each other's words.
  return (part !== undefined && isBetween(part)) || (isBetween(border) && isElsewhere())
}

/**
 * "The form is signed by the clerk" of "the form is filled in by the clerk and signed by the manager": what follows stands in a
 * statement before, behind words of its own, and what was left there goes on otherwise.
 */
function goesBack(
  block: Block,
  next: Block,
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): boolean {
  const clause = tokens[block.from]?.clause
  const laid = new Set(at.filter((_, k) => tokens[k]?.clause === clause))
  const isNew = (k: number) =>
    evidence[k - 1]?.clause !== evidence[k]?.clause ||
    lexicon?.joins.has(evidence[k]?.word ?? '') === true
  const isLeft = (k: number) => evidence[k]?.light === false && !laid.has(k)
  const end = block.at + block.to - block.from
  let from = next.at
  while (from > 0 && !isNew(from)) from--
  let to = end
  while (to < evidence.length && !isNew(to)) to++
  const isParted = evidence.slice(next.at, block.at).some((_, k) => k > 0 && isNew(next.at + k))
  const least = LEAST[evidence[end]?.kind === 'sign' ? 'sign' : 'word']
  const count = (first: number, last: number) =>
    evidence.slice(first, last).filter((_, k) => isLeft(first + k)).length
  return isParted && count(from, next.at) >= least && count(end, to) >= least
}

/**
 * "Every year" of "every two years", "takes five days" of "between two and five days": a figure between two neighbours is
 * left out. Of a date the day may be.
 */
export function dropsFigure(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
): boolean {
  const blocks = blocksOf(tokens, alignment)
  if (dropsShare(blocks, evidence) && !tokens.some(({ figure }) => figure !== null)) return true
  return blocks.some(({ from, to, at }, i) => {
    const next = blocks[i + 1]
    const start = at + to - from
    // "In 1964" is a phrase of its own.
    if (next?.from !== to || tokens[to]?.light === true) return false
    if (evidence[start - 1]?.clause !== evidence[next.at]?.clause) return false
    const passed = evidence.slice(start, next.at)
    const isDate = evidence
      .slice(start, next.at + 1)
      .some(({ figure }) => figure && isMonth(figure))
    return (
      !isDate &&
      passed.some(({ figure }) => figure !== null) &&
      passed.every(({ light, figure }) => light || figure !== null)
    )
  })
}

/** Words between a share and what it is of. */
const SHARE_REACH = 3

/** "Patients get drowsy" of "about 10 % of the patients get drowsy". */
function dropsShare([first]: readonly Block[], evidence: readonly Token[]): boolean {
  const start = first?.at ?? 0
  return evidence
    .slice(Math.max(0, start - SHARE_REACH), start)
    .some(({ figure, clause }) => figure?.unit === 'percent' && clause === evidence[start]?.clause)
}
