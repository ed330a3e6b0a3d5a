import type { PdfItem } from './pdf-lines'

/** Accents that are signs of their own, and the marks that make one letter with the letter behind them. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['´', '\u0301'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
])
const WITH_DOT: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ȷ', 'j'],
])

/** TeX's older fonts have no letters with accents: the accent is drawn first and its letter over it. Makes one letter of both. */
export function joinAccents(items: readonly PdfItem[]): PdfItem[] {
  const joined: PdfItem[] = []
  for (const item of items) {
    const before = joined.at(-1)
    const letter = before && composeLetter(before, item)
    if (before && letter) {
      // A hook hangs at the right of its letter, so far from what is before it that a space seems to be there.
      joined[joined.length - 1] = { ...before, str: before.str.replace(/\s?˛$|.$/u, '') }
      joined.push({ ...item, str: letter + item.str.slice(1) })
    } else joined.push(item)
  }
  return joined
}

function composeLetter(before: PdfItem, item: PdfItem): string | null {
  const mark = MARKS.get(before.str.slice(-1))
  if (mark === undefined || before.hasEOL) return null
  const [x = 0] = item.transform.slice(4)
  const [from = 0] = before.transform.slice(4)
  if (x >= from + before.width || x < from - item.height) return null
  const letter = item.str.slice(0, 1)
  const composed = ((WITH_DOT.get(letter) ?? letter) + mark).normalize('NFC')
  return /^\p{L}$/u.test(composed) ? composed : null
}
