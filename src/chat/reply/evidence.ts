import type { IdfTable, Passage } from '../../knowledge/types'
import type { MarkReference } from '../../text/citations'
import { type FoldedText, foldText } from '../../text/fold-text'
import type { LatinMode } from '../../text/latin-language'
import { type PassageReading, PassageReadings } from '../../text/passage-reading'
import type { Span } from '../../text/quotes'
import { sentences } from '../../text/sentences'
import { idfOf, tokensByMode, weightShare } from '../../text/term-weights'
import { isHanAlone, isJapanese, latinLanguageOf, speaks, toldBy } from './claim-language'
import { type ClaimFacts, type Reason, type Verdict, weightOf } from './ground'
import { judge } from './judge'
import { LATIN_MODE, type Lexicon, languageOf, lexiconOf } from './lexicon'
import { type CutPassage, leadsOf, Piece, placesIn, wholeOf, wholesIn } from './pieces'
import {
  type BestPlace,
  findPlace,
  groundAt,
  joined,
  listAround,
  MAX_ITEMS,
  textAt,
} from './places'
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

interface Source {
  passage: Passage
  made: MadeOf
}

/** What is made of a passage's text, when it is first needed. */
interface MadeOf {
  folded: FoldedText | null
  cut: CutPassage | null
  /** The Latin language that it tells, null for none; undefined until it was asked for. */
  latin: string | null | undefined
}

/** It lasts as long as the reading does, which may be for many turns. */
const made = new WeakMap<PassageReading, MadeOf>()

function madeOf(reading: PassageReading): MadeOf {
  let known = made.get(reading)
  if (known === undefined) {
    known = { folded: null, cut: null, latin: undefined }
    made.set(reading, known)
  }
  return known
}

/** Pieces of a passage; `span` where a quote names the place more closely. */
interface Place {
  source: Source
  from: number
  to: number
  span: Span | null
}

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

/** A sentence with more marks is judged as a whole: each part costs a look at every piece of what it names. */
const MOST_PARTS = 8

/** …and as many quotes: no sentence has more of them to look at. */
const MOST_QUOTES = 24

/** A quote of fewer words of content proves nothing. */
const LEAST_QUOTE = 3

const LEAST_QUOTE_SIGNS = 4

/** A claim that is held this well is about this place: what contradicts it there is not looked for elsewhere. */
const ABOUT = 0.6

/** Tokens of a sentence that says something by itself. */
const LEAST_WHOLE = 3

/** What it costs to read a claim, and to look for one of its tokens in one piece, in tokens that are compared. */
const WORK = { claim: 40, look: 1 / 128 }

