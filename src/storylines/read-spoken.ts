import { DAY_MS } from '../config/limits'
import { foldText } from '../text/fold-text'
import { westernDigits } from '../text/western-digits'
import { readWideNumber } from '../text/wide-number'

/**
 * Days and hours as people say them: "12 March", "next Friday", "half past two in the afternoon". Names of months, weekdays
 * and times of day are the engine's own. What could be two days or hours is none, and is asked again.
 */
const LOCALES = ['en', 'es', 'fr', 'de', 'ru', 'ar', 'ar-SY', 'zh', 'zh-TW', 'ja']
const MOST_CHARS = 80
/** "In 30 days" is still a day that somebody counts. */
const COUNTED_DAYS = 30
const HALF_DAY = 12

/** Words beside a day that say nothing of it. */
const AROUND_DAY = wordsOf(
  'on the of st nd rd th o el la de del para dia le du er am den der dem в во на к го числа года г يوم في من عام سنة 在 の',
)
const AROUND_HOUR = wordsOf(
  'at o clock a la las los hora horas h heure heures um uhr в час часа часов الساعه الساعة في 点 點 时 時 分 整 在 に',
)
const THIS = wordsOf('this este ce diesen diesem эту этот это هذا هذه 这 這 这个 這個 本 今週')
/** Some mean the first one to come, some that of the next week. */
const NEXT = wordsOf(
  'next coming proximo proxima siguiente prochain nachsten nachster kommenden следующую следующии следующее القادم القادمة المقبل المقبلة',
)
const NEXT_WEEK = wordsOf('下 下个 下個 来週')
const MINUTES: Record<string, number> = {
  'half past': 30,
  'a quarter past': 15,
  'quarter past': 15,
  'a quarter to': -15,
  'quarter to': -15,
  'y media': 30,
  'y cuarto': 15,
  'menos cuarto': -15,
  'et demie': 30,
  'et demi': 30,
  'et quart': 15,
  'moins le quart': -15,
  halb: -30,
  'viertel nach': 15,
  'viertel vor': -15,
  والنصف: 30,
  ونصف: 30,
  والربع: 15,
  وربع: 15,
  'الا ربع': -15,
  半: 30,
  一刻: 15,
}
const FORENOON = range(1, HALF_DAY - 1)
const AFTERNOON = range(HALF_DAY + 1, 23)
/** What the engine has no name for, or a narrower one than people. */
const MORE_PERIODS: Record<string, readonly number[]> = {
  midnight: [0],
  midday: [12],
  medianoche: [0],
  mediodia: [12],
  minuit: [0],
  mitternacht: [0],
  mitternachts: [0],
  mittag: [12],
  полночь: [0],
  'منتصف الليل': [0],
  الظهر: [12],
  صباحا: FORENOON,
  مساء: AFTERNOON,
  午夜: [0],
  早上: FORENOON,
}

type Read = (words: string) => number | null

/** @param today the day where the user is, as `2026-03-12` @param readNumber of a number in words */
export function readSpoken(
  text: string,
  format: 'date' | 'time',
  today: string,
  readNumber: Read,
): string | null {
  if (text.length > MOST_CHARS) return null
  const plain = plainOf(text)
  return format === 'date' ? readDay(plain, Date.parse(today)) : readHour(plain, readNumber)
}

function readDay(plain: string, today: number): string | null {
  const names = namesOfDays()
  const counted = names.days.get(withoutWords(plain, AROUND_DAY)) ?? names.days.get(plain)
  if (counted !== undefined) return dayAt(today + counted * DAY_MS)
  const { found: months, rest } = takeNames(plain, names.months)
  const { found: weekdays, rest: last } = takeNames(rest, names.weekdays)
  const words = withoutWords(last, AROUND_DAY)
  if (months.length === 0 && weekdays.length === 1 && weekdays[0] !== undefined)
    return weekdayIn(words, weekdays[0], today)
  const day = dayOf(words, months, today)
  const isSame = day !== null && weekdays.every((one) => one === new Date(day).getUTCDay())
  return isSame ? dayAt(day) : null
}

/** A day with its month; without a year the next one. */
function dayOf(words: string, months: readonly number[], today: number): number | null {
  const numbers = /^(?:(\d{4}) ?年? ?)?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号號]?$/u.exec(words)
  const named = /^(?:(\d{4}) )?(\d{1,2})(?: (\d{4}))?$/u.exec(words)
  const month = numbers ? Number(numbers[2]) : months[0]
  const day = Number(numbers?.[3] ?? named?.[2])
  const year = numbers?.[1] ?? named?.[1] ?? named?.[3]
  if (month === undefined || Number.isNaN(day) || months.length > (numbers ? 0 : 1)) return null
  const first = Number(year ?? new Date(today).getUTCFullYear())
  const at = Date.UTC(first, month - 1, day)
  const next = year === undefined && at < today ? Date.UTC(first + 1, month - 1, day) : at
  // 30 February would be one of March.
  return new Date(next).getUTCDate() === day ? next : null
}

/** The first such weekday to come; on that day itself it may be today or in a week. */
function weekdayIn(words: string, weekday: number, today: number): string | null {
  const now = new Date(today).getUTCDay()
  const toCome = (weekday - now + 7) % 7 || 7
  // Weeks begin on Mondays.
  const nextWeek = 7 - ((now + 6) % 7) + ((weekday + 6) % 7)
  if (NEXT_WEEK.has(words)) return dayAt(today + nextWeek * DAY_MS)
  const isSure = NEXT.has(words)
    ? toCome === nextWeek
    : toCome < 7 && (words === '' || THIS.has(words))
  return isSure ? dayAt(today + toCome * DAY_MS) : null
}

