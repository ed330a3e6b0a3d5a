import { type Figure, quantity } from './figures'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

const HOURS = 24
const HALF_DAY = 12
const MINUTES = 60
const DOZEN = 12
/** Signs that may stand between a number and its half ("两个半小时", "七点半"), and words between a part and its unit. */
const MOST_BETWEEN = 2
/** Words between an hour and what tells its half of the day ("seven o'clock in the evening"). */
const REACH = 4
/** Signs of a unit. */
const LONGEST_UNIT = 4
/** "In" is an inch only behind a figure. */
const MOST_SYMBOL = 2

/**
 * Figures that are said by a word or in parts: "a fortnight", "half an hour", "two and a half", "half past six", "18 h 30",
 * "seven in the evening". Each becomes one figure; where it can be read in two ways, it has both.
 */
export function readMeasures(tokens: Token[], lexicon: Lexicon): void {
  const { starts } = lexicon.measures
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]?.figure === null && !starts.has(tokens[i]?.word ?? '')) continue
    readNamed(tokens, i, lexicon)
    readHalf(tokens, i, lexicon)
    readHour(tokens, i, lexicon)
    readPart(tokens, i, lexicon)
  }
}

/** "One day", "a week": what is one of a unit without a figure, and where it stands. */
export function onesIn(
  tokens: readonly Token[],
  { measures, articles, units, unspaced }: Lexicon,
): { at: number; length: number; figure: Figure }[] {
  const longest = unspaced ? LONGEST_UNIT : 1
  return tokens.flatMap((token, at) => {
    const word = bareWord(token.word)
    if (measures.hours.get(word) !== 1 && !articles.has(word)) return []
    for (let length = longest; length > 0; length--) {
      const unit = units.get(
        wordsFrom(tokens, at + 1)
          .slice(0, length)
          .join(''),
      )
      if (unit !== undefined) return [{ at, length: length + 1, figure: { ...quantity(1), unit } }]
    }
    return []
  })
}

/** The hours of a text that it says are of the day's second half have their number on the clock of the whole day too. */
export function readEvenings(tokens: readonly Token[], lexicon: Lexicon): void {
  for (const [i, { figure }] of tokens.entries()) {
    const isHour = figure !== null && (figure.unit === null || figure.unit === 'hour')
    const later = isHour ? laterHour(figure.also ?? figure) : null
    if (isHour && later !== null && isEvening(tokens, i, lexicon)) figure.also = later
  }
}

/** "A fortnight", "полчаса": a number and its unit in one word. */
function readNamed(tokens: Token[], at: number, { measures }: Lexicon): void {
  const named = measures.named.get(tokens[at]?.word ?? '')
  if (named !== undefined && tokens[at]?.kind === 'word')
    setFigure(tokens, at, 1, { ...quantity(named.value), unit: named.unit })
}

/** "Half an hour" and "half a million"; "two and a half", which behind an hour is half past it. */
function readHalf(tokens: Token[], at: number, lexicon: Lexicon): void {
  const { measures, units, unspaced } = lexicon
  const words = wordsFrom(tokens, at)
  const half = measures.halves.find((one) => startsWith(words, one))
  if (half !== undefined) {
    const behind = words.slice(half.length)
    const isUnit = unspaced
      ? [3, 2, 1].some((length) => units.has(behind.slice(0, length).join('')))
      : (behind[0] ?? '').length > MOST_SYMBOL && units.has(behind[0] ?? '')
    const isShare = measures.shares.some((one) => words.join('').startsWith(one))
    if (isUnit && !isShare && tokens[at - 1]?.kind !== 'figure')
      setFigure(tokens, at, half.length, quantity(0.5))
    else if (tokens[at + half.length]?.figure?.value === DOZEN)
      setFigure(tokens, at, half.length + 1, quantity(DOZEN / 2))
    return
  }
  const value = tokens[at]?.figure?.value ?? measures.hours.get(tokens[at]?.word ?? '') ?? null
  if (value === null) return
  for (let between = 0; between <= MOST_BETWEEN; between++) {
    if (!isBetween(words.slice(1, 1 + between), lexicon)) continue
    const end = measures.andHalf.find((one) => startsWith(words.slice(1 + between), one))
    if (end === undefined) continue
    tokens.splice(at + 1 + between, end.length)
    const figure = quantity(value + 0.5)
    const hour = hourOf(tokens[at], lexicon)
    if (hour !== null) figure.also = clockFigure(hour, MINUTES / 2)
    setFigure(tokens, at, 1, figure)
    return
  }
}

const isBetween = (words: readonly string[], { units, measures, unspaced }: Lexicon): boolean => {
  const text = words.join(unspaced ? '' : ' ')
  return words.length === 0 || units.has(text) || measures.hourMarks.has(text)
}

/** "Quarter past six", "halb sieben", "18 h 30": an hour with its minutes. */
function readHour(tokens: Token[], at: number, lexicon: Lexicon): void {
  const { measures } = lexicon
  const words = wordsFrom(tokens, at)
  for (const { before, after, minutes } of measures.clock) {
    if (!startsWith(words, before)) continue
    const place = at + before.length
    const hour = hourOf(tokens[place], lexicon)
    if (hour === null) continue
    const rest = words.slice(before.length + 1)
    const skipped = after.length > 0 && measures.hourMarks.has(rest[0] ?? '') ? 1 : 0
    if (!startsWith(rest.slice(skipped), after)) continue
    const length = before.length + 1 + (after.length > 0 ? skipped + after.length : 0)
    setFigure(tokens, at, length, clockFigure(hour, minutes))
    return
  }
  const hour = hourOf(tokens[at], lexicon)
  const minutes = tokens[at + 2]?.figure ?? null
  if (hour === null || minutes?.value == null || !/^[0-5]?\d$/u.test(words[2] ?? '')) return
  const isSaid = lexicon.units.get(words[3] ?? '') === 'minute'
  const isMark = measures.hourMarks.has(words[1] ?? '') && (words[2] ?? '').length > 1
  if (!isMark && !(isSaid && lexicon.units.get(words[1] ?? '') === 'hour')) return
  const clock = clockFigure(hour, minutes.value)
  clock.also = { ...quantity(hour * MINUTES + minutes.value), unit: 'minute' }
  setFigure(tokens, at, isSaid ? 4 : 3, clock)
}

