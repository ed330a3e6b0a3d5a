import { ASKED_VALUES, type AskedValue, VALUES } from '../language/asked-values'
import type { EvidencePack, UnitName, Units } from '../language/pack'
import { foldText } from './fold'

/** A word that a question names, and how well a sentence to be said holds it. */
export interface NamedThing {
  text: string
  /** The best that any sentence of the passages holds it; 0 where it is nowhere. */
  anywhere: number
  /** Of each sentence to be said, with its headings, the question above and the sentence before. */
  held: readonly number[]
}

/** What somebody asks in one clause, and what is about to be said to it. */
export interface Reply {
  text: string
  code: string
  /** Of the clause's language: its units, numbers and words for what is free. */
  packs: readonly EvidencePack[]
  symbols: Units
  said: readonly string[]
  things: readonly NamedThing[]
}

/**
 * Whether what is about to be said is beside the point: it has the topic, but no thing of the kind that is asked for ("what is
 * the spa's phone number?"), or has it of something else. Pure.
 */
export function isNearMiss({ text, said, things, ...spoken }: Reply): boolean {
  const asked = foldText(text.slice(0, MOST_READ))
    .replaceAll(/[?!¿¡？！؟]/gu, '')
    .replaceAll('’', "'")
    .trim()
  const language = languageOf(spoken)
  if (language === null) return false
  const value = VALUES.find((one) => language.values[one]?.test(asked))
  const texts = said.map((one) => foldText(one.slice(0, MOST_READ)))
  if (isOtherRow(texts[0] ?? '', things)) return true
  if (value === undefined) return false
  const counts = value === 'count' && asksMeasure(asked, language)
  const tells = texts.map((one) => {
    const read = readText(one, language)
    return (counts && read.measured.size > 0) || TELLS[value](read)
  })
  if (!tells.includes(true)) return true
  const named = things.filter(({ text }) => !isOfMeasure(text, value, language))
  // Who tells more asks for what is not said in the same words.
  if (named.length > FEW) return false
  const count = (at: number) => named.filter(({ held }) => (held[at] ?? 0) > 0).length
  const least =
    value === 'discount'
      ? named.length
      : OF_ITS_OWN.includes(value)
        ? named.filter(({ anywhere }) => anywhere > 0).length
        : count(0)
  return !tells.some((isTold, at) => isTold && count(at) >= least)
}

/** Characters of a question, and of a sentence: a longer one is text without an end of a sentence. */
const MOST_READ = 4000
/** Things that a question names. */
const FEW = 2
const SAME_WORD = 0.95
const ROW = / \| /u

/** A table's row about something else than the documents say elsewhere by its name. */
const isOtherRow = (first: string, things: readonly NamedThing[]): boolean =>
  ROW.test(first) &&
  things.length <= FEW &&
  things.some(({ anywhere, held }) => anywhere >= SAME_WORD && held[0] === 0)

/** "How many kilos", "how many working days": what counts has a unit, and is told with one. */
const asksMeasure = (asked: string, { times, units, unspaced }: Language): boolean => {
  const words = unspaced ? [...asked].map((_, at) => asked.slice(at)) : asked.split(' ')
  return times.test(asked) || words.some((word) => units.some(([, unit]) => unit.test(word)))
}

/** What one has and another has not, so that all that is named must stand beside it. */
const OF_ITS_OWN: readonly AskedValue[] = ['discount', 'phone', 'email']

type Dimension = 'time' | 'length' | 'weight' | 'money' | 'percent' | 'other'

const DIMENSIONS: Readonly<Record<Dimension, readonly UnitName[]>> = {
  time: ['second', 'minute', 'hour', 'day', 'working-day', 'week', 'month', 'year', 'decade'],
  length: ['millimetre', 'centimetre', 'metre', 'kilometre', 'inch', 'foot', 'yard', 'mile'],
  weight: ['gram', 'kilogram', 'pound', 'ton'],
  money: 'euro dollar pound-sterling yuan yen rouble lira rupee won hryvnia shekel tenge'.split(
    ' ',
  ) as UnitName[],
  percent: ['percent'],
  other:
    'acre hectare litre gallon degree watt byte kilobyte megabyte gigabyte terabyte millisecond'.split(
      ' ',
    ) as UnitName[],
}

