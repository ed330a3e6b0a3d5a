import type { IdfTable, Passage } from '../knowledge/types'
import type { MarkReference } from './citations'
import { Evidence } from './evidence'
import { introduces, passesUnsupported } from './filler'
import type { Span } from './quotes'
import { ReplyScanner, type ReplyToken, type UnitKind } from './reply-scanner'
import { ReplyWriter } from './reply-writer'

export interface CheckOptions {
  /** The passages the model was shown, by their number. More can come with `addPassages`. */
  passages: readonly Passage[]
  idf: IdfTable
  /** `grounding_required`: a sentence that no passage supports is dropped. Otherwise only false marks are. */
  grounded: boolean
  /** The user's message: numbers it names are no claims of the reply. */
  question?: string
  /** Small talk: everything passes, marks are still verified. */
  exempt?: boolean
}

/** Checked text, ready to be sent. The reply is the pieces' texts joined. */
export interface CheckedPiece {
  text: string
}

/** A passage that the reply cites, numbered by first use. Offsets are in the document's extracted text. */
export interface CitedSource {
  n: number
  passage: Passage
  quote: string
  start: number
  end: number
  /** Every place of the passage that the reply cites, the first included. */
  spans: { quote: string; start: number; end: number }[]
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
  /** Takes the next part of the model's text; gives what is checked. The result does not depend on how text is cut. */
  push(delta: string): CheckedPiece[]
  end(): CheckResult
  /** Passages found in the middle of the turn (`search_knowledge`). */
  addPassages(passages: readonly Passage[], idf: IdfTable): void
  /** The result of another tool: sentences whose numbers it (or the question) holds pass from now on. */
  addToolResult(text: string): void
}

/** A bare `[n]` holds when the passage covers this much of the sentence's idf mass… */
const BARE_MARK_SHARE = 0.5
/** …a sentence without any true mark must be covered better, and so must a block of code. */
const UNMARKED_SHARE = 0.6
const SPACELESS_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u

/** The check step of a turn: verifies citation marks against the stored passages while the reply streams. */
export function createChecker(options: CheckOptions): Checker {
  return new ReplyChecker(options)
}

interface Citation {
  passage: Passage
  span: Span
}

type Part = { text: string } | { references: MarkReference[] } | { citations: Citation[] }

/** `heading`s wait with their level; lead-ins with 0; a bare yes or no with −1, gone when the next sentence falls. */
interface Held {
  text: string
  level: number
}

class ReplyChecker implements Checker {
  readonly #options: CheckOptions
  readonly #evidence = new Evidence()
  readonly #scanner = new ReplyScanner((n) => this.#evidence.folded(n))
  readonly #writer = new ReplyWriter()
  readonly #cited: CitedSource[] = []
  readonly #unsourced: string[] = []
  readonly #toolTexts: string[] = []
  /** The current unit's parts: all of them when grounded, else those from an unproven mark on. */
  #parts: Part[] = []
  #plain = ''
  #waiting = false
  /** Breaks and signs before the next unit. */
  #lead = ''
  #held: Held[] = []
  #droppedUnderHeld = false
  #inTable = false
  #admitsGap = false

  constructor(options: CheckOptions) {
    this.#options = options
    this.#evidence.add(options.passages, options.idf)
  }

  push(delta: string): CheckedPiece[] {
    return this.#pieces(this.#scanner.push(delta))
  }

  end(): CheckResult {
    const pieces = this.#pieces(this.#scanner.end())
    const foundNothing = this.#admitsGap && this.#cited.length === 0 && this.#toolTexts.length === 0
    return { pieces, cited: this.#cited, unsourced: this.#unsourced, foundNothing }
  }

  addPassages(passages: readonly Passage[], idf: IdfTable): void {
    this.#evidence.add(passages, idf)
  }

  addToolResult(text: string): void {
    this.#toolTexts.push(text)
  }

  #pieces(tokens: readonly ReplyToken[]): CheckedPiece[] {
    for (const token of tokens) this.#take(token)
    const text = this.#writer.take()
    return text === '' ? [] : [{ text }]
  }

