import type { IdfTable, Passage } from '../../knowledge/types'
import type { MarkReference } from '../../text/citations'
import { type FoldedText, foldText } from '../../text/fold-text'
import type { LatinMode } from '../../text/latin-language'
import { HEADING_SIGN, ITEM_SIGN } from '../../text/markdown-lines'
import { PassageReadings } from '../../text/passage-reading'
import type { Span } from '../../text/quotes'
import { idfOf, tokensByMode, weightShare } from '../../text/score-sentences'
import { type Sentence, sentences } from '../../text/sentences'
import { readCells } from './cells'
import { type ClaimFacts, type Ground, judge, type Verdict, weightOf } from './judge'
import {
  LATIN_MODE,
  type Lexicon,
  languageOf,
  latinLanguage,
  lexiconOf,
  plainWord,
} from './lexicon'
import { spelled } from './replaced'
import { NAMED_ROW, Siblings } from './siblings'
import { type Reading, readTokens, type Token } from './tokens'

/** A place that carries a claim. */
export interface Citation {
  passage: Passage
  /** In the passage's offsets. */
  span: Span
}

export interface Decision extends Verdict {
  /** The mark's own places where they hold, else the place that was found. */
  citations: Citation[]
  /** What an open claim is held against, as a verifier reads it. */
  evidence: string
}

/** A sentence, item, row or heading of a passage, read when it is first asked for. */
class Piece implements Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly kind: 'sentence' | 'item' | 'row' | 'heading'
  readonly #reading: Reading
  #tokens: readonly Token[] | null = null
  #keys: ReadonlySet<string> | null = null

  constructor({ text, start, end }: Sentence, reading: Reading) {
    this.text = text
    this.start = start
    this.end = end
    this.kind = kindOf(text)
    this.#reading = reading
  }

  get tokens(): readonly Token[] {
    this.#tokens ??= readTokens(this.text, this.#reading)
    return this.#tokens
  }

  get keys(): ReadonlySet<string> {
    this.#keys ??= new Set(this.tokens.map((token) => token.key))
    return this.#keys
  }
}

interface Source {
  passage: Passage
  folded: FoldedText | null
  cut: CutPassage | null
  /** The Latin language that it tells, null for none; undefined until it was asked for. */
  latin: string | null | undefined
}

/** Pieces of a passage; `span` where a quote names the place more closely. */
interface Place {
  source: Source
  from: number
  to: number
  span: Span | null
}

type BestPlace = { from: number; to: number; share: number } | null

interface ReadClaim {
  claim: string
  /** As each passage's language reads it. */
  by: Map<string, ClaimFacts>
  /** Where each passage holds most of it. */
  places: Map<Source, BestPlace>
}

type FoundPlace = Omit<Place, 'span'> & { share: number }

/** What stands before a mark in the middle of a sentence, or behind it up to the next. */
export interface ClaimPart {
  text: string
  references: readonly MarkReference[]
}

interface CutPassage {
  reading: Reading
  language: string | null
  /** The language that a text of names and figures was read in, as it tells none itself; undefined where it does. */
  assumed: string | null | undefined
  pieces: Piece[]
  /** The piece that leads in an item's list; −1 where nothing does. */
  leads: readonly number[]
  heading: Token[]
  siblings: Siblings
  /** Which pieces hold a key, in their order; read when first asked for. */
  places: ReadonlyMap<string, readonly number[]> | null
}

/** A sentence with more marks is judged as a whole: each part costs a look at every piece of what it names. */
const MOST_PARTS = 8
const MIN_GAIN = 0.05
const MAX_ITEMS = 12
/** A quote of fewer words of content proves nothing. */
const LEAST_QUOTE = 3
const LEAST_QUOTE_SIGNS = 4
/** A claim that is held this well is about this place: what contradicts it there is not looked for elsewhere. */
const ABOUT = 0.6
/** Below this an unmarked sentence has no place that it could be about. */
const LEAST_PLACE = 0.3
const ITEM = new RegExp(`^\\s*${ITEM_SIGN}\\s`, 'u')
/** A row of Markdown, or one that names its columns (`formatRows`). */
const ROW = /^\s*\||\S \| \S/u
const HEADING = new RegExp(`^\\s*${HEADING_SIGN}\\s`, 'u')