interface Language {
  unspaced: boolean
  values: Readonly<Partial<Record<AskedValue, RegExp>>>
  figures: RegExp
  /** What a figure that stands before it measures. */
  units: readonly (readonly [Dimension, RegExp])[]
  months: RegExp | null
  /** Words for time, with a figure or none. */
  times: RegExp
  free: RegExp
  /** Words that count without a figure ("unlimited", "none"). */
  amounts: RegExp
  denies: RegExp
}

const SHORT = 4
const languages = new Map<string, Language>()

type Spoken = Pick<Reply, 'code' | 'packs' | 'symbols'>

function languageOf(spoken: Spoken): Language | null {
  const { code } = spoken
  const words = ASKED_VALUES[code]
  if (words === undefined) return null
  const language = languages.get(code) ?? makeLanguage(words, spoken)
  languages.set(code, language)
  return language
}

function makeLanguage(values: (typeof ASKED_VALUES)[string], { packs, symbols }: Spoken): Language {
  const unspaced = packs.some((pack) => pack.unspaced)
  const any = (list: readonly string[]): string => patternOf(list, unspaced)
  const all = (read: (pack: EvidencePack) => readonly string[]) => packs.flatMap(read)
  const unitsOf = (names: readonly UnitName[], units: Units) =>
    names.flatMap((name) => units[name as keyof Units] ?? [])
  const behind = (dimension: Dimension) => {
    const names = DIMENSIONS[dimension]
    const list = [...all(({ units }) => unitsOf(names, units)), ...unitsOf(names, symbols)]
    // Long ones may have an ending: "كيلوغرامات".
    const longest = list
      .map((word) => (word.length > SHORT ? `${word}*` : word))
      .sort((one, other) => other.length - one.length)
    return [dimension, new RegExp(`^[\\s-]?(?:${any(longest)})`, 'u')] as const
  }
  const months = all((pack) => [...(pack.months?.long ?? []), ...(pack.months?.short ?? [])])
    .flatMap((line) => line.split(','))
    .map((name) => name.trim())
  return {
    unspaced,
    values: Object.fromEntries(
      Object.entries(values).map(([value, source]) => [
        value,
        new RegExp(unspaced ? source : `(?<!\\p{L})(?:${source})(?!\\p{L})`, 'u'),
      ]),
    ),
    figures: new RegExp(
      unspaced
        ? String.raw`\p{Nd}+(?:[.,]\p{Nd}+)*|${HAN}+`
        : String.raw`(?<![\p{L}\p{Nd}])\p{Nd}+(?:[.,:]\p{Nd}+)*|${any(all(({ numbers }) => Object.keys(numbers)))}`,
      'gu',
    ),
    units: (Object.keys(DIMENSIONS) as Dimension[]).map(behind),
    months:
      months.length === 0
        ? null
        : new RegExp(`^(?:st|nd|rd|th|er)?[\\s.]*(?:de |of )?(?:${any(months)})`, 'u'),
    times: new RegExp(
      any(
        all(({ code, units, measures }) =>
          [...unitsOf(DIMENSIONS.time, units), ...Object.keys(measures.named)].map((word) =>
            code === 'de' ? `*${word.replace('*', '')}` : word,
          ),
        ),
      ),
      'u',
    ),
    free: new RegExp(
      any(all(({ free, asking }) => [...free.plain, ...free.denied, ...asking.prices])),
      'u',
    ),
    amounts: new RegExp(
      any(
        all(({ answering, quantities, free }) => [
          ...answering.amounts.filter(
            (word) => !free.plain.some((one) => word.startsWith(one.replace('*', ''))),
          ),
          ...quantities.none,
        ]),
      ),
      'u',
    ),
    denies: new RegExp(any(all(({ negation }) => negation.explicit)), 'u'),
  }
}

