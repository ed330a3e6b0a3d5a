import type { IdfTable, Passage } from '../knowledge/types'
import { type MarkReference, replaceNamedSources } from '../text/citations'
import type { PassageReadings } from '../text/passage-reading'
import { sentences } from '../text/sentences'
import { readClaim } from './reply/claims'
import { type Citation, type Decision, Evidence } from './reply/evidence'
import type { Verdict } from './reply/ground'
import { joinLeads, type Lead } from './reply/leads'
import {
  claimParts,
  closeGaps,
  joints,
  type Part,
  placed,
  plainOf,
  stopOf,
  withoutJoint,
  withoutMarks,
} from './reply/marked-text'
import { ReplyWriter } from './reply/reply-writer'
import { type Told, ToldResults } from './reply/told'
import { ReplyScanner, type ReplyToken, type UnitKind } from './reply-scanner'

export interface CheckOptions {
  /** The passages the model was shown, by their number. More can come with `addPassages`. */
  passages: readonly Passage[]
  idf: IdfTable
  /** `grounding_required`: a sentence that no passage supports is dropped. Otherwise only false marks are. */
  grounded: boolean
  /** The user's message: what only it says proves nothing. */
  question?: string
  /** The agent's own words for "nothing fits": its sentences need no source. */
  noMatchReply?: string | null
  /** The offline answerer: what it says of tool results it fills into sentences of the platform's own. */
  templated?: boolean
  /** What was read of the passages before, to be read once in a turn. */
  readings?: PassageReadings
  /** Small talk: everything passes, marks are still verified. */
  exempt?: boolean
}

/** Checked text, ready to be sent. The reply is the pieces' texts joined. */
export interface CheckedPiece {
  text: string
}

/** A place of a passage, and the sentences of the checked text that rest on it. */
export interface CitedPlace {
  quote: string
  start: number
  end: number
  sentences: { start: number; end: number }[]
}

/** A claim that the rules cannot decide: somebody who reads must. */
export interface OpenClaim {
  id: number
  claim: string
  evidence: string
}

/** An open claim, with why the rules left it open and how much of it they found in the evidence. */
export interface LeftClaim extends OpenClaim, Pick<Verdict, 'reason' | 'share'> {}

/** A passage that the reply cites, numbered by first use. Offsets are in the document's extracted text. */
export interface CitedSource {
  n: number
  passage: Passage
  quote: string
  start: number
  end: number
  /** Every place of the passage that the reply cites, the first included. */
  spans: CitedPlace[]
}

export interface CheckResult {
  pieces: CheckedPiece[]
  cited: CitedSource[]
  /** Sentences that were dropped, as the model wrote them without marks. */
  unsourced: string[]
  /** A grounded reply that cites nothing and says that the sources do not tell: as good as no match. */
  foundNothing: boolean
}

export interface Checker {
  /** Takes the next part of the model's text; gives what is checked. Where the model's text is cut into parts changes nothing. */
  push(delta: string): CheckedPiece[]
  end(): CheckResult
  /**
   * No more text comes: what is left is judged. `end` does this too.
   * @param cut whether it was cut off: half a sentence at its end is left out where something stands before it
   */
  close(cut?: boolean): CheckedPiece[]
  /** Claims that wait for a decision; everything behind the first of them waits too. */
  open(): LeftClaim[]
  /** Decides open claims by their ids; one that nobody decided by `end` falls. */
  settle(supported: ReadonlyMap<number, boolean>): CheckedPiece[]
  /** Passages found in the middle of the turn (`search_knowledge`). */
  addPassages(passages: readonly Passage[], idf: IdfTable): void
  /** A new checker for another reply to the same question, with all evidence of this one. */
  again(): Checker
  /** The result of another tool: evidence from now on, without a place to cite. */
  addToolResult(text: string): void
  readonly hasToolResults: boolean
}

