import { type Found, type Likely, oddsOf } from './answer-chance'
import type { Candidate } from './rank-units'

const MAX_SENTENCES = 3
const ALIKE = 0.85
/** Sentences are said until it is so likely that one of them is the answer… */
const SURE = 0.97
/** …and none that is less likely by this than the first, in log odds. */
const FAR = 3

/**
 * The sentences to answer a clause with, the best first: weights tell whether there is an answer and how likely each sentence
 * is it; the neighbour and the next likely ones are said with one that is not sure.
 */
export function chooseLikely(
  found: Found,
  ranked: readonly Candidate[],
  least: number,
): Candidate[] {
  const likely = findLikely(ranked)
  return oddsOf(found, ranked, likely) > least ? likely.said : []
}

/** The likeliest; while that is not sure, the sentence behind it, and others that are nearly as likely. */
export function findLikely(ranked: readonly Candidate[]): Likely {
  const [best] = ranked
  if (best === undefined) return { said: [], first: 0, all: 0 }
  const all = ranked.reduce((sum, { odds }) => sum + Math.exp(odds - best.odds), 0)
  const sayable = ranked.filter(({ unit }) => unit.kind !== 'heading' && unit.kind !== 'question')
  const [first = best] = sayable
  const chance = ({ odds }: Candidate) => Math.exp(odds - best.odds) / all
  const said = [first]
  let sure = chance(first)
  const likely = () => ({ said, first: chance(first), all: sure })
  if (!isSaid(first)) return likely()
  const add = (one: Candidate) => {
    if (said.some((other) => saysTheSame(one, other))) return
    said.push(one)
    sure += chance(one)
  }
  const next = sayable.find(({ unit }) => unit === first.unit.next)
  if (sure < SURE && next?.unit.kind === 'sentence' && first.unit.kind === 'sentence') add(next)
  for (const one of sayable) {
    // Who reads one language may not read the other.
    if (one.lang !== first.lang) continue
    if (sure >= SURE || said.length === MAX_SENTENCES || first.odds - one.odds > FAR) break
    if (isSaid(one)) add(one)
  }
  return likely()
}

/** Code is shown by what leads it in; what leads in a list is said with all of it, and alone. */
const isSaid = ({ unit: { kind, next } }: Candidate): boolean =>
  kind !== 'code' && (kind !== 'lead' || next?.kind === 'code')

/** Nearly all words of the shorter sentence are in the other. */
function saysTheSame({ unit: one }: Candidate, { unit: other }: Candidate): boolean {
  const [short, long] = one.tokens.size < other.tokens.size ? [one, other] : [other, one]
  const shared = [...short.tokens].filter((token) => long.tokens.has(token)).length
  return shared >= short.tokens.size * ALIKE
}
