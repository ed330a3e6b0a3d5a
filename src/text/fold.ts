/** What carries no meaning for search: Latin and Greek accents, Hebrew points, Arabic vowel signs, what is not seen. */
const MARKS =
  /(?<![\u0400-\u052f])[\u0300-\u036f]|[\u00ad\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
/** Letters that have no decomposition, as people type them without their keyboard. */
const LETTERS: Record<string, string> = {
  ı: 'i',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ё: 'е',
}
const ASCII = /^[ -~\s]*$/
/** Text that is its own compatibility form. Most of it is, and normalising costs more than looking. */
const PLAIN = /^[ -~\t\n\r]*$/

/** Brings spellings of the same text together: compatibility forms, case, and accents except on Cyrillic letters. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  const folded = text.normalize('NFKC').toLowerCase()
  if (ASCII.test(folded)) return folded
  return folded
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[ıßøæœłđё]/g, (letter) => LETTERS[letter] ?? letter)
}