function readHour(plain: string, readNumber: Read): string | null {
  const { found: periods, rest } = takeNames(plain, namesOfDays().periods)
  const { found: shifts, rest: last } = takeNames(rest, MINUTE_NAMES)
  if (periods.length > 1 || shifts.length > 1) return null
  const [hours] = periods
  if (last === '' && hours?.length === 1 && shifts.length === 0) return clockAt(hours[0] ?? 0, 0)
  const words = withoutWords(last, AROUND_HOUR)
  const figures = /^(\d{1,2})(?:[ :](\d{2}))?$/u.exec(words)
  if (figures?.[2] !== undefined && shifts.length > 0) return null
  const word = /\d/u.test(words) ? null : readNumber(words)
  const said = figures ? Number(figures[1]) : word
  if (said === null || !Number.isInteger(said) || said < 0 || said > 23) return null
  const minute = Number(figures?.[2] ?? 0) + (shifts[0] ?? 0)
  // "9 h" is written of a clock of 24 hours.
  const isWhole = said > HALF_DAY || said === 0 || /\d ?h(?: |\d|$)/u.test(last)
  const meant = hours
    ? hours.filter((hour) => hour === said || hour % HALF_DAY === said % HALF_DAY)
    : [said].filter(() => isWhole)
  return meant.length === 1 && minute < 60 ? clockAt(meant[0] ?? 0, minute) : null
}

const clockAt = (hour: number, minute: number): string =>
  new Date(((hour * 60 + minute + 1440) % 1440) * 60_000).toISOString().slice(11, 16)

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Without marks, signs and case; Chinese numbers before a unit in figures. */
function plainOf(text: string): string {
  const folded = foldText(westernDigits(text)).text.normalize('NFD').replace(/\p{M}/gu, '')
  return folded
    .replace(/[^\p{L}\p{N}:]+/gu, ' ')
    .replace(/(?:礼拜|禮拜)/gu, '星期')
    .replace(/(?:星期|周|週)天/gu, '星期日')
    .replace(/[零一二两兩三四五六七八九十]+(?=[月日号號点點时時分])/gu, (word) =>
      String(readWideNumber(word) ?? word),
    )
    .replace(/(\d)(?=\p{L})|(\p{L})(?=\d)/gu, '$1$2 ')
    .trim()
}

/** Takes the names out of a text, the longest first. */
function takeNames<T>(text: string, names: ReadonlyMap<string, T>): { found: T[]; rest: string } {
  const found: T[] = []
  let rest = text
  for (const [name, value] of names) {
    const isWide = /\p{Script=Han}/u.test(name)
    const at = isWide ? rest.indexOf(name) : ` ${rest} `.indexOf(` ${name} `)
    if (at < 0) continue
    found.push(value)
    rest = `${rest.slice(0, at)} ${rest.slice(at + name.length)}`.replace(/ +/gu, ' ').trim()
  }
  return { found, rest }
}

const withoutWords = (text: string, words: ReadonlySet<string>): string =>
  text
    .split(' ')
    .filter((word) => !words.has(word))
    .join(' ')

interface Names {
  days: ReadonlyMap<string, number>
  months: ReadonlyMap<string, number>
  weekdays: ReadonlyMap<string, number>
  periods: ReadonlyMap<string, readonly number[]>
}

let names: Names | undefined

function namesOfDays(): Names {
  names ??= readNames()
  return names
}

function readNames(): Names {
  const days = new Map([['the day after tomorrow', 2]])
  const months = new Map<string, number>()
  const weekdays = new Map<string, number>()
  const periods = new Map<string, readonly number[]>()
  for (const locale of LOCALES) {
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    for (let n = 0; n <= COUNTED_DAYS; n++) days.set(plainOf(relative.format(n, 'day')), n)
    /** The part of what the engine writes of an instant of January 2023, which began on a Sunday. */
    const partOf = (options: Intl.DateTimeFormatOptions, type: string) => {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
      return (month: number, day: number, hour = 0) =>
        plainOf(
          format.formatToParts(Date.UTC(2023, month, day, hour)).find((part) => part.type === type)
            ?.value ?? '',
        )
    }
    for (const month of ['long', 'short'] as const)
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const nameOf = partOf(options, 'month')
        for (let n = 0; n < 12; n++)
          if (/\p{L}{3}/u.test(nameOf(n, 1))) months.set(nameOf(n, 1), n + 1)
      }
    for (const weekday of ['long', 'short'] as const) {
      const nameOf = partOf({ weekday }, 'weekday')
      for (let n = 0; n < 7; n++) {
        const name = nameOf(0, n + 1)
        if (weekday === 'long' || locale.startsWith('zh')) weekdays.set(name, n)
        // "В пятницу"
        if (locale === 'ru') weekdays.set(name.replace(/а$/u, 'у'), n)
      }
    }
    for (const options of [{ dayPeriod: 'long' }, {}] as const) {
      const nameOf = partOf({ hour: 'numeric', hour12: true, ...options }, 'dayPeriod')
      const hours = Map.groupBy(range(0, 23), (hour) => nameOf(0, 1, hour))
      for (const [name, of] of hours) periods.set(name, of)
    }
  }
  for (const [name, of] of Object.entries(MORE_PERIODS)) periods.set(name, of)
  return {
    days,
    months: longestFirst(months),
    weekdays: longestFirst(weekdays),
    periods: longestFirst(periods),
  }
}

const longestFirst = <T>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...all].sort(([a], [b]) => b.length - a.length))

const MINUTE_NAMES = longestFirst(new Map(Object.entries(MINUTES)))

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainOf))
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}
