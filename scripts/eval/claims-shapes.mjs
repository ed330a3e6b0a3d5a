/**
 * Replies in the shapes that models of several makers give them, over passages of the demo's guides in its seven languages:
 * marks as GPT, Gemini, DeepSeek, Command R and others write them, sources' titles for numbers, footnotes and lists of sources
 * at the end, JSON, fences, HTML, special tokens, thinking aloud, tool calls as text, loops, refusals, cut ends. Their sentences
 * are the passages' own, so that what is lost is lost by the shape. They were written before the check was read by their writer.
 * `claims-shapes.json` has each part behind what it is: `{r}` right, `{f}` false, `{c}` may stand or not, `{g}` is not to be
 * seen. A shape lies in one half; rules were mended by the `tune` half alone.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'questions', 'claims-shapes.json')
const LABEL = /\{([rfcg])\}/u
const MARK = /\[\d+\]/gu
/** The sign of an item, and what follows a sentence before the next one's. */
const SIGN = /^[\s>]*(?:[-*]\s+)?(?:[(（]\d{1,2}[)）]|\d{1,2}[.)])\s*/gmu
const NEXT_ITEM = /\n\s*(?:\n|[(（]?\d+[.)）])[\s\S]*$/u
const CODE = /`[^`]*`/gu
const QUOTE_SIGN = /^> /gmu
/** What markup and half a mark leave behind. */
const LEFTOVER = /[{}<>【】\\]|&\w+;|&#|\[[^\]\d]|\(\)|（）|```/u

/** @returns what was found and asked, and of each reply its text, whether its limit ended it, and its parts with their letters. */
export function shapedReplies(half) {
  return JSON.parse(readFileSync(FILE, 'utf8')).flatMap(({ replies, ...asked }) =>
    replies
      .filter(({ shape }) => half === 'all' || halfOf(`${asked.lang} ${shape}`) === half)
      .map(({ shape, text, cut = false }) => ({ ...asked, shape, cut, ...readReply(text) })),
  )
}

function readReply(reply) {
  const [opening, ...labelled] = reply.split(LABEL)
  const parts = []
  let text = opening
  for (let at = 0; at < labelled.length; at += 2) {
    const [side, said] = labelled.slice(at, at + 2)
    parts.push({ side, letters: signsOf(said.replaceAll(SIGN, '').replace(NEXT_ITEM, '')) })
    text += said
  }
  return { text, parts }
}

const signsOf = (text) => text.replaceAll(MARK, '').replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a claim that the verifier is asked about is right: it has words of a right part, and none of a false one. */
export function isRight(claim, parts) {
  const signs = signsOf(claim)
  const meant = parts.filter(
    ({ letters }) => letters !== '' && (signs.includes(letters) || letters.includes(signs)),
  )
  return meant.some(({ side }) => side === 'r') && !meant.some(({ side }) => side === 'f')
}

/** @returns of each part whether it is seen, and whether all that is to be seen is, and nothing else. */
export function seenOf(parts, { shown, finishReason }) {
  const isAnswer = finishReason !== 'no_match' && finishReason !== 'error'
  const text = isAnswer ? shown : ''
  let left = signsOf(text.replaceAll(SIGN, ''))
  const seen = parts.map(() => false)
  const longestFirst = parts.map((_, at) => at).sort((a, b) => length(b) - length(a))
  function length(at) {
    return parts[at].letters.length
  }
  for (const at of longestFirst) {
    const { side, letters } = parts[at]
    const found = letters === '' ? -1 : left.indexOf(letters)
    seen[at] = found >= 0
    if (seen[at] && side !== 'g')
      left = `${left.slice(0, found)}|${left.slice(found + letters.length)}`
  }
  const plain = text.replaceAll(CODE, '').replaceAll(QUOTE_SIGN, '')
  const asMeant = parts.every(
    ({ side, letters }, at) =>
      letters === '' || !'rf'.includes(side) || seen[at] === (side === 'r'),
  )
  return { seen, asMeant: asMeant && /^\|*$/u.test(left) && !LEFTOVER.test(plain) }
}

function halfOf(shape) {
  const [byte] = createHash('sha256').update(`replies-v1:${shape}`).digest()
  return byte < 128 ? 'tune' : 'report'
}
