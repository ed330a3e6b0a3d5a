import { PREFIXED, PREFIXES, type UnitName } from '../../language/pack'
import { plainDigits } from '../../text/plain-digits'

/** A number, date, version, identifier or address of a text. */
export interface Figure {
  /** One spelling for all: 1,000 and 1.000 and 1000 are `1000`; 4.50 is `4.5`; addresses have no scheme. */
  text: string
  /** Null where it is no quantity (a version, an address, an hour with minutes). */
  value: number | null
  unit: UnitName | null
  /** What it says if it is read in another way: "18.30" is a decimal or an hour. */
  also?: Figure
}

/** Days and months are of one kind, though none is converted into the other. */
const MONTHS = 1
const SCALES: Partial<Record<UnitName, number>> = {
  thousand: 1e3,
  'ten-thousand': 1e4,
  million: 1e6,
  'hundred-million': 1e8,
  billion: 1e9,
  trillion: 1e12,
}
/** How many millionths a prefix makes of its unit, in the order of `PREFIXES`. */
const PREFIXED_BY = [1, 1e3, 1e9, 1e12, 1e15]
/** Units that are converted exactly, a kind in each line: how many of its smallest. */
const CONVERSIONS: readonly Partial<Record<UnitName, number>>[] = [
  {
    millisecond: 1,
    second: 1000,
    minute: 60_000,
    hour: 3_600_000,
    day: 86_400_000,
    week: 604_800_000,
  },
  { month: 1, year: 12, decade: 120, century: 1200 },
  { millimetre: 1, centimetre: 10, metre: 1000, kilometre: 1e6 },
  { inch: 1, foot: 12, yard: 36, mile: 63_360 },
  ...PREFIXED.map((unit) => ({
    [unit]: 1e6,
    ...Object.fromEntries(
      Object.keys(PREFIXES).map((prefix, i) => [`${prefix}${unit}`, PREFIXED_BY[i] ?? 0]),
    ),
    ...(unit === 'gram' && { ton: 1e12 }),
  })),
  SCALES,
  // A gigabyte is a thousand megabytes, or 1,024.
  { byte: 1, kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 },
  { byte: 1, kilobyte: 2 ** 10, megabyte: 2 ** 20, gigabyte: 2 ** 30, terabyte: 2 ** 40 },
]
/** What binary fractions leave of a number that is exact ("1.1 km"). */
const ROUNDING = 1e-9
const GROUPED = /^\d{1,3}(?:[.,٬'’\u00a0\u202f ]\d{3})+$/u
const GROUPED_DECIMAL = /^(\d{1,3}([.,٬'’ ])\d{3}(?:\2\d{3})*)(?!\2)[.,٫](\d+)$/u
const DECIMAL = /^\d+[.,٫]\d+$/u
const CLOCK = /^(\d{1,2}):(\d{2})$/u
/** An hour whose minutes stand behind a dot. */
const DOTTED_CLOCK = /^([01]?\d|2[0-4])\.([0-5]\d)$/u

/** Reads digits with their separators, in any script's digits. */
export function readFigure(source: string): Figure {
  const text = plainNumber(source)
  if (GROUPED.test(text)) return quantity(Number(text.replaceAll(/\D/gu, '')))
  const [, whole, , rest] = GROUPED_DECIMAL.exec(text) ?? []
  if (whole !== undefined) return quantity(Number(`${whole.replaceAll(/\D/gu, '')}.${rest}`))
  if (DECIMAL.test(text)) {
    const figure = quantity(Number(text.replace(/[,٫]/u, '.')))
    const [, hour, minutes] = DOTTED_CLOCK.exec(text) ?? []
    if (hour !== undefined) figure.also = readFigure(`${hour}:${minutes}`)
    return figure
  }
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

/** A day of the week by its number: no quantity either. */
export const weekdayFigure = (day: number): Figure => ({
  text: `weekday-${day}`,
  value: null,
  unit: 'week',
})

export const isWeekday = ({ text }: Figure): boolean => text.startsWith('weekday-')

export const isMonth = ({ text }: Figure): boolean => text.startsWith('month-')

/** An address as people shorten it: without scheme, `www.` and the last slash. */
export function readAddress(source: string): Figure {
  const text = source
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)?(?:www\.)?/u, '')
    .replace(/(?<![/.,;:!?])[/.,;:!?]+$/u, '')
  return { text, value: null, unit: null }
}

/** Whether both state the same, by writing or by an exact conversion. A missing unit agrees with any. */
export function sameFigure(claim: Figure, evidence: Figure): boolean {
  if (claim.also !== undefined && sameFigure(claim.also, evidence)) return true
  if (evidence.also !== undefined && sameFigure(claim, evidence.also)) return true
  if (claim.text === evidence.text) return sameUnit(claim.unit, evidence.unit)
  if (claim.value === null || evidence.value === null) return false
  return converts(claim, evidence) || isScaled(claim, evidence) || isScaled(evidence, claim)
}

/** What two units must share for one to exclude the other where no figure stands before them; null for those that are other words too. */
export function unitKind(unit: UnitName): number | null {
  const kind = CONVERSIONS.findIndex((all) => unit in all)
  return kind < 0 || 'foot' in (CONVERSIONS[kind] ?? {}) ? null : Math.max(kind, MONTHS)
}

/** The same number of something else: "5 km" beside "5 miles". */
export const contradictsUnit = (claim: Figure, evidence: Figure): boolean =>
  claim.text === evidence.text && !sameUnit(claim.unit, evidence.unit)

export function sameUnit(one: UnitName | null, other: UnitName | null): boolean {
  if (one === null || other === null || one === other) return true
  // "Working days" may be said shortly.
  return one === 'day' && other === 'working-day'
}

function converts(one: Figure, other: Figure): boolean {
  if (one.unit === null || other.unit === null || one.unit === other.unit) return false
  const [unit, wanted] = [one.unit, other.unit]
  return CONVERSIONS.some((kind) => {
    const [all, theirs] = [
      (one.value ?? 0) * (kind[unit] ?? 0),
      (other.value ?? 0) * (kind[wanted] ?? 0),
    ]
    return all !== 0 && theirs !== 0 && Math.abs(all - theirs) <= all * ROUNDING
  })
}

/** "2 million" and "2,000,000 roubles". */
const isScaled = ({ value, unit }: Figure, plain: Figure): boolean =>
  unit !== null && plain.value === (value ?? 0) * (SCALES[unit] ?? 0) && plain.value !== 0

/** Another figure that states the same on another clock: 5 pm is 17. */
export function afternoon(figure: Figure): Figure {
  const [, hour, minutes] = /^(\d{1,2}):(\d{2})$/u.exec(figure.also?.text ?? figure.text) ?? []
  if (hour !== undefined && Number(hour) < 12) return readFigure(`${Number(hour) + 12}:${minutes}`)
  return figure.value !== null && figure.value < 12 ? quantity(figure.value + 12) : figure
}

function plainNumber(number: string): string {
  if (/^[\x20-\x7e]+$/u.test(number)) return number
  return plainDigits(number.normalize('NFKC')).replaceAll(/[\u00a0\u202f]/gu, ' ')
}
