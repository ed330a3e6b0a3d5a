import { compoundTokens, detectMode, runTokens, splitRuns } from '../text/analyze'
import {
  type AskedClause,
  clauseWeights,
  holder,
  type ReadText,
  readQuestion,
  settleTerms,
} from '../text/question'
import { leastCosine } from './least-cosine'
import { searchTitle } from './search-title'
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

interface Prepared extends ReadText {
  /** Every two neighbouring sentences, with title and heading. */
  windows: ReadonlySet<string>[]
}

const SENTENCE = /(?<=[.!?…])\s+|(?<=[。！？；])|\n+/u
/** Where a passage has more pieces, as a table has rows, several make one. */
const MAX_PIECES = 40

function prepare({ title, documentName, heading, text }: SearchHit): Prepared {
  const head = `${searchTitle(title, documentName)}\n${heading ?? ''}`
  const mode = detectMode(`${head}\n${text}`)
  const parts = [head, ...piecesOf(text)]
  const runs = parts.map(splitRuns)
  const [around = [], ...pieces] = runs.map((some, at) => [
    ...runTokens(some, mode),
    ...compoundTokens(parts[at] ?? '', mode),
  ])
  return {
    mode,
    tokens: new Set([around, ...pieces].flat()),
    windows: pieces.map((piece, at) => new Set([...around, ...piece, ...(pieces[at + 1] ?? [])])),
    words: runs.flatMap((some) => some.filter((run) => !run.unspaced).map((run) => run.text)),
  }
}

function piecesOf(text: string): string[] {
  const sentences = text.split(SENTENCE)
  const size = Math.ceil(sentences.length / MAX_PIECES)
  if (size === 1) return sentences
  const pieces: string[] = []
  for (let at = 0; at < sentences.length; at += size)
    pieces.push(sentences.slice(at, at + size).join('\n'))
  return pieces
}

function judge(clause: AskedClause, passages: readonly Prepared[], idf: SearchResult['idf']): Gate {
  const weights = clauseWeights(clause, idf).map((weight, at) =>
    clause.terms[at]?.common ? weight * COMMON : weight,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const lacking = new Set(clause.terms.filter((term) => term.name))
  let coverage = 0
  for (const { mode, tokens, windows } of passages) {
    // Only what the passage holds can be in its sentences.
    const here = clause.terms.flatMap((term, at) => {
      const hold = holder(term, mode)
      const share = hold(tokens)
      if (share > 0) lacking.delete(term)
      return share === 0 ? [] : [{ hold, share, weight: weights[at] ?? 0 }]
    })
    const whole = here.reduce((sum, { share, weight }) => sum + share * weight, 0)
    if (whole <= coverage * total) continue
    let near = 0
    for (const window of windows)
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
