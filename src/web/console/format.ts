import type { Language } from '../../config/names'

type Moment = string | number

export interface Format {
  lang: Language
  dir: 'ltr' | 'rtl'
  number(n: number): string
  /** Of a ratio: 0.5 is 50 %. */
  percent(ratio: number): string
  /** 12,300 as 12.3K. */
  compact(n: number): string
  bytes(n: number): string
  date(at: Moment): string
  /** Date and time. */
  time(at: Moment): string
  /** "3 hours ago" of what is over, also where this browser's clock is behind the server's; `now` in milliseconds. */
  ago(at: Moment, now?: number): string
  /** "in 3 hours" of what is still to come. */
  ahead(at: Moment, now?: number): string
  /** "in 3 hours", never less than the time that is to pass. */
  wait(seconds: number): string
  list(words: readonly string[]): string
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** How a language writes what is counted, measured and dated. */
export function createFormat(lang: Language): Format {
  const numbers = new Intl.NumberFormat(lang)
  const percents = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 })
  const compacts = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 })
  const dates = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' })
  const times = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
  const agos = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const lists = new Intl.ListFormat(lang, { type: 'conjunction' })
  const secondsTo = (at: Moment, now: number) => Math.round((new Date(at).getTime() - now) / 1000)
  const inLargest = (seconds: number, whole = Math.trunc) => {
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
    return agos.format(whole(seconds / length), unit)
  }
  return {
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    number: (n) => numbers.format(n),
    percent: (ratio) => percents.format(ratio),
    compact: (n) => compacts.format(n),
    bytes: (n) => {
      const step = Math.min(SIZES.length - 1, n < 1 ? 0 : Math.floor(Math.log(n) / Math.log(1024)))
      const unit = SIZES[step]
      return new Intl.NumberFormat(lang, {
        style: 'unit',
        unit: unit ?? 'byte',
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: step === 0 ? 0 : 1,
      }).format(n / 1024 ** step)
    },
    date: (at) => dates.format(new Date(at)),
    time: (at) => times.format(new Date(at)),
    ago: (at, now = Date.now()) => inLargest(Math.min(0, secondsTo(at, now))),
    ahead: (at, now = Date.now()) => inLargest(Math.max(0, secondsTo(at, now))),
    wait: (seconds) => inLargest(seconds, Math.ceil),
    list: (words) => lists.format(words),
  }
}