/** What finds one of these words: whole, where words are spaced, but for a `*` at its beginning or end. */
function patternOf(words: readonly string[], unspaced: boolean): string {
  const plain = (some: readonly string[]) =>
    some
      .map((word) =>
        foldText(word)
          .replaceAll('*', '')
          .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('|') || '(?!)'
  if (unspaced) return plain(words)
  const begun = words.filter((word) => word.endsWith('*'))
  const ended = words.filter((word) => word.startsWith('*'))
  const whole = words.filter((word) => !word.includes('*'))
  return `(?<!\\p{L})(?:${plain(begun)}|(?:${plain(whole)})(?!\\p{L}))|(?:${plain(ended)})(?!\\p{L})`
}

/** A text with what its figures measure: a dimension, an hour, a day of a month, or nothing. */
interface ReadText {
  text: string
  measured: ReadonlySet<Dimension | 'clock' | 'date' | null>
  language: Language
}

const HAN = '[零一二两兩三四五六七八九十百千万萬半]'
const SIGNS = /[€$£¥₽₺₹]\s?$/u
const PERCENT = /百分之$/u
const RANGE =
  /^\s*(?:to|bis|[-–—~至到]|до|a|y|hasta|au|et|und|or|oder|o|и|или|الى|حتى)\s*\p{Nd}+(?:[.,:]\p{Nd}+)*/u
const AROUND = 30

function readText(text: string, language: Language): ReadText {
  const measured = new Set(
    [...text.matchAll(language.figures)].map((figure) => {
      const end = figure.index + figure[0].length
      const before = text.slice(Math.max(0, figure.index - AROUND), figure.index)
      const behind = text.slice(end, end + AROUND).replace(RANGE, '')
      if (SIGNS.test(before)) return 'money'
      if (PERCENT.test(before)) return 'percent'
      const [dimension] = language.units.find(([, unit]) => unit.test(behind)) ?? []
      if (dimension !== undefined) return dimension
      if (AREA.test(behind)) return 'length'
      if (STARTS_WITH_HOUR.test(figure[0] + behind)) return 'clock'
      return language.months?.test(behind) ? 'date' : null
    }),
  )
  return { text, measured, language }
}

const AREA = /^\s?(?:[mм]²|[кk][mм]²|m2|平)/u
const HOUR = String.raw`\p{Nd}{1,2}\s?[:：.]\p{Nd}{2}(?!\p{Nd})|\p{Nd}\s?(?:am|pm|h|uhr|点|點|时|時)(?!\p{L})`
const CLOCK = new RegExp(HOUR, 'u')
const STARTS_WITH_HOUR = new RegExp(`^\\p{Nd}?(?:${HOUR})`, 'u')
/** From one to another. */
const HOURS = new RegExp(`(?:${HOUR}).*(?:${HOUR})`, 'u')
const TIME_OF_DAY =
  /noon|midnight|mediodia|medianoche|midi|minuit|полдень|полночь|mittag|mitternacht|[中上下]午|半夜|全天|早上|晚上|ظهر|منتصف|صباح|مساء|الساعة|heures?|часов|утра|вечера|o'clock|uhr/u
const AT_HOUR =
  /(?<!\p{L})(?:at|from|until|till|by|before|after|between|and|to|las?|y|a|um|ab|bis|gegen|vers|de|et|в|с|до|к|после|около|по|من|حتى|saat)\s\p{Nd}|\b(?:at|from|until|by) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)\b|\ba las \p{L}/u
const RELATIVE = /(?:分[钟鐘]|小[时時])之?[前后後内內]|[前后後]\p{Nd}+分/u
const MONEY =
  /[€$£¥₽₺₹]|(?<!\p{L})(?:eur|usd|gbp|chf|tl|kr|руб)|ريال|درهم|دينار|دنانير|جنيه|\p{N}\s*(?:元|円|块|塊|(?:ct|cents?|p|pence|centimos?|centimes?|kurus|копе\p{L}*|قرش\p{L}*)(?!\p{L}))|角/u
