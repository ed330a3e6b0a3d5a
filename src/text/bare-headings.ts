/** A short line that ends no sentence; "1.2 Leave", a chapter's; "[1.0.2] - 2026-03-01", a changelog's. */
const BARE_HEADING = /^(?:[^.!?。！？:：;|]|\.(?=\S)){1,90}$/u
const NUMBERED_HEADING = /^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+\p{L}[^.!?。！？:：;|]{0,80}$/u
const BLANK_BEFORE = /(?:^|\n)[ \t]*\n\s*$/u
const BLANK_AFTER = /^[ \t]*\n[ \t]*\n/u
const LINE_BEFORE = 200

/** Whether a line of a passage is a heading whose mark the file's reader took off: short, and alone between blank lines. */
export function isBareHeading(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - LINE_BEFORE), start)
  if (before.trim() !== '' && !BLANK_BEFORE.test(before)) return false
  if (!BLANK_AFTER.test(text.slice(end, end + LINE_BEFORE))) return false
  return isHeadingLine(text.slice(start, end).trim())
}

/** Whether a line reads like a heading, wherever it stands. */
export const isHeadingLine = (line: string): boolean =>
  BARE_HEADING.test(line) || NUMBERED_HEADING.test(line)

export const isNumberedHeading = (line: string): boolean => NUMBERED_HEADING.test(line)
