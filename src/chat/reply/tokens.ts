import { foldText } from '../../text/fold'
import type { LatinMode } from '../../text/latin-language'
import { isFunctionWord } from '../../text/latin-language'
import { LONGEST_REMEMBERED } from '../../text/remembered'
import { stemWord } from '../../text/stem'
import { readWideNumber } from '../../text/wide-number'
import {
  afternoon,
  type Figure,
  isMonth,
  monthFigure,
  quantity,
  readAddress,
  readFigure,
  weekdayFigure,
} from './figures'
import { type Lexicon, plainWord } from './lexicon'
import { readEvenings, readMeasures } from './measures'
import { monthNames } from './months'

/** A word, a sign of an unspaced script or a figure, as claim and evidence are compared. */
export interface Token {
  /** As its language's lists have it. */
  word: string
  /** What two tokens that say the same share: a stem, a sign, a figure in one spelling. */
  key: string
  kind: 'word' | 'sign' | 'figure'
  figure: Figure | null
  /** Carries no content: a function word, a particle. */
  light: boolean
  /** Begins with a capital, not at the start of its sentence. */
  capital: boolean
  /** Which clause it stands in. */
  clause: number
}

/** How a text is read: the words of its language, and how its Latin words are stemmed. */
export interface Reading {
  lexicon: Lexicon | null
  mode: LatinMode
}

/** A sentence is no longer than this many tokens to the check; what is longer is a table or no sentence at all. */
export const MAX_TOKENS = 400

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆〇`
const LETTER = String.raw`[[\p{L}\p{M}]--[${UNSPACED}]]`
const LETTER_OR_DIGIT = String.raw`[[\p{L}\p{M}\p{Nd}]--[${UNSPACED}]]`
const TOKEN = new RegExp(
  [
    String.raw`((?:https?:\/\/|www\.)[^\s\)\]>"'”’，。]+|(?<![\w.+])[\w.+]+@[\w\-]+(?:\.[\w\-]+)+)`,
    String.raw`((?<![\p{Nd}.\/\-])(?:\p{Nd}{4}(?:-\p{Nd}{1,2}-|\/\p{Nd}{1,2}\/)\p{Nd}{1,2}|\p{Nd}{1,2}(?:\.\p{Nd}{1,2}\.|\/\p{Nd}{1,2}\/)\p{Nd}{4}|\p{Nd}{1,2}\/\p{Nd}{1,2})(?!\p{Nd}|[.\/\-]\p{Nd}))`,
    String.raw`(\p{Nd}{1,3}(?:[ \u00a0\u2009\u202f'’]\p{Nd}{3})+(?!\p{Nd})(?:[.,]\p{Nd}+)?|\p{Nd}+(?:[.,٫٬:]\p{Nd}+)*)`,
    '((?!百分之)[零〇一二两兩三四五六七八九十百]+?(?=百分之|[^零〇一二两兩三四五六七八九十百]|$))',
    `((?!百分之)[${UNSPACED}])`,
    String.raw`(${LETTER}(?:${LETTER_OR_DIGIT}|['’](?=\p{L}))*)`,
    String.raw`([%٪％°½‰]|\p{Sc}|百分之)`,
    String.raw`([,;:\(\)—–.!?，；：、。！？（）،؛؟\|\n])`,
  ].join('|'),
  'gv',
)
/** In a word as some write it, and in none as others do. Nobody sees them. */
const JOINER = /[\u00ad\u200b-\u200d\u2060\ufeff]/gu
/** Several in one sign. */
const SQUARED = /[℃℉₀-₉\u3371-\u33df]|(?<=\p{Nd}\s?[a-zа-яم]{1,2})[²³]/giu
/** "And", "in", "for": Arabic writes them as a letter of the figure behind it. */
const BEFORE_FIGURE = /(?<![\p{L}\p{M}\p{Nd}])[وفبلك](?=\p{Nd})/gu
const HALF_OF_DAY = /(?<=\p{Nd} ?)([ap])\. ?m(?:\.|(?!\p{L}))/giu
const AFTERNOON = /^(?:pm|p\.m|م|مساء|مساءً)$/u

const ORDINAL_END =
  /^(?:st|nd|rd|th|er|ère|ers|nde|e|è?me|ème|[ºª]|й|го|му|я|ю|ой|ый|ий|х|(?:inc|nc)[iı]|(?:unc|nc)[uü]|[ıü]nc[ıü])$/iu

/** What parts two statements more than a comma does, and what parts them no more where several stand together ("），（"). */
const PARTS = /[;；؛]/u
const SOFT = /[,:()—–，：、（）،|]/u

