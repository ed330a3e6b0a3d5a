/** Combining marks that carry no meaning for search: Latin and Greek accents, Hebrew points, Arabic vowel signs. */
const MARKS =
  /(?<![\u0400-\u052f])[\u0300-\u036f]|[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu

/** Brings spellings of the same text together: compatibility forms, case, and (except on Cyrillic letters) accents; ё becomes е. */
export function foldText(text: string): string {
  return foldAccents(foldCase(text))
}

/** Compatibility forms and case only. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Takes accents off text that is already folded in case. */
export function foldAccents(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, which has no accents
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.normalize('NFD').replace(MARKS, '').normalize('NFC').replaceAll('ё', 'е')
}
