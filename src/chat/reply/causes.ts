import type { Alignment } from './align'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

/** Where a text says why: the places of what it says so of, and of what it gives as the cause. */
interface Reasoning {
  effect: ReadonlySet<number>
  cause: ReadonlySet<number>
}

/** Words of content that are no coincidence. */
const TELLING = 2

/**
 * Whether a claim says why as its evidence does. The cause for the effect falls ("it is faster because it is newer" of "newer
 * because faster"), and so does the effect as the cause of something else. A cause where the evidence gives none is open, and
 * so is the cause said of what the effect began with.
 */
export function judgeCauses(
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  if (lexicon === null) return 'stands'
  const said = reasoningOf(tokens, lexicon)
  const there = reasoningOf(evidence, lexicon)
  if (there === null) return said === null ? 'stands' : 'open'
  if (said === null) return joinsBoth(tokens, at, there) ? 'open' : 'stands'
  const count = (places: ReadonlySet<number>, inside: ReadonlySet<number>) =>
    [...places].filter((i) => tokens[i]?.light === false && inside.has(at[i] ?? -1)).length
  const asCause = count(said.cause, there.effect)
  const turned = asCause + count(said.effect, there.cause)
  const kept = count(said.cause, there.cause) + count(said.effect, there.effect)
  if (asCause >= TELLING && turned > kept) return 'falls'
  return kept === 0 ? 'open' : 'stands'
}

/**
 * Whether a claim has the steps of its evidence in another order: "install, then start" of "start, then install". What stands
 * before the word that goes on stands behind it there, and what stands behind it before.
 */
export function turnsSteps(
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null) return false
  const [then, there] = [tokens, evidence].map((text) => {
    const words = text.map(({ word }) => word)
    const places = words.flatMap((_, k) => (lexicon.thenAt(words, k) === null ? [] : [k]))
    return places.length === 1 ? (places[0] ?? -1) : -1
  })
  if (then === undefined || there === undefined || then < 0 || there < 0) return false
  const count = (isBefore: boolean, wasBefore: boolean) =>
    tokens.filter(({ light }, k) => {
      const place = at[k] ?? -1
      return !light && place >= 0 && k < then === isBefore && place < there === wasBefore
    }).length
  const turned = [count(true, false), count(false, true)]
  return Math.min(...turned) > 0 && sum(turned) > 2 * (count(true, true) + count(false, false))
}

const sum = ([one = 0, other = 0]: readonly number[]) => one + other

/** "Basic runs on new servers" of "faster than Basic because it runs on new servers". */
function joinsBoth(tokens: readonly Token[], at: readonly number[], there: Reasoning): boolean {
  return tokens.some(({ clause }, i) => {
    const next = tokens[i + 1]
    return (
      next?.clause === clause &&
      there.effect.has(at[i] ?? -1) &&
      there.cause.has(at[i + 1] ?? -1) &&
      (at[i + 1] ?? 0) > (at[i] ?? 0)
    )
  })
}

/** Null for a text that says why nowhere, or more than once. */
function reasoningOf(tokens: readonly Token[], lexicon: Lexicon): Reasoning | null {
  const words = tokens.map(({ word }) => word)
  const marks: { from: number; to: number }[] = []
  for (let from = 0; from < words.length; from++) {
    const length = lexicon.causeAt(words, from)?.length ?? 0
    if (length > 0) marks.push({ from, to: from + length })
    from += Math.max(0, length - 1)
  }
  const mark = marks[0]
  if (mark === undefined || marks.length > 1) return null
  const clause = tokens[mark.from]?.clause ?? 0
  const inClause = (wanted: number, from: number, to: number) =>
    tokens.flatMap((token, i) => (token.clause === wanted && i >= from && i < to ? [i] : []))
  const before = inClause(clause, 0, mark.from)
  const after = inClause(clause, mark.to, tokens.length)
  // Japanese names the cause first.
  const [cause, own, beside] = lexicon.causeFirst
    ? [before, after, clause + 1]
    : [after, before, before.length === 0 && mark.from === 0 ? clause + 1 : clause - 1]
  const effect = own.length > 0 ? own : inClause(beside, 0, tokens.length)
  return { effect: new Set(effect), cause: new Set(cause) }
}
