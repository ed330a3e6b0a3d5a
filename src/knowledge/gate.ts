import { detectMode, splitRuns, tokensA } from '../text/analyze'
import type { LatinMode } from '../text/latin-language'
import { type AskedClause, clauseWeights, holds, readQuestion, settleTerms } from '../text/question'
import { leastCosine } from './least-cosine'
import type { SearchHit, SearchResult } from './types'

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

/** Share of a clause's weight that one passage must hold, for a clause that names one thing… */
const LEAST = 0.64
/** …where a name of the question is in no passage… */
const LEAST_WITHOUT_NAME = 0.8
/** …and how much less for what names more: longer questions are covered less. */
const LENGTH_SLOPE = 0.14

type Found = Pick<SearchResult, 'hits' | 'idf' | 'cosine' | 'embedder'>

/**
 * Whether the passages found are about what was asked, so that an answer may be tried: in one of the message's clauses
 * enough of what it names is in one passage. Errs on the side of answering; the sentence check is the proof.
 */
export function readGate(message: string, result: Found, context = ''): Gate {
  const { hits, cosine, embedder, idf } = result
  if (hits.length === 0) return shut('nothing_found')
  if (cosine !== null && embedder !== null && cosine >= leastCosine(embedder))
    return { open: true, reasons: ['near'], coverage: 1 }
  const asked = readQuestion(message, context)
  if (asked.length === 0) return shut('names_nothing')
  const passages = hits.map(prepare)
  const clauses = settleTerms(
    asked,
    passages.map((passage) => passage.words),
  )
  let best = shut('too_little_found')
  for (const clause of clauses) {
    const gate = judge(clause, passages, idf)
    if (gate.open) return gate
    if (gate.coverage >= best.coverage) best = gate
  }
  return best
}

const shut = (reason: GateReason): Gate => ({ open: false, reasons: [reason], coverage: 0 })

interface Prepared {
  mode: LatinMode
  tokens: Set<string>
  words: string[]
}

function prepare({ title, heading, text }: SearchHit): Prepared {
  const whole = `${title}\n${heading ?? ''}\n${text}`
  const mode = detectMode(whole)
  return {
    mode,
    tokens: new Set(tokensA(whole, mode)),
    words: splitRuns(whole)
      .filter((run) => !run.unspaced)
      .map((run) => run.text),
  }
}

/** What the passages hold of a clause. */
export interface Measured {
  /** The largest share of the clause's weight in one passage. */
  coverage: number
  /** Share of its weight that no passage holds. */
  lacking: number
  /** How many things it names, light words less. */
  named: number
  namesLacking: boolean
}

export function measure(
  clause: AskedClause,
  passages: readonly Prepared[],
  idf: SearchResult['idf'],
): Measured {
  const weights = clauseWeights(clause, idf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const most = clause.terms.map(() => 0)
  let coverage = 0
  for (const passage of passages) {
    let held = 0
    clause.terms.forEach((term, at) => {
      const share = holds(term, passage.tokens, passage.mode)
      most[at] = Math.max(most[at] ?? 0, share)
      held += share * (weights[at] ?? 0)
    })
    coverage = Math.max(coverage, held / total)
  }
  const somewhere = most.reduce((sum, share, at) => sum + share * (weights[at] ?? 0), 0)
  return {
    coverage,
    lacking: 1 - somewhere / total,
    named: clause.terms.reduce((sum, term) => sum + Math.min(1, term.weight), 0),
    namesLacking: clause.terms.some((term, at) => term.name && most[at] === 0),
  }
}

function judge(clause: AskedClause, passages: readonly Prepared[], idf: SearchResult['idf']): Gate {
  const { coverage, named, namesLacking } = measure(clause, passages, idf)
  const least =
    (namesLacking ? LEAST_WITHOUT_NAME : LEAST) - LENGTH_SLOPE * Math.log(Math.max(1, named))
  const open = coverage >= least
  return {
    open,
    reasons: [open ? 'covered' : namesLacking ? 'name_not_found' : 'too_little_found'],
    coverage,
  }
}
