import type { SearchHit } from '../knowledge/types'
import { foldText } from '../text/fold'
import type { Closest } from './events'
import { PATH_STEP } from './source-label'

const MOST = 3

/** The documents that came nearest to a question that found no answer, best first: a way on instead of a dead end. */
export function closestTo(hits: readonly SearchHit[]): Closest[] {
  const closest = new Map<string, Closest>()
  for (const { documentId, documentName, title: named, heading } of hits) {
    if (closest.has(documentId)) continue
    const title = named || documentName
    closest.set(documentId, { document_id: documentId, title, heading: below(title, heading) })
    if (closest.size === MOST) break
  }
  return [...closest.values()]
}

/** What of a heading's path stands below the title, which is shown beside it: most documents begin with theirs. */
function below(title: string, heading: string | null): string | null {
  const steps = heading?.split(PATH_STEP) ?? []
  const rest = foldText(steps[0] ?? '').trim() === foldText(title).trim() ? steps.slice(1) : steps
  return rest.length === 0 ? null : rest.join(PATH_STEP)
}
