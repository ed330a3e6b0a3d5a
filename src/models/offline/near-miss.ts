import { SYMBOLS } from '../../language/pack'
import { EVIDENCE_PACKS } from '../../language/packs'
import { type AskedClause, type AskedTerm, CONTENT } from '../../text/asked'
import { holds } from '../../text/hold-term'
import { nearMisses } from '../../text/near-misses'
import { readSides } from '../../text/read-clause'
import type { Candidate } from './rank-units'
import type { Unit } from './read-units'

/** How well a term is held by a sentence, what it stands under, or the one before. */
const heldIn = (
  term: AskedTerm,
  { tokens, context, questions, before, title, mode }: Unit,
): number =>
  Math.max(
    ...[tokens, title, ...context, ...questions, ...(before ? [before] : [])].map((set) =>
      holds(term, set, mode),
    ),
  )

/** Whether what would be said has the topic of a clause and not what it asks; of two questions in one, nothing is known. */
export function isBesideThePoint(
  clause: AskedClause,
  said: readonly Candidate[],
  ranked: readonly Candidate[],
): boolean {
  const late = nearMisses()
  if (late === null || said.length === 0 || readSides(clause) !== null) return false
  const { text, code, terms } = clause
  const named = terms.filter(({ weight, leaned, verb }) => weight >= CONTENT && !leaned && !verb)
  return late.isNearMiss({
    text,
    code,
    packs: EVIDENCE_PACKS.filter((pack) => pack.code.slice(0, 2) === code.slice(0, 2)),
    symbols: SYMBOLS,
    said: said.map(({ unit }) => unit.text),
    things: named.map((term) => ({
      text: term.text,
      anywhere: ranked.reduce((most, { unit }) => Math.max(most, heldIn(term, unit)), 0),
      held: said.map(({ unit }) => heldIn(term, unit)),
    })),
  })
}
