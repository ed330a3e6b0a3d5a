import type { SearchHit } from '../knowledge/types'
import type { Closest } from './events'

const MOST = 3

/** The documents that came nearest to a question that found no answer, best first: a way on instead of a dead end. */
export function closestTo(hits: readonly SearchHit[]): Closest[] {
  const closest = new Map<string, Closest>()
  for (const { documentId, documentName, title, heading } of hits) {
    if (closest.has(documentId)) continue
    closest.set(documentId, { document_id: documentId, title: title || documentName, heading })
    if (closest.size === MOST) break
  }
  return [...closest.values()]
}
