import type { Alignment } from './align'
import type { Lexicon } from './lexicon'
import { type Block, blocksOf } from './order'
import type { Token } from './tokens'

/** Signs that make a word. */
const LEAST = { word: 1, sign: 2 }

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
  const blocks = blocksOf(tokens, alignment).filter(({ from, to }) =>
    tokens.slice(from, to).some(({ light }) => !light),
  )
  const keys = new Set(tokens.flatMap(({ light, key }) => (light ? [] : [key])))
  const laid = new Set(alignment.at)
  return blocks.some((block, i) => {
    const next = blocks[i + 1]
    if (next === undefined || tokens[block.from]?.clause !== tokens[next.to - 1]?.clause)
      return false
    const between = tokens.slice(block.to, next.from)
    return (
      between.every(({ light }) => light) &&
      passesOver(block, next, evidence, { keys, laid, lexicon })
    )
  })
}

function passesOver(
  { from, to, at }: Block,
  next: Block,
  evidence: readonly Token[],
  {
    keys,
    laid,
    lexicon,
  }: { keys: ReadonlySet<string>; laid: ReadonlySet<number>; lexicon: Lexicon | null },
): boolean {
  const start = at + to - from
  const isNew = (k: number) =>
    evidence[k - 1]?.clause !== evidence[k]?.clause ||
    lexicon?.joins.has(evidence[k]?.word ?? '') === true
  let border = next.at
  while (border > start && !isNew(border)) border--
  const passed = (first: number, end: number) =>
    evidence.slice(first, end).filter(({ light }, k) => !light && !laid.has(first + k))
  const before = passed(start, border)
  const after = passed(border, next.at)
  const least = LEAST[after[0]?.kind === 'sign' ? 'sign' : 'word']
  // Items of a list ("batteries, paint and oil are not accepted") say none of each other's words.
  const repeats = [...before, ...after].filter(({ key }) => keys.has(key)).length >= least
  return repeats && border > start && before.length >= least && after.length >= least
}
