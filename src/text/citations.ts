import { type FoldedText, foldText } from './fold-text'
import { couldBeQuote, findQuote, type Span } from './quotes'

/**
 * How the model is told to cite, where there are numbered sources or a tool that brings them.
 * @param grounded whether a sentence falls with its mark, or the mark alone.
 */
export function citationRules(grounded: boolean): string {
  const fate = grounded ? 'Such a sentence without a true quote' : 'A mark without a true quote'
  return `How to cite. End every sentence that states a fact from the sources with a mark [n|quote]: n is the source's number, quote is 3 to 25 words copied character by character from that source, in its language, without ellipsis. Example: Refunds take five days [2|refunds are paid within five working days].
- One mark per source used; two marks may follow each other. In lists and tables mark every item or row.
- Never translate, shorten or correct a quote, never invent a number. ${fate} is removed.
- Nothing else bears a mark: no greeting, no question to the user, no code (mark the sentence that introduces it), nothing from elsewhere, and not the sentence that says that the sources do not tell.`
}

/** A citation as the model is told to write it; `quote` must be copied from the passage. */
export function formatCitation(n: number, quote: string): string {
  return `[${n}|${quote}]`
}

/** One reference of a mark. `span` is where the quote was found; null for a wrong quote or a mark without one. */
export interface MarkReference {
  n: number
  quoted: boolean
  span: Span | null
}

export interface Mark {
  /** Just past the mark. */
  end: number
  references: MarkReference[]
}

/** `none`: not a mark. `more`: the text ends before it can be told. */
export type MarkResult = Mark | 'none' | 'more'

const MAX_QUOTE_CHARS = 1500
const MAX_RANGE = 5
const OPENERS = '[【［'
const CLOSERS = ']】］'
const NUMBER = `[1-9１-９][0-9０-９]{0,2}`
/** What models write before a source's number, as they say it in each language. */
const SOURCE =
  'sources?|passages?|do[ck]ument[eo]?s?|docs?|references?|refs?|cit(?:e|ations?)|quellen?|fuentes?|источник[а-я]{0,2}|документ[а-я]{0,2}|kaynak(?:lar)?|belge(?:ler)?|来源|來源|(?:[参參]考)?[资資]料|文档|文檔|文件|[参參]考|出典|参照|المصدر|المصادر|المستند'
const LABEL = String.raw`(?:\^|#|(?:${SOURCE})\s{0,2}[:：#]?\s{0,2})?`
const NAMED_SOURCE = new RegExp(String.raw`(${SOURCE})\s{0,2}#?([1-9]\d?)(?![\d.,]?\d)`, 'giu')

/**
 * A text with each source that it names by its number ("according to Source 1") as `write` has it: of what is written, its
 * word and its number. Whether the word begins there is looked at apart: with `\p{L}` the pattern takes 2 ms to compile.
 */
export const replaceNamedSources = (
  text: string,
  write: (name: string, word: string, n: number) => string,
): string =>
  text.replaceAll(NAMED_SOURCE, (name, word: string, n: string, at: number) =>
    LETTER_BEHIND.test(text.slice(Math.max(0, at - 2), at)) ? name : write(name, word, Number(n)),
  )
