import { dropJoiners } from '../../text/joiners'

/**
 * Control characters except tab and newline, zero-width and direction marks, fillers that show nothing, variation selectors,
 * tag characters and non-characters: none of them is visible, all of them can smuggle instructions or defeat a search.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are meant.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu

/** A few ranges that hold all of these, without looking at code points: five times as fast, and most text has none of them. */
const MAY_BE_INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\uffff]/

/** Text without any is in Latin letters, each of them whole: there is nothing to join, and nothing that joins. */
const OTHER_SCRIPT = /[\u0300-\u2001\u200c]|[\u200d\u2070-\uffff]/

/** More marks on one letter than any script uses: they make text unreadable and normalising it slow. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu

/** Strips what cannot be seen, turns every line break into `\n`, and brings the text into NFC. Lengths may change. */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
  const visible = MAY_BE_INVISIBLE.test(lines) ? lines.replace(INVISIBLE, '') : lines
  if (!OTHER_SCRIPT.test(visible)) return visible
  return dropJoiners(visible).replace(STACKED_MARKS, '$1').toWellFormed().normalize('NFC')
}

/** `cleanText`, then single spaces, no space at either end of a line and no empty lines. */
export function cleanLines(text: string): string {
  return cleanText(text)
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .trim()
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff01-\\uff60'
const CJK_BREAK = new RegExp(`([${CJK}])[ \\t]*\\n[ \\t\\n]*(?=[${CJK}])`, 'gu')

/** Undoes line breaks that only wrap the source: a space in most scripts, nothing between Chinese or Japanese characters. */
export function joinSoftBreaks(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return (OTHER_SCRIPT.test(lines) ? lines.replace(CJK_BREAK, '$1') : lines)
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
}
