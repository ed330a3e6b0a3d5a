import { type AskedClause, holds } from '../../text/question'
import { type Found, isAnswered } from './answer-chance'
import type { Candidate } from './rank-units'
import type { Unit } from './read-units'

const MAX_SENTENCES = 3
/** A second sentence must score nearly as much as the best. */
const SAME_PASSAGE = 0.85
const OTHER_PASSAGE = 0.97
const ALIKE = 0.85
/** In a small base, sentences are said until it is so likely that one of them is the answer… */
const SURE = 0.8
/** …and none that is less likely by this than the first, in log odds. */
const FAR = 1.5

/**
 * The sentences to answer a clause with, the best first; none where even the one that holds most holds less than `least`
 * demands.
 * @param ranked of the clause, best first
 */
export function chooseUnits(
  clause: AskedClause,
  ranked: readonly Candidate[],
  leastFor: (best: Candidate) => number,
): Candidate[] {
  const [first] = ranked
  if (first === undefined) return []
  const surest = ranked.reduce((most, one) => (one.score > most.score ? one : most), first)
  const least = leastFor(surest)
  return surest.share < least ? [] : [first, ...seconds(first, ranked, clause, least)]
}

/**
 * The same in a base of a few documents, where weights tell whether there is an answer and how likely each sentence is it: the
 * neighbour and the next likely ones are said with one that is not sure.
 */
export function chooseLikely(found: Found, ranked: readonly Candidate[]): Candidate[] {
  const [first] = ranked
  if (first === undefined || !isAnswered(found, ranked)) return []
  const said = ranked.filter(({ unit }) => isSaid(unit))
  return said.length === 0 ? [first] : likely(said)
}

const isSaid = ({ kind }: Unit): boolean => kind !== 'heading' && kind !== 'question'

/** The likeliest; while that is not sure, the sentence behind it, and others that are nearly as likely. */
function likely(ranked: readonly Candidate[]): Candidate[] {
  const [best] = ranked as [Candidate]
  if (best.unit.kind === 'code' || best.unit.kind === 'lead') return [best]
  const chances = ranked.map(({ odds }) => Math.exp(odds - best.odds))
  const all = chances.reduce((sum, one) => sum + one, 0)
  const said = [best]
  let sure = 1 / all
  const add = (one: Candidate) => {
    if (said.some((other) => saysTheSame(one, other))) return
    said.push(one)
    sure += Math.exp(one.odds - best.odds) / all
  }
  const next = ranked.find(({ unit }) => unit === best.unit.next)
  if (sure < SURE && next?.unit.kind === 'sentence' && best.unit.kind === 'sentence') add(next)
  for (const one of ranked) {
    if (sure >= SURE || said.length === MAX_SENTENCES || best.odds - one.odds > FAR) break
    if (one.unit.kind !== 'code' && one.unit.kind !== 'lead') add(one)
  }
  return said
}

/** What says nearly as much: first of all in the same passage, and whatever the best sentence leaves out of the question. */
function seconds(
  best: Candidate,
  ranked: readonly Candidate[],
  clause: AskedClause,
  least: number,
): Candidate[] {
  if (best.unit.kind === 'code' || best.unit.kind === 'lead') return []
  const lacks = clause.terms.filter(
    (term) => term.weight >= 1 && holds(term, best.unit.tokens, best.unit.mode) === 0,
  )
  const chosen = ranked.filter((one) => {
    if (one.unit === best.unit || one.unit.kind !== 'sentence' || one.share < least) return false
    const adds = lacks.some((term) => holds(term, one.unit.tokens, one.unit.mode) > 0)
    const near = one.passage === best.passage ? SAME_PASSAGE : OTHER_PASSAGE
    return one.score >= best.score * (adds ? near - 0.1 : near)
  })
  const said = [best]
  for (const one of chosen)
    if (said.length < MAX_SENTENCES && !said.some((other) => saysTheSame(one, other)))
      said.push(one)
  return said.slice(1)
}

/** Nearly all words of the shorter sentence are in the other. */
function saysTheSame({ unit: one }: Candidate, { unit: other }: Candidate): boolean {
  const [short, long] = one.tokens.size < other.tokens.size ? [one, other] : [other, one]
  const shared = [...short.tokens].filter((token) => long.tokens.has(token)).length
  return shared >= short.tokens.size * ALIKE
}