/** Reads a sentence, a row or any other text into tokens; the first `MAX_TOKENS` of it. */
export function readTokens(text: string, reading: Reading): Token[] {
  const tokens: Token[] = []
  const { lexicon } = reading
  let clause = 0
  let sign: string | null = null
  let isSoft = false
  let numberEnd = -1
  const written = text.replaceAll(JOINER, '').replaceAll(SQUARED, (sign) => sign.normalize('NFKC'))
  const clear = written.replaceAll(HALF_OF_DAY, '$1m')
  const whole = lexicon?.code === 'ar' ? clear.replaceAll(BEFORE_FIGURE, ' ') : clear
  for (const match of whole.matchAll(TOKEN)) {
    const [source, address, date, digits, wide, unspaced, word, symbol, stop] = match
    if (stop !== undefined) {
      const wasSoft = isSoft
      isSoft = SOFT.test(stop)
      if (!wasSoft || !isSoft) clause += PARTS.test(stop) ? 2 : 1
      continue
    }
    isSoft = false
    if (tokens.length >= MAX_TOKENS) break
    // "The 3rd day", "3-го дня": letters that make a rank of a number say nothing by themselves.
    if (numberEnd >= 0 && ORDINAL_END.test(word ?? '')) {
      const between = whole.slice(numberEnd, match.index)
      if (between === '' || between === '-') continue
    }
    numberEnd = digits === undefined ? -1 : match.index + digits.length
    if (symbol !== undefined) {
      if (symbol === '½') addHalf(tokens)
      else
        sign = attachSymbol(
          tokens,
          symbol,
          isBeforeFigure(whole, match.index + symbol.length),
          reading,
        )
      continue
    }
    if (address !== undefined) tokens.push(figureToken(source, readAddress(address), clause))
    else if (date !== undefined) addDate(tokens, date, clause, lexicon)
    else if (digits !== undefined) {
      const figure = readFigure(digits)
      if (sign !== null) figure.unit = lexicon?.units.get(sign) ?? null
      tokens.push(figureToken(digits, figure, clause))
    } else if (wide !== undefined) {
      // A lone 一 is an article, and so are signs for numbers inside other words as often as not.
      if (wide === '一' && whole[match.index + 1] !== '月')
        tokens.push(signToken(wide, clause, lexicon))
      else tokens.push(figureToken(wide, quantity(readWideNumber(wide)), clause))
    } else if (unspaced !== undefined) tokens.push(signToken(unspaced, clause, lexicon))
    else if (word !== undefined) addWord(tokens, word, clause, reading)
    sign = null
    if (word !== undefined && lexicon?.contrasts.has(tokens.at(-1)?.word ?? '')) clause++
  }
  readMonths(tokens, reading)
  if (lexicon !== null) readMeasures(tokens, lexicon)
  attachUnits(tokens, lexicon)
  if (lexicon !== null) readEvenings(tokens, lexicon)
  return tokens
}

/** "2026-03-05", "5.3.2026", "05/03/2026": a year, a month and a day. */
function addDate(tokens: Token[], date: string, clause: number, lexicon: Lexicon | null): void {
  const parts = date.split(/[-./]/u)
  if (parts.length === 2) {
    addShortDate(tokens, parts, clause, lexicon)
    return
  }
  const [one = 0, other = 0, last = 0] = parts.map((part) => Number(readFigure(part).text))
  const isYearFirst = one > 31
  // English writes the month first as often as not: only what is no month tells.
  const isMonthFirst =
    !isYearFirst && (other > 12 || (one <= 12 && lexicon?.code === 'en' && date.includes('/')))
  const day = isYearFirst ? last : isMonthFirst ? other : one
  const month = isYearFirst ? other : isMonthFirst ? one : other
  const figures = [quantity(isYearFirst ? one : last), monthFigure(month), quantity(day)]
  for (const figure of figures) tokens.push(figureToken(figure.text, figure, clause))
}

/** "4/20" is a month and a day where years come first; elsewhere as often a fraction. */
function addShortDate(
  tokens: Token[],
  parts: readonly string[],
  clause: number,
  lexicon: Lexicon | null,
): void {
  const [month = quantity(0), day = quantity(0)] = parts.map(readFigure)
  const isDate =
    lexicon?.unspaced === true && isWithin(month.value, 1, 12) && isWithin(day.value, 1, 31)
  // "15/05" is no fraction; English writes the month first as often as not.
  const isDayFirst =
    lexicon?.unspaced === false &&
    lexicon.code !== 'en' &&
    parts.every(({ length }) => length === 2) &&
    isWithin(day.value, 1, 12)
  const figures = isDate
    ? [monthFigure(month.value ?? 0), day]
    : [month, isDayFirst ? monthFigure(day.value ?? 0) : day]
  for (const figure of figures) tokens.push(figureToken(figure.text, figure, clause))
}