/** The passages of a turn, as the check step asks them. Each is folded, cut and read once, when first needed. */
export class Evidence {
  readonly #sources = new Map<number, Source>()
  readonly #asked: string
  readonly #readings: PassageReadings
  /** The Latin language of the dialogue, once something tells it. */
  #spoken: string | null
  #speaksJapanese: boolean
  readonly #askedKeys = new Map<Lexicon | null, Map<LatinMode, ReadonlySet<string>>>()
  /** The last claim that was asked about. */
  #read: ReadClaim = { claim: '', by: new Map(), places: new Map() }
  #idf: IdfTable = { common: {}, rest: 1 }

  /** @param question the user's message: what only it says proves nothing. */
  constructor(question = '', readings = new PassageReadings()) {
    this.#asked = question
    this.#spoken = latinLanguageOf(question)
    this.#speaksJapanese = isJapanese(question)
    this.#readings = readings
  }

  /** Adds passages (a search in the middle of the turn) and the weights to judge code by. */
  add(passages: readonly Passage[], idf: IdfTable): void {
    this.#idf = idf
    for (const passage of passages)
      if (!this.#sources.has(passage.n))
        this.#sources.set(passage.n, { passage, folded: null, cut: null, latin: undefined })
  }

  passage(n: number): Passage | undefined {
    return this.#sources.get(n)?.passage
  }

  texts(): string[] {
    return [...this.#sources.values()].map(({ passage }) => passage.text)
  }

  folded(n: number): FoldedText | undefined {
    const source = this.#sources.get(n)
    if (source === undefined) return undefined
    source.folded ??= foldText(source.passage.text)
    return source.folded
  }

  /** Whether a passage holds these very characters. */
  holds(text: string): boolean {
    const wanted = foldText(text).text
    return [...this.#sources.keys()].some((n) => this.folded(n)?.text.includes(wanted))
  }

  /**
   * What the passages say to a claim: its marks' places first, then the best place of the passages that it names, then
   * the best of all. The first place that carries it decides, or the first that contradicts what it is about.
   */
  decide(claim: string, parts: readonly ClaimPart[]): Decision {
    this.#spoken ??= latinLanguageOf(claim) ?? this.#commonLanguage()
    this.#speaksJapanese ||= isJapanese(claim)
    const marked = parts.filter((part) => part.references.length > 0)
    const isInParts = marked.length > 1 && marked.length <= MOST_PARTS
    const together = isInParts ? this.#atParts(claim, marked) : null
    if (together?.outcome === 'stands') return together
    const references = parts.flatMap((part) => part.references)
    const whole = this.#decideWhole(claim, references)
    return whole.outcome === 'stands' ? whole : (together ?? whole)
  }

  /** The language of the first passage that tells one. */
  #commonLanguage(): string | null {
    for (const source of this.#sources.values()) {
      // Asked again with every claim while nothing tells one: tables and other scripts never do.
      if (source.latin === undefined) source.latin = latinLanguageOf(source.passage.text)
      if (source.latin !== null) return source.latin
    }
    return null
  }

  #decideWhole(claim: string, references: readonly MarkReference[]): Decision {
    const quoted = references.filter(({ n, span }) => span !== null && this.#sources.has(n))
    let best: Decision | null = null
    const take = (decision: Decision): boolean => {
      if (best === null || rank(decision) > rank(best)) best = decision
      return decision.outcome === 'stands' || isContradiction(decision)
    }
    for (const decision of this.#atQuotes(claim, quoted)) if (take(decision)) return decision
    const named = new Set(
      references.filter(({ quoted, span }) => !quoted || span !== null).map(({ n }) => n),
    )
    for (const decision of this.#inPassages(claim, named, true))
      if (take(decision)) return best ?? decision
    for (const decision of this.#inPassages(claim, null, false))
      if (take(decision)) return best ?? decision
    return best ?? { outcome: 'falls', reason: 'content', share: 0, citations: [], evidence: '' }
  }

  /** The largest share of a text's content that one place of the passages holds. */
  coverageOf(claim: string): number {
    const shares = [...this.#sources.values()].map(
      (source) => this.#bestPlace(claim, source)?.share ?? 0,
    )
    return Math.max(0, ...shares)
  }

  /** The best place of one passage for a sentence whose mark has no quote; null where the passage does not carry it. */
  support(claim: string, n: number): Citation | null {
    for (const { outcome, citations } of this.#inPassages(claim, new Set([n]), true))
      if (outcome === 'stands') return citations[0] ?? null
    return null
  }

  /** The largest share of a text's idf mass that one whole passage holds: for code, which has no sentences. */
  coverage(text: string): { share: number; passage: Passage | null } {
    const tokens = tokensByMode(text)
    const weigh = (token: string) => idfOf(this.#idf, token)
    let best: { share: number; passage: Passage | null } = { share: 0, passage: null }
    for (const { passage } of this.#sources.values()) {
      const { mode, body } = this.#readings.of(passage)
      const share = weightShare(tokens(mode), body, weigh)
      if (share > best.share) best = { share, passage }
    }
    return best
  }

  *#atQuotes(claim: string, references: readonly MarkReference[]): Generator<Decision> {
    const places = this.#quotedPlaces(references)
    for (const { source, from, to, span } of places)
      yield this.#judgeAt(claim, source, from, to, span)
    const together = this.#together(claim, places)
    if (together !== null) yield together
  }

  /** The sentences that quotes are in; a quote of too few words has none. */
  #quotedPlaces(references: readonly MarkReference[]): Place[] {
    return references.flatMap(({ n, span }): Place[] => {
      const source = this.#sources.get(n)
      if (source === undefined || span === null || !this.#isQuote(source, span)) return []
      const { pieces } = this.#cut(source)
      const from = pieces.findIndex((piece) => piece.end > span.start)
      const to = pieces.findLastIndex((piece) => piece.start < span.end)
      return from < 0 || to < from ? [] : [{ source, from, to, span }]
    })
  }

  /** "… 10 users [1] and costs €20 [2]": each part by the place of its own marks, the sentence by them together. */
  #atParts(claim: string, parts: readonly ClaimPart[]): Decision | null {
    const places = parts.flatMap(({ text, references }): Place[] => {
      const quoted = this.#quotedPlaces(references)
      if (quoted.length > 0) return quoted
      const best = this.#bestOf(text, new Set(references.map(({ n }) => n)))
      return best === null ? [] : [{ ...best, span: null }]
    })
    const together = places.length < parts.length ? null : this.#together(claim, places)
    if (together?.outcome !== 'stands') return together
    const isAbout = places.every((place) => this.#namesSubject(claim, place))
    return isAbout ? together : { ...together, outcome: 'open' }
  }

  /** Whether a place speaks of what the sentence begins with: another subject's figures prove nothing. */
  #namesSubject(claim: string, { source, from, to }: Place): boolean {
    const cut = this.#cut(source)
    const { tokens } = this.#facts(claim, cut)
    const subject = tokens.find((token) => weightOf(token, cut.reading.lexicon) > 0)
    const ground = this.#ground(source, from, to)
    return [...ground.tokens, ...ground.context].some(({ key }) => key === subject?.key)
  }

  /** Several places prove a sentence together; null for fewer than two. */
  #together(claim: string, places: readonly Place[]): Decision | null {
    const [first, ...others] = places
    if (first === undefined || others.length === 0) return null
    const grounds = places.map(({ source, from, to }) => this.#ground(source, from, to))
    const verdict = judge(this.#facts(claim, this.#cut(first.source)), {
      tokens: joined(grounds.map(({ tokens }) => tokens)),
      context: grounds.flatMap(({ context }) => context),
      passage: () => grounds.flatMap(({ passage }) => passage()),
      isSaid: (said) => grounds.some(({ isSaid }) => isSaid(said)),
      cells: [],
      isOther: () => false,
      isOfOther: () => false,
      items: null,
    })
    return {
      ...verdict,
      citations: places.map((place) => this.#citationAt(place)),
      evidence: places.map((place) => this.#text(place.source, place.from, place.to)).join('\n'),
    }
  }

  #citationAt({ source, from, to, span }: Place): Citation {
    const { pieces } = this.#cut(source)
    const found = { start: pieces[from]?.start ?? 0, end: pieces[to]?.end ?? 0 }
    return { passage: source.passage, span: span ?? found }
  }

  /** A quote of too few words is none: it is there by chance. */
  #isQuote(source: Source, span: Span): boolean {
    const { reading } = this.#cut(source)
    const tokens = readTokens(source.passage.text.slice(span.start, span.end), reading)
    const content = tokens.filter((token) => !token.light)
    const least = content.some((token) => token.kind === 'sign') ? LEAST_QUOTE_SIGNS : LEAST_QUOTE
    return content.length >= least
  }

  *#inPassages(
    claim: string,
    named: ReadonlySet<number> | null,
    marked: boolean,
  ): Generator<Decision> {
    for (const [n, source] of this.#sources) {
      if (!marked || (named !== null && !named.has(n))) continue
      const cut = this.#cut(source)
      if (this.#bestPlace(claim, source) === null && !this.#facts(claim, cut).sameLanguage)
        yield this.#judgeAt(claim, source, 0, Math.min(cut.pieces.length - 1, MAX_ITEMS), null)
    }
    const best = this.#bestOf(claim, named)
    if (best === null || (!marked && best.share < LEAST_PLACE)) return
    yield this.#judgeAt(claim, best.source, best.from, best.to, null)
    const list = this.#listAround(best.source, best.from)
    if (list !== null) yield this.#judgeAt(claim, best.source, list.from, list.to, null)
  }

  /** The best place of the named passages, or of all. */
  #bestOf(claim: string, named: ReadonlySet<number> | null): FoundPlace | null {
    let best: FoundPlace | null = null
    for (const [n, source] of this.#sources) {
      const place = named === null || named.has(n) ? this.#bestPlace(claim, source) : null
      if (place !== null && place.share > (best?.share ?? 0)) best = { source, ...place }
    }
    return best
  }

  /** The sentence of a passage, or the two that follow each other, that holds most of a claim. */
  #bestPlace(claim: string, source: Source): BestPlace {
    const { places } = this.#readOf(claim)
    let place = places.get(source)
    if (place === undefined) {
      place = this.#findPlace(claim, source)
      places.set(source, place)
    }
    return place
  }

  #findPlace(claim: string, source: Source): BestPlace {
    const cut = this.#cut(source)
    const { tokens } = this.#facts(claim, cut)
    const weights = new Map<string, number>()
    for (const token of tokens) {
      const weight = weightOf(token, cut.reading.lexicon)
      if (weight > 0) weights.set(token.key, weight)
    }
    let total = 0
    for (const weight of weights.values()) total += weight
    if (total === 0) return null
    const alone = new Float64Array(cut.pieces.length)
    const added = new Float64Array(cut.pieces.length)
    const places = placesIn(cut)
    for (const [key, weight] of weights) {
      let before = -1
      for (const at of places.get(key) ?? []) {
        // An item says its lead-in too.
        for (let item = at + 1; cut.leads[item] === at; item++)
          if (cut.pieces[item]?.keys.has(key) === false) alone[item] = (alone[item] ?? 0) + weight
        alone[at] = (alone[at] ?? 0) + weight
        // What a piece has and the one before it has not, the two have together.
        if (at > 0 && before !== at - 1) added[at - 1] = (added[at - 1] ?? 0) + weight
        before = at
      }
    }
    let best: { from: number; to: number; share: number } | null = null
    for (const [at, piece] of cut.pieces.entries()) {
      // A list's lead-in says nothing without an item, and those have it.
      if (piece.kind === 'heading' || cut.leads[at + 1] === at) continue
      const share = (alone[at] ?? 0) / total
      const isPair = best !== null && best.to > best.from
      if (share > (best?.share ?? 0) - (isPair ? MIN_GAIN : 0)) best = { from: at, to: at, share }
      const together = share + (added[at] ?? 0) / total
      // Two sentences must clearly beat one: the shorter span is the better source.
      if (goesOn(cut, at) && together > (best?.share ?? 0) + MIN_GAIN)
        best = { from: at, to: at + 1, share: together }
    }
    return best
  }

  #judgeAt(claim: string, source: Source, from: number, to: number, span: Span | null): Decision {
    const cut = this.#cut(source)
    const ground = this.#ground(source, from, to)
    const first = cut.pieces[from]
    const last = cut.pieces[to]
    const place = span ?? { start: first?.start ?? 0, end: last?.end ?? 0 }
    return {
      ...judge(this.#facts(claim, cut), ground),
      citations: [{ passage: source.passage, span: place }],
      evidence: this.#text(source, from, to),
    }
  }

  /** Sentences with what always belongs to them: the one before a pronoun, a list's lead-in, a table's header, headings. */
  #ground(source: Source, from: number, to: number): Ground {
    const cut = this.#cut(source)
    const { pieces, leads, heading, reading, siblings } = cut
    const context: Token[] = [...heading]
    const parts: (readonly Token[])[] = []
    const first = pieces[from]
    const before = pieces[from - 1]
    const opening = first?.tokens[0]?.word ?? ''
    const leadIn = pieces[leads[from] ?? -1]
    if (leadIn !== undefined) parts.push(leadIn.tokens)
    else if (before !== undefined && before.kind === 'heading') {
      const answers = reading.lexicon?.yes.has(opening) || reading.lexicon?.no.has(opening)
      if (answers) parts.push(before.tokens)
      else context.push(...before.tokens)
    } else if (
      before !== undefined &&
      first?.kind === 'sentence' &&
      reading.lexicon?.pronouns.has(opening)
    )
      context.push(...before.tokens)
    if (first?.kind === 'row') context.push(...(this.#headerOf(pieces, from)?.tokens ?? []))
    // A lead-in and its item are one clause; sentences are not.
    const merged = parts.length > 0
    for (let at = from; at <= to; at++) parts.push(pieces[at]?.tokens ?? [])
    const items = pieces.slice(from, to + 1).filter((piece) => piece.kind === 'item').length
    const tokens = joined(parts)
    return {
      tokens: merged ? tokens.map((token) => ({ ...token, clause: 0 })) : tokens,
      context,
      passage: () => pieces.flatMap((piece) => piece.tokens),
      isSaid: (said) => this.#says(said, source),
      cells: from === to && first?.kind === 'row' ? readCells(first.text, reading) : [],
      isOther: (key) => siblings.namesAnother(key, from, to, placesIn(cut).get(key) ?? []),
      isOfOther: (said) => siblings.isOfOther(said, to),
      items: items > 1 ? items : null,
    }
  }

  /** Whether one piece of a passage has all these words, or these signs one after the other. */
  #says(said: readonly Token[], source: Source): boolean {
    if (said.every(({ kind }) => kind === 'sign'))
      return source.passage.text.includes(spelled(said))
    const places = placesIn(this.#cut(source))
    const [first = [], ...others] = said.map(({ key }) => places.get(key) ?? [])
    return first.some((at) => others.every((there) => there.includes(at)))
  }

  #headerOf(pieces: readonly Piece[], at: number): Piece | undefined {
    if (NAMED_ROW.test(pieces[at]?.text ?? '')) return undefined
    let first = at
    while (pieces[first - 1]?.kind === 'row') first--
    return first < at ? pieces[first] : undefined
  }

  /** The list that an item is in, with its lead-in; null when it is too long or the piece is no item. */
  #listAround(source: Source, at: number): { from: number; to: number } | null {
    const { pieces } = this.#cut(source)
    if (pieces[at]?.kind !== 'item') return null
    let from = at
    let to = at
    while (pieces[from - 1]?.kind === 'item') from--
    while (pieces[to + 1]?.kind === 'item') to++
    if (to - from >= MAX_ITEMS) return null
    const before = pieces[from - 1]
    if (before !== undefined && /[:：]\s*$/u.test(before.text)) from--
    return { from, to }
  }

