import { detectMode, splitRuns, tokensA } from '../text/analyze'
import type { LatinMode } from '../text/latin-language'
import { type AskedClause, clauseWeights, holds, readQuestion, settleTerms } from '../text/question'
import { leastCosine } from './least-cosine'
import type { SearchHit, SearchResult } from './types'

export interface Gate {
  open: boolean
  reasons: string[]
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
  if (hits.length === 0) return { open: false, reasons: ['nothing_found'], coverage: 0 }
  if (cosine !== null && embedder !== null && cosine >= leastCosine(embedder))
    return { open: true, reasons: ['near'], coverage: 1 }
  const asked = readQuestion(message, context)
  if (asked.length === 0) return { open: false, reasons: ['names_nothing'], coverage: 0 }
  const passages = hits.map(prepare)
  const clauses = settleTerms(
    asked,
    passages.map((passage) => passage.words),
  )
  let best: Gate = { open: false, reasons: ['too_little_found'], coverage: 0 }
  for (const clause of clauses) {
    const gate = judge(clause, passages, idf)
    if (gate.open) return gate
    if (gate.coverage >= best.coverage) best = gate
  }
  return best
}

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

function judge(clause: AskedClause, passages: readonly Prepared[], idf: SearchResult['idf']): Gate {
  const weights = clauseWeights(clause, idf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const missing = new Set(clause.terms.filter((term) => term.name))
  let coverage = 0
  for (const passage of passages) {
    let held = 0
    clause.terms.forEach((term, at) => {
      const share = holds(term, passage.tokens, passage.mode)
      if (share > 0) missing.delete(term)
      held += share * (weights[at] ?? 0)
    })
    coverage = Math.max(coverage, held / total)
  }
  const named = clause.terms.reduce((sum, term) => sum + Math.min(1, term.weight), 0)
  const least =
    (missing.size > 0 ? LEAST_WITHOUT_NAME : LEAST) - LENGTH_SLOPE * Math.log(Math.max(1, named))
  const open = coverage >= least
  const reasons = missing.size > 0 ? ['name_not_found'] : open ? [] : ['too_little_found']
  return { open, reasons, coverage }
}
