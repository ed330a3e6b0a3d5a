/**
 * Whole replies as models of several makers write them over what was found for a question: fluent, in lists and tables, with
 * courtesies, with marks as the prompt asks for them, as they come, or none. They were written by somebody who had read the
 * prompt's order to cite and no rule of the check. `claims-models.json` has each of its sentences behind what it is: `{r said}`
 * right, `{f number}` false, `{c}` neither, with its kind; some 58 questions in seven languages, four of them asked in another
 * language than the passages'. A question lies whole in one half; rules were mended by the `tune` half alone.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'questions', 'claims-models.json')
const LABEL = /\{([rfc])(?: (\w+))?\}/u
const MARK = /\[\d+(?:\|[^\]]*)?\]/gu
/** What stands before the next sentence: the sign of its item or row, a heading, a table's header. */
const NEXT_LINE = /\n\s*(?:\n|\d+\.|[-*|#`])[\s\S]*$/u

/** @returns what was asked, and each reply's text with its sentences: `side`, `kind`, and their `letters`. */
export function modelReplies(half) {
  return JSON.parse(readFileSync(FILE, 'utf8'))
    .filter(({ question }) => half === 'all' || halfOf(question) === half)
    .flatMap(({ replies, ...asked }) => replies.map((reply) => ({ ...asked, ...readReply(reply) })))
}

/** @returns a reply without its labels, and its sentences */
export function readReply(reply) {
  const [opening, ...parts] = reply.split(LABEL)
  const sentences = []
  let text = opening
  for (let at = 0; at < parts.length; at += 3) {
    const [side, kind = '', said] = parts.slice(at, at + 3)
    sentences.push({ side, kind, letters: signsOf(said.replace(NEXT_LINE, '')) })
    text += said
  }
  return { text, sentences }
}

/** Letters and digits without marks and signs: in what is left of a reply marks are numbered anew. */
export const signsOf = (text) => text.replaceAll(MARK, '').replaceAll(/[^\p{L}\p{N}]/gu, '')

/** @returns of each sentence whether it is left, in their order */
export function leftOf(sentences, text) {
  const left = signsOf(text)
  let from = 0
  return sentences.map(({ letters }) => {
    const at = letters === '' ? -1 : left.indexOf(letters, from)
    if (at >= 0) from = at + letters.length
    return at >= 0
  })
}

function halfOf(question) {
  const [byte] = createHash('sha256').update(`replies-v1:${question}`).digest()
  return byte < 128 ? 'tune' : 'report'
}
