import type { Alignment } from './align'
import { type ClaimFacts, type Ground, STANDS } from './ground'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

/** Of a clause's content, how much must be held; a clause of fewer words is judged with its sentence. */
const CLAUSE_HELD = 0.4

const CLAUSE_WEIGHT = 4

const CLAUSE_WORDS = 3

const WORDS_HELD = 0.3

/** Of a reason, fewer words, or signs, are a clause of their own: it is given or it is not. */
const REASON = { word: 2, sign: 4 }

/** The first sign of what joins a clause in Chinese, beside the word for "and". */
const JOINTS = new Set('并並且而'.split(''))

/** A clause of its own that the evidence does not speak of is not carried by the others. */
export function judgeClauses(
  { tokens, lexicon }: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  weights: readonly number[],
  held: readonly number[],
): 'stands' | 'falls' | 'open' {
  const alone = [
    ...clausesOf(tokens, alignment, lexicon).filter((clause) =>
      isAlone(clause, tokens, weights, held),
    ),
    ...reasonsOf(tokens, lexicon).filter((clause) => isUnheld(clause, tokens, weights, held)),
  ]
  if (alone.length === 0) return 'stands'
  const elsewhere = new Set(ground.passage().map(({ key }) => key))
  const isElsewhere = alone.every((clause) => {
    const all = sum(clause.map((i) => weights[i] ?? 0))
    const found = clause.filter((i) => elsewhere.has(tokens[i]?.key ?? ''))
    return sum(found.map((i) => weights[i] ?? 0)) >= all * STANDS
  })
  return isElsewhere ? 'open' : 'falls'
}

/** What a claim gives as a reason, behind the word for it up to the end of its clause. */
function reasonsOf(tokens: readonly Token[], lexicon: Lexicon | null): number[][] {
  if (lexicon === null || lexicon.causeFirst) return []
  const words = tokens.map(({ word }) => word)
  return words.flatMap((_, at) => {
    const length = lexicon.causeAt(words, at)?.length ?? 0
    if (length === 0) return []
    const behind = tokens.slice(at + length)
    const end = behind.findIndex(({ clause }) => clause !== behind[0]?.clause)
    return [behind.slice(0, end < 0 ? undefined : end).map((_, k) => at + length + k)]
  })
}

/** Whether nothing of a reason is held, in whatever words. */
function isUnheld(
  clause: readonly number[],
  tokens: readonly Token[],
  weights: readonly number[],
  held: readonly number[],
): boolean {
  const said = clause.filter((i) => (weights[i] ?? 0) > 0 && tokens[i]?.light === false)
  const isSign = said.some((i) => tokens[i]?.kind === 'sign')
  const all = sum(said.map((i) => weights[i] ?? 0))
  const found = sum(said.map((i) => (weights[i] ?? 0) * (held[i] ?? 0)))
  return said.length >= REASON[isSign ? 'sign' : 'word'] && found <= (isSign ? all * WORDS_HELD : 0)
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** The claim's tokens by clause; what an "and" joins to it that the evidence does not join there is one of its own. */
function clausesOf(
  tokens: readonly Token[],
  { run }: Alignment,
  lexicon: Lexicon | null,
): number[][] {
  const clauses: number[][] = []
  let last: number | null = null
  for (const [i, token] of tokens.entries()) {
    const isJoint =
      (lexicon?.joins.has(token.word) === true || JOINTS.has(token.word)) && (run[i] ?? 0) < 2
    if (token.clause !== last || isJoint) clauses.push([])
    clauses.at(-1)?.push(i)
    last = token.clause
  }
  return clauses
}

/** Whether hardly anything of a clause is held, or nothing of one that says little more than a subject and what it does. */
function isAlone(
  clause: readonly number[],
  tokens: readonly Token[],
  weights: readonly number[],
  held: readonly number[],
): boolean {
  const all = sum(clause.map((i) => weights[i] ?? 0))
  const found = sum(clause.map((i) => (weights[i] ?? 0) * (held[i] ?? 0)))
  const words = clause.filter((i) => (weights[i] ?? 0) > 0 && tokens[i]?.kind === 'word')
  return (
    (all >= CLAUSE_WEIGHT && found < all * CLAUSE_HELD) ||
    (words.length >= CLAUSE_WORDS && found < all * WORDS_HELD)
  )
}
