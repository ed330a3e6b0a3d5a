import { detectMode } from '../text/analyze'
import { foldText } from '../text/fold'
import { tokensByMode } from '../text/term-weights'

/** Whether a text holds the query as it is written, or all of its words in any form and order. */
export function createMatcher(query: string): (text: string) => boolean {
  const wanted = foldText(query.trim())
  if (wanted === '') return () => false
  const words = tokensByMode(query)
  return (text) => {
    if (foldText(text).includes(wanted)) return true
    const mode = detectMode(text)
    const held = tokensByMode(text)(mode)
    const asked = words(mode)
    return asked.size > 0 && [...asked].every((token) => held.has(token))
  }
}