  #text(source: Source, from: number, to: number): string {
    const { pieces } = this.#cut(source)
    const list = this.#listAround(source, from)
    const before = list !== null && list.from < from ? (pieces[list.from]?.text ?? '') : ''
    const text = pieces
      .slice(from, to + 1)
      .map((piece) => piece.text)
      .join('\n')
    return [source.passage.heading ?? '', before, text].filter((part) => part !== '').join('\n')
  }

  #facts(claim: string, cut: CutPassage): ClaimFacts {
    const { by } = this.#readOf(claim)
    const key = `${cut.language}:${cut.reading.mode}`
    let facts = by.get(key)
    if (facts === undefined) {
      facts = this.#readClaim(claim, cut)
      by.set(key, facts)
    }
    return facts
  }

  #readOf(claim: string): ReadClaim {
    if (this.#read.claim !== claim) this.#read = { claim, by: new Map(), places: new Map() }
    return this.#read
  }

  #readClaim(claim: string, { reading, language }: CutPassage): ClaimFacts {
    const tokens = readTokens(claim, reading)
    return {
      tokens,
      sameLanguage: speaks(claim, tokens, language),
      lexicon: reading.lexicon,
      asked: this.#askedIn(reading),
    }
  }

  /** Keys of the user's message, once for each way of reading. */
  #askedIn(reading: Reading): ReadonlySet<string> {
    let keys = this.#askedKeys.get(reading.lexicon)?.get(reading.mode)
    if (keys === undefined) {
      keys = new Set(readTokens(this.#asked, reading).map((token) => token.key))
      const known = this.#askedKeys.get(reading.lexicon) ?? new Map()
      this.#askedKeys.set(reading.lexicon, known.set(reading.mode, keys))
    }
    return keys
  }

  #cut(source: Source): CutPassage {
    const known = source.cut
    if (known !== null && [undefined, 'ja', this.#spoken].includes(known.assumed)) return known
    const { text, mode } = this.#readings.of(source.passage)
    const own = languageOf(text, () => mode)
    const assumed = this.#assumedFor(text, own)
    const language = assumed ?? toldBy(text, own)
    const reading: Reading = {
      lexicon: lexiconOf(language),
      mode: LATIN_MODE[language ?? ''] ?? mode,
    }
    const pieces = sentences(text).map((sentence) => new Piece(sentence, reading))
    const leads = leadsOf(pieces)
    const heading = readTokens(source.passage.heading ?? '', reading)
    source.cut = {
      reading,
      language,
      assumed,
      pieces,
      heading,
      leads,
      siblings: new Siblings(pieces, leads, reading),
      places: null,
    }
    return source.cut
  }

  /** What the dialogue is in, for a text of names and figures; undefined for one that tells its language. */
  #assumedFor(text: string, own: string | null): string | null | undefined {
    if (own === 'zh') return this.#speaksJapanese && isHanAlone(text) ? 'ja' : undefined
    if (own !== null && !(own in LATIN_MODE)) return undefined
    return latinLanguageOf(text) === null ? this.#spoken : undefined
  }
}

