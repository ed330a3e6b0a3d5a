import type { PdfItem } from './pdf-lines'
import { endsInFigure, raiseFigures } from './raise-figures'

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

/** Two letters or three that are one sign, by its code in fonts that do not say what their codes mean; it begins or is within a word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes.
const LIGATURE = /[\u001b-\u001f](?=\p{Ll})/gu
const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl']

/** Of the type's size: no figures of one number are so much smaller, or so much higher. */
const SMALLER = 0.85
const HIGHER = 0.15

/**
 * Signs as they are meant. Of TeX's older fonts an accent and the letter drawn over it become one, and several
 * joined in one sign become letters. Figures above the line behind a number are none of its own.
 */
export function mendLetters(items: readonly PdfItem[]): PdfItem[] {
  const mended: PdfItem[] = []
  for (const drawn of items) {
    const item = {
      ...drawn,
      str: drawn.str.replace(LIGATURE, (sign) => LIGATURES[sign.charCodeAt(0) - 0x1b] ?? sign),
    }
    const before = mended.at(-1)
    const letter = before && composeLetter(before, item)
    if (before && letter) {
      // A hook hangs at the right of its letter, so far from what is before it that a space seems to be there.
      mended[mended.length - 1] = { ...before, str: before.str.replace(/\s?˛$|.$/u, '') }
      mended.push({ ...item, str: letter + item.str.slice(1) })
    } else if (before && isRaised(before, item)) {
      mended.push({ ...item, str: raiseFigures(item.str) })
    } else mended.push(item)
  }
  return mended
}

function isRaised(before: PdfItem, { transform, height }: PdfItem): boolean {
  const above = (transform[5] ?? 0) - (before.transform[5] ?? 0)
  return (
    endsInFigure(before.str) &&
    !before.hasEOL &&
    height < SMALLER * before.height &&
    above > HIGHER * before.height
  )
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