/** Below this an unmarked sentence has no place that it could be about. */
const LEAST_PLACE = 0.3

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
  #joins = MOST_JOINS
  #work = 0

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
        this.#sources.set(passage.n, { passage, made: madeOf(this.#readings.of(passage)) })
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
    source.made.folded ??= foldText(source.passage.text)
    return source.made.folded
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
    const said = this.saidWhole(claim, parts)
    if (said !== null) return said
    const references = parts.flatMap((part) => part.references)
    this.#work += WORK.claim
    const marked = parts.filter((part) => part.references.length > 0)
    const isInParts = marked.length > 1 && marked.length <= MOST_PARTS
    const together = isInParts ? this.#atParts(claim, marked) : null
    if (together?.outcome === 'stands') return together
    const whole = this.#decideWhole(claim, references)
    if (whole.outcome === 'stands') return whole
    return together ?? this.#joined(claim, references, whole) ?? whole
  }

  /** How much was compared so far, in tokens: what a claim costs. */
  get work(): number {
    return this.#work
  }

  /** A sentence of a passage as it stands there, of one that the claim names if that has it: it says what it says. */
  saidWhole(claim: string, parts: readonly ClaimPart[]): Decision | null {
    this.#spoken ??= latinLanguageOf(claim) ?? this.#commonLanguage()
    this.#speaksJapanese ||= isJapanese(claim)
    const references = parts.flatMap((part) => part.references)
    const whole = wholeOf(claim)
    const longest = longestOf(claim)
    const named = new Set(references.map(({ n }) => n))
    const sources = [...this.#sources].sort(
      ([a], [b]) => Number(named.has(b)) - Number(named.has(a)),
    )
    for (const [, source] of sources) {
      // To look for a word costs less than to cut a passage.
      if (!source.passage.text.includes(longest)) continue
      const cut = this.#cut(source)
      const at = wholesIn(cut).get(whole)
      if (at === undefined || (cut.pieces[at]?.tokens.length ?? 0) < LEAST_WHOLE) continue
      const quoted = references.find(({ n, span }) => n === source.passage.n && span !== null)
      const span = quoted?.span ?? null
      return {
        outcome: 'stands',
        reason: 'none',
        share: 1,
        citations: [this.#citationAt({ source, from: at, to: at, span })],
        evidence: cut.pieces[at]?.text ?? '',
      }
    }
    return null
  }

  /**
   * What stands behind a label, as "**Price:** it costs €5", judged by itself, where the label says nothing of another thing:
   * its words are in the sentence that carries the rest; or no passage has any of them, which somebody who reads must judge.
   */
  decideUnder(label: string, rest: string, parts: readonly ClaimPart[]): Decision | null {
    const decision = this.decide(rest, parts)
    const [citation] = decision.citations
    const source = [...this.#sources.values()].find(({ passage }) => passage === citation?.passage)
    if (decision.outcome === 'falls' || source === undefined) return null
    const { reading } = this.#cut(source)
    const content = readTokens(label, reading).filter((token) => !token.light)
    const there = new Set(readTokens(decision.evidence, reading).map(({ key }) => key))
    const others = content.filter(({ key }) => !there.has(key))
    if (others.length === 0) return decision
    const isAnother = ({ figure, key }: Token) =>
      figure !== null ||
      [...this.#sources.values()].some((one) => placesIn(this.#cut(one)).has(key))
    return others.some(isAnother) ? null : { ...decision, outcome: 'open' }
  }

  /**
   * "Breakfast is served until ten, and the pool closes at nine" of two sentences that stand apart: clauses that stand by
   * themselves, each in its place. Whether they may be joined so, somebody who reads must say.
   */
  #joined(claim: string, references: readonly MarkReference[], whole: Decision): Decision | null {
    if (!JOINABLE.has(whole.reason) || whole.share < LEAST_PLACE || this.#joins === 0) return null
    const clauses = clausesOf(claim)
    if (clauses.length < 2 || clauses.length > MOST_CLAUSES) return null
    this.#joins--
    const decisions: Decision[] = []
    for (const clause of clauses) {
      const decision = this.#decideWhole(clause, references)
      if (decision.outcome !== 'stands' || NAMED_ROW.test(decision.evidence)) return null
      decisions.push(decision)
    }
    const evidence = [...new Set(decisions.map((one) => one.evidence))]
    if (evidence.length < 2) return null
    return {
      ...whole,
      outcome: 'open',
      citations: decisions.flatMap(({ citations }) => citations),
      evidence: evidence.join('\n'),
    }
  }

  /** The Latin language of the dialogue, or of what was found; null where nothing tells one. */
  spoken(): string | null {
    return this.#spoken ?? this.#commonLanguage()
  }

  /** The language of the first passage that tells one. */
  #commonLanguage(): string | null {
    for (const { passage, made } of this.#sources.values()) {
      // Asked again with every claim while nothing tells one: tables and other scripts never do.
      if (made.latin === undefined) made.latin = latinLanguageOf(passage.text)
      if (made.latin !== null) return made.latin
    }
    return null
  }

  #decideWhole(claim: string, references: readonly MarkReference[]): Decision {
    const quoted = references
      .filter(({ n, span }) => span !== null && this.#sources.has(n))
      .slice(0, MOST_QUOTES)
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
  coverage(text: string): number {
    const tokens = tokensByMode(text)
    const weigh = (token: string) => idfOf(this.#idf, token)
    let best = 0
    for (const { passage } of this.#sources.values()) {
      const { mode, body } = this.#readings.of(passage)
      best = Math.max(best, weightShare(tokens(mode), body, weigh))
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
    const ground = groundAt(cut, from, to)
    return [...ground.tokens, ...ground.context].some(({ key }) => key === subject?.key)
  }

  /** Several places prove a sentence together; null for fewer than two. */
  #together(claim: string, places: readonly Place[]): Decision | null {
    const [first, ...others] = places
    if (first === undefined || others.length === 0) return null
    const grounds = places.map(({ source, from, to }) => groundAt(this.#cut(source), from, to))
    const facts = this.#facts(claim, this.#cut(first.source))
    const tokens = joined(grounds.map((ground) => ground.tokens))
    this.#work += facts.tokens.length + tokens.length
    const verdict = judge(facts, {
      tokens,
      context: grounds.flatMap(({ context }) => context),
      passage: () => grounds.flatMap(({ passage }) => passage()),
      isSaid: (said) => grounds.some(({ isSaid }) => isSaid(said)),
      isLed: false,
      isList: grounds.some(({ isList }) => isList),
      cells: [],
      isOther: () => false,
      isOfOther: () => false,
      items: null,
    })
    return {
      ...verdict,
      citations: places.map((place) => this.#citationAt(place)),
      evidence: places
        .map((place) => textAt(this.#cut(place.source), place.source.passage, place.from, place.to))
        .join('\n'),
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
    const list = listAround(this.#cut(best.source), best.from)
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
      const cut = this.#cut(source)
      const { tokens } = this.#facts(claim, cut)
      this.#work += tokens.length * cut.pieces.length * WORK.look
      place = findPlace(tokens, cut)
      places.set(source, place)
    }
    return place
  }

  #judgeAt(claim: string, source: Source, from: number, to: number, span: Span | null): Decision {
    const cut = this.#cut(source)
    const ground = groundAt(cut, from, to)
    const facts = this.#facts(claim, cut)
    this.#work += facts.tokens.length + ground.tokens.length
    const first = cut.pieces[from]
    const last = cut.pieces[to]
    const place = span ?? { start: first?.start ?? 0, end: last?.end ?? 0 }
    return {
      ...judge(facts, ground),
      citations: [{ passage: source.passage, span: place }],
      evidence: textAt(cut, source.passage, from, to),
    }
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
      sameLanguage: speaks(claim, tokens, language, this.#spoken),
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
    const known = source.made.cut
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
    const cut: CutPassage = {
      reading,
      language,
      assumed,
      pieces,
      heading,
      leads,
      siblings: new Siblings(pieces, leads, reading),
      places: null,
      figures: null,
      sums: null,
      wholes: null,
    }
    source.made.cut = cut
    return cut
  }

  /** What the dialogue is in, for a text of names and figures; undefined for one that tells its language. */
  #assumedFor(text: string, own: string | null): string | null | undefined {
    if (own === 'zh') return this.#speaksJapanese && isHanAlone(text) ? 'ja' : undefined
    if (own !== null && !(own in LATIN_MODE)) return undefined
    const told = latinLanguageOf(text)
    // "Price per month" is Italian by its one small word: what speaks the dialogue's language too is read in that.
    return told === null || (own === null && told === this.#spoken) ? this.#spoken : undefined
  }
}

/** Why a sentence may fall that its places hold together; what one place says otherwise, it says of its own clause too. */
const JOINABLE: ReadonlySet<Reason> = new Set<Reason>([
  'content',
  'name',
  'figure',
  'order',
  'replaced',
])
const MOST_CLAUSES = 4
/** Sentences of a turn that are taken apart: a verifier is asked about no more. */
const MOST_JOINS = 24
/** A clause of less says nothing of its own. */
const LEAST_CLAUSE = { word: 12, sign: 5 }
const CLAUSE_END = /[,;，；、،؛]\s*/u

/** The clauses of a sentence that are long enough to be a statement; none where one is not. */
function clausesOf(claim: string): string[] {
  const clauses = claim.split(CLAUSE_END).filter((clause) => clause !== '')
  const least = (clause: string) => (isSpaceless(clause) ? LEAST_CLAUSE.sign : LEAST_CLAUSE.word)
  return clauses.every((clause) => clause.length >= least(clause)) ? clauses : []
}

const isSpaceless = (text: string) => /[\p{Script=Han}\p{Script=Hiragana}]/u.test(text)

const longestOf = (claim: string): string =>
  (claim.match(/[\p{L}\p{M}]+/gu) ?? []).reduce(
    (longest, word) => (word.length > longest.length ? word : longest),
    '',
  )

const rank = ({ outcome, share }: Verdict) =>
  (outcome === 'stands' ? 4 : outcome === 'open' ? 2 : 0) + share

const isContradiction = ({ outcome, reason, share }: Verdict) =>
  outcome === 'falls' && share >= ABOUT && reason !== 'content'