const isWithin = (value: number | null, least: number, most: number): boolean =>
  value !== null && value >= least && value <= most

/**
 * Months as figures. A name that the language writes with a capital needs it ("may", "march"), and a short one stands beside
 * a figure; so does a small word at the start of a clause, where every word has a capital ("May").
 */
function readMonths(tokens: Token[], { lexicon, mode }: Reading): void {
  if (lexicon === null) return
  if (lexicon.unspaced) {
    if (lexicon.code !== 'ja') readWeekdays(tokens)
    for (const [i, { figure }] of tokens.entries()) {
      const month = figure?.value ?? 0
      if (tokens[i + 1]?.word === '月' && Number.isInteger(month) && month >= 1 && month <= 12)
        setMonth(tokens, i, 1, month)
    }
    return
  }
  if (lexicon.code === 'de') readDottedDates(tokens)
  const names = monthNames(lexicon.code, (word) => factsOf(word, { lexicon, mode }).key)
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token?.kind !== 'word') continue
    const pair = names.get(`${token.key} ${tokens[i + 1]?.key}`)
    const name = pair ?? names.get(token.key)
    // A small word may have a month's stem: Arabic "ما" that of "ماي".
    if (name === undefined || (token.light && !name.capital)) continue
    const isBeside = [tokens[i - 1], tokens[i + 1]].some((one) => one?.kind === 'figure')
    const isFirst = tokens[i - 1]?.clause !== token.clause
    const isWritten = !name.capital || token.capital || i === 0
    if (isWritten && (isBeside || !(name.short || (name.capital && isFirst && token.light))))
      setMonth(tokens, i, pair === undefined ? 1 : 2, name.month)
  }
}

const DAYS_OF_WEEK = '一二三四五六日天'
/** Sunday has two signs. */
const LAST_DAY = DAYS_OF_WEEK.indexOf('日')
/** "Three times a week" is no Wednesday. */
const COUNTS =
  /^[次天节節回个個小堂课課晚顿頓条條遍年月倍种種名位人元块塊本件张張场場班篇杯只分百千万萬億亿]$/u
const COUNTED = /^[一两兩几幾数數\p{Nd}]/u

/** "周三", "星期三", "禮拜三": a day of the week is one figure, however it is written. */
function readWeekdays(tokens: Token[]): void {
  for (let i = 0; i + 1 < tokens.length; i++) {
    const [one, two] = [tokens[i]?.word ?? '', tokens[i + 1]?.word ?? '']
    const length = /^[周週]$/u.test(one) ? 1 : /^(?:星期|礼拜|禮拜)$/u.test(one + two) ? 2 : 0
    const day = DAYS_OF_WEEK.indexOf(tokens[i + length]?.word || ' ')
    if (length === 0 || day < 0 || COUNTS.test(tokens[i + length + 1]?.word ?? '')) continue
    const before = tokens[i - 1]
    if (before?.figure != null || COUNTED.test(before?.word ?? '')) continue
    const { clause = 0 } = tokens[i] ?? {}
    const figure = weekdayFigure(Math.min(day, LAST_DAY))
    tokens.splice(i, length + 1, figureToken(one, figure, clause))
  }
}

/** What stands before a day: "um 18.10" is an hour. */
const BEFORE_DAY = new Set('am vom zum bis ab dem den'.split(' '))
const DOTTED_DATE = /^(\d{1,2})\.(0[1-9]|1[0-2])$/u

/** "Bis 31.03.": a day and a month as German writes them without the year. */
function readDottedDates(tokens: Token[]): void {
  for (let i = 0; i < tokens.length; i++) {
    const [, day, month] = DOTTED_DATE.exec(tokens[i]?.word ?? '') ?? []
    const before = tokens[i - 1]
    const isDate = BEFORE_DAY.has(before?.word ?? '') || (before?.figure && isMonth(before.figure))
    if (!isDate || tokens[i + 1]?.word === 'uhr' || !isWithin(Number(day), 1, 31)) continue
    const { word = '', clause = 0 } = tokens[i] ?? {}
    const figures = [quantity(Number(day)), monthFigure(Number(month))]
    tokens.splice(i, 1, ...figures.map((figure) => figureToken(word, figure, clause)))
    i++
  }
}

function setMonth(tokens: Token[], at: number, length: number, month: number): void {
  const { word = '', clause = 0 } = tokens[at] ?? {}
  tokens.splice(at, length, figureToken(word, monthFigure(month), clause))
}