/** A block of code stands when one passage holds this share of its words, rare ones counting more. */
const CODE_SHARE = 0.6
/** Lines with what code has and words do not. */
const CODE_LINE = /^.*(?:[{}[\]<>=;|\\$`_@#*/~^&]|--|[a-z][.(]\w).*/gimu
/** Too many words for a command. */
const SAID = /(?<!\p{L})(?:\p{L}+\P{L}+){3}\p{L}|\p{Script=Han}{6}/u
/**
 * What of a reply is looked at, in tokens that are compared: some two hundred sentences that no passage has as they stand, in some
 * 40 ms of CPU. What comes behind falls.
 */
const MOST_WORK = 20_000
/** Words in bold with a colon, before a sentence. */
const LABEL = /^\*\*([^*\n]{1,60}?)(?:[:：]\*\*|\*\*\s?[:：])\s*(?=\S)/u
/** The end of a sentence, or of a line that introduces something. */
const ENDED = /[.!?…:。！？：؟۔|"”»)\]*`]$/u

/** The check step of a turn: verifies every claim against the stored passages while the reply streams. */
export function createChecker(options: CheckOptions): Checker {
  return new ReplyChecker(options)
}

type Standing = 'stands' | 'falls' | 'open'

/** A sentence, heading, row or block that was read and waits to be given out. */
interface Unit {
  id: number
  kind: UnitKind
  leads: Lead[]
  parts: Part[]
  plain: string
  /**
   * `gap` and `free` pass without a source; `heading`, `lead-in` and `yes-or-no` wait for what follows them; `empty` is
   * nothing but marks.
   */
  role: 'claim' | 'gap' | 'free' | 'heading' | 'lead-in' | 'yes-or-no' | 'empty'
  standing: Standing
  leans: boolean
  open: LeftClaim | null
}

/**
 * A unit that waits for what it introduces, and goes unless something under it stands. Its level: that of a heading, 0 for a
 * lead-in, −1 for a bare yes or no, which goes as soon as the next sentence falls.
 */
interface Held {
  lead: string
  parts: Part[]
  level: number
}

/**
 * Reads the reply as it streams. The scanner cuts it into units; of a grounded reply each is judged when it is complete and
 * queued, and given out in order, up to the first unit that is open. Of other replies the text passes at once, and only marks
 * are looked at.
 */
class ReplyChecker implements Checker {
  readonly #options: CheckOptions
  readonly #evidence: Evidence
  readonly #scanner = new ReplyScanner((n) => this.#evidence.folded(n))
  readonly #writer = new ReplyWriter()
  readonly #cited: CitedSource[] = []
  readonly #unsourced: string[] = []
  readonly #results: ToldResults
  /** Behind so much work nothing is looked at any more. */
  readonly #until: number
  /** The current unit's parts: all of them when grounded, else those from an unproven mark on. */
  #parts: Part[] = []
  #plain = ''
  #waiting = false
  /** Of a unit that is given out while it is read: where it began, and what rests on sources so far. */
  #from: number | null = null
  #begun: { start: number; end: number }[] = []
  #units = 0
  #leads: Lead[] = []
  /** Units that are read, and not given out yet: the first is open, or there is none. */
  readonly #queue: Unit[] = []
  /** Breaks and signs before the next unit that is given out. */
  #lead = ''
  #held: Held[] = []
  #droppedUnderHeld = false
  #lastFell = false
  #inTable = false
  #admitsGap = false
  #cut = false

  constructor(options: CheckOptions, earlier: ReplyChecker | null = null) {
    this.#options = options
    this.#evidence =
      earlier === null ? new Evidence(options.question, options.readings) : earlier.#evidence
    this.#results = earlier === null ? new ToldResults() : earlier.#results
    if (earlier === null) this.#evidence.add(options.passages, options.idf)
    this.#until = this.#evidence.work + MOST_WORK
  }

  again(): Checker {
    return new ReplyChecker(this.#options, this)
  }

  push(delta: string): CheckedPiece[] {
    return this.#pieces(this.#scanner.push(delta))
  }

  close(cut = false): CheckedPiece[] {
    this.#cut = cut
    return this.#pieces(this.#scanner.end())
  }

  open(): LeftClaim[] {
    return this.#queue.flatMap(({ open, standing }) => (open && standing === 'open' ? [open] : []))
  }

  settle(supported: ReadonlyMap<number, boolean>): CheckedPiece[] {
    for (const unit of this.#queue) {
      const verdict = supported.get(unit.id)
      if (unit.standing === 'open' && verdict !== undefined)
        unit.standing = verdict ? 'stands' : 'falls'
    }
    return this.#pieces([])
  }

  end(): CheckResult {
    const read = this.close()
    const pieces = [...read, ...this.settle(new Map(this.open().map(({ id }) => [id, false])))]
    // A bare yes, or a sentence that announces, with nothing behind it says nothing that a source proves.
    for (const { parts } of this.#held.filter(({ level }) => level < 0)) this.#drop(plainOf(parts))
    const foundNothing = this.#admitsGap && this.#cited.length === 0 && this.#results.isEmpty
    return { pieces, cited: this.#cited, unsourced: this.#unsourced, foundNothing }
  }

  addPassages(passages: readonly Passage[], idf: IdfTable): void {
    this.#evidence.add(passages, idf)
  }

  addToolResult(text: string): void {
    this.#results.add(text)
  }

  get hasToolResults(): boolean {
    return !this.#results.isEmpty
  }

  #pieces(tokens: readonly ReplyToken[]): CheckedPiece[] {
    for (const token of tokens) this.#take(token)
    this.#deliver()
    const text = this.#writer.take()
    return text === '' ? [] : [{ text }]
  }

  #take(token: ReplyToken): void {
    const { grounded } = this.#options
    if (token.type === 'lead') {
      if (!grounded) this.#writer.text(token.text)
      else this.#leads.push(token)
    } else if (token.type === 'text') {
      this.#plain += token.text
      if (!grounded) this.#from ??= this.#writer.next
      if (grounded || this.#waiting) this.#parts.push({ text: token.text })
      else this.#writer.text(token.text)
    } else if (token.type === 'mark') {
      // A mark without a quote is judged by its whole sentence, so the rest of the sentence waits for it.
      this.#waiting ||= token.references.some((reference) => !reference.quoted)
      this.#parts.push({ references: token.references })
      if (!grounded && !this.#waiting) this.#writeFree()
    } else {
      if (grounded) this.#queue.push(this.#read(token.kind))
      else {
        this.#writeFree()
        for (const sentence of this.#begun) sentence.end = this.#writer.end
      }
      this.#from = null
      this.#begun = []
      this.#parts = []
      this.#plain = ''
      this.#waiting = false
    }
  }

  /** A unit of a grounded reply: what it is, and whether its claim stands. */
  #read(kind: UnitKind): Unit {
    const plain = this.#plain.trim()
    const header =
      kind === 'row' && (!this.#inTable || this.#leads.some(({ text }) => /\n[ \t]*\n/u.test(text)))
    this.#inTable = kind === 'row'
    const unit: Unit = {
      id: this.#units++,
      kind,
      leads: this.#leads,
      parts: this.#parts,
      plain,
      role: 'claim',
      standing: 'stands',
      leans: false,
      open: null,
    }
    this.#leads = []
    if (plain === '' || this.#isCutOff(unit)) unit.role = 'empty'
    else if (this.#options.exempt) {
      unit.role = 'free'
      this.#verifyMarks(unit)
    } else if (kind === 'heading') unit.role = 'heading'
    else if (header || !/[\p{L}\p{N}]/u.test(plain)) unit.role = 'lead-in'
    else if (kind === 'code') this.#readCode(unit)
    else this.#readClaim(unit)
    return unit
  }

  #isCutOff({ id, kind, plain, parts }: Unit): boolean {
    // What bears its mark was said to its end.
    const isMarked = parts.some((part) => 'references' in part)
    return this.#cut && id > 0 && kind === 'text' && !isMarked && !ENDED.test(plain)
  }

  get #isSpent(): boolean {
    return this.#evidence.work > this.#until
  }

  #readCode(unit: Unit): void {
    const isHeld = this.#evidence.coverage(unit.plain) >= CODE_SHARE
    unit.standing = isHeld && this.#areSaid(unit.plain) ? 'stands' : 'falls'
    this.#verifyMarks(unit)
  }

  /** Lines beside each other that have no sign of code: a passage has each as it is, or what they say together stands. */
  #areSaid(code: string): boolean {
    const words = code.replace(CODE_LINE, '').split(/\n{2,}/u)
    return words.every(
      (lines) =>
        lines.split('\n').every((line) => this.#evidence.holds(line.trim())) ||
        sentences(lines.replaceAll('\n', ' ')).every(
          ({ text }) =>
            !SAID.test(text) ||
            (!this.#isSpent && this.#evidence.decide(text, []).outcome === 'stands'),
        ),
    )
  }

  #readClaim(unit: Unit): void {
    if (this.#isSpent) {
      unit.standing = 'falls'
      return
    }
    const plain = this.#unnumbered(unit.plain)
    const { kind, text, leans } = readClaim(
      plain,
      this.#options.question ?? '',
      (code) => this.#evidence.holds(code),
      this.#evidence.spoken(),
    )
    unit.leans = leans
    if (kind === 'gap' || this.#options.noMatchReply?.includes(unit.plain)) unit.role = 'gap'
    else if (kind === 'courtesy' || kind === 'question') unit.role = 'free'
    else if (kind === 'yes-or-no') unit.role = 'yes-or-no'
    if (unit.role !== 'claim') {
      unit.parts = withoutMarks(unit.parts)
      return
    }
    const cut = claimParts(unit.parts)
    // A sentence of the source may begin with "according to …" itself.
    const whole = this.#evidence.saidWhole(plain, cut) ?? this.#evidence.decide(text, cut)
    const decision = (whole.outcome !== 'stands' && this.#underLabel(plain, unit)) || whole
    unit.standing = decision.outcome
    if (decision.outcome !== 'stands' && kind === 'lead-in') {
      unit.role = 'lead-in'
      unit.standing = 'stands'
      this.#verifyMarks(unit)
      return
    }
    const told = decision.outcome === 'stands' ? null : this.#told(text)
    if (told?.outcome === 'stands' || (told?.outcome === 'open' && decision.outcome === 'falls')) {
      unit.standing = told.outcome
      unit.parts = withoutMarks(unit.parts)
    } else if (decision.outcome !== 'falls') unit.parts = placed(unit.parts, decision.citations)
    else this.#keepBeginning(unit)
    if (unit.standing === 'open') {
      const evidence = [decision.outcome === 'open' ? decision.evidence : '', told?.evidence ?? '']
      const { reason, share } = decision
      unit.open = {
        id: unit.id,
        claim: closeGaps(text),
        evidence: evidence.filter(Boolean).join('\n'),
        reason,
        share,
      }
    }
  }

  /** "**Price:** it costs €5": by what stands behind the label, which models set where others have a heading. */
  #underLabel(plain: string, { parts }: Unit): Decision | null {
    const [said, label = ''] = LABEL.exec(plain) ?? []
    if (said === undefined) return null
    const { text } = readClaim(plain.slice(said.length), this.#options.question ?? '')
    return this.#evidence.decideUnder(label, text, claimParts(parts))
  }

  /** "According to Source 1, …": the number is a source's, no figure of the claim. */
  #unnumbered(plain: string): string {
    return replaceNamedSources(plain, (name, word, n) =>
      this.#evidence.passage(n) === undefined ||
      this.#evidence.texts().some((text) => text.includes(name))
        ? name
        : word,
    )
  }

  /** "The plan has 10 users [1] and costs €90 [2]": what stands by itself is said, what was joined to it falls alone. */
  #keepBeginning(unit: Unit): void {
    for (const end of joints(unit.parts)) {
      const parts = unit.parts.slice(0, end)
      const { text } = readClaim(plainOf(parts), this.#options.question ?? '')
      const decision = this.#evidence.decide(text, claimParts(parts))
      if (decision.outcome !== 'stands') continue
      const rest = plainOf(unit.parts.slice(end))
      this.#unsourced.push(closeGaps(withoutJoint(rest)))
      unit.standing = 'stands'
      unit.parts = placed([...parts, { text: stopOf(rest).trim() }], decision.citations)
      return
    }
  }

  /** Without a claim to prove: marks whose quote is found stay. */
  #verifyMarks(unit: Unit): void {
    unit.parts = unit.parts.map((part) =>
      'references' in part ? { citations: this.#found(part.references, unit.plain) } : part,
    )
  }

  #found(references: readonly MarkReference[], plain: string): Citation[] {
    return references.flatMap(({ n, quoted, span }): Citation[] => {
      const passage = this.#evidence.passage(n)
      if (passage === undefined) return []
      if (span !== null) return [{ passage, span }]
      const support = quoted || this.#isSpent ? null : this.#evidence.support(plain, n)
      return support === null ? [] : [support]
    })
  }

  /** What this turn's tool results say to a claim; sentences that the platform makes of them need their figures alone. */
  #told(claim: string): Told {
    const { templated = false, question = '' } = this.#options
    const isKnown =
      templated &&
      !this.#results.isEmpty &&
      this.#results.holdsNumbers(claim, [question, ...this.#evidence.texts()])
    return isKnown ? { outcome: 'stands', evidence: '' } : this.#results.judge(claim)
  }

  /** Gives out what is decided, up to the first open unit. */
  #deliver(): void {
    while (this.#queue[0] !== undefined && this.#queue[0].standing !== 'open') {
      const unit = this.#queue.shift()
      if (unit !== undefined) this.#give(unit)
    }
  }

  #give(unit: Unit): void {
    for (const { text, inLine } of unit.leads) this.#lead = joinLeads(this.#lead, text, inLine)
    const sameParagraph = !unit.leads.some(({ text }) => text.includes('\n\n'))
    if (unit.role === 'empty') return
    if (unit.role === 'heading') this.#hold(unit, /#+/u.exec(this.#lead)?.[0].length ?? 1)
    else if (unit.role === 'lead-in') this.#hold(unit, 0)
    else if (unit.role === 'yes-or-no') this.#hold(unit, -1)
    else if (unit.role === 'gap') {
      this.#admitsGap = true
      this.#keep(unit)
    } else if (unit.role === 'free') this.#keep(unit)
    else if (unit.standing === 'falls' || (unit.leans && this.#lastFell && sameParagraph))
      this.#drop(unit.plain)
    else this.#keep(unit)
  }

  #hold({ parts }: Unit, level: number): void {
    if (level > 0) this.#held = this.#held.filter((held) => held.level > 0 && held.level < level)
    this.#held.push({ lead: this.#lead, parts, level })
    this.#lead = ''
    this.#droppedUnderHeld = false
  }

  #drop(plain: string): void {
    this.#unsourced.push(closeGaps(plain))
    this.#held = this.#held.filter((held) => held.level >= 0)
    this.#droppedUnderHeld = true
    this.#lastFell = true
  }

  #keep(unit: Unit): void {
    // A new paragraph is not what a lead-in introduced when everything under that one fell.
    if (this.#droppedUnderHeld && /(?<!\n)\n\n+$/u.test(this.#lead))
      this.#held = this.#held.filter((held) => held.level > 0)
    for (const { lead, parts } of this.#held) {
      this.#writer.text(lead)
      this.#write(parts)
    }
    this.#held = []
    this.#writer.text(this.#lead)
    this.#lead = ''
    this.#lastFell = false
    this.#write(unit.parts)
  }

  /** The parts of an ungrounded reply so far: marks that nothing proves go. */
  #writeFree(): void {
    this.#write(
      this.#parts.map((part) =>
        'references' in part ? { citations: this.#found(part.references, this.#plain) } : part,
      ),
    )
    this.#parts = []
  }

  #write(parts: readonly Part[]): void {
    const start = this.#from ?? this.#writer.next
    const places: CitedPlace[] = []
    for (const part of parts) {
      if ('text' in part) this.#writer.text(part.text)
      else {
        const citations = 'citations' in part ? part.citations : []
        const cited = citations.map((one) => this.#number(one))
        this.#writer.marks(cited.map(({ n }) => n))
        places.push(...cited.map(({ place }) => place))
      }
    }
    const end = this.#writer.end
    for (const place of new Set(places)) {
      const known = place.sentences.at(-1)
      if (known && this.#begun.includes(known)) continue
      const sentence = { start, end }
      place.sentences.push(sentence)
      if (this.#from !== null) this.#begun.push(sentence)
    }
  }

  /** The number of a place's passage in this reply, by first use. */
  #number({ passage, span }: Citation): { n: number; place: CitedPlace } {
    const start = passage.start + span.start
    const end = passage.start + span.end
    const place = { quote: passage.text.slice(span.start, span.end), start, end, sentences: [] }
    const known = this.#cited.find((source) => source.passage.n === passage.n)
    if (known === undefined) {
      const n = this.#cited.length + 1
      const { quote } = place
      this.#cited.push({ n, passage, quote, start, end, spans: [place] })
      return { n, place }
    }
    const same = known.spans.find((one) => one.start === start && one.end === end)
    if (same === undefined) known.spans.push(place)
    return { n: known.n, place: same ?? place }
  }
}
