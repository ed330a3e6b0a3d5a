import { EVIDENCE_PACKS } from '../language/packs'
import { foldText } from '../text/fold-text'
import { trimSigns } from '../text/trim-signs'
import { westernDigits } from '../text/western-digits'
import { readWideNumber } from '../text/wide-number'

const WIDE_NUMBER = /^[零〇一二两兩三四五六七八九十百]+$/u
const SEPARATOR = String.raw`[.,'’\u00a0\u202f ]`
const NUMBER = new RegExp(
  String.raw`-?\d+(?:${SEPARATOR}\d{3})*(?:[.,]\d+)?|(?<!\S)-?[.,]\d+`,
  'gu',
)
/** Thousands are grouped by one sign, and a number of several groups begins with no 0. */
const GROUPED = new RegExp(String.raw`^-?[1-9]\d{0,2}(${SEPARATOR})\d{3}(?:\1\d{3})*$`, 'u')
const SEPARATORS = new RegExp(SEPARATOR, 'gu')

/**
 * The one number of a text, in figures or as a word; a text with several says none, nor does one in figures and words
 * ("3 million"). A separator before exactly three digits groups thousands, another is the decimal sign.
 */
export function readNumber(text: string): number | null {
  const plain = westernDigits(text)
  const found = plain.match(NUMBER) ?? []
  if (found.length > 1) return null
  const [digits] = found
  if (digits !== undefined) return isScaled(plain.split(digits)[1] ?? '') ? null : numberOf(digits)
  if (WIDE_NUMBER.test(text)) return readWideNumber(text)
  const word = foldText(trimSigns(text, /[\s.!。！]/u)).text
  for (const { numbers } of EVIDENCE_PACKS) {
    const value = Object.hasOwn(numbers, word) ? numbers[word] : undefined
    if (value !== undefined) return value
  }
  return null
}

/** Whether what stands behind a figure begins with "thousand", "k", "万" … */
function isScaled(rest: string): boolean {
  const word = /^\s?(\p{L}+)/u.exec(rest)?.[1]?.toLowerCase() ?? ''
  const isOf = (one: string) => one === word || (one.length === 1 && word.startsWith(one))
  const isScale = ([name, words]: [string, readonly string[]]) =>
    /thousand|illion/.test(name) && words.some(isOf)
  return word === 'k' || EVIDENCE_PACKS.some(({ units }) => Object.entries(units).some(isScale))
}

function numberOf(digits: string): number {
  if (GROUPED.test(digits)) return Number(digits.replace(SEPARATORS, ''))
  const [whole = '', fraction] = digits.split(/[.,](?=\d+$)/u)
  const plain = whole.replace(SEPARATORS, '')
  return Number(fraction === undefined ? plain : `${plain}.${fraction}`)
}