/** What is known of a written word in a language, whatever stands around it. */
interface WordFacts {
  word: string
  key: string
  light: boolean
  number: number | undefined
  hasDigit: boolean
  capital: boolean
}

const REMEMBERED = 20_000
/** Reading a word costs more than looking it up, and texts repeat their words. */
const remembered = new Map<string, Map<string, WordFacts>>()

function factsOf(source: string, { lexicon, mode }: Reading): WordFacts {
  const name = `${lexicon?.code}:${mode}`
  let words = remembered.get(name)
  if (words === undefined || words.size >= REMEMBERED) {
    words = new Map()
    remembered.set(name, words)
  }
  let facts = words.get(source)
  if (facts === undefined) {
    const word = plainWord(source)
    const folded = foldText(word)
    // Arabic writes "and" as a letter of the word behind it.
    const bare = unelided(PLURAL_LETTERS.test(source) ? folded.slice(0, -1) : folded, mode)
      .replace(/'.*$/u, '')
      .replace(/^[وف](?=ال\p{L}{2})/u, '')
    const stem = bare === '' ? folded : bare.length < 3 ? folded.replaceAll("'", '') : bare
    facts = {
      word,
      key: stemWord(stem, mode),
      light: lexicon === null ? isFunctionWord(folded) : lexicon.functionWords.has(word),
      number: lexicon === null || lexicon.unspaced ? undefined : numberOf(word, lexicon),
      hasDigit: /\p{Nd}/u.test(word),
      capital: /^\p{Lu}/u.test(source),
    }
    if (source.length <= LONGEST_REMEMBERED) words.set(source, facts)
  }
  return facts
}

/** "And", "by" and "for" are a letter of the Arabic word behind them, too. */
const numberOf = (word: string, { code, numbers }: Lexicon): number | undefined =>
  numbers.get(word) ??
  (code === 'ar' && /^[بول]\p{L}{3}/u.test(word) ? numbers.get(word.slice(1)) : undefined)

/** "PDFs", "APIs": more than one of what letters stand for. */
const PLURAL_LETTERS = /^\p{Lu}{2,}s$/u
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/u

/** French writes small words without their vowel at the word behind them ("l'entrée", "s'inscrire"). */
const unelided = (word: string, mode: LatinMode): string =>
  mode === 'french' ? word.replace(ELIDED, '') : word

function addWord(tokens: Token[], source: string, clause: number, reading: Reading): void {
  const { word, key, light, number, hasDigit, capital } = factsOf(source, reading)
  // "Por ciento", "per cent": the unit's own word is no hundred.
  const isUnit = reading.lexicon?.units.has(`${tokens.at(-1)?.word} ${word}`) === true
  if (number !== undefined && !isUnit) {
    addNumberWord(tokens, word, number, clause, reading.lexicon)
    return
  }
  const before = tokens.at(-1)
  if (before?.figure && AFTERNOON.test(word)) {
    before.figure = afternoon(before.figure)
    before.key = keyOf(before.figure)
    return
  }
  // "18h30": an hour and its minutes without a blank.
  const minutes = /^h([0-5]\d)$/u.exec(word)?.[1]
  if (minutes !== undefined && before?.figure?.value != null && before.figure.value <= 24) {
    before.figure = readFigure(`${before.figure.value}:${minutes}`)
    before.key = keyOf(before.figure)
    return
  }
  // "25 m2", but no "M2" of a name.
  if (hasDigit && !(before?.figure && reading.lexicon?.units.has(source))) {
    tokens.push(figureToken(word, { text: word, value: null, unit: null }, clause))
    return
  }
  tokens.push({
    word,
    key,
    kind: 'word',
    figure: null,
    light,
    // At the start of a sentence every word has one, unless its script is not the language's.
    capital: capital && (tokens.length > 0 || isForeign(source, reading.lexicon)),
    clause,
  })
}

const FIRST_BEHIND_LATIN = 0x250

const isForeign = (word: string, lexicon: Lexicon | null): boolean =>
  lexicon?.latin === false && word.charCodeAt(0) < FIRST_BEHIND_LATIN

/** "Twenty-five", "two hundred and ten" and "two thousand five hundred" are one figure. */
function addNumberWord(
  tokens: Token[],
  word: string,
  value: number,
  clause: number,
  lexicon: Lexicon | null,
): void {
  const isNumber = (token: Token | undefined) =>
    token?.kind === 'figure' && /^\p{L}/u.test(token.word) && token.clause === clause
  const isJoint = lexicon?.joins.has(tokens.at(-1)?.word ?? '') === true && isNumber(tokens.at(-2))
  const last = isJoint ? tokens.at(-2) : tokens.at(-1)
  const before = isNumber(last) ? (last?.figure?.value ?? null) : null
  const joined = before === null ? null : joinedNumber(before, value, isJoint, lexicon?.code ?? '')
  if (joined !== null) tokens.splice(isJoint ? -2 : -1)
  tokens.push(figureToken(word, quantity(joined ?? value), clause))
}

/** What two number words make together: "twenty" and "five", "two" and "hundred"; null where they are two numbers. */
function joinedNumber(
  before: number,
  value: number,
  isJoint: boolean,
  code: string,
): number | null {
  // "Quatre-vingts", "soixante-dix" and "quatre-vingt-dix".
  if (code === 'fr' && before % 100 === 4 && value === 20 && !isJoint) return before + 76
  if (code === 'fr' && [60, 80].includes(before % 100) && value < 20) return before + value
  // Arabic says the ones first, behind which "ten" or "and twenty" stands.
  if (code === 'ar' && before < 10 && value >= 10 && value < 100) return before + value
  if (value === 100) return before < 10 && !isJoint ? before * 100 : null
  const fits = before >= 100 && before % 100 === 0 && value < 100
  if (fits) return before + value
  const tens = before % 100
  return tens >= 20 && tens % 10 === 0 && value > 0 && value < 10 ? before + value : null
}

function addHalf(tokens: Token[]): void {
  const last = tokens.at(-1)
  if (last?.figure?.value == null) return
  last.figure = quantity(last.figure.value + 0.5)
  last.key = keyOf(last.figure)
}

/** "$5", "百分之五": a figure follows at once, and the sign is its own. */
const isBeforeFigure = (text: string, at: number): boolean =>
  /^\s?[\p{Nd}零〇一二两兩三四五六七八九十百]/u.test(text.slice(at, at + 2))

/** A percent or degree sign behind its figure, a currency on either side. Gives what waits for the next figure. */
function attachSymbol(
  tokens: Token[],
  symbol: string,
  isBefore: boolean,
  { lexicon }: Reading,
): string | null {
  const last = tokens.at(-1)
  const unit = lexicon?.units.get(symbol.normalize('NFKC')) ?? null
  const isBehind = symbol !== '百分之' && !(isBefore && /\p{Sc}/u.test(symbol))
  if (last?.figure && last.figure.unit === null && last.kind === 'figure' && isBehind) {
    last.figure.unit = unit
    return null
  }
  return symbol
}

function figureToken(word: string, figure: Figure, clause: number): Token {
  return { word, key: keyOf(figure), kind: 'figure', figure, light: false, capital: false, clause }
}

const keyOf = (figure: Figure) => `#${figure.text}`

function signToken(sign: string, clause: number, lexicon: Lexicon | null): Token {
  const light = lexicon?.functionWords.has(sign) === true || /\p{Script=Hiragana}/u.test(sign)
  return { word: sign, key: sign, kind: 'sign', figure: null, light, capital: false, clause }
}

/** Gives each figure the unit that stands behind it, at most one word further ("five working days"). */
function attachUnits(tokens: readonly Token[], lexicon: Lexicon | null): void {
  if (lexicon === null) return
  for (const [at, { figure }] of tokens.entries()) {
    if (figure === null || figure.unit !== null || figure.value === null) continue
    figure.unit = unitAfter(tokens, at, lexicon)
  }
}

function unitAfter(tokens: readonly Token[], at: number, { units, unspaced }: Lexicon) {
  const next = tokens.slice(at + 1, at + (unspaced ? 7 : 4))
  if (next[0]?.kind === 'sign') {
    for (let length = Math.min(6, next.length); length > 0; length--) {
      const part = next.slice(0, length)
      const unit = units.get(part.map((token) => token.word).join(''))
      if (unit !== undefined && part.every((token) => token.kind === 'sign')) return unit
    }
    return null
  }
  for (const [from, count] of [
    [0, 2],
    [0, 1],
    [1, 1],
  ] as const) {
    const part = next.slice(from, from + count)
    // "250 TL'dir": Turkish parts the ending of what is no plain word.
    const text = part.map(({ word }) => word.replace(/'\p{L}+$/u, '')).join(' ')
    const unit = part.length === count ? units.get(text) : undefined
    if (unit !== undefined && (from === 0 || text.length > 2)) return unit
  }
  return null
}

/** A sign that spells a name or a loanword. */
export const isKatakana = (token: Token | undefined) =>
  token !== undefined && /^[\p{Script=Katakana}ー]$/u.test(token.word)