  #take(token: ReplyToken): void {
    const { grounded } = this.#options
    if (token.type === 'lead') {
      if (grounded) this.#lead = joinLeads(this.#lead, token.text, token.inLine)
      else this.#writer.text(token.text)
    } else if (token.type === 'text') {
      this.#plain += token.text
      if (grounded || this.#waiting) this.#parts.push({ text: token.text })
      else this.#writer.text(token.text)
    } else if (token.type === 'mark') {
      // A mark without a quote is judged by its whole sentence, so the rest of the sentence waits for it.
      this.#waiting ||= token.references.some((reference) => !reference.quoted)
      this.#parts.push({ references: token.references })
      if (!grounded && !this.#waiting) this.#writeParts()
    } else {
      if (grounded) this.#judge(token.kind)
      else this.#writeParts()
      this.#parts = []
      this.#plain = ''
      this.#waiting = false
    }
  }

  /** A unit of a grounded reply: given out, held until something under it stands, or dropped. */
  #judge(kind: UnitKind): void {
    const plain = this.#plain.trim()
    const header = kind === 'row' && (!this.#inTable || /\n[ \t]*\n/u.test(this.#lead))
    this.#inTable = kind === 'row'
    const supported = this.#resolveMarks()
    if (plain === '') return
    if (this.#options.exempt || supported) this.#keep()
    else if (kind === 'heading') this.#hold(/#+/u.exec(this.#lead)?.[0].length ?? 1)
    else if (header || !/[\p{L}\p{N}]/u.test(plain)) this.#hold(0)
    else if (kind === 'code') this.#judgeCode(plain)
    else if (passesUnsupported(plain) !== null) {
      this.#admitsGap ||= passesUnsupported(plain) === 'gap'
      this.#keep()
    } else if (this.#findSupport(plain)) this.#keep()
    else if (introduces(plain) !== null) this.#hold(introduces(plain) === 'lead-in' ? 0 : -1)
    else if (this.#isToolAnswer(plain)) this.#keep()
    else this.#drop(plain)
  }

  #judgeCode(plain: string): void {
    if (this.#evidence.coverage(plain) >= UNMARKED_SHARE) this.#keep()
    else this.#drop(plain)
  }

  /** Without a true mark: looks for a passage that says the same, and marks the sentence with it. */
  #findSupport(plain: string): boolean {
    const support = this.#evidence.support(plain)
    if (support === null || support.share < UNMARKED_SHARE) return false
    const text = this.#parts.map((part) => ('text' in part ? part.text : '')).join('')
    const stop = /[\s.!?…。！？؟۔|]*$/u.exec(text)?.index ?? text.length
    const gap = SPACELESS_END.test(text.slice(0, stop)) ? '' : ' '
    this.#parts = [
      { text: text.slice(0, stop) + gap },
      { citations: [support] },
      { text: text.slice(stop) },
    ]
    return true
  }

  #isToolAnswer(plain: string): boolean {
    const { question = '' } = this.#options
    return (
      this.#toolTexts.length > 0 &&
      this.#evidence.knowsNumbers(plain, [...this.#toolTexts, question])
    )
  }

  #hold(level: number): void {
    if (level > 0) this.#held = this.#held.filter((held) => held.level > 0 && held.level < level)
    const text = this.#parts.map((part) => ('text' in part ? part.text : '')).join('')
    this.#held.push({ text: this.#lead + text, level })
    this.#lead = ''
    this.#droppedUnderHeld = false
  }

  #drop(plain: string): void {
    this.#unsourced.push(plain.replaceAll(/\s+(?=[.,;:!?…]|\s)/gu, ''))
    this.#held = this.#held.filter((held) => held.level >= 0)
    this.#droppedUnderHeld = true
  }

  #keep(): void {
    // A new paragraph is not what a lead-in introduced when everything under that one fell.
    if (this.#droppedUnderHeld && /\n\n+$/u.test(this.#lead))
      this.#held = this.#held.filter((held) => held.level > 0)
    for (const { text } of this.#held) this.#writer.text(text)
    this.#held = []
    this.#writer.text(this.#lead)
    this.#lead = ''
    this.#writeParts()
  }

  /** Replaces references by the citations that hold; says whether any does. */
  #resolveMarks(): boolean {
    let any = false
    this.#parts = this.#parts.map((part) => {
      if (!('references' in part)) return part
      const citations = part.references.flatMap((reference) => this.#verify(reference))
      any ||= citations.length > 0
      return { citations }
    })
    return any
  }

  #verify(reference: MarkReference): Citation[] {
    const passage = this.#evidence.passage(reference.n)
    if (passage === undefined) return []
    if (reference.span !== null) return [{ passage, span: reference.span }]
    if (reference.quoted) return []
    const support = this.#evidence.support(this.#plain, reference.n)
    return support !== null && support.share >= BARE_MARK_SHARE ? [support] : []
  }

  #writeParts(): void {
    this.#resolveMarks()
    for (const part of this.#parts) {
      if ('text' in part) this.#writer.text(part.text)
      else if ('citations' in part) this.#writer.marks(part.citations.map((one) => this.#cite(one)))
    }
    this.#parts = []
  }

  #cite({ passage, span }: Citation): number {
    const start = passage.start + span.start
    const end = passage.start + span.end
    const quote = passage.text.slice(span.start, span.end)
    const known = this.#cited.find((source) => source.passage.n === passage.n)
    if (known === undefined) {
      const n = this.#cited.length + 1
      this.#cited.push({ n, passage, quote, start, end, spans: [{ quote, start, end }] })
      return n
    }
    if (!known.spans.some((one) => one.start === start && one.end === end))
      known.spans.push({ quote, start, end })
    return known.n
  }
}

/** What stands before the next unit when the one before it may have been dropped: the widest break, the last signs. */
function joinLeads(old: string, added: string, inLine: boolean): string {
  const breaks = (text: string) => text.split('\n').length - 1
  if (added.includes('\n')) return '\n'.repeat(Math.max(breaks(old), breaks(added)))
  if (!inLine) return old.slice(0, old.lastIndexOf('\n') + 1) + added
  return old === '' ? added : old
}