/** The language that a text tells: a few words have too few small ones for more than a guess at English. */
const toldBy = (text: string, own: string | null): string | null => {
  if (own !== 'en') return own
  const words = wordsOf(text).filter((word) => word.length > 1)
  return latinLanguage([...new Set(words)]) ?? own
}

const isJapanese = (text: string): boolean => languageOf(text, () => 'english') === 'ja'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Words of a Chinese sentence that Japanese does not write. */
const CHINESE = /[这這们們吗嗎呢您你说说请对這该个沒没很]/u

/** Whether a text has neither kana nor words of Chinese: names in a table are the same in both. */
const isHanAlone = (text: string): boolean => {
  const sample = text.slice(0, TELLING)
  return !KANA.test(sample) && !CHINESE.test(sample)
}

/** Signs of a text that tell its language, if it has words of one at all. */
const TELLING = 1_000

const wordsOf = (text: string): string[] =>
  (text.slice(0, TELLING).match(/[\p{L}\p{M}]+/gu) ?? []).map(plainWord)

const latinLanguageOf = (text: string): string | null => latinLanguage(wordsOf(text))

function placesIn(cut: CutPassage): ReadonlyMap<string, readonly number[]> {
  cut.places ??= placesOf(cut.pieces)
  return cut.places
}

function placesOf(pieces: readonly Piece[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, piece] of pieces.entries())
    for (const key of piece.keys) {
      const known = places.get(key)
      if (known === undefined) places.set(key, [at])
      else known.push(at)
    }
  return places
}

