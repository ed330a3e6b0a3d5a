/**
 * What the readers of texts that are still coming in know of Markdown: the signs that a line begins with, fences, and where
 * inline code closes. Whole texts are read by `markdown.ts`.
 */

/** The sign of a list item, Chinese numbering and typed bullets included. */
export const ITEM_SIGN = String.raw`(?:[-*+•‣–]|\d{1,3}[.)、])`
/** The same, and letters: "a) first". */
export const LETTERED_SIGN = String.raw`(?:[-*+•‣–]|\d{1,3}[.)、]|[a-z][.)])`
export const TASK_BOX = String.raw`\[[ xX]\]`
export const HEADING_SIGN = '#{1,6}'

const FENCE = /^[ \t]*(`{3,}|~{3,})/u
const CLOSING_FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*$/u

/** The run of backticks or tildes that a line begins with; null where it opens no block of code. */
export const fenceOf = (line: string): string | null => FENCE.exec(line)?.[1] ?? null

export const closesFence = (line: string, fence: string): boolean =>
  CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) === true

/**
 * Where the inline code closes that a run of `run` backticks before `from` opens: on its line, at a run of the same length,
 * before `limit`. `none`: nowhere. `open`: not in the text so far. `in_run`: the run that the text ends with may grow.
 */
export function closingRun(
  text: string,
  from: number,
  run: number,
  final: boolean,
  limit = Number.POSITIVE_INFINITY,
): number | 'none' | 'open' | 'in_run' {
  const newline = text.indexOf('\n', from)
  const lineEnd = newline < 0 ? text.length : newline
  const end = Math.min(lineEnd, limit)
  for (let at = text.indexOf('`', from); at >= 0 && at < end; at = text.indexOf('`', at)) {
    const start = at
    while (at < end && text.charAt(at) === '`') at++
    if (at === text.length && !final) return 'in_run'
    if (at - start === run) return start
  }
  return newline < 0 && text.length < limit && !final ? 'open' : 'none'
}
