import { foldText } from './fold'
import { readQuestion } from './question'

/** A term of this weight names something. */
const NAMES = 0.8

/** Whether a message is one word for a thing, and nothing else that tells what is asked of it. Pure. */
export function namesOneThing(message: string): boolean {
  const [clause, ...more] = readQuestion(message)
  const [term, ...others] = clause?.terms ?? []
  if (!term || more.length + others.length > 0 || term.weight < NAMES) return false
  // "limit" may ask for a number; whoever says no more than that has not said so.
  const isBare = foldText(message).replaceAll(/[^\p{L}\p{N}]+/gu, '') === term.text
  return isBare || clause?.kinds.size === 0
}
