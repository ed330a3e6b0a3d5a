import { type AskedClause, type AskedTerm, namesSomething } from './asked'
import { foldText } from './fold'
import { AND } from './read-clause'

/** One of two things that a question asks the same of. */
export interface AskedThing {
  /** The question for this one alone, without what names the other. */
  clause: AskedClause
  /** What tells it from the other. */
  focus: AskedTerm
}

/**
 * "When do the museum and the café open?": both things, each with all that is asked of both; null for a question of one thing.
 * What names each is the word nearest to the "and" on its side that stands on no other: "a single room and a double room".
 * Pure.
 */
export function readThings(clause: AskedClause): [AskedThing, AskedThing] | null {
  const found = clause.kinds.size === 0 ? null : AND.exec(clause.text)
  if (found === null) return null
  const before = clause.text.slice(0, found.index)
  const after = clause.text.slice(found.index + found[0].length)
  const [told, rest] = [foldText(before), foldText(after)]
  const stands = (text: string, term: AskedTerm) => term.words.some((word) => text.includes(word))
  const named = clause.terms.filter((term) => namesSomething(term) && !term.verb)
  const first = named.findLast((term) => stands(told, term) && !stands(rest, term))
  const second = named.find((term) => stands(rest, term) && !stands(told, term))
  if (first === undefined || second === undefined) return null
  const thing = (text: string, focus: AskedTerm, other: AskedTerm): AskedThing => ({
    clause: { ...clause, text, terms: clause.terms.filter((term) => term !== other) },
    focus,
  })
  return [thing(before, first, second), thing(after, second, first)]
}

/**
 * How the user named a thing: the words from what tells it on, as far as `isNamed` says that they belong to it; with the words
 * between the "and" and them.
 */
export function nameOf(
  { clause: { text, terms }, focus }: AskedThing,
  isNamed: (term: AskedTerm) => boolean,
): string {
  const folded = foldText(text)
  const end = (term: AskedTerm) =>
    Math.max(
      ...term.words.map((word) => (folded.includes(word) ? folded.indexOf(word) + word.length : 0)),
    )
  const start = Math.max(0, end(focus) - focus.text.length)
  // What stands before the "and" begins with the question itself.
  const isSecond = terms.every((term) => term === focus || end(term) === 0 || end(term) > start)
  let last = end(focus)
  for (const term of terms.slice(terms.indexOf(focus) + 1)) {
    if (end(term) === 0 || !isNamed(term)) break
    last = end(term)
  }
  return folded.length === text.length ? text.slice(isSecond ? 0 : start, last).trim() : focus.text
}
