const LIST_ITEM =
  /^\s*(?:[-*+•‣▪◦·–]\s|\(?\d{1,3}[.)]\s|[a-zA-Z][.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、）)])/
const SENTENCE_END = /[.!?:;。！？：；…"»”）)]$/
const CJK_EDGE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff60]/u
const MIN_WRAP_WIDTH = 35

/** Whether a line starts an item of a list. */
export function isListItem(line: string): boolean {
  return LIST_ITEM.test(line)
}

/** The thousands of a number ("32 768") at the break; lines of figures alone are columns. */
const GROUP_END = /\p{L}.*(?<![\p{N}.,])\p{N}{1,3}(?: \p{N}{3})*$/u
const GROUP_START = /^\p{N}{3}(?!\p{N}).*\p{L}/u
/** An address that goes on: it ended with a sign that no sentence ends with, or goes on with one. */
const ADDRESS_END = /(?:https?:\/\/|www\.|@)\S*$/u
const ADDRESS_GOES_ON = /^[\p{Ll}\p{N}/._~%?&=#-]+(?:[/.=?&#_]|(?=\s|$))/u

/** What of a line is looked at beside a break. */
const NEAR = 80

/** Whether a break goes through a number or an address, however short the line. */
export function isTornApart(first: string, second: string): boolean {
  const [end, start] = [first.slice(-NEAR), second.slice(0, NEAR)]
  return (GROUP_END.test(end) && GROUP_START.test(start)) || isTornAddress(end, start)
}

const isTornAddress = (end: string, start: string): boolean =>
  ADDRESS_END.test(end) &&
  (/[/._@=?&#-]$/u.test(end) || /^[/.@=?&#]\S/u.test(start)) &&
  ADDRESS_GOES_ON.test(start) &&
  !isListItem(start)

/** How two halves of a wrapped line are joined: a hyphen at the break goes, CJK characters get no space between them. */
export function findGlue(first: string, second: string): { drop: number; between: string } {
  if (isTornAddress(first.slice(-NEAR), second.slice(0, NEAR))) return { drop: 0, between: '' }
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
      (isTornApart(last, line) ||
        (widest >= MIN_WRAP_WIDTH &&
          widthOf(last) >= widest * 0.6 &&
          !SENTENCE_END.test(last) &&
          !isListItem(line)))
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
