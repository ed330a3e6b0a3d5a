import { foldText } from './fold'
import { isFunctionWord } from './latin-language'
import { HEADING_SIGN, LETTERED_SIGN, TASK_BOX } from './markdown-lines'

/** One sentence, list item or heading of a text; `text` is exactly `source.slice(start, end)`. */
export interface Sentence {
  text: string
  start: number
  end: number
}

/** What ends a sentence, in any script: inside a class of a pattern. */
export const SENTENCE_ENDS = '.!?…؟۔।॥。！？｡．։።។'
const TERMINATOR = new RegExp(`[${SENTENCE_ENDS}]`, 'u')
const FULL_STOP = 0x2e
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const FIRST_OF_OTHERS = 0x80
const WIDE_TERMINATOR = /[。！？｡]/u
const CLOSER = /["'”’»)\]}」』）》〉】］*_]/u
/** French sets a space before: « Entrez ! » */
const SPACED_CLOSER = /^[ \u00a0\u202f]»/u
const LONGEST_QUOTE = 300
/** Japanese particles that carry on after a quoted sentence: 「…。」と言った. */
const AFTER_QUOTE = /^[とってはをにがもなのだで]/u
/** Words whose full stop does not end a sentence: titles, and short forms that want a word after them. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st vs approx dept gen gov rep sen rev hon capt col lt sgt mt ft e.g i.e cf al ca resp incl excl min max tel ' +
    'sra srta ud uds vd vds dra p.ej ee.uu av avda pág págs aprox ' +
    'mme mlle p.ex env éd bd ' +
    'z.b d.h u.a z.t bzw ggf evtl vgl bspw sog inkl exkl zzgl inh ' +
    'т.е т.к т.н им ул пер пл пос обл стр рис см др пр напр руб тыс млн млрд проф акад гл ред ' +
    'vb vs örn bkz yy sn'
  ).split(' '),
)
/** Short forms that only bind when a number follows: No. 5, fig. 3, стр. 7, Hauptstr. 2. */
const BEFORE_NUMBER =
  /^(?:no|nos|nr|fig|figs|vol|p|pp|ch|sec|art|ext|núm|tfno|tél|n|г|ст|п|с|разд|тел|доб|д|кв|корп|каб|оф)$|str$/u
/** "г. Москва" is a town, "1998 г." a year. */
const TOWN = /(?<!\d[ \u00a0]?)г$/u
/** German writes ordinals with a full stop: "am 5. Mai". */
const AFTER_ORDINAL =
  /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Kapitel|Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık)$/u
/** "Ab dem 3. Tag": behind an article a number ends no German sentence, unless a small word begins the next ("I am 30. My …"). */
const BEFORE_ORDINAL =
  /(?:^|[^\p{L}])(?:d(?:er|ie|as|em|en|es)|am|[iv]om|i[mn]|zu[mr]|beim|jede[mnrs]?) \d{1,2}$/iu
