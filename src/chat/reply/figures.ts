import type { UnitName } from '../../language/pack'

/** A number, date, version, identifier or address of a text. */
export interface Figure {
  /** One spelling for all: 1,000 and 1.000 and 1000 are `1000`; 4.50 is `4.5`; addresses have no scheme. */
  text: string
  /** Null where it is no quantity (a version, an address, an hour with minutes). */
  value: number | null
  unit: UnitName | null
}

/** How many of the one make the other, where that is exact. */
const CONVERSIONS: readonly [UnitName, number, UnitName][] = [
  ['minute', 60, 'second'],
  ['hour', 60, 'minute'],
  ['day', 24, 'hour'],
  ['week', 7, 'day'],
  ['year', 12, 'month'],
  ['decade', 10, 'year'],
  ['century', 100, 'year'],
  ['centimetre', 10, 'millimetre'],
  ['metre', 100, 'centimetre'],
  ['kilometre', 1000, 'metre'],
  ['kilogram', 1000, 'gram'],
  ['ton', 1000, 'kilogram'],
  ['million', 1000, 'thousand'],
  ['billion', 1000, 'million'],
  ['trillion', 1000, 'billion'],
]
const SCALES: Partial<Record<UnitName, number>> = {
  thousand: 1e3,
  'ten-thousand': 1e4,
  million: 1e6,
  'hundred-million': 1e8,
  billion: 1e9,
  trillion: 1e12,
}
const GROUPED = /^\d{1,3}(?:[.,٬'’\u00a0\u202f ]\d{3})+$/u
const DECIMAL = /^\d+[.,٫]\d+$/u
const CLOCK = /^(\d{1,2}):(\d{2})$/u

/** Reads digits with their separators, in any script's digits. */
export function readFigure(source: string): Figure {
  const text = plainDigits(source)
  if (GROUPED.test(text)) return quantity(Number(text.replaceAll(/\D/gu, '')))
  if (DECIMAL.test(text)) return quantity(Number(text.replace(/[,٫]/u, '.')))
  if (/^\d+$/u.test(text)) {
    const value = Number(text)
    return Number.isSafeInteger(value) ? quantity(value) : { text, value: null, unit: null }
  }
  const clock = CLOCK.exec(text)
  if (clock?.[2] === '00') return quantity(Number(clock[1]))
  return { text: text.replace(/^0(?=\d:)/u, ''), value: null, unit: null }
}

export const quantity = (value: number): Figure => ({ text: String(value), value, unit: null })

/** A month of the year, by its name or its number in a date: no quantity of anything. */
export const monthFigure = (month: number): Figure => ({
  text: `month-${month}`,
  value: null,
  unit: 'month',
})

export const isMonth = ({ text }: Figure): boolean => text.startsWith('month-')

/** An address as people shorten it: without scheme, `www.` and the last slash. */
export function readAddress(source: string): Figure {
  const text = source
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)?(?:www\.)?/u, '')
    .replace(/[/.,;:!?]+$/u, '')
  return { text, value: null, unit: null }
}

/** Whether both state the same, by writing or by an exact conversion. A missing unit agrees with any. */
export function sameFigure(claim: Figure, evidence: Figure): boolean {
  if (claim.text === evidence.text) return sameUnit(claim.unit, evidence.unit)
  if (claim.value === null || evidence.value === null) return false
  return converts(claim, evidence) || converts(evidence, claim)
}

/** The same number of something else: "5 km" beside "5 miles". */
export const contradictsUnit = (claim: Figure, evidence: Figure): boolean =>
  claim.text === evidence.text && !sameUnit(claim.unit, evidence.unit)

export function sameUnit(one: UnitName | null, other: UnitName | null): boolean {
  if (one === null || other === null || one === other) return true
  // "Working days" may be said shortly.
  return one === 'day' && other === 'working-day'
}

function converts(large: Figure, small: Figure): boolean {
  const { value, unit } = large
  if (value === null || small.value === null || unit === null) return false
  const scale = SCALES[unit]
  if (scale !== undefined && small.value === value * scale) return true
  return CONVERSIONS.some(
    ([from, factor, to]) => from === unit && to === small.unit && value * factor === small.value,
  )
}

/** Another figure that states the same on another clock: 5 pm is 17. */
export const afternoon = (figure: Figure): Figure =>
  figure.value !== null && figure.value < 12 ? quantity(figure.value + 12) : figure

function plainDigits(number: string): string {
  if (/^[\x20-\x7e]+$/u.test(number)) return number
  return number
    .normalize('NFKC')
    .replaceAll(/(?=\p{Nd})[^\x30-\x39]/gu, (digit) => String(digitValue(digit)))
    .replaceAll(/[\u00a0\u202f]/gu, ' ')
}

/** Unicode keeps the ten digits of a script in a row that starts at a multiple of ten or sixteen: zero is found by its class. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
