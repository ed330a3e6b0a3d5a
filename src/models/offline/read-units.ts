import type { Passage } from '../../knowledge/types'
import { EVIDENCE_PACKS } from '../../language/packs'
import {
  compounds,
  compoundTokens,
  detectMode,
  runTokens,
  splitRuns,
  wordTokens,
} from '../../text/analyze'
import { isBareHeading, isHeadingLine, isNumberedHeading } from '../../text/bare-headings'
import type { LatinMode } from '../../text/latin-language'
import { HEADING_SIGN, LETTERED_SIGN } from '../../text/markdown-lines'
import { once } from '../../text/once'
import { readPhrasings } from '../../text/phrasings'
import { searchTitle } from '../../text/search-title'
import { type Sentence, sentences } from '../../text/sentences'

/** A piece of a passage as a person reads it. A `lead` introduces the list or the code that follows; a `label` is a name and its value. */
export interface Unit {
  kind: 'sentence' | 'label' | 'item' | 'heading' | 'question' | 'lead' | 'code'
  /** As it stands in the passage, without line breaks around. */
  text: string
  /** Without list marker or code fence. */
  bare: string
  marker: string
  start: number
  mode: LatinMode
  tokens: ReadonlySet<string>
  words: readonly string[]
  /** What its sentence is said of where the heading alone says it: an option's name, a version with its date. */
  subject: string | null
  /** Tokens of the heading and of the lead-in that it stands under. */
  context: readonly ReadonlySet<string>[]
  /** Tokens of the question that it stands under, and of each other way to ask it. */
  questions: readonly ReadonlySet<string>[]
  title: ReadonlySet<string>
  /** Tokens of the sentence before, in the same paragraph. */
  before: ReadonlySet<string> | null
  next: Unit | null
  tokenise(text: string): ReadonlySet<string>
}

/** What a passage says again and again is read so often; "Type: string" is said of many things. */
const MAX_REPEATS = 20
/** Questions that follow each other without an answer and are read as one. */
const MAX_JOINED = 4
const FENCE = /^```[^\n]*\n([\s\S]*?)(?:\n```|$)/u
const LINK = /!?\[[^[\]]*\](?:\([^)]*\))?/gu
const LIST_ITEM = new RegExp(`^${LETTERED_SIGN}\\s+`, 'u')
const LEAD_IN = /[:：]\s*$/u
const QUESTION = /[?？؟]\s*["'”’»)]*$/u
const HEADING = new RegExp(`^${HEADING_SIGN}\\s`, 'u')
/** White space before a line that is looked at. */
const LINE_BEFORE = 40
const BLANK_END = /\n\s*\n\s*$/u
const BLANK = /\n\s*\n/u
/** A longer paragraph that ends with a question is no heading. */
const MAX_QUESTION = 250
/** "NEWS for rsync 3.4.1 (16 Jan 2025)": a version beside a date, whatever stands around. */
const DATE = /\b(?:19|20)\d{2}(?:[./-]\d{1,2}){0,2}\b/u
const VERSION = /(?<!\p{L})v?\d+\.\d/u
const MAX_ENTRY = 120
/** A longer row is read sentence by sentence. */
const MAX_ROW = 600
const CELLS = / \| /u
const SENTENCE_END = /[.。]$/u
const isEntry = (heading: string): boolean =>
  ENTRY.test(heading) ||
  (heading.length <= MAX_ENTRY &&
    !CELLS.test(heading) &&
    !SENTENCE_END.test(heading) &&
    DATE.test(heading) &&
    VERSION.test(heading.replace(DATE, '')))
/**
 * The heading of a changelog's entry: a version, with its date or a word behind a sign, or without. "5.2 Variables" is the
 * number of a section.
 */
const ENTRY =
  /^\[?(?:version\s+)?v?\d+\.\d+(?:\.\d+)?[\w.+-]*\]?(?:\s*[:()/–—-]+\s*[\p{L}\p{N}.,/ -]{0,30}\)?|\s+[\p{L}.,/ -]{0,15}\d[\p{L}\p{N}.,/ -]{0,15})?$/iu
/** A heading that is an identifier. */
const NAME =
  /^(?:\p{Ll}[\w.$-]*|[A-Za-z_$](?=[\w$]*[._][\w$])[\w$]*(?:\.[\w$]+)*|[A-Za-z_$][\w$.]*\([^()]*\)|\p{Lu}?\p{Ll}+\p{Lu}\w*|--?[\w-]+)$/u