/** "3.1.2. The file": what a heading's line begins with. */
const SECTION_NUMBER = /^\p{Lu}?\d{0,3}(?:\.\d{1,3})+$/u
const OPENS_BRACKET = /[(（][\p{L}]{1,12}$/u
const OPENS_QUOTE = /(?:^|[^\p{L}\p{N}])["'“‘«「『(（`]$/u
const SPACE = /\s/u
/** Read backwards from where it ends: one that ends with the text is looked for at each letter before it. */
const LAST_WORD = /(?<=([\p{L}\p{N}][\p{L}\p{N}.]*))/uy
const LAST_CHARS = 24

const LINE_PREFIX = new RegExp(
  `^[ \\t]*(?:${LETTERED_SIGN}[ \\t]+(?:${TASK_BOX}[ \\t]+)?|>[ \\t]?|${HEADING_SIGN}[ \\t]+)+`,
  'u',
)
const HEADING_LINE = new RegExp(`^[ \\t]*${HEADING_SIGN}[ \\t]`, 'u')
const TABLE_ROW = /^[ \t]*\|/u
/** A row as `formatRows` writes it: "Field: model | Default: null". */
const CELLS = / \| /u
/** "Results: 10 June": of a list that has a line for each. */
const LABELLED = /^\s*[^\s.!?:：][^.!?:：]{1,59}[:：]\s*\S/u
const IN_CELL = / \| [^|\n]*$/u
const LONGEST_CELL = 80
const SHORT_LINE = 60

/**
 * Position just past a run of sentence terminators and closing quotes or brackets that starts at `i`,
 * or `i` when none starts there.
 */
export function skipTerminator(text: string, i: number): number {
  let j = i
  while (j < text.length && isTerminator(text, j)) j++
  if (j === i) return i
  while (j < text.length && CLOSER.test(text.charAt(j))) j++
  return SPACED_CLOSER.test(text.slice(j, j + 2)) && isQuoted(text, i) ? j + 2 : j
}

/** Whether a « with its space stands open before `i`; in German the same signs stand the other way round. */
function isQuoted(text: string, i: number): boolean {
  const before = text.slice(Math.max(0, i - LONGEST_QUOTE), i)
  const opened = before.lastIndexOf('«')
  return opened > before.lastIndexOf('»') && SPACE.test(before.charAt(opened + 1))
}

/** Asked of every character, and most are letters: those need no expression. */
function isTerminator(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  if (code < FIRST_OF_OTHERS) return code === FULL_STOP || code === EXCLAMATION || code === QUESTION
  return TERMINATOR.test(text.charAt(i))
}

/**
 * Whether the terminator run `text[i, j)` ends a sentence, given what follows: `gap` says that white space (or a
 * citation mark) comes next, `rest` is the text after it. `'more'` when `rest` is too short to tell and more may come.
 */
export function endsSentence(
  text: string,
  i: number,
  j: number,
  gap: boolean,
  rest: string,
  final: boolean,
): boolean | 'more' {
  const run = text.slice(i, j)
  if (rest === '') return final ? true : 'more'
  // "'!'" speaks of the sign.
  if (OPENS_QUOTE.test(text.slice(Math.max(0, i - 2), i)) && CLOSER.test(run)) return false
  if (WIDE_TERMINATOR.test(run)) return !(/[」』”’）]$/u.test(run) && AFTER_QUOTE.test(rest))
  if (!gap) return /^[।॥።។]/u.test(run)
  if (/^(?:\p{Ll}|\| )/u.test(rest)) return false
  if (/[!?؟]/u.test(run)) return true
  if (run.startsWith('.') && !run.startsWith('..')) return endsAtFullStop(text, i, rest, final)
  return true
}

function endsAtFullStop(text: string, i: number, rest: string, final: boolean): boolean | 'more' {
  const last = text.slice(Math.max(0, i - LAST_CHARS), i)
  LAST_WORD.lastIndex = last.length
  const word = LAST_WORD.exec(last)?.[1]
  if (word === undefined) return true
  if (SECTION_NUMBER.test(word) && !/[^\n]/u.test(text.charAt(i - word.length - 1))) return false
  const lower = word.toLowerCase()
  if (ABBREVIATIONS.has(lower)) return false
  // "(ум. 869)", "(geb. Müller)": a bracket that was opened for one word holds no sentence.
  if (SPACE.test(text.charAt(i + 1)) && OPENS_BRACKET.test(last)) return false
  // "Room: Attic | Where: Lvl. 3": a cell holds short forms that no list has.
  const before = text.slice(Math.max(0, i - LONGEST_CELL), i)
  if ((BEFORE_NUMBER.test(lower) || IN_CELL.test(before)) && /^\d/u.test(rest)) return false
  if (lower === 'г' && TOWN.test(text.slice(Math.max(0, i - 4), i))) return false
  if (/^[\p{Lu}\p{Lo}]$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word))
    return !/^[\p{Lu}\p{Lo}]/u.test(rest)
  if (/^\d{1,2}$/u.test(word)) {
    const next = /^\p{L}*/u.exec(rest)?.[0] ?? ''
    if (next.length === rest.length && next.length < 12 && !final) return 'more'
    if (AFTER_ORDINAL.test(next)) return false
    return !(BEFORE_ORDINAL.test(last) && /^\p{Lu}/u.test(next)) || isFunctionWord(foldText(next))
  }
  return true
}

/**
 * Splits a text into sentences, list items, headings and table rows, in order; white space between them belongs to none.
 * Rules, not a locale's data, so that every runtime cuts alike: it knows common abbreviations, initials, decimals,
 * CJK, Arabic and Devanagari punctuation, and lines broken in the middle of a sentence. Linear in the text's length.
 */
export function sentences(text: string): Sentence[] {
  const found: Sentence[] = []
  let start = 0
  for (const end of cutPoints(text)) {
    addTrimmed(found, text, start, end)
    start = end
  }
  addTrimmed(found, text, start, text.length)
  return found
}

function addTrimmed(found: Sentence[], text: string, from: number, to: number): void {
  let start = from
  let end = to
  while (start < end && /\s/u.test(text.charAt(start))) start++
  while (end > start && /\s/u.test(text.charAt(end - 1))) end--
  if (end > start) found.push({ text: text.slice(start, end), start, end })
}

function* cutPoints(text: string): Generator<number> {
  let i = LINE_PREFIX.exec(text.slice(0, 40))?.[0].length ?? 0
  let lineStart = 0
  while (i < text.length) {
    const c = text.charAt(i)
    if (c === '\n') {
      const next = lineAt(text, i + 1)
      if (breaksLine(text.slice(lineStart, i), next)) yield i + 1
      lineStart = i + 1
      i += 1 + (LINE_PREFIX.exec(next)?.[0].length ?? 0)
      continue
    }
    const j = skipTerminator(text, i)
    if (j === i) {
      i++
      continue
    }
    let k = j
    while (k < text.length && /\s/u.test(text.charAt(k))) k++
    if (endsSentence(text, i, j, k > j, text.slice(k, k + 24), true) === true) yield j
    i = j
  }
}

/** The line that starts at `i`, at most 200 characters of it. */
function lineAt(text: string, i: number): string {
  const end = text.indexOf('\n', i)
  return text.slice(i, Math.min(end < 0 ? text.length : end, i + 200))
}

/** A line break ends a sentence when a block starts or ends there; inside running text it is a space. */
function breaksLine(line: string, next: string): boolean {
  if (line.trim() === '' || next.trim() === '') return true
  if (LINE_PREFIX.test(next) || TABLE_ROW.test(next) || TABLE_ROW.test(line)) return true
  if (CELLS.test(line) && CELLS.test(next)) return true
  if (LABELLED.test(line) && LABELLED.test(next)) return true
  if (HEADING_LINE.test(line) || /[:：]\s*$/u.test(line)) return true
  return (
    line.trim().length < SHORT_LINE &&
    /^[\p{Lu}\p{Lo}\d"“«¿¡]/u.test(next.trim()) &&
    !/[,;，、；-]\s*$/u.test(line)
  )
}
