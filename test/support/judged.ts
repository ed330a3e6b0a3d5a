import { Evidence } from '../../src/chat/reply/evidence'
import type { MarkReference } from '../../src/text/citations'
import { passage } from './passages'

/** How a claim stands by a passage alone, in a dialogue that a question tells the language of: stands, falls or open. */
export function judged(
  text: string,
  claim: string,
  question = '',
  references: readonly MarkReference[] = [],
): string {
  const evidence = new Evidence(question)
  // Without a title: what it says would count as evidence too.
  evidence.add([passage(1, text, { title: '', documentName: '' })], { common: {}, rest: 3 })
  return evidence.decide(claim, [{ text: claim, references }]).outcome
}
