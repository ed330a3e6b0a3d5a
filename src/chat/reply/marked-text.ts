import type { MarkReference } from '../../text/citations'
import type { Citation, ClaimPart } from './evidence'

/** A sentence as text and marks: as its model set them, then as the check leaves them. */
export type Part = { text: string } | { references: MarkReference[] } | { citations: Citation[] }

const SPACELESS_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u
const STOP = /(?<![\s.!?…。！？؟۔|])[\s.!?…。！？؟۔|]*$/u
/** What joins a second clause to one that its mark ends. */
const JOINT =
  /^\s*(?:[,;，；、،؛]\s*)?(?:(?:and|but|y|e|pero|et|mais|и|а|но|und|aber|ve|ama)\s+|并且?|並且?|而且?|但是?|و(?=\p{L}))?/u
/** A sentence has few parts; each joint costs a look at all that stands before it. */
const MOST_PARTS = 16

export const plainOf = (parts: readonly Part[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('')

export const withoutMarks = (parts: readonly Part[]): Part[] =>
  parts.map((part) => ('text' in part ? part : { citations: [] }))

/** Marks that are gone leave no blanks behind. */
export const closeGaps = (text: string) => text.replaceAll(/\s+(?=[.,;:!?…]|\s)/gu, '')

/** A sentence cut behind its marks: marks side by side belong together. */
export function claimParts(parts: readonly Part[]): ClaimPart[] {
  const cut: { text: string; references: MarkReference[] }[] = []
  let last = { text: '', references: [] as MarkReference[] }
  for (const part of parts) {
    if ('references' in part) last.references.push(...part.references)
    else if ('text' in part) {
      if (last.references.length > 0 && /[\p{L}\p{N}]/u.test(part.text)) {
        cut.push(last)
        last = { text: '', references: [] }
      }
      last.text += part.text
    }
  }
  return [...cut, last]
}

/** Behind which parts another clause is joined, the last first; of a sentence of very many, behind the last ones. */
export const joints = (parts: readonly Part[]): number[] =>
  parts
    .flatMap((part, at) => {
      if (!('references' in part) || at < parts.length - MOST_PARTS) return []
      const rest = plainOf(parts.slice(at + 1))
      const isJoint = JOINT.exec(rest)?.[0].trim() !== ''
      return isJoint && /[\p{L}\p{N}]/u.test(rest) ? [at + 1] : []
    })
    .reverse()

export const withoutJoint = (clause: string): string => clause.replace(JOINT, '')

/** The stop at the end of a text, with the blanks around it. */
export const stopOf = (text: string): string => text.slice(STOP.exec(text)?.index)

/** The parts with the places that carry them: at their own marks, or at one of our own behind the text. */
export function placed(parts: readonly Part[], citations: Citation[]): Part[] {
  let isProven = false
  const own = parts.map((part) => {
    if (!('references' in part)) return part
    const named = citations.filter((one) => namesPlace(part, one))
    isProven ||= named.length > 0
    return { citations: named }
  })
  return isProven ? own : withMark(own, citations)
}

/** Whether a mark points to a place: by its quote, or to the passage as a whole. */
const namesPlace = ({ references }: { references: MarkReference[] }, { passage, span }: Citation) =>
  references.some(
    ({ n, quoted, span: quote }) =>
      n === passage.n &&
      (quote === null ? !quoted : quote.start === span.start && quote.end === span.end),
  )

/** The parts with a mark behind their text, before the full stop. */
function withMark(parts: readonly Part[], citations: Citation[]): Part[] {
  const text = plainOf(parts)
  const trimmed = text.replaceAll(/(?<![ \t])[ \t]+(?=[.,;:!?…。，；：！？]|$)/gu, '')
  const stop = STOP.exec(trimmed)?.index ?? trimmed.length
  const gap = SPACELESS_END.test(trimmed.slice(0, stop)) ? '' : ' '
  return [{ text: trimmed.slice(0, stop) + gap }, { citations }, { text: trimmed.slice(stop) }]
}
