/**
 * Formulas in `\(…\)`, `\[…\]` and `$$…$$`, within a line or over several. Prices are none, and neither is what stands in
 * brackets that are only escaped: `\[1\]`, `\[your name\]`.
 */
const OPENING = /^(?:\\\(|\\\[|(?<!\$)\$\$(?!\$))/
/** Longer ones are not waited for. */
const MAX_LENGTH = 500
/** An operator, a command or an index, or one letter alone. */
const MATHS = /[\\^=]|[\p{L}\p{N}]_[\p{L}\p{N}{]|^\p{L}$/u
const MARK = /\[\d{1,3}\]/

export interface Formula {
  source: string
  /** Behind it; beyond the text where it still goes on. */
  end: number
}

/** The formula that begins at a place of a text, or null. @param open more of the text may follow */
export function formulaAt(text: string, at: number, open: boolean): Formula | null {
  const opening = OPENING.exec(text.slice(at, at + 3))?.[0]
  if (opening === undefined || (opening === '$$' && text[at - 1] === '$')) return null
  const closing = opening === '$$' ? '$$' : opening === '\\(' ? '\\)' : '\\]'
  const from = at + 2
  // No further: a text may open thousands.
  const near = text.slice(from, from + MAX_LENGTH + closing.length)
  const isBlock = /^[^\S\n]*\n/.test(near)
  if (isBlock && opening === '$$' && at > 0 && text[at - 1] !== '\n') return null
  const end = near.indexOf(closing)
  const limit = near.indexOf(isBlock ? '\n\n' : '\n')
  if (end < 0 && limit < 0 && open && text.length - from < MAX_LENGTH)
    return { source: '', end: text.length }
  if (end < 0 || (limit >= 0 && limit < end)) return null
  const source = near.slice(0, end).trim()
  if (
    opening !== '\\(' &&
    !(isBlock && opening === '\\[') &&
    (!MATHS.test(source) || MARK.test(source))
  )
    return null
  return { source: isBlock ? `${source}\n` : source, end: from + end + 2 }
}
