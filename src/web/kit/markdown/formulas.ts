import { DOLLAR } from './feed'

/**
 * Formulas that models write as the parser does not read them: `$$…$$`, and `\[…\]` with its words on the same line. They
 * are rewritten as it does: `\(…\)` within a line, `\[`, a line's end and `\]` over several. Prices are no formulas, and
 * neither is what stands in brackets that are only escaped: `\[1\]`, `\[your name\]`.
 */
const OPENING = new RegExp(`(?<!${DOLLAR})${DOLLAR}{2}(?!${DOLLAR})|\\\\\\[`)
const BEGUN = new RegExp(`(?:(?<!${DOLLAR})${DOLLAR}{1,2}|\\\\)$`)
/** Longer ones are not waited for. */
const MAX_LENGTH = 500
/** An operator, a command or an index, or one letter alone. */
const MATHS = /[\\^=]|[\p{L}\p{N}][_\uE001][\p{L}\p{N}{]|^\p{L}$/u
const MARK = /\[\d{1,3}\]/

/** What a text begins with: some that stays as it is, a formula, or what may become one when more comes. */
export type Piece =
  | { kind: 'text'; text: string; rest: string }
  | { kind: 'formula'; source: string; rest: string }
  | { kind: 'wait' }

/**
 * @param before the last character of what came before
 * @param final nothing comes after it
 */
export function nextPiece(text: string, before: string, final: boolean): Piece {
  const cut = (at: number): Piece => ({
    kind: 'text',
    text: text.slice(0, at),
    rest: text.slice(at),
  })
  const at = text.search(OPENING)
  if (at > 0) return cut(at)
  if (at < 0) {
    const begun = final ? -1 : text.search(BEGUN)
    return begun === 0 ? { kind: 'wait' } : cut(begun < 0 ? text.length : begun)
  }
  const isDollars = text.startsWith(DOLLAR)
  if (isDollars && before === DOLLAR) return cut(2)
  if (!final && text.length === 2) return { kind: 'wait' }
  const isBlock = /^[^\S\n]*\n/.test(text.slice(2))
  if (isBlock && !(isDollars && (before === '' || before === '\n'))) return cut(2)
  const end = text.indexOf(isDollars ? text.slice(0, 2) : '\\]', 2)
  const limit = text.indexOf(isBlock ? '\n\n' : '\n')
  if (end < 0 && limit < 0 && !final && text.length < MAX_LENGTH) return { kind: 'wait' }
  const source = text.slice(2, Math.max(2, end)).trim()
  const isCut = end < 0 || end > MAX_LENGTH || (limit >= 0 && limit < end)
  if (isCut || !MATHS.test(source) || MARK.test(source)) return cut(2)
  return {
    kind: 'formula',
    source: isBlock ? `\\[\n${source}\n\\]` : `\\(${source}\\)`,
    rest: text.slice(end + 2),
  }
}
