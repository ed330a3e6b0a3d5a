import type { Alignment } from './align'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

/**
 * Whether a claim has who does it and whom it is done to in each other's case: "der Fuchs jagt den Wolf" of "den Fuchs jagt der
 * Wolf", in whatever order the two stand. A passive may say the same so.
 */
export function turnsCases(
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): boolean {
  const cases = lexicon?.cases
  if (cases === undefined) return false
  if ([tokens, evidence].some((text) => text.some(({ word }) => cases.passive.includes(word))))
    return false
  let isRaised = false
  // Where only some articles tell their case, one of the two is enough.
  let isLowered = cases.of === 'article'
  for (const [i, token] of tokens.entries()) {
    const place = at[i] ?? -1
    if (place < 0 || (token.light && cases.of !== 'particle')) continue
    const [here, there] = formsOf(cases.of, i, place, tokens, evidence)
    if (here === there) continue
    if (cases.oblique.includes(`${here}>${there}`)) isRaised = true
    if (cases.oblique.includes(`${there}>${here}`)) isLowered = true
  }
  return isRaised && isLowered
}

function formsOf(
  of: 'article' | 'ending' | 'particle',
  i: number,
  place: number,
  tokens: readonly Token[],
  evidence: readonly Token[],
): [string, string] {
  if (of === 'particle') return [tokens[i + 1]?.word ?? '', evidence[place + 1]?.word ?? '']
  if (of === 'article') return [articleOf(i, tokens), articleOf(place, evidence)]
  const [one = '', other = ''] = [tokens[i]?.word, evidence[place]?.word]
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return [one.slice(same), other.slice(same)]
}

/** The word right before a noun, if none of its clause that is small, as a preposition is, stands before that. */
const articleOf = (at: number, text: readonly Token[]): string => {
  const [before, article] = [text[at - 2], text[at - 1]]
  const isAlone = before?.clause !== article?.clause || before?.light === false
  return isAlone ? (article?.word ?? '') : ''
}