/** Whether a piece and the next are read together: an item goes with its list, which has its lead-in, a row by itself. */
function goesOn({ pieces, leads }: CutPassage, at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]]
  if (next === undefined || piece?.kind === 'row' || next.kind === 'row') return false
  return next.kind === 'item' ? leads[at + 1] !== at : piece?.kind !== 'item'
}

function leadsOf(pieces: readonly Piece[]): number[] {
  const leads: number[] = []
  for (const [at, { kind }] of pieces.entries()) {
    const before = pieces[at - 1]
    const isLead = before !== undefined && /[:：]\s*$/u.test(before.text)
    leads.push(
      kind !== 'item' ? -1 : before?.kind === 'item' ? (leads[at - 1] ?? -1) : isLead ? at - 1 : -1,
    )
  }
  return leads
}

function kindOf(sentence: string): Piece['kind'] {
  if (ITEM.test(sentence)) return 'item'
  if (ROW.test(sentence)) return 'row'
  return HEADING.test(sentence) ? 'heading' : 'sentence'
}

const rank = ({ outcome, share }: Verdict) =>
  (outcome === 'stands' ? 4 : outcome === 'open' ? 2 : 0) + share

const isContradiction = ({ outcome, reason, share }: Verdict) =>
  outcome === 'falls' && share >= ABOUT && reason !== 'content'

/** Parts one after the other, each with clauses of its own. */
function joined(parts: readonly (readonly Token[])[]): Token[] {
  const tokens: Token[] = []
  for (const part of parts) {
    const offset = (tokens.at(-1)?.clause ?? -1) + 1
    for (const token of part) tokens.push({ ...token, clause: token.clause + offset })
  }
  return tokens
}

/** Whether a claim is in the passage's language. A few words without any small one are in no other. */
function speaks(claim: string, tokens: readonly Token[], language: string | null): boolean {
  const own = languageOf(claim, () => 'english')
  if (language === null || own === null) return true
  if (own !== 'en')
    return own === language || (isHan(own) && isHan(language) && language !== 'ja' && own !== 'ja')
  if (isWide(language) || language === 'ru' || language === 'ar') return false
  const words = tokens.filter((token) => token.kind === 'word').map((token) => token.word)
  const latin = latinLanguage(words)
  return latin === null || latin === language
}

const isHan = (language: string) => language === 'zh' || language === 'ja'
const isWide = isHan
