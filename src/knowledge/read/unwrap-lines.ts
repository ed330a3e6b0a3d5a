const LIST_ITEM =
  /^\s*(?:[-*+•‣▪◦·–]\s|\(?\d{1,3}[.)]\s|[a-zA-Z][.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、）)])/
const SENTENCE_END = /[.!?:;。！？：；…"»”）)]$/
const CJK_EDGE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff60]/u
const MIN_WRAP_WIDTH = 35

/** Whether a line starts an item of a list. */
export function isListItem(line: string): boolean {
  return LIST_ITEM.test(line)
}

/** How two halves of a wrapped line are joined: a hyphen at the break goes, CJK characters get no space between them. */
function findGlue(first: string, second: string): { drop: number; between: string } {
  if (/\p{Ll}[-\u2010]$/u.test(first.slice(-3)) && /^\p{Ll}/u.test(second)) {
    return { drop: 1, between: '' }
  }
  const bare = CJK_EDGE.test(first.slice(-1)) && CJK_EDGE.test(second.slice(0, 1))
  return { drop: 0, between: bare ? '' : ' ' }
}

/**
 * Undoes hard wrapping inside one paragraph. A line is taken as wrapped when it is nearly as wide as the widest one,
 * does not end a sentence, and what follows is no list item; all other breaks stay.
 */
export function unwrapLines(lines: readonly string[]): string[] {
  const widest = lines.reduce((max, line) => Math.max(max, widthOf(line)), 0)
  const result: string[] = []
  // The pieces of the line being put together: joined once, so that a long paragraph costs linear time.
  let pieces: string[] = []
  let last = ''
  for (const line of lines) {
    const wraps =
      pieces.length > 0 &&
      widest >= MIN_WRAP_WIDTH &&
      widthOf(last) >= widest * 0.6 &&
      !SENTENCE_END.test(last) &&
      !isListItem(line)
    if (wraps) {
      const { drop, between } = findGlue(last, line)
      pieces[pieces.length - 1] = last.slice(0, last.length - drop)
      pieces.push(between, line)
    } else {
      if (pieces.length > 0) result.push(pieces.join(''))
      pieces = [line]
    }
    last = line
  }
  if (pieces.length > 0) result.push(pieces.join(''))
  return result
}

function widthOf(line: string): number {
  let width = line.length
  for (const char of line.slice(0, 200)) if (CJK_EDGE.test(char)) width += 1
  return width
}