const PHONE =
  /(?<![\p{Nd}.,])\+?\p{Nd}[\p{Nd} ()/–-]{4,}\p{Nd}|(?<![\p{L}\p{Nd}.,])(?:\p{Nd}{3}|\p{Nd}{5,})(?![\p{L}\p{Nd}]|[.,]\p{Nd})/u
const CALLED = /phone|fax|telef|тел|电话|電話|هاتف|numb|numero|nummer|номер|号码|號碼|رقم/u
const EMAIL = /\S@\S|https?:|www\./u
const MAILED = /mail|correo|courriel|почт|邮箱|郵箱|بريد/u
const YEAR = /(?<!\p{Nd})(?:1[5-9]|20)\p{Nd}{2}(?!\p{Nd})/u
const SHARE = /%|折|half|media|moitie|половин|halb|[半减減]|off|less|menos|moins|weniger|дешевле/u
const COUNTED = new RegExp(
  String.raw`(?:\p{Nd}|${HAN})\s?多?(?:[个個位台臺名人间間辆輛本张張家座所层層条條件套种種次颗顆部枚封字页頁])`,
  'u',
)

const COUNTLESS =
  /unlimited|ilimitad|illimite|безлимит|не ограничен|unbegrenzt|[不无無]限|غير محدود|sinirsiz|none\b|ningun|aucun|ни одно|kein|没有|沒有/u

type Tells = (read: ReadText) => boolean

const INCLUDED =
  /\binclu|inbegriffen|inklusive|\bcompris|включен|входит в|包含|含在|已含|مشمول|شامل/u

const MEASURES = ['money', 'percent', 'weight', 'length', 'other'] as const

const tellsPrice: Tells = ({ text, measured, language }) =>
  MONEY.test(text) ||
  // Or how much of it there is.
  MEASURES.some((dimension) => measured.has(dimension)) ||
  language.free.test(text) ||
  INCLUDED.test(text)

const tellsTime: Tells = ({ text, measured, language }) =>
  measured.has('time') ||
  HOURS.test(text) ||
  language.times.test(text) ||
  language.amounts.test(text)

/** How a sentence looks that tells such a thing. */
const TELLS: Readonly<Record<AskedValue, Tells>> = {
  discount: ({ text, language }) =>
    SHARE.test(text) || language.values.discount?.test(text) === true || language.free.test(text),
  price: tellsPrice,
  phone: ({ text, language }) =>
    PHONE.test(text) || (CALLED.test(text) && language.denies.test(text)),
  email: ({ text, language }) =>
    EMAIL.test(text) || (MAILED.test(text) && language.denies.test(text)),
  clock: ({ text, language: { unspaced } }) =>
    CLOCK.test(text) ||
    TIME_OF_DAY.test(text) ||
    (unspaced ? RELATIVE.test(text) : AT_HOUR.test(text)),
  duration: tellsTime,
  length: ({ measured }) => measured.has('time') || MEASURES.some((one) => measured.has(one)),
  weight: ({ measured }) => measured.has('weight'),
  year: ({ text, measured }) => YEAR.test(text) || measured.has('time') || measured.has(null),
  count: ({ text, measured, language: { unspaced } }) =>
    (unspaced && !ROW.test(text) ? COUNTED.test(text) : measured.has(null)) || COUNTLESS.test(text),
}

/** A word for the kind of value itself ("number", "ten days"). */
function isOfMeasure(
  text: string,
  value: AskedValue,
  { values, times, free, figures }: Language,
): boolean {
  return (
    values[value]?.test(text) === true ||
    times.test(text) ||
    free.test(text) ||
    CALLED.test(text) ||
    MAILED.test(text) ||
    text.search(figures) >= 0
  )
}
