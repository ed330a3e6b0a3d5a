import type { SearchHit } from '../knowledge/types'
import { wordTokens } from '../text/analyze'
import { isBareHeading } from '../text/bare-headings'
import { foldText } from '../text/fold'
import { isFunctionWord } from '../text/latin-language'
import type { Closest } from './events'
import { PATH_STEP } from './source-label'

const MOST = 3

/** The documents that came nearest to a question that found no answer, best first: a way on instead of a dead end. */
export function closestTo(hits: readonly SearchHit[], question: string): Closest[] {
  const closest = new Map<string, Closest>()
  for (const { documentId, documentName, title: named, heading, text } of hits) {
    if (closest.has(documentId)) continue
    const title = named || documentName
    const place = below(title, heading) ?? headingWithin(text, title, question)
    closest.set(documentId, { document_id: documentId, title, heading: place })
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

/**
 * A short document is one passage, whose heading is the document's own: the place in it is the heading whose words, with
 * what stands below it, the question has most of. Null where it has none.
 */
function headingWithin(text: string, title: string, question: string): string | null {
  const asked = new Set(wordTokens(question).filter((token) => !isFunctionWord(token)))
  let best: string | null = null
  let most = 0
  for (const { heading, body } of partsOf(text)) {
    if (foldText(heading).trim() === foldText(title).trim()) continue
    const said = new Set(wordTokens(`${heading}\n${body}`))
    const shared = [...asked].filter((token) => said.has(token)).length
    if (shared > most) {
      best = heading
      most = shared
    }
  }
  return best
}

/** The headings of a passage, each with what stands below it. */
function partsOf(text: string): { heading: string; body: string }[] {
  const parts: { heading: string; body: string }[] = []
  for (const { 0: line, index } of text.matchAll(/[^\n]+/gu)) {
    const part = parts.at(-1)
    if (isBareHeading(text, index, index + line.length)) {
      parts.push({ heading: line.trim(), body: '' })
    } else if (part) part.body += `\n${line}`
  }
  return parts
}