/** …and one in capitals, "PROPER", where the text is in another script. In Latin ones headings are written so. */
const CAPITALS = /^\p{Lu}[\p{Lu}\p{N}_./]{1,23}$/u
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u
/** "Type: boolean", "Default: `1`": says something of what it stands under, and only that. */
const LABEL = /^[\p{L}\p{N}]{2,20}(?: [\p{L}\p{N}]{1,20})?[:：]\s*\S{1,40}(?:\s\S{1,20}){0,3}$/u
/** "Parking. We have …": what a paragraph is about, in front of its first sentence. */
const LABEL_WORDS = String.raw`\p{Lu}[\p{L}\p{M}'’-]*(?: [\p{L}\p{M}'’-]+){0,2}\.`
const RUN_IN = new RegExp(`^${LABEL_WORDS}$`, 'u')
const LABELLED = new RegExp(String.raw`(?:^|\n[ \t]*\n)[*_]*${LABEL_WORDS}[*_]*[ \t]+\S`, 'gu')
const CODE_LINE =
  /[{};]\s*$|^\s*(?:import|const|let|var|function|return|await|export|npm|pnpm|curl|\$|\/\/|#!)\b|=>|^\s*[\])}]/u

/** Cuts a passage into units in reading order. */
export const readUnits = (passage: Passage): Unit[] => new UnitReader(passage).read()

type Tokens = ReadonlySet<string>

/** Reads a passage from its beginning, and knows of each piece what it stands under. */
class UnitReader {
  readonly #text: string
  readonly #title: string
  readonly #mode: LatinMode
  readonly #titleTokens: Tokens
  readonly #phrasings: ReadonlyMap<number, readonly { text: string }[]>
  /** Whether paragraphs begin with labels: one alone is more likely an answer, "In Frankfurt. Backups are made …". */
  readonly #hasLabels: boolean
  readonly #repeats = new Map<string, number>()
  readonly #units: Unit[] = []
  /** The changelog's entry that is being read, and what else is described by its name. */
  #entry: string | null
  #name: string | null
  /** Tokens of the headings above; `#section` has those of the paragraph's own term or label, too. */
  #headed: readonly Tokens[]
  #section: readonly Tokens[]
  #isLabelled = false
  #lead: Tokens | null = null
  #item: Tokens | null = null
  /** Tokens of the question above, of the other ways to ask it, and of both. */
  #asked: Tokens | null
  #others: readonly Tokens[] = []
  #questions: readonly Tokens[]
  /** How many questions stand above, one behind the other. */
  #joined = 0

  constructor(passage: Passage) {
    const { text, title, heading, documentName } = passage
    this.#text = text
    this.#title = title
    this.#mode = detectMode(`${title}\n${heading ?? ''}\n${text}`)
    this.#titleTokens = this.#tokenise(searchTitle(title, documentName))
    this.#phrasings = Map.groupBy(readPhrasings(passage.phrasings), ({ at }) => at)
    this.#hasLabels = (text.match(LABELLED)?.length ?? 0) > 1
    const path = heading?.split('›').map((part) => part.trim()) ?? []
    const last = path.at(-1) ?? title
    this.#entry = path.findLast(isEntry) ?? null
    this.#name = this.#isName(last) ? last : null
    this.#headed = path.slice(path[0] === title ? 1 : 0).map(this.#tokenise)
    this.#section = this.#headed
    this.#asked = QUESTION.test(last) ? this.#tokenise(last) : null
    this.#questions = this.#asked === null ? [] : [this.#asked]
  }

  readonly #tokenise = (part: string): Tokens => new Set(wordTokens(part, this.#mode))

  #isName(one: string): boolean {
    return (
      one !== this.#title &&
      (NAME.test(one) || (CAPITALS.test(one) && OTHER_SCRIPT.test(this.#text)))
    )
  }

  read(): Unit[] {
    for (const { start, body, code } of splitCode(this.#text)) {
      if (code) this.#add('code', start, body, FENCE.exec(body)?.[1] ?? body)
      else
        for (const sentence of joinAnswers(joinQuestions(joinRows(body), body), body))
          this.#readSentence(start + sentence.start, sentence.text)
    }
    return this.#units
  }

  #readSentence(from: number, sentence: string): void {
    const own = sentence.trim()
    // Badges and rows of links say nothing.
    if (own.replaceAll(LINK, '').replaceAll(/[^\p{L}\p{N}]/gu, '') === '') return
    const marker = LIST_ITEM.exec(own)?.[0] ?? ''
    const last = this.#units.at(-1)
    const read = kindOf(
      own,
      marker,
      this.#text,
      from,
      from + sentence.length,
      last === undefined,
      last?.kind === 'question',
    )
    // Other ways to ask stand below a heading only.
    const kind = this.#phrasings.has(from) && read !== 'question' ? 'heading' : read
    const bare = kind === 'item' ? own.slice(marker.length) : own.replace(HEADING, '')
    this.#add(kind, from, own, bare, marker)
  }

  #add(kind: Unit['kind'], start: number, whole: string, bare: string, marker = ''): void {
    const said = (this.#repeats.get(bare) ?? 0) + 1
    if (said > MAX_REPEATS) return
    this.#repeats.set(bare, said)
    const runs = splitRuns(bare)
    const tokens = new Set([...runTokens(runs, this.#mode), ...compoundTokens(bare, this.#mode)])
    const before = this.#units.at(-1)
    // What goes on in an item's line is said of what the item begins with, below the same lead-in.
    const isOfItem =
      this.#item !== null &&
      kind === 'sentence' &&
      !this.#text.slice(endOf(before), start).includes('\n')
    if (!isOfItem) this.#item = kind === 'item' ? this.#tokenise(headOf(bare)) : null
    const labels = this.#startsWithLabel(kind, start, bare)
    const unit: Unit = {
      kind: labels ? 'heading' : kind,
      text: whole,
      bare,
      marker,
      start,
      mode: this.#mode,
      tokens,
      words: [...runs.filter((run) => !run.unspaced).map((run) => run.text), ...compounds(bare)],
      subject: this.#name ?? this.#entry,
      context: [
        ...this.#section,
        ...(this.#lead !== null && (kind === 'item' || kind === 'code' || isOfItem)
          ? [this.#lead]
          : []),
        ...(isOfItem && this.#item !== null ? [this.#item] : []),
      ],
      questions: this.#questions,
      title: this.#titleTokens,
      before: previous(before, this.#text, start),
      next: null,
      tokenise: this.#tokenise,
    }
    if (before !== undefined) before.next = unit
    this.#units.push(unit)
    if (labels) this.#section = [...this.#headed, tokens]
    if (kind === 'heading' || kind === 'question') this.#open(unit, before)
    if (kind === 'lead') this.#lead = tokens
    else if (kind !== 'item' && kind !== 'code' && !isOfItem) this.#lead = null
  }

  /** Notes the term that a paragraph explains. @returns whether the sentence is a paragraph's label */
  #startsWithLabel(kind: Unit['kind'], start: number, bare: string): boolean {
    const line = this.#text.slice(Math.max(0, start - LINE_BEFORE), start)
    if (start > 0 && !BLANK_END.test(line)) return false
    const term = kind === 'sentence' ? termOf(bare) : null
    if (term !== null) {
      this.#name = term
      this.#section = [...this.#headed, this.#tokenise(term)]
    } else if (this.#isLabelled) this.#section = this.#headed
    this.#isLabelled =
      kind === 'sentence' && this.#asked === null && this.#hasLabels && RUN_IN.test(bare)
    return this.#isLabelled
  }

  /** A heading or a question: what follows stands under it. */
  #open({ kind, bare, start, tokens }: Unit, before: Unit | undefined): void {
    if (isEntry(bare)) this.#entry = bare
    else if (kind === 'question') this.#entry = null
    // Two questions in a row have one answer.
    this.#joined = before?.kind === 'question' && this.#joined < MAX_JOINED ? this.#joined + 1 : 1
    const first = this.#joined > 1 ? this.#asked : null
    this.#asked = kind === 'question' ? new Set([...(first ?? []), ...tokens]) : null
    const own = (this.#phrasings.get(start) ?? []).map((one) => this.#tokenise(one.text))
    this.#others = this.#joined > 1 ? [...this.#others, ...own] : own
    this.#questions = [...(this.#asked === null ? [] : [this.#asked]), ...this.#others]
    this.#name = this.#isName(bare) ? bare : null
    // "Fixed" stands below its version.
    this.#section =
      this.#entry === null || this.#entry === bare
        ? [tokens]
        : [this.#tokenise(this.#entry), tokens]
    this.#headed = this.#section
  }
}

function kindOf(
  own: string,
  marker: string,
  text: string,
  start: number,
  end: number,
  first: boolean,
  answers: boolean,
): Unit['kind'] {
  const alone =
    (first || /\n\s*$/u.test(text.slice(0, start)) || start === 0) &&
    /^\s*\n/u.test(text.slice(end))
  if (isNumberedHeading(own) && isBareHeading(text, start, end)) return 'heading'
  if (marker !== '') return 'item'
  if (HEADING.test(own)) return 'heading'
  if (QUESTION.test(own)) return 'question'
  // Under a question a short line is its answer.
  if (alone && !answers && (isHeadingLine(own) || isEntry(own)) && !own.startsWith('|'))
    return CODE_LINE.test(own) ? 'code' : 'heading'
  if (LEAD_IN.test(own)) return 'lead'
  return LABEL.test(own) ? 'label' : 'sentence'
}

/** What the cells of a table's row say is said of its first: they stay together. */
function joinRows(body: string): Sentence[] {
  const joined: Sentence[] = []
  let row = { start: 0, end: 0 }
  for (const one of sentences(body)) {
    const last = joined.at(-1)
    if (last !== undefined && last.start >= row.start && one.end <= row.end) {
      joined[joined.length - 1] = {
        text: body.slice(last.start, one.end),
        start: last.start,
        end: one.end,
      }
      continue
    }
    joined.push(one)
    const start = body.lastIndexOf('\n', one.start) + 1
    const next = body.indexOf('\n', one.start)
    const end = next < 0 ? body.length : next
    const isRow = end - start <= MAX_ROW && CELLS.test(body.slice(start, end))
    row = isRow ? { start, end } : { start: 0, end: 0 }
  }
  return joined
}

/** "I lost my card. What now?" alone above a text is one question; within a text it ends in a line of its own. */
function joinQuestions(all: readonly Sentence[], body: string): Sentence[] {
  const joined: Sentence[] = []
  let line: Sentence[] = []
  for (const [at, one] of all.entries()) {
    line.push(one)
    const [first = one] = line
    const next = all[at + 1]
    const gap = body.slice(one.end, next?.start)
    if (next !== undefined && !gap.includes('\n')) continue
    const isAlone =
      BLANK.test(gap) &&
      (first.start === 0 || /\n\s*\n\s*$/u.test(body.slice(0, first.start))) &&
      one.end - first.start <= MAX_QUESTION
    if (isAlone && QUESTION.test(one.text))
      joined.push({ text: body.slice(first.start, one.end), start: first.start, end: one.end })
    else joined.push(...line)
    line = []
  }
  return [...joined, ...line]
}

/** A bare "No." says what the sentence behind it says. */
function joinAnswers(all: readonly Sentence[], body: string): Sentence[] {
  const joined: Sentence[] = []
  for (const one of all) {
    const last = joined.at(-1)
    if (
      last !== undefined &&
      isYesOrNo(last.text) &&
      !body.slice(last.end, one.start).includes('\n')
    )
      joined[joined.length - 1] = {
        text: body.slice(last.start, one.end),
        start: last.start,
        end: one.end,
      }
    else joined.push(one)
  }
  return joined
}

const endOf = (unit: Unit | undefined): number => (unit ? unit.start + unit.text.length : 0)

/** What an item is about: its name before a colon or a dash, else all that it begins with. */
const headOf = (item: string): string => /^.{1,80}?(?=[:：]\s|\s[–—-]\s)/u.exec(item)?.[0] ?? item

/** "globstar If set, …", "HISTFILE The name of …": a name beside what it means, told from a word by the capital behind it. */
const TERM = /^(?:\p{Ll}[\p{L}\p{N}_.-]+|[\p{Lu}\p{N}_]{2,})(?=\s+\p{Lu}\p{Ll}*\s)/u
export const termOf = (text: string): string | null => TERM.exec(text)?.[0] ?? null

const ANSWERS = once(() => new Set(EVIDENCE_PACKS.flatMap((pack) => [...pack.yes, ...pack.no])))
const isYesOrNo = (text: string): boolean =>
  text.length < 24 &&
  ANSWERS().has(
    text
      .replaceAll(/[^\p{L}\s]/gu, '')
      .trim()
      .toLowerCase(),
  )

function previous(unit: Unit | undefined, text: string, start: number): ReadonlySet<string> | null {
  if (unit?.kind !== 'sentence') return null
  return text.slice(unit.start, start).includes('\n\n') ? null : unit.tokens
}

/** Fenced code apart from the text around it. */
function splitCode(text: string): { start: number; body: string; code: boolean }[] {
  const parts: { start: number; body: string; code: boolean }[] = []
  let at = 0
  for (const match of text.matchAll(/^```[^\n]*\n[\s\S]*?(?:\n```[ \t]*$|$(?![\s\S]))/gmu)) {
    if (match.index > at) parts.push({ start: at, body: text.slice(at, match.index), code: false })
    parts.push({ start: match.index, body: match[0], code: true })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push({ start: at, body: text.slice(at), code: false })
  return parts
}
