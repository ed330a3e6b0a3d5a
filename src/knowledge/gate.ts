import type { LatinMode } from '../text/latin-language'
import { type PassageReading, PassageReadings } from '../text/passage-reading'
import {
  type AskedClause,
  clauseWeights,
  holder,
  readQuestion,
  settleTerms,
} from '../text/question'
import { leastCosine } from './least-cosine'
import type { SearchResult } from './types'

/** Why the gate is open (`near`, `covered`) or shut. */
export const GATE_REASONS = [
  'near',
  'covered',
  'nothing_found',
  'names_nothing',
  'name_not_found',
  'too_little_found',
] as const
export type GateReason = (typeof GATE_REASONS)[number]

export interface Gate {
  open: boolean
  reasons: GateReason[]
  /** Share of what the best clause names that one passage holds, 0 to 1. */
  coverage: number
}

/**
 * Share of a clause that must be found together, for one that names a single thing; what names more is covered less, with
 * this power of its number of things. Both were fitted on half of the questions of `npm run eval:nomatch`.
 */
const LEAST = 0.95
const FALL = 0.6
/** In a large base any words are found somewhere: what each unit of its largest idf adds, from a base of 240 passages on. */
const PER_IDF = 0.05
const MIDDLE_IDF = 5
/** Words that stand in neighbouring sentences count more than words of one passage. */
const NEAR = 0.75
/** What an everyday word of the language counts beside a rare one. */
const COMMON = 0.7

type Found = Pick<SearchResult, 'hits' | 'idf' | 'cosine' | 'embedder'>

/**
 * Whether the passages found are about what was asked, so that an answer may be tried: in one of the message's clauses
 * enough of what it names is in one passage. Errs on the side of answering; the sentence check is the proof, and reads the
 * passages again: in a turn they share `readings`.
 */
export function readGate(
  message: string,
  result: Found,
  context = '',
  readings = new PassageReadings(),
): Gate {
  const { hits, cosine, embedder, idf } = result
  if (hits.length === 0) return shut('nothing_found')
  if (cosine !== null && embedder !== null && cosine >= leastCosine(embedder))
    return { open: true, reasons: ['near'], coverage: 1 }
  const asked = readQuestion(message, context)
  if (asked.length === 0) return shut('names_nothing')
  const passages = hits.map((hit) => readings.of(hit))
  const clauses = settleTerms(asked, passages)
  let best = shut('too_little_found')
  for (const clause of clauses) {
    const gate = judge(clause, passages, idf)
    if (gate.open) return gate
    if (gate.coverage >= best.coverage) best = gate
  }
  return best
}

const shut = (reason: GateReason): Gate => ({ open: false, reasons: [reason], coverage: 0 })

function judge(
  clause: AskedClause,
  passages: readonly PassageReading[],
  idf: SearchResult['idf'],
): Gate {
  const weights = clauseWeights(clause, idf).map((weight, at) =>
    clause.terms[at]?.common ? weight * COMMON : weight,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const lacking = new Set(clause.terms.filter((term) => term.name))
  const holdersIn = onceForEachMode((mode) => clause.terms.map((term) => holder(term, mode)))
  let coverage = 0
  for (const passage of passages) {
    // Only what the passage holds can be in its sentences.
    const here = holdersIn(passage.mode).flatMap((hold, at) => {
      const share = hold(passage.tokens)
      const term = clause.terms[at]
      if (share > 0 && term !== undefined) lacking.delete(term)
      return share === 0 ? [] : [{ hold, share, weight: weights[at] ?? 0 }]
    })
    const whole = here.reduce((sum, { share, weight }) => sum + share * weight, 0)
    if (whole <= coverage * total) continue
    let near = 0
    for (const window of passage.windows)
      near = Math.max(
        near,
        here.reduce((sum, { hold, weight }) => sum + hold(window) * weight, 0),
      )
    coverage = Math.max(coverage, (NEAR * near + (1 - NEAR) * whole) / total)
  }
  const named = clause.terms.reduce((sum, term) => sum + Math.min(1, term.weight), 0)
  const least = LEAST / Math.max(1, Math.round(named)) ** FALL + PER_IDF * (idf.rest - MIDDLE_IDF)
  if (coverage >= least) return { open: true, reasons: ['covered'], coverage }
  const reason = lacking.size > 0 ? 'name_not_found' : 'too_little_found'
  return { open: false, reasons: [reason], coverage }
}

function onceForEachMode<T>(make: (mode: LatinMode) => T): (mode: LatinMode) => T {
  const made = new Map<LatinMode, T>()
  return (mode) => {
    const known = made.get(mode) ?? make(mode)
    made.set(mode, known)
    return known
  }
}