const LETTER_BEHIND = /[^\P{L}\p{Script=Han}]$/u
const HEAD = new RegExp(
  String.raw`[[【［]{1,2}\s{0,3}${LABEL}(${NUMBER}|n(?=\s?[|｜¦]))(?![0-9０-９])\s{0,3}`,
  'iuy',
)
/** What may still become the beginning of a mark. */
const UNFINISHED =
  /^(?:<[a-zA-Z]{0,4}(?:>[^<\n]{0,40}(?:<\/?[a-zA-Z]{0,4})?)?|(?:[[【［]{1,2}|[(（{](?:\s{0,2}\p{L}{1,9}\.?)?)\s{0,3}(?:[[【^#]|\p{L}{1,12}\s{0,2}[:：#]?\s{0,2})?(?:[0-9０-９]{1,3}[\s,，、;&]{0,4}){0,8}[\]】]?\s{0,3})$/u
const NEXT_NUMBER = new RegExp(String.raw`\s{0,3}(${NUMBER})(?![0-9０-９])\s{0,3}`, 'uy')
const UNFINISHED_NUMBER = /^\s{0,3}[0-9０-９]{0,3}\s{0,3}$/u
const SEPARATOR = /\\?[|｜¦]|[:：](?=\s{0,2}[\p{L}"“„«「『'‘`])/uy
/** What may part one reference from the next. */
const NEXT_BY = ',;，；'
const NEXT_REFERENCE = new RegExp(String.raw`[,;，；]\s{0,3}(${NUMBER})\s{0,3}[|｜¦]`, 'uy')
const LINK_TARGET = /\((?:[^\s()]|\([^\s()]*\)){0,500}(?:\s+"[^"\n]{0,200}")?\)/uy
const OPEN_LINK_TARGET = /^\([^\s)]{0,500}$/u
/** Another mark with a quote: the one before it was never closed. */
const NEXT_MARK = new RegExp(`[[【［]\\s{0,3}${LABEL}${NUMBER}\\s{0,3}[|｜¦]`, 'iu')
const OPENING_QUOTE = /["“”„«»「『'‘]/u
const CLOSING_QUOTE = /["”“»«」』'’]/u

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const RAISED_MARK = new RegExp(`[${RAISED}]{1,3}(?:[,˒][${RAISED}]{1,3})*`, 'uy')
const LISTED = String.raw`${NUMBER}(?:\s{0,2}[,，、;&]\s{0,2}${NUMBER})*`
const SUP_MARK = new RegExp(
  String.raw`<(sup|cite|ref)>\s{0,2}[[(【]?\s{0,2}${LABEL}(${LISTED})\s{0,2}[\])】]?\s{0,2}<\/\1>`,
  'iuy',
)
/** What stands before another hand's mark in brackets: "(see [1])". */
const SEE = String.raw`(?:(?:see|cf|voir|ver|véase|см|انظر|راجع|[参參详詳]?[见見])\.?\s{0,2})?`
const ROUND_MARK = new RegExp(
  String.raw`[(（{]\s{0,2}${SEE}(${LABEL}[[【]?)(${LISTED})[\]】]?\s{0,2}[)）}]`,
  'iuy',
)
/** What may stand behind a bare `(1)` for it to be a mark, not an aside. */
const AFTER_ROUND = /^\s*(?:$|[.,;:!?…。，；：！？|\n)）([【［<])/u

/** Whether a citation mark may start at this character. */
export function opensMark(text: string, i: number): boolean {
  const c = text.charAt(i)
  const before = text.charAt(i - 1)
  if (c === '' || before === '\\') return false
  if (OPENERS.includes(c)) return true
  // At the start of a line `(1)` counts steps, and behind a bracket it is an address.
  if (c === '(' || c === '（') return i > 0 && before !== ']' && /\S/u.test(text.slice(0, i))
  if (c === '{') return PARTED.test(text.slice(i - 1, i))
  if (c === '<') return true
  return RAISED.includes(c) && isRaisedMark(text, i)
}

/** `¹` behind a word or a sign; behind a digit or the letters of a unit (m², cm³) it is a power. */
function isRaisedMark(text: string, i: number): boolean {
  const word = /[\p{L}\p{N}]*$/u.exec(text.slice(Math.max(0, i - 12), i))?.[0] ?? ''
  if (word === '') return i > 0
  const isUnit = [...word].length <= 3 && text.charAt(i) !== '¹' && !WIDE.test(word)
  return !isUnit && !/\p{Nd}$/u.test(word)
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
/** Behind a letter or a slash `{1}` is an address's or a formula's. */
const PARTED = new RegExp(String.raw`\s$|${WIDE.source}`, 'u')

const noMark = (text: string, i: number, final: boolean) =>
  !final && UNFINISHED.test(text.slice(i, i + 80)) ? 'more' : 'none'

/** The marks of other hands: `(1)`, `(Source: 1)`, `<sup>1</sup>`, `¹`. Those of a number that is no source are none. */
function readOtherMark(
  text: string,
  i: number,
  final: boolean,
  passageOf: (n: number) => FoldedText | undefined,
): MarkResult {
  const c = text.charAt(i)
  const toMark = (numbers: string, end: number): MarkResult => {
    const references = (numbers.normalize('NFKC').match(/\d+/gu) ?? []).map((n) => ({
      n: Number(n),
      quoted: false,
      span: null,
    }))
    return references.every(({ n }) => passageOf(n) !== undefined) ? { end, references } : 'none'
  }
  if (c === '<') {
    SUP_MARK.lastIndex = i
    const sup = SUP_MARK.exec(text)
    if (sup !== null) return toMark(sup[2] ?? '', SUP_MARK.lastIndex)
    return noMark(text, i, final)
  }
  if (RAISED.includes(c)) {
    RAISED_MARK.lastIndex = i
    const raised = RAISED_MARK.exec(text)?.[0] ?? ''
    if (i + raised.length === text.length && !final) return 'more'
    return toMark(raised, i + raised.length)
  }
  ROUND_MARK.lastIndex = i
  const round = ROUND_MARK.exec(text)
  if (round === null) return noMark(text, i, final)
  const end = ROUND_MARK.lastIndex
  if (round[1] !== '') return toMark(round[2] ?? '', end)
  const next = text.slice(end, end + 8)
  if (!final && next.trim() === '' && next.length < 8) return 'more'
  if (!AFTER_ROUND.test(next)) return 'none'
  const mark = toMark(round[2] ?? '', end)
  // A passage that has the same in brackets speaks of a number, not of a source.
  const own = foldText(round[0]).text
  const isText =
    typeof mark === 'object' && mark.references.some(({ n }) => passageOf(n)?.text.includes(own))
  return isText ? 'none' : mark
}

/** What stands before a list of numbers that is data: JSON, an assignment, an argument, another list. */
const BEFORE_DATA = /(?:["'”’]\s{0,2}[:：]|[=([{,])\s{0,2}$/u
/** No source has so high a number. */
const MOST_SOURCES = 100

/**
 * Whether what is written as a mark is a list of numbers of the text's own: it names no source, and stands where data
 * does, or there are no sources, or not so many.
 */
function isData(
  text: string,
  i: number,
  { references }: Mark,
  passageOf: (n: number) => FoldedText | undefined,
): boolean {
  if (references.some(({ n, quoted }) => quoted || passageOf(n) !== undefined)) return false
  if (BEFORE_DATA.test(text.slice(Math.max(0, i - 6), i))) return true
  return (
    references.length > 1 &&
    (passageOf(1) === undefined || references.some(({ n }) => n > MOST_SOURCES))
  )
}

/** The mark at `i`, as `readReferences` reads it, unless it is data. */
export function readMark(
  text: string,
  i: number,
  final: boolean,
  passageOf: (n: number) => FoldedText | undefined,
): MarkResult {
  const mark = readReferences(text, i, final, passageOf)
  return typeof mark === 'object' && isData(text, i, mark, passageOf) ? 'none' : mark
}

/**
 * Reads the citation mark that starts at `i`: those of `readOtherMark`, and `[2]`, `[1, 2]`, `[1-3]`, `[1|quote]`, `[1|"a"; 2|"b"]`, with full-width
 * brackets, bars and digits, quotation marks round the quote or none, and a link target behind it, which is dropped.
 * A quote may hold brackets, bars, quotation marks and line breaks: it ends at the last closing bracket up to which the
 * passage reads the same; a quote that is nowhere found ends at its closing quotation mark and bracket, or at the
 * bracket that balances the mark's. Without any closing bracket before the next mark the rest of the line is the mark.
 * The answer depends on the text alone, not on how much of it has arrived (`final`: all of it).
 */
function readReferences(
  text: string,
  i: number,
  final: boolean,
  passageOf: (n: number) => FoldedText | undefined,
): MarkResult {
  if (!OPENERS.includes(text.charAt(i))) return readOtherMark(text, i, final, passageOf)
  HEAD.lastIndex = i
  const head = HEAD.exec(text)
  if (head === null) return noMark(text, i, final)
  let n = toNumber(head[1])
  let at = i + head[0].length
  const references: MarkReference[] = []
  while (true) {
    const c = text.charAt(at)
    if (c === '') {
      if (!final) return 'more'
      references.push({ n, quoted: false, span: null })
      return { end: at, references }
    }
    if (CLOSERS.includes(c)) {
      references.push({ n, quoted: false, span: null })
      return withTarget(text, i, at + 1, final, references)
    }
    SEPARATOR.lastIndex = at
    const separator = SEPARATOR.exec(text)?.[0]
    if (separator !== undefined) {
      const quote = readQuote(text, at + separator.length, final, passageOf(n))
      if (quote === 'more') return 'more'
      references.push({ n, quoted: quote.quoted, span: quote.span })
      if (quote.next === null) return withTarget(text, i, quote.end, final, references)
      n = quote.next
      at = quote.end - 1
      continue
    }
    if (!final && /^[\\:：]\s{0,2}$/u.test(text.slice(at, at + 4))) return 'more'
    if (!/[,，、;；\-–]/u.test(c) && c !== '†') return 'none'
    if (c === '†') {
      const close = text.indexOf('】', at)
      if (close < 0 || close > at + 80) return final || text.length > at + 80 ? 'none' : 'more'
      references.push({ n, quoted: false, span: null })
      return withTarget(text, i, close + 1, final, references)
    }
    NEXT_NUMBER.lastIndex = at + 1
    const next = NEXT_NUMBER.exec(text)
    if (next === null || (NEXT_NUMBER.lastIndex === text.length && !final))
      return !final && UNFINISHED_NUMBER.test(text.slice(at + 1)) ? 'more' : 'none'
    const following = toNumber(next[1])
    references.push({ n, quoted: false, span: null })
    if (/[-–]/u.test(c)) {
      if (following <= n || following - n > MAX_RANGE) return 'none'
      for (let k = n + 1; k < following; k++) references.push({ n: k, quoted: false, span: null })
    }
    n = following
    at = NEXT_NUMBER.lastIndex
  }
}

const toNumber = (digits: string | undefined) => Number((digits ?? '0').normalize('NFKC'))

interface QuoteEnd {
  /** Just past the closing bracket, or past the next reference's separator. */
  end: number
  span: Span | null
  quoted: boolean
  /** The number of the next reference inside the same brackets. */
  next: number | null
}

function readQuote(
  text: string,
  from: number,
  final: boolean,
  passage: FoldedText | undefined,
): QuoteEnd | 'more' {
  const limit = Math.min(text.length, from + MAX_QUOTE_CHARS)
  const inQuotes = OPENING_QUOTE.test(text.slice(from).trimStart().charAt(0))
  let best: QuoteEnd | null = null
  let cutOff: QuoteEnd | null = null
  const settle = (): QuoteEnd | 'more' =>
    best ?? closeProperly(text, from, final) ?? cutOff ?? closeRoughly(text, from)
  for (let at = from; at < limit; at++) {
    const closer = closerAt(text, at)
    if (closer === null) continue
    const raw = text.slice(from, at)
    const goesOn = passage !== undefined && couldBeQuote(passage, text.slice(from, at + 1))
    const span = passage === undefined ? null : findQuote(passage, raw)
    if (span !== null) {
      const found = { ...closer, span, quoted: true }
      // Hardly the end: a bracket that the passage has too, for one of the quote's own, or one inside quotation marks.
      if ((goesOn && opensMore(raw)) || (inQuotes && !isQuoteClosed(raw))) cutOff = found
      else best = found
    }
    if (!goesOn) return settle()
  }
  const unread = text.slice(from, limit)
  if (!final && text.length < from + MAX_QUOTE_CHARS) {
    if (best === null && !NEXT_MARK.test(unread)) return 'more'
    // The last characters may be half of what arrives next (a surrogate, a mark to compose with).
    if (passage !== undefined && couldBeQuote(passage, unread.slice(0, -4))) return 'more'
  }
  return settle()
}

/** Whether a text opens more brackets than it closes. */
function opensMore(text: string): boolean {
  let depth = 0
  for (const c of text) {
    if (OPENERS.includes(c)) depth++
    else if (CLOSERS.includes(c) && depth > 0) depth--
  }
  return depth > 0
}

/** A bracket that may close the mark here, or the start of a further reference in the same brackets. */
function closerAt(text: string, at: number): { end: number; next: number | null } | null {
  const c = text.charAt(at)
  if (CLOSERS.includes(c)) return { end: at + 1, next: null }
  if (!NEXT_BY.includes(c)) return null
  NEXT_REFERENCE.lastIndex = at
  const next = NEXT_REFERENCE.exec(text)
  return next === null ? null : { end: NEXT_REFERENCE.lastIndex, next: toNumber(next[1]) }
}

/** Where a quote ends that no passage holds: at its closing quotation mark and bracket, or the bracket that balances. */
function closeProperly(text: string, from: number, final: boolean): QuoteEnd | 'more' | null {
  const end = quoteLimit(text, from)
  const inQuotes = OPENING_QUOTE.test(text.slice(from).trimStart().charAt(0))
  let depth = 0
  for (let at = from; at < end; at++) {
    if (OPENERS.includes(text.charAt(at))) depth++
    const closer = closerAt(text, at)
    if (closer === null) continue
    const unfound = { ...closer, span: null, quoted: true }
    if (inQuotes && isQuoteClosed(text.slice(from, at))) return unfound
    if (inQuotes || closer.next !== null) continue
    if (depth === 0) return unfound
    depth--
  }
  return end === text.length && !final && end < from + MAX_QUOTE_CHARS ? 'more' : null
}

const isQuoteClosed = (raw: string) => CLOSING_QUOTE.test(raw.trim().slice(1).slice(-1))

/** The same when nothing closes it as it should: the first bracket there is, else the rest of the line. */
function closeRoughly(text: string, from: number): QuoteEnd {
  const end = quoteLimit(text, from)
  for (let at = from; at < end; at++)
    if (CLOSERS.includes(text.charAt(at)))
      return { end: at + 1, span: null, quoted: true, next: null }
  const newline = text.slice(from, end).indexOf('\n')
  return { end: newline < 0 ? end : from + newline, span: null, quoted: false, next: null }
}

/** The next mark, the longest a quote may be, or the end of the text. */
function quoteLimit(text: string, from: number): number {
  const next = NEXT_MARK.exec(text.slice(from, from + MAX_QUOTE_CHARS))
  return next === null ? Math.min(text.length, from + MAX_QUOTE_CHARS) : from + next.index
}

/**
 * Models like to write `[1](address)`: the address is theirs, not the source's, so it goes. And `[[1]]`: both brackets are
 * the mark's.
 */
function withTarget(
  text: string,
  start: number,
  close: number,
  final: boolean,
  references: MarkReference[],
): MarkResult {
  const isDouble = OPENERS.includes(text.charAt(start + 1))
  if (isDouble && close >= text.length && !final) return 'more'
  const end =
    isDouble && close < text.length && CLOSERS.includes(text.charAt(close)) ? close + 1 : close
  if (end >= text.length) return final ? { end, references } : 'more'
  if (text.charAt(end) !== '(') return { end, references }
  if (text.charAt(start - 1) === '!') return 'none'
  LINK_TARGET.lastIndex = end
  if (LINK_TARGET.test(text)) return { end: LINK_TARGET.lastIndex, references }
  return !final && OPEN_LINK_TARGET.test(text.slice(end)) ? 'more' : { end, references }
}
