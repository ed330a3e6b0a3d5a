import { closingRun } from '../text/markdown-lines'
import { isAllowedImage, isAllowedLink } from '../text/safe-url'
import { BlockReader, closingLine, type Fence, isTableRule, readFenceLine } from './code-blocks'

export interface SanitizerOptions {
  /** Where images may come from: absolute addresses or paths of this origin, each ending with `/`. */
  imagePrefixes: readonly string[]
}

/** Makes streamed markdown safe to render anywhere. The result does not depend on how the text is cut. */
export interface ReplySanitizer {
  push(text: string): string
  end(): string
  /** Where a character of the text that came in is in the text that went out. */
  placeOf(offset: number): number
}

const BLANK = /^[ \t\n]*$/u
const SPECIAL = /[\\`!\]<[~:\n]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f]/u
const PUNCTUATION = /^\\[!-/:-@[-`{-~]/u
/** What would be markup if a renderer read code as text. */
const MARKUP = /!\[|\][([:]|<[a-z/!?]|(?:ftp|xmpp):/iu
/** An address with what may follow it in the brackets of a link, in the one form that all renderers read alike. */
const DESTINATION =
  /^\([ \t]*(?:<([^<>\n\\`[\]]*)>|((?:[^\s()<>\\`[\]"]|\\[_*~&#-]|\([^\s()<>\\`[\]"]*\))*))([ \t]+(?:"[^"\\`<>[\]]*"|'[^'\\`<>[\]]*'))?[ \t]*\)$/u
const FIRST_WORD = /^.\s*<?([^\s>]*)/u
/** Words after `]:`, where no renderer sees a definition. */
const WORDS = /^\]:[ \t]*([^\s<>`~[\]][^ \t\n<>`[\]]*)[ \t]+[^\s"'([\]!<\\]/u
/** A definition with all that belongs to it on its line. */
const DEFINED =
  /^\]:[ \t]*(?:<([^\s<>\\`[\]]*)>|((?:[^\s<>\\`[\]"'(~]|\\[_*~&#-])(?:[^\s<>\\`[\]]|\\[_*~&#-])*))(?:[ \t]+(?:"[^"\\`<>[\]\n]*"|'[^'\\`<>[\]\n]*'))?[ \t]*(?:\n|$)/u
/** A definition to which the next line may give a title. */
const UNTITLED = /\]:[ \t]*[^ \t\n]+[ \t]*\n?$/u
/** All that may stand before the number of a reference definition. */
const NUMBER_DEFINED = /^(?:[\s>*+-]|\d+[.)]|\[\^[^\]]*\]\\?:)*\[?\s*\d*\s*$/u
const AUTOLINK =
  /^<((?:https?:\/\/|mailto:)[^\s<>`\\[\]]*|[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*)>/iu
const WORD_END = /[\s<>]/gu
const LINE_BREAK = /^<br ?\/?>/iu
/** Text before a line break, not the sign of a list, quote or footnote: there a tag would begin a block of HTML. */
const AFTER_TEXT = /[\p{L}\p{N}|,;!?`"”»。，、！？…][ \t]*$|[.)*_%]$/u
const ADDRESS = /:\/\/|www\.|@/iu
/** After these, text put in the place of something else could complete a piece of markup. */
const HAZARDOUS_END = /[!<`\]\\[&:@/]$/u
/** What may begin emphasis or a deletion. */
const OPEN_MARK = /[*_~](?=\S|$)/gu
/** Brackets that are closed for every renderer: no code in them but the simplest. */
const CLOSED = /\[[^[\]`]*(?:`[^`[\]]+`[^[\]`]*)*\]/gu
const MAX_LABEL = 300
const MAX_DESTINATION = 2100
/** Brackets in each other: deeper ones are no label and no address. */
const MAX_DEPTH = 8
const MAX_CODE = 2000
const MAX_WORD = 300
const MAX_TAIL = 400
/** A longer run of backticks opens no code. */
const MAX_RUN = 200
const SHOWN_ADDRESS = 200

/**
 * PI4 and PI7, on the stream. Code stays as it is where every renderer agrees that it is code; all other text is made
 * unambiguous: a backtick that opens no code is escaped, so is what could begin HTML, and a link or image is left in the
 * one form that all renderers read alike. An image from anywhere but the allowed places becomes its description and its
 * address in plain text; a link to anything but http, https, mailto or this origin becomes its text. Numbers are no
 * reference labels, so that a citation never links where the model likes.
 */
export function createReplySanitizer(options: SanitizerOptions): ReplySanitizer {
  return new Sanitizer(options.imagePrefixes)
}

type Step = 'more' | 'on'
/** What an unfinished piece of text waits for. */
type Wait = { sign: RegExp; length: number }
type Group = { end: number; closed: boolean; address: string; canonical: string | null }

const LINE_END = /\n/u

class Sanitizer implements ReplySanitizer {
  readonly #prefixes: readonly string[]
  readonly #blocks = new BlockReader()
  #buffer = ''
  #at = 0
  #out = ''
  #final = false
  #wait: Wait | null = null
  #afterReturn = false
  /** The line, its end and its paragraph so far, as they were given out. */
  #line = ''
  #ending = ''
  #paragraph = ''
  #fence: Fence | null = null
  #atLineStart = true
  /** Inside a refused destination, up to its closing bracket or the line's end. */
  #skipping = false
  /** The line before has code that a table would cut in two: it must not become one. */
  #noTable = false
  /** What comes next would be the title of a definition, if it looked like one. */
  #untitled = false
  #read = 0
  /** Where what went out is longer or shorter than what came in. */
  readonly #edits: { at: number; removed: number; added: number }[] = []

  constructor(prefixes: readonly string[]) {
    this.#prefixes = prefixes
  }

  push(text: string): string {
    const lines = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') this.#afterReturn = text.endsWith('\r')
    const fresh = UNUSUAL.test(lines)
      ? lines.replaceAll(/\r\n?/gu, '\n').replaceAll(CONTROLS, '')
      : lines
    this.#buffer += fresh
    const wait = this.#wait
    return wait === null || wait.sign.test(fresh) || this.#buffer.length >= wait.length
      ? this.#run()
      : ''
  }

  end(): string {
    this.#final = true
    return this.#run()
  }

  placeOf(offset: number): number {
    let shift = 0
    for (const { at, removed, added } of this.#edits) {
      if (at >= offset) break
      if (at + removed > offset) return at + shift + Math.min(added, offset - at)
      shift += added - removed
    }
    return offset + shift
  }

  #run(): string {
    this.#wait = null
    let step: Step = 'on'
    while (step === 'on') {
      if (this.#skipping) step = this.#skip()
      else if (this.#fence !== null) step = this.#fenceLine(this.#fence)
      else if (this.#atLineStart) step = this.#startLine()
      else step = this.#inLine()
    }
    this.#buffer = this.#buffer.slice(this.#at)
    this.#at = 0
    const out = this.#out
    this.#out = ''
    return out
  }

  /** Takes `length` characters in and gives `text` out for them. */
  #write(length: number, text: string): void {
    if (text.length !== length)
      this.#edits.push({ at: this.#read, removed: length, added: text.length })
    this.#read += length
    this.#at += length
    this.#out += text
  }

  get #tail(): string {
    return this.#ending.slice(-MAX_TAIL)
  }

  /** Gives out `length` characters as they are, or `instead` of them. */
  #give(length: number, instead?: string): Step {
    let text = instead ?? this.#buffer.slice(this.#at, this.#at + length)
    if (this.#untitled && /[^ \t>\n]/u.test(text)) {
      // A title that goes on over lines would, for some renderers, take in what others see as code.
      text = text.replace(/^[ \t>\n]*(?=["'(])/u, '$&\\')
      this.#untitled = false
    }
    this.#write(length, text)
    this.#line += text
    this.#ending += text
    if (this.#ending.length > 2 * MAX_TAIL) this.#ending = this.#tail
    if (this.#paragraph.length <= MAX_CODE) this.#paragraph += text
    return 'on'
  }

  /** Nothing is decided before such a sign comes, or so many characters from here on are there. */
  #until(sign: RegExp, length = Number.POSITIVE_INFINITY): 'more' {
    this.#wait = { sign, length }
    return 'more'
  }

  /** Whether the answer would be the same whatever came after `length` more characters. */
  #has(length: number): boolean {
    return this.#final || this.#buffer.length - this.#at >= length
  }

  /** The line that begins here, and whether all of it is there. */
  #wholeLine(): { line: string; whole: boolean } {
    const newline = this.#buffer.indexOf('\n', this.#at)
    const end = newline < 0 ? this.#buffer.length : newline
    return { line: this.#buffer.slice(this.#at, end), whole: newline >= 0 || this.#final }
  }

  #startLine(): Step {
    const { line, whole } = this.#wholeLine()
    if (!whole) {
      if (this.#blocks.isIndented(line)) return this.#until(LINE_END)
      if (this.#blocks.mayOpen(line)) return 'more'
      if (this.#noTable && /^[ \t>|:-]*$/u.test(line)) return this.#until(/[^ \t>|:-]/u)
    }
    if (this.#noTable && isTableRule(line)) {
      const lead = line.search(/[|:-]/u)
      this.#give(lead, `${line.slice(0, lead)}\\`)
    }
    this.#noTable = false
    const fence = whole ? this.#blocks.open(line) : null
    if (fence !== null) {
      this.#fence = fence
      // With a table's rule in the next line, some renderers would see the head of a table.
      return this.#giveLine(line, line.replaceAll('|', ''))
    }
    if (this.#blocks.isIndented(line) && !BLANK.test(line)) {
      this.#blocks.endIndented()
      return this.#giveLine(line)
    }
    this.#atLineStart = false
    return 'on'
  }

  #fenceLine(fence: Fence): Step {
    const { line, whole } = this.#wholeLine()
    if (!whole) return this.#until(LINE_END)
    const does = readFenceLine(fence, line)
    if (does === 'code') return this.#giveLine(line)
    this.#fence = null
    this.#blocks.endFence()
    if (does === 'closes') return this.#giveLine(line)
    if (does === 'meant_to_close') return this.#giveLine(line, closingLine(fence))
    this.#write(0, `${closingLine(fence)}\n`)
    return 'on'
  }

  /** Gives out a line of code with its end. */
  #giveLine(line: string, instead = line): Step {
    const more = this.#at + line.length < this.#buffer.length
    this.#write(line.length + (more ? 1 : 0), more ? `${instead}\n` : instead)
    this.#line = ''
    this.#ending = ''
    this.#paragraph = ''
    this.#untitled = false
    this.#atLineStart = true
    return more ? 'on' : 'more'
  }

  #inLine(): Step {
    SPECIAL.lastIndex = this.#at
    const found = SPECIAL.exec(this.#buffer)?.index ?? this.#buffer.length
    if (found > this.#at) this.#give(found - this.#at)
    const c = this.#buffer.charAt(this.#at)
    if (c === '') return 'more'
    if (c === '\n') return this.#endLine()
    if (c === '\\') return this.#escape()
    if (c === '`') return this.#code()
    if (c === '!') return this.#image()
    if (c === '[') return this.#link()
    if (c === ']') return this.#labelEnd()
    if (c === '~') return this.#tildes()
    return c === ':' ? this.#colon() : this.#tag()
  }

  #endLine(): Step {
    this.#blocks.endLine(this.#line)
    this.#give(1)
    if (BLANK.test(this.#line)) this.#paragraph = ''
    this.#untitled = UNTITLED.test(this.#line.slice(-MAX_TAIL))
    this.#line = ''
    this.#ending = ''
    this.#atLineStart = true
    return 'on'
  }

  /** Whether renderers may read what comes next as part of a bare address. */
  #inAddress(): boolean {
    const start = Math.max(this.#tail.lastIndexOf(' '), this.#tail.lastIndexOf('\t')) + 1
    const word = this.#tail.slice(start)
    return word.length > MAX_WORD || ADDRESS.test(word)
  }

  /** Part of a bare address, a backslash escapes nothing. */
  #escape(): Step {
    if (!this.#has(2)) return 'more'
    const pair = this.#buffer.slice(this.#at, this.#at + 2)
    if (!PUNCTUATION.test(pair)) return this.#give(1)
    return /[[\]()!<:`]/u.test(pair) && this.#inAddress()
      ? this.#give(2, entity(pair.charAt(1)))
      : this.#give(2)
  }

  /** Inline code, when it closes on its line; a backtick that opens none is escaped, lest it pair with a later one. */
  #code(): Step {
    const run = this.#runLength('`')
    if (run === null) return 'more'
    if (this.#tail.endsWith('`') && !this.#tail.endsWith('\\`')) this.#give(0, ' ')
    if (this.#inAddress()) return this.#give(run, entity('`').repeat(run))
    const close = run < MAX_RUN ? this.#closingRun(run) : null
    if (close === 'more') return 'more'
    if (close === null) return this.#give(run, '\\`'.repeat(run))
    const code = this.#buffer.slice(this.#at + run, close)
    return this.#isCode(code)
      ? this.#give(close + run - this.#at)
      : this.#give(run, '\\`'.repeat(run))
  }

  /** How often the character stands here; null while more of them may come. */
  #runLength(char: string): number | null {
    let end = this.#at
    while (this.#buffer.charAt(end) === char && end - this.#at < MAX_RUN) end++
    return end === this.#buffer.length && end - this.#at < MAX_RUN && !this.#final
      ? null
      : end - this.#at
  }

  #closingRun(run: number): number | null | 'more' {
    const from = this.#at + run
    const close = closingRun(this.#buffer, from, run, this.#final, from + MAX_CODE)
    if (close === 'open') return this.#until(/[`\n]/u, run + MAX_CODE)
    if (close === 'in_run') return 'more'
    return close === 'none' ? null : close
  }

  /** Whether renderers may be trusted to read this as code, should it hold what would be markup in text. */
  #isCode(code: string): boolean {
    if (/(?<!\\)\||\\\\\|/u.test(code)) {
      if (this.#blocks.table) return false
      this.#noTable = true
    }
    if (!MARKUP.test(code)) return true
    // Emphasis, deletions and labels that are still open win over code in some renderers.
    if (this.#paragraph.length > MAX_CODE) return !/[\]*_~]/u.test(code)
    const text = this.#paragraph.replaceAll(/\\./gsu, '')
    if (code.includes(']') && mayBeOpen(text)) return false
    const before = text.replaceAll(/(\*{1,3}|_{1,3}|~{1,2})(?=[^\s*_~])[^*_~`]*\1/gu, '')
    return !(before.match(OPEN_MARK) ?? []).some((mark) => code.includes(mark))
  }

  /** Three in a row could fence code at a place that is not looked for. */
  #tildes(): Step {
    const run = this.#runLength('~')
    if (run === null) return 'more'
    return run < 3 ? this.#give(run) : this.#give(run, '\\~'.repeat(run))
  }

  /** Some renderers make a link of a bare `ftp:` or `xmpp:` address. */
  #colon(): Step {
    if (!/(?:ftp|xmpp)$/iu.test(this.#tail)) return this.#give(1)
    if (!this.#has(2)) return 'more'
    return /[/\w.+-]/u.test(this.#buffer.charAt(this.#at + 1))
      ? this.#give(1, '\\:')
      : this.#give(1)
  }

  #image(): Step {
    if (!this.#has(2)) return 'more'
    if (this.#buffer.charAt(this.#at + 1) !== '[') return this.#give(1)
    const label = this.#label(this.#at + 1)
    if (label === 'more') return 'more'
    if (label === null) return this.#give(1, '! ')
    if (!this.#has(label.end + 1 - this.#at)) return 'more'
    const next = this.#buffer.charAt(label.end)
    if (next === '(') return this.#inlineImage(label.text, label.end)
    if (next === '[') return this.#referenceImage(label.text, label.end)
    // `Yes![1]` is a citation: a number is no reference label.
    return /^\d+$/u.test(label.text) ? this.#give(label.end - this.#at) : this.#give(1, '! ')
  }

  #inlineImage(alt: string, at: number): Step {
    const group = this.#group(at)
    if (group === 'more') return 'more'
    if (!group.closed) return this.#give(1, '! ')
    const plain = group.canonical !== null && !/[`<![\]]/u.test(alt)
    if (plain && isAllowedImage(group.address, this.#prefixes))
      return this.#give(group.end - this.#at, `![${alt}]${group.canonical}`)
    const shown = group.address.replaceAll(/[<>`|\s\\[\]()]/gu, '').slice(0, SHOWN_ADDRESS)
    return this.#replace(group.end, alt, /^https?:/iu.test(shown) ? `\`${shown}\`` : '')
  }

  /** An image by reference: its address is elsewhere, so only its description stays. */
  #referenceImage(alt: string, at: number): Step {
    const label = this.#label(at)
    if (label === 'more') return 'more'
    return label === null ? this.#give(1, '! ') : this.#replace(label.end, alt)
  }

  /** A link whose address is refused becomes its text; every other goes on to be read part by part. */
  #link(): Step {
    const label = this.#label(this.#at)
    if (label === 'more') return 'more'
    if (label === null) return this.#give(1)
    if (!this.#has(label.end + 1 - this.#at)) return 'more'
    if (this.#buffer.charAt(label.end) !== '(') return this.#give(1)
    const group = this.#group(label.end)
    if (group === 'more') return 'more'
    return group.closed && !isAllowedLink(group.address)
      ? this.#replace(group.end, label.text)
      : this.#give(1)
  }

  /** Puts the words of a label, and no markup, in the place of everything up to `end`. */
  #replace(end: number, label: string, after = ''): Step {
    const words = label
      .replaceAll(/[\\`!<>[\]()&*_~|:@/]/gu, '')
      .trim()
      .replace(/^[\s#+=-]+|^\d+(?=\.)/u, '')
    const text = [words, after].filter((part) => part !== '').join(' ')
    return this.#give(
      end - this.#at,
      HAZARDOUS_END.test(this.#tail) && !this.#tail.endsWith('[') ? ` ${text}` : text,
    )
  }

  /** `](` and `]:`, however odd the label: what they lead to is judged, and what only some renderers follow is broken. */
  #labelEnd(): Step {
    if (!this.#has(2)) return 'more'
    const next = this.#buffer.charAt(this.#at + 1)
    if (next === ':') return this.#definition()
    if (next !== '(') return this.#give(1)
    const group = this.#group(this.#at + 1)
    if (group === 'more') return 'more'
    if (!isAllowedLink(group.address)) {
      this.#skipping = true
      return this.#give(2, '\\]')
    }
    if (group.canonical !== null) return this.#give(group.end - this.#at, `]${group.canonical}`)
    // Nothing in it may be put otherwise later: what is left would be another address.
    const raw = this.#buffer.slice(this.#at + 1, group.end)
    return group.closed && !/[`<\\"'\t![\]]/u.test(raw) ? this.#give(2) : this.#give(1, '] ')
  }

  /** `]:` stays before words, and where it defines an allowed address in a form that all renderers read alike. */
  #definition(): Step {
    const text = this.#buffer.slice(this.#at, this.#at + MAX_WORD)
    const words = WORDS.exec(text)
    const whole = text.includes('\n') || this.#final
    if (words === null && !whole && text.length < MAX_WORD) return 'more'
    const match = words ?? (whole ? DEFINED.exec(text) : null)
    const numbered = this.#line.length > MAX_WORD ? /\[\s*\d*\s*$/u : NUMBER_DEFINED
    const refused =
      match === null ||
      !isAllowedLink(match[1] ?? match[2] ?? '') ||
      numbered.test(this.#line.length > MAX_WORD ? this.#tail : this.#line)
    return refused ? this.#give(2, ']\\:') : this.#give(2)
  }

  #skip(): Step {
    const rest = this.#buffer.slice(this.#at)
    const end = rest.search(/[)\n]/u)
    this.#write(end < 0 ? rest.length : end, '')
    if (end < 0) return 'more'
    this.#skipping = false
    if (rest.charAt(end) === ')') this.#write(1, '')
    return 'on'
  }

  /** `<`: an automatic link, a line break in running text, or what may begin HTML, which is escaped. */
  #tag(): Step {
    if (!this.#has(2)) return 'more'
    const rest = this.#buffer.slice(this.#at, this.#at + MAX_DESTINATION)
    if (/^<[^!-~]/u.test(rest)) return this.#give(1)
    WORD_END.lastIndex = 1
    const end = WORD_END.exec(rest)?.index ?? -1
    if (end < 0 && rest.length < MAX_DESTINATION && !this.#final)
      return this.#until(/[\s<>]/u, MAX_DESTINATION)
    const link = AUTOLINK.exec(rest)?.[0]
    if (link !== undefined) return this.#give(link.length)
    if (/^<br/iu.test(rest)) {
      if (!rest.slice(0, 6).includes('>') && !this.#has(6)) return 'more'
      const tag = LINE_BREAK.exec(rest)?.[0]
      if (tag !== undefined && AFTER_TEXT.test(this.#tail)) return this.#give(tag.length)
    }
    // Some renderers take any of these for the beginning of a mail address.
    const word = end < 0 ? rest : rest.slice(0, end)
    if (/^<(?:[^a-z/!?@][^@]*)?$/iu.test(word) && word.length < MAX_DESTINATION)
      return this.#give(1)
    return this.#give(1, this.#inAddress() ? entity('<') : '\\<')
  }

  /** The bracketed text on this line that starts here, brackets inside it balanced; null when it is none. */
  #label(start: number): { text: string; end: number } | null | 'more' {
    let depth = 0
    for (let at = start; at < start + MAX_LABEL; at++) {
      const char = this.#buffer.charAt(at)
      if (char === '')
        return this.#final ? null : this.#until(/[[\]`\n]/u, start - this.#at + MAX_LABEL)
      if (char === '\n' || char === '`') return null
      if (char === '\\' && this.#buffer.charAt(at + 1) !== '\n') at++
      else if (char === '[' && ++depth > MAX_DEPTH) return null
      else if (char === ']' && --depth === 0)
        return { text: this.#buffer.slice(start + 1, at), end: at + 1 }
    }
    return null
  }

  /** The round brackets that start here, as far as they are balanced on this line. */
  #group(start: number): Group | 'more' {
    let depth = 0
    let at = start
    let closed = false
    for (; at < start + MAX_DESTINATION && !closed; at++) {
      const char = this.#buffer.charAt(at)
      if (char === '' && !this.#final)
        return this.#until(/[()\n]/u, start - this.#at + MAX_DESTINATION)
      if (char === '' || char === '\n') break
      if (char === '(' && ++depth > MAX_DEPTH) break
      if (char === ')') closed = --depth === 0
    }
    const raw = this.#buffer.slice(start, at)
    // Such an address is broken where it is bare, so also where some renderer may see it as bare.
    const match = closed && !/(?:ftp|xmpp):/iu.test(raw) ? DESTINATION.exec(raw) : null
    if (match === null)
      return { end: at, closed, address: FIRST_WORD.exec(raw)?.[1] ?? '', canonical: null }
    const bracketed = match[1]?.replaceAll(/[\s()]/gu, (char) => encode(char))
    const canonical = bracketed === undefined ? raw : `(${bracketed}${match[3] ?? ''})`
    return { end: at, closed, address: bracketed ?? match[2] ?? '', canonical }
  }
}

const entity = (char: string): string => `&#${char.charCodeAt(0)};`

const encode = (char: string): string =>
  `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

/** Whether for some renderer a bracket may be open at the end of a text. */
function mayBeOpen(text: string): boolean {
  for (let rest = text; ; ) {
    const shorter = rest.replaceAll(CLOSED, '')
    if (shorter === rest) return rest.includes('[')
    rest = shorter
  }
}
