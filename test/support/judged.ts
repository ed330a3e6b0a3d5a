import { Evidence } from '../../src/chat/reply/evidence'
import type { Passage } from '../../src/knowledge/types'

/** How a claim stands by a passage alone: stands, falls or open. */
export function judged(text: string, claim: string): string {
  const evidence = new Evidence()
  const passage: Passage = {
    n: 1,
    base: 'guides',
    documentId: 'd1',
    documentName: 'd1',
    chunkId: 'c1',
    title: '',
    url: null,
    heading: null,
    page: null,
    text,
    start: 0,
    end: text.length,
    score: 1,
    distance: 0,
    coverage: 0,
  }
  evidence.add([passage], { common: {}, rest: 3 })
  return evidence.decide(claim, [{ text: claim, references: [] }]).outcome
}
