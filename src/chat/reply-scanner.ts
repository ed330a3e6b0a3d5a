import { type Mark, type MarkReference, opensMark, readMark } from '../text/citations'
import type { FoldedText } from '../text/fold-text'
import {
  closesFence,
  closingRun,
  fenceOf,
  HEADING_SIGN,
  ITEM_SIGN,
  TASK_BOX,
} from '../text/markdown-lines'
import { endsSentence, SENTENCE_ENDS, skipTerminator } from '../text/sentences'

export type UnitKind = 'text' | 'heading' | 'row' | 'code'

/**
 * A part of a reply. `lead` is what stands before a unit: line breaks, spaces, list and quote signs. `end` closes a unit:
 * a sentence, heading, table row or block of code.
 */
export type ReplyToken =
  | { type: 'lead'; text: string; inLine: boolean }
  | { type: 'text'; text: string }
  | { type: 'mark'; references: MarkReference[] }
  | { type: 'end'; kind: UnitKind }

/** "(1) First", "1、第一": signs of an item that need no space behind them. */
const CLOSED_SIGN = String.raw`(?:[(（]\d{1,2}[)）]|\d{1,2}、)`
const LINE_START = new RegExp(
  `^[ \\t]*(?:(?:${ITEM_SIGN}[ \\t]+|${CLOSED_SIGN}[ \\t]*)(?:${TASK_BOX}[ \\t]+)?|>[ \\t]?)*(?:${HEADING_SIGN}[ \\t]+)?`,
  'u',
)
/** What may still turn into the start of a list item, heading, table row or fence. */
const MAYBE_LINE_START = /^[\s\d.()（）、\-*+•‣–>#`~|xX[\]]{0,40}$/u
/** "10. ve 19. yüzyıllar", "2. und 3. Stock": an ordinal that opens a sentence is no list number… */
const ORDINALS =
  /^[ \t]*\d{1,3}\.[ \t]+(?:ve|veya|ile|und|oder|bis|and|or|og|och|ja)[ \t]+\d{1,3}\.[ \t]/u
/** …and this may still turn into one. */
const MAYBE_ORDINALS = /^[ \t]*\d{1,3}\.[ \t]+\p{L}{1,4}(?:[ \t]+(?:\d{1,3}\.?)?)?$/u
const SPECIAL = new RegExp(`[\`[【［(（{<⁰¹²³⁴⁵⁶⁷⁸⁹\\n${SENTENCE_ENDS}]`, 'gu')
const LOOKAHEAD = 24
/** Ends a sentence by itself where a mark stands before it… */
const FULL_STOP = /[.。।۔]/u
/** …and nothing is open that a sign behind it could close. */
const OPENER = /[*_~"“”«»„‹›「」『』《》(（<]/u

const maybeLineStart = (text: string) => MAYBE_LINE_START.test(text) || MAYBE_ORDINALS.test(text)

/**
 * Cuts a streamed markdown reply into units and reads the citation marks in them. Tokens come as early as the text
 * allows; how the text is cut into deltas changes only where `text` tokens are split.
 */
export class ReplyScanner {
  readonly #passageOf: (n: number) => FoldedText | undefined
  /** From the start of the current unit (or of what stands before it). */
  #buffer = ''
  #state: 'start' | 'unit' | 'fence' = 'start'
  #kind: UnitKind = 'text'
  #fence = ''
  #atLineStart = true
  /** Up to here the buffer is read… */
  #at = 0
  /** …and given out. */
  #given = 0
  #final = false
  #isFirst = true
  /** Of the unit: where its last mark with a quote stands. */
  #quoted: { start: number; end: number } | null = null
  #tokens: ReplyToken[] = []

  constructor(passageOf: (n: number) => FoldedText | undefined) {
    this.#passageOf = passageOf
  }

  push(delta: string): ReplyToken[] {
    this.#buffer += delta
    return this.#run()
  }

  end(): ReplyToken[] {
    this.#final = true
    return this.#run()
  }

  #run(): ReplyToken[] {
    this.#tokens = []
    let going = true
    while (going) {
      if (this.#state === 'start') going = this.#start()
      else if (this.#state === 'fence') going = this.#fenceLine()
      else going = this.#unit()
    }
    return this.#tokens
  }

  /** Between two units. False when more text is needed. */
  #start(): boolean {
    // White space is given out whole, once it is known how far it goes.
    if (this.#buffer.trimStart() === '') {
      if (this.#final) this.#buffer = ''
      return false
    }
    const space = (this.#atLineStart ? /^(?:[ \t]*\n)+/u : /^[ \t]+/u).exec(this.#buffer)
    if (space !== null) this.#lead(space[0])
    if (!this.#atLineStart) {
      if (this.#buffer.startsWith('\n')) this.#atLineStart = true
      else this.#open('text')
      return true
    }
    if (!this.#final && !this.#buffer.includes('\n') && maybeLineStart(this.#buffer)) return false
    return this.#startLine()
  }

  #startLine(): boolean {
    const isText = fenceOf(this.#buffer) !== null || ORDINALS.test(this.#buffer)
    const prefix = isText ? '' : (LINE_START.exec(this.#buffer)?.[0] ?? '')
    if (prefix !== '') this.#lead(prefix)
    if (this.#buffer === '') return false
    const fence = fenceOf(this.#buffer)
    if (fence !== null) {
      this.#open('code')
      this.#fence = fence
      this.#state = 'fence'
      return true
    }
    if (this.#buffer.startsWith('|')) this.#open('row')
    else this.#open(/#[ \t]*$/u.test(prefix) ? 'heading' : 'text')
    return true
  }

  #lead(text: string): void {
    this.#tokens.push({ type: 'lead', text, inLine: !this.#atLineStart })
    this.#buffer = this.#buffer.slice(text.length)
  }

  #open(kind: UnitKind): void {
    this.#state = 'unit'
    this.#kind = kind
    this.#atLineStart = false
    this.#at = 0
    this.#given = 0
    this.#quoted = null
  }

  /** A line of code, the fences included. */
  #fenceLine(): boolean {
    const newline = this.#buffer.indexOf('\n', this.#at)
    if (newline < 0 && !this.#final) return false
    const end = newline < 0 ? this.#buffer.length : newline
    const line = this.#buffer.slice(this.#at, end)
    const opening = this.#at === 0
    const closing = !opening && closesFence(line, this.#fence)
    if (closing || newline < 0) {
      this.#at = end
      this.#state = 'unit'
      return true
    }
    this.#at = end + 1
    this.#give(this.#at)
    return true
  }

  /** Inside a unit: reads on to the next thing that matters. False when more text is needed. */
  #unit(): boolean {
    SPECIAL.lastIndex = this.#at
    const found = SPECIAL.exec(this.#buffer)
    this.#at = found?.index ?? this.#buffer.length
    if (found === null) {
      this.#give(this.#at)
      if (this.#final) this.#close(this.#at)
      return this.#final && this.#buffer !== ''
    }
    const c = found[0]
    if (c === '\n') return this.#lineEnd()
    if (c === '`') return this.#code()
    if (opensMark(this.#buffer, this.#at)) return this.#mark()
    if (this.#kind === 'text' && skipTerminator(this.#buffer, this.#at) > this.#at)
      return this.#terminator()
    this.#at++
    return true
  }

  #wait(): false {
    this.#give(this.#at)
    return false
  }

  #give(to: number): void {
    if (to > this.#given)
      this.#tokens.push({ type: 'text', text: this.#buffer.slice(this.#given, to) })
    this.#given = Math.max(this.#given, to)
  }

  #giveMark(mark: Mark): void {
    this.#tokens.push({ type: 'mark', references: mark.references })
    this.#given = mark.end
    this.#at = mark.end
  }

  /** Ends the unit; what follows `end` is the next one's. */
  #close(end: number): void {
    this.#tokens.push({ type: 'end', kind: this.#kind })
    this.#buffer = this.#buffer.slice(end)
    this.#isFirst = false
    this.#state = 'start'
    this.#at = 0
    this.#given = 0
  }

  /** Inline code: nothing in it is a mark or ends a sentence. */
  #code(): boolean {
    const run = /^`+/u.exec(this.#buffer.slice(this.#at))?.[0] ?? '`'
    const from = this.#at + run.length
    if (from === this.#buffer.length && !this.#final) return this.#wait()
    const close = closingRun(this.#buffer, from, run.length, this.#final)
    if (close === 'open' || close === 'in_run') return this.#wait()
    this.#at = close === 'none' ? from : close + run.length
    return true
  }

  #mark(): boolean {
    const mark = readMark(this.#buffer, this.#at, this.#final, this.#passageOf)
    if (mark === 'more') return this.#wait()
    if (mark === 'none') {
      this.#at++
      return true
    }
    if (mark.references.some(({ quoted }) => quoted))
      this.#quoted = { start: this.#at, end: mark.end }
    this.#give(this.#at)
    this.#giveMark(mark)
    return true
  }

  /** A full stop or the like: ends the sentence or not, as what comes after it tells. Marks behind it belong to it. */
  #terminator(): boolean {
    const stop = this.#at
    if (this.#isFirst && this.#endsBehindQuote(stop)) {
      this.#give(stop + 1)
      this.#close(stop + 1)
      return true
    }
    const after = skipTerminator(this.#buffer, stop)
    if (after === this.#buffer.length && !this.#final) return this.#wait()
    const { marks, end, next } = this.#marksFrom(after, /[ \t]/u)
    if (next === 'more') return this.#wait()
    const ends =
      next === '' || next === '\n'
        ? false
        : endsSentence(
            this.#buffer,
            stop,
            after,
            end > after,
            this.#buffer.slice(end, end + LOOKAHEAD),
            this.#final,
          )
    if (ends === 'more') return this.#wait()
    if (!ends) {
      this.#at = after
      return true
    }
    let last = after
    this.#give(after)
    for (const { at, mark } of marks) {
      this.#give(at)
      this.#giveMark(mark)
      last = mark.end
    }
    this.#close(last)
    return true
  }

  /**
   * Whether a stop ends the sentence whatever comes behind it. Asked of the first one, for which somebody waits: a model's
   * next word may be long in coming.
   */
  #endsBehindQuote(stop: number): boolean {
    if (this.#quoted?.end !== stop || !FULL_STOP.test(this.#buffer.charAt(stop))) return false
    return !OPENER.test(this.#buffer.slice(0, this.#quoted.start))
  }

  /** A line ends the unit; next lines that hold nothing but marks still belong to it. */
  #lineEnd(): boolean {
    const lineEnd = this.#at
    const { marks, next, end } = this.#marksFrom(lineEnd, /\s/u)
    if (next === 'more') return this.#wait()
    this.#give(lineEnd)
    const alone = marks.findLastIndex(({ mark }, index) => {
      const following = marks[index + 1]?.at ?? end
      return next === '' || this.#buffer.slice(mark.end, following).includes('\n')
    })
    let last = lineEnd
    for (const { mark } of marks.slice(0, alone + 1)) {
      this.#giveMark(mark)
      last = mark.end
    }
    this.#close(last)
    this.#atLineStart = true
    return true
  }

  /** The marks from `from` on, with only `space` between them; `next` is the character after them and their space. */
  #marksFrom(
    from: number,
    space: RegExp,
  ): { marks: { at: number; mark: Mark }[]; end: number; next: string } {
    const marks: { at: number; mark: Mark }[] = []
    let at = from
    while (true) {
      while (at < this.#buffer.length && space.test(this.#buffer.charAt(at))) at++
      if (at === this.#buffer.length) return { marks, end: at, next: this.#final ? '' : 'more' }
      if (!opensMark(this.#buffer, at)) break
      const mark = readMark(this.#buffer, at, this.#final, this.#passageOf)
      if (mark === 'more') return { marks, end: at, next: 'more' }
      if (mark === 'none') break
      marks.push({ at, mark })
      at = mark.end
    }
    return { marks, end: at, next: this.#buffer.charAt(at) }
  }
}
