import { detectMode } from '../../text/analyze'
import { isMonth, readFigure } from './figures'
import { isDenied, type Verdict, weightOf } from './ground'
import { languageOf, lexiconOf, plainWord } from './lexicon'
import { type Reading, readTokens } from './tokens'

/** What tool results say to a claim. */
export interface Told {
  outcome: Verdict['outcome']
  evidence: string
}

const NOT_TOLD: Told = { outcome: 'falls', evidence: '' }
/** What of a turn's results is read: no model is shown more. */
const MOST_CHARS = 32_000
/** What a verifier is shown of them. */
const MOST_EVIDENCE = 4_000

interface ReadPart {
  text: string
  keys: ReadonlySet<string>
}

/** The results of a turn's tools, each read once for every language that claims are in. */
export class ToldResults {
  readonly #texts: string[] = []
  #chars = 0
  readonly #parts = new Map<string, ReadPart[]>()
  readonly #numbers = new Map<string, ReadonlySet<string>>()

  add(text: string): void {
    const read = text.slice(0, MOST_CHARS - this.#chars)
    if (read === '' && this.#texts.length > 0) return
    this.#texts.push(read)
    this.#chars += read.length
    this.#parts.clear()
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0
  }

  /**
   * They are data more often than sentences, so that words have no place in them: a claim stands when all of its content is
   * there, and falls when a figure is not.
   */
  judge(claim: string): Told {
    if (this.isEmpty || !this.holdsNumbers(claim)) return NOT_TOLD
    const mode = detectMode(claim)
    const lexicon = lexiconOf(languageOf(claim, () => mode))
    const reading = { lexicon, mode }
    const tokens = readTokens(claim, reading)
    const content = tokens.filter((token) => weightOf(token, lexicon) > 0)
    const parts = this.#read(reading)
    const held = content.filter(({ figure, key, word }) => {
      // A month that the data has as a number is in other words than the data's.
      if (figure !== null && isMonth(figure))
        return parts.some(({ text }) => plainWord(text).includes(word))
      return figure !== null || parts.some((part) => part.keys.has(key))
    })
    if (held.length === 0) return NOT_TOLD
    const evidence = parts
      .filter((part) => held.some(({ key }) => part.keys.has(key)))
      .map(({ text }) => text)
      .join('\n')
      .slice(0, MOST_EVIDENCE)
    if (held.length === content.length && !isDenied({ tokens, lexicon }))
      return { outcome: 'stands', evidence }
    // Data has English names for what another language says.
    const isForeign = lexicon !== null && lexicon !== lexiconOf('en')
    return isForeign || held.length >= content.length / 2
      ? { outcome: 'open', evidence: evidence || this.#texts.join('\n').slice(0, MOST_EVIDENCE) }
      : NOT_TOLD
  }

  /** Whether all numbers of a claim occur here, or in one of other texts. */
  holdsNumbers(claim: string, others: readonly string[] = []): boolean {
    const known = [...this.#texts, ...others].map((text) => this.#numbersIn(text))
    return numbersOf(claim).every((number) => known.some((numbers) => numbers.has(number)))
  }

  #numbersIn(text: string): ReadonlySet<string> {
    let numbers = this.#numbers.get(text)
    if (numbers === undefined) {
      numbers = sayableNumbers(text)
      this.#numbers.set(text, numbers)
    }
    return numbers
  }

  #read(reading: Reading): ReadPart[] {
    const name = `${reading.lexicon?.code}:${reading.mode}`
    let parts = this.#parts.get(name)
    if (parts === undefined) {
      parts = this.#texts
        .flatMap((text) => text.replaceAll('_', ' ').split(/[{}[\],\n]/u))
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .map((text) => ({ text, keys: new Set(readTokens(text, reading).map(({ key }) => key)) }))
      this.#parts.set(name, parts)
    }
    return parts
  }
}

/** The numbers of a text as people say them: an hour also on the twelve-hour clock, a decimal also rounded. */
function sayableNumbers(text: string): Set<string> {
  const known = new Set<string>()
  for (const number of numbersOf(text)) {
    known.add(number)
    const value = Number(number)
    if (value > 12 && value < 24) known.add(String(value - 12))
    if (value === 0) known.add('12')
    if (!Number.isInteger(value)) known.add(String(Math.round(value)))
  }
  return known
}

/** The numbers of a text, its clocks and dates taken apart. */
const numbersOf = (text: string): string[] =>
  (text.match(/\p{Nd}+(?:[.,٫٬]\p{Nd}+)*/gu) ?? []).map((number) => readFigure(number).text)