/** "Two thirds", "三分之二", "九成": a share in percent, or as much of the unit behind it ("четверть часа"). */
function readPart(tokens: Token[], at: number, lexicon: Lexicon): void {
  const { measures, units, unspaced } = lexicon
  const words = wordsFrom(tokens, at)
  const count = tokens[at]?.figure?.unit === null ? (tokens[at]?.figure?.value ?? 0) : 0
  const share = (length: number, value: number) => {
    if (value > 1) return
    // "A quarter of an hour", "un cuarto de hora", "un quart d'heure".
    let gap = 0
    while (gap < MOST_BETWEEN && lexicon.functionWords.has(words[length + gap] ?? '')) gap++
    const unit = bareWord(words[length + gap] ?? '')
    const isUnit = !unspaced && units.has(unit) && unit.length > 2
    const figure = quantity(isUnit ? value : Number((100 * value).toFixed(2)))
    // "A second of" stands against "a third of".
    const [part] = words.slice(0, length).sort((one, other) => other.length - one.length)
    if (isUnit)
      setFigure(tokens, at, length + gap, { ...figure, unit: units.get(unit) ?? null }, part)
    else setFigure(tokens, at, length, { ...figure, unit: 'percent' }, part)
  }
  if (unspaced && count > 1 && words[1] === '分' && /^[之の]$/u.test(words[2] ?? '')) {
    const parts = tokens[at + 3]?.figure?.value ?? measures.hours.get(words[3] ?? '')
    if (parts != null) share(4, parts / count)
    return
  }
  for (const { words: wanted, isCounted, share: one } of measures.parts) {
    if (!startsWith(isCounted ? words.slice(1) : words, wanted)) continue
    if (isCounted ? count < 1 || !Number.isInteger(count) : tokens[at]?.figure !== null) continue
    share(wanted.length + (isCounted ? 1 : 0), isCounted ? count * one : one)
    return
  }
}

/** An hour of the clock, in figures or by the word that a language has for it beside the time of day. */
function hourOf(token: Token | undefined, { measures }: Lexicon): number | null {
  const value = token?.figure?.value ?? measures.hours.get(token?.word ?? '') ?? null
  return value !== null && Number.isInteger(value) && value >= 0 && value <= HOURS ? value : null
}

function isEvening(tokens: readonly Token[], at: number, { measures, unspaced }: Lexicon): boolean {
  const { clause } = tokens[at] ?? {}
  const isSaid = (from: number, step: number) => {
    for (let k = from; Math.abs(k - from) < REACH; k += step) {
      const token = tokens[k]
      if (token?.clause !== clause || token === undefined) return false
      const words = wordsFrom(tokens, k)
      if (measures.evening.some((one) => startsWith(words, one))) return true
      // "From 2 to 5 pm" are both after noon.
      const value = token.figure?.value ?? 0
      if (step > 0 && value > HALF_DAY && value === Number(token.word) + HALF_DAY) return true
    }
    return false
  }
  return isSaid(at - 1, -1) || (!unspaced && isSaid(at + 1, 1))
}

/** The same hour on the clock of the whole day; null where it is one already. */
function laterHour({ text, value }: Figure): Figure | null {
  const [, hour, minutes] = /^(\d{1,2}):(\d{2})$/u.exec(text) ?? []
  const own = hour === undefined ? value : Number(hour)
  if (own === null || !Number.isInteger(own) || own < 1 || own >= HALF_DAY) return null
  return clockFigure(own + HALF_DAY, Number(minutes ?? 0))
}

function clockFigure(hour: number, minutes: number): Figure {
  const all = (hour * MINUTES + minutes + HOURS * MINUTES) % (HOURS * MINUTES)
  const rest = all % MINUTES
  const whole = Math.floor(all / MINUTES)
  if (rest === 0) return quantity(whole)
  return { text: `${whole}:${String(rest).padStart(2, '0')}`, value: null, unit: null }
}

function setFigure(
  tokens: Token[],
  at: number,
  length: number,
  figure: Figure,
  word = tokens[at]?.word ?? '',
): void {
  const { clause = 0 } = tokens[at] ?? {}
  const key = `#${figure.text}`
  tokens.splice(at, length, {
    word,
    key,
    kind: 'figure',
    figure,
    light: false,
    capital: false,
    clause,
  })
}

/** Without the small word that French writes before it ("d'un an"). */
const bareWord = (word: string) => word.slice(word.lastIndexOf("'") + 1)

/** As many words as the longest entry of the lists, and what stands before it. */
const LONGEST = 6
const wordsFrom = (tokens: readonly Token[], at: number) =>
  tokens.slice(at, at + LONGEST).map(({ word }) => word)

const startsWith = (words: readonly string[], wanted: readonly string[]) =>
  wanted.every((word, k) => words[k] === word)
