import { Evidence } from '../../src/chat/reply/evidence'
import { passage } from './passages'

/** How a claim stands by a passage alone: stands, falls or open. */
export function judged(text: string, claim: string): string {
  const evidence = new Evidence()
  // Without a title: what it says would count as evidence too.
  evidence.add([passage(1, text, { title: '', documentName: '' })], { common: {}, rest: 3 })
  return evidence.decide(claim, [{ text: claim, references: [] }]).outcome
}
