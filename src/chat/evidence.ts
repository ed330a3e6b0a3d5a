import { detectMode, tokensA } from '../knowledge/analyze'
import type { LatinMode } from '../knowledge/latin-language'
import { idfOf, tokensByMode, unite, weightShare } from '../knowledge/score-sentences'
import { sentences } from '../knowledge/sentences'
import type { IdfTable, Passage } from '../knowledge/types'
import { type FoldedText, foldText } from './fold-text'
import type { Span } from './quotes'

export interface Support {
  passage: Passage
  /** In the passage's offsets. */
  span: Span
  /** Share of the claim's idf mass that the span holds, 0 to 1. */
  share: number
}

interface Source {
  passage: Passage
  folded: FoldedText | null
  cut: CutPassage | null
}

interface CutPassage {
  mode: LatinMode
  sentences: (Span & { tokens: Set<string> })[]
}

const MIN_GAIN = 0.05
const NUMBER = /\p{Nd}+(?:[.,٫٬]\p{Nd}+)*/gu

/** The passages of a turn, as the check step asks them. Each is folded and cut once, when first needed. */
export class Evidence {
  readonly #sources = new Map<number, Source>()
  #idf: IdfTable = { common: {}, rest: 1 }

  /** Adds passages (a search in the middle of the turn) and the weights to judge them by. */
  add(passages: readonly Passage[], idf: IdfTable): void {
    this.#idf = idf
    for (const passage of passages)
      if (!this.#sources.has(passage.n))
        this.#sources.set(passage.n, { passage, folded: null, cut: null })
  }

  passage(n: number): Passage | undefined {
    return this.#sources.get(n)?.passage
  }

  folded(n: number): FoldedText | undefined {
    const source = this.#sources.get(n)
    if (source === undefined) return undefined
    source.folded ??= foldText(source.passage.text)
    return source.folded
  }

  /**
   * The place in a passage (in passage `n`, or in any) that best covers a claim: one sentence or two that follow each
   * other. Null when there is none, or when the claim holds a number that the passage lacks.
   */
  support(claim: string, n?: number): Support | null {
    const tokens = tokensByMode(claim)
    let best: Support | null = null
    for (const [number, source] of this.#sources) {
      if (n !== undefined && n !== number) continue
      if (!holdsNumbers(claim, source.passage.text)) continue
      const found = this.#supportIn(tokens, source)
      if (found !== null && found.share > (best?.share ?? 0)) best = found
    }
    return best
  }

  /** The largest share of a text's idf mass that one whole passage holds: for code, which has no sentences. */
  coverage(text: string): number {
    const tokens = tokensByMode(text)
    const weigh = (token: string) => idfOf(this.#idf, token)
    const shares = [...this.#sources.values()].map(({ passage }) => {
      const mode = detectMode(passage.text)
      return weightShare(tokens(mode), tokensByMode(passage.text)(mode), weigh)
    })
    return Math.max(0, ...shares)
  }

  /**
   * Whether all numbers of a claim occur in some passage or in one of the texts; an hour may also be said on the
   * twelve-hour clock, a decimal rounded.
   */
  knowsNumbers(claim: string, texts: readonly string[]): boolean {
    const passages = [...this.#sources.values()].map(({ passage }) => passage.text)
    const all = [...passages, ...texts].join('\n')
    const hours = [...numbersOf(all)].filter((number) => Number(number) > 12 && Number(number) < 24)
    const said = hours.map((hour) => String(Number(hour) - 12))
    const rounded = (all.match(/\d+[.,]\d+/gu) ?? []).map((number) =>
      String(Math.round(Number(number.replace(',', '.')))),
    )
    return holdsNumbers(claim, [all, ...said, ...rounded].join(' '))
  }

  #supportIn(tokensIn: (mode: LatinMode) => Set<string>, source: Source): Support | null {
    source.cut ??= cutPassage(source.passage.text)
    const tokens = tokensIn(source.cut.mode)
    const weigh = (token: string) => idfOf(this.#idf, token)
    let best: Support | null = null
    source.cut.sentences.forEach((sentence, at, all) => {
      const next = all[at + 1]
      const alone = weightShare(tokens, sentence.tokens, weigh)
      if (alone > (best?.share ?? 0))
        best = { passage: source.passage, span: spanOf(sentence, sentence), share: alone }
      if (next === undefined) return
      const both = weightShare(tokens, unite(sentence.tokens, next.tokens), weigh)
      // Two sentences must clearly beat one: the shorter span is the better source.
      if (both > (best?.share ?? 0) + MIN_GAIN)
        best = { passage: source.passage, span: spanOf(sentence, next), share: both }
    })
    return best
  }
}

function cutPassage(text: string): CutPassage {
  const mode = detectMode(text)
  const cut = sentences(text).map(({ text: sentence, start, end }) => ({
    start,
    end,
    tokens: new Set(tokensA(sentence, mode)),
  }))
  return { mode, sentences: cut }
}

const spanOf = (first: Span, last: Span): Span => ({ start: first.start, end: last.end })

function holdsNumbers(claim: string, text: string): boolean {
  const wanted = numbersOf(claim)
  if (wanted.size === 0) return true
  const known = numbersOf(text)
  return [...wanted].every((number) => known.has(number))
}

/** The numbers of a text in plain digits, without separators and leading zeros: 1,000, 1.000, ١٠٠٠ and １０００ are one. */
function numbersOf(text: string): Set<string> {
  const found = text.match(NUMBER) ?? []
  return new Set(found.map((number) => plainDigits(number).replace(/^0+(?=\d)/u, '')))
}

function plainDigits(number: string): string {
  return number
    .normalize('NFKC')
    .replaceAll(/[^\p{Nd}]/gu, '')
    .replaceAll(/[^\x30-\x39]/gu, (digit) => String(digitValue(digit)))
}

/** Unicode keeps the ten digits of a script in a row that starts at a multiple of ten or sixteen: zero is found by its class. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
