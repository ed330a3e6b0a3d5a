import { isAllowedImage, isAllowedLink } from './safe-url'

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

const SPECIAL = /[\\`!\]<[]/gu
/** Bracketed text on one line, brackets inside it balanced once. */
const LABEL = String.raw`\[((?:[^[\]\\${'`'}\n]|\\.|\[[^[\]\n]{0,200}\]){0,300})\]`
const DESTINATION = String.raw`\(\s{0,20}(<[^<>\n]{0,2000}>|(?:[^\s()<>]|\([^\s()<>]{0,500}\)){0,4000})(?:\s{1,20}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,20}\)`
const LABEL_AT = new RegExp(LABEL, 'uy')
const INLINE_AT = new RegExp(DESTINATION, 'uy')
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/u
const CLOSING_FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*$/u
const MAYBE_FENCE = /^ {0,3}(?:`*|~*)$/u
/** A plain tag inside a line, such as the `<String>` of prose about code. */
const PLAIN_TAG = /^<\/?([a-z][a-z0-9-]{0,30})[ \t]{0,3}\/?>/iu
const MAYBE_TAG = /^<(?:\/?(?:[a-z][a-z0-9-]{0,30}[ \t]{0,3}\/?)?)?$/iu
const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000}|[^\s<>@]{1,100}@[^\s<>]{1,200})>/iu
const MAYBE_AUTOLINK = /^<[^\s<>]{1,2000}$/u
/** Tags that load, run or submit something, or change how what follows is read. */
const LIVE_TAGS = new Set(
  (
    'a applet audio base body button canvas dialog embed form frame frameset head html iframe image img input link ' +
    'marquee math meta noscript object option picture plaintext portal pre script select source style svg template ' +
    'textarea title track video xmp'
  ).split(' '),
)
const MAX_LABEL = 320
const MAX_DESTINATION = 4400
const MAX_SCHEME = 300
const SHOWN_ADDRESS = 200

/**
 * PI4, on the stream: an image from anywhere but the allowed places becomes its description and its address in plain
 * text; a link to anything but http, https, mailto or this origin becomes its text, and so do reference definitions and
 * automatic links; numbers are no reference labels, so that a citation never links where the model likes. Raw HTML is
 * disarmed. Code stays as it is, where every renderer agrees that it is code.
 */
export function createReplySanitizer(options: SanitizerOptions): ReplySanitizer {
  return new Sanitizer(options.imagePrefixes)
}

type Step = 'more' | 'on'

class Sanitizer implements ReplySanitizer {
  readonly #prefixes: readonly string[]
  #buffer = ''
  #at = 0
  #out = ''
  #final = false
  /** The line so far, as it came: what tells a definition and a tag inside running text. */
  #line = ''
  #fence: { mark: string; indent: number } | null = null
  #atLineStart = true
  /** Inside a refused destination, up to its closing bracket or the line's end. */
  #skipping = false
  #read = 0
  /** Where what went out is longer or shorter than what came in. */
  readonly #edits: { at: number; removed: number; added: number }[] = []

  constructor(prefixes: readonly string[]) {
    this.#prefixes = prefixes
  }

  push(text: string): string {
    this.#buffer += text
    return this.#run()
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
    let step: Step = 'on'
    while (step === 'on') {
      if (this.#skipping) step = this.#skip()
      else if (this.#atLineStart) step = this.#startLine()
      else step = this.#inLine()
    }
    this.#buffer = this.#buffer.slice(this.#at)
    this.#at = 0
    const out = this.#out
    this.#out = ''
    return out
  }

  /** Gives out `length` characters as they are, or `instead` of them. */
  #give(length: number, instead?: string): Step {
    const raw = this.#buffer.slice(this.#at, this.#at + length)
    this.#out += instead ?? raw
    if (instead !== undefined && instead.length !== raw.length)
      this.#edits.push({ at: this.#read, removed: raw.length, added: instead.length })
    this.#read += raw.length
    this.#at += length
    const newline = raw.lastIndexOf('\n')
    this.#line = newline < 0 ? this.#line + raw : raw.slice(newline + 1)
    if (raw.endsWith('\n')) this.#atLineStart = true
    return 'on'
  }

  get #rest(): string {
    return this.#buffer.slice(this.#at)
  }

  #startLine(): Step {
    const newline = this.#buffer.indexOf('\n', this.#at)
    const line = this.#buffer.slice(this.#at, newline < 0 ? this.#buffer.length : newline)
    const whole = newline >= 0 || this.#final
    if (this.#fence !== null) return this.#fenceLine(line, whole)
    if (!whole && (MAYBE_FENCE.test(line) || /^ {0,3}(?:`{3}|~{3})/u.test(line))) return 'more'
    const fence = FENCE.exec(line)
    if (fence !== null) {
      this.#fence = { mark: fence[2] ?? '', indent: fence[1]?.length ?? 0 }
      return this.#giveLine(line)
    }
    this.#atLineStart = false
    return this.#at === this.#buffer.length ? 'more' : 'on'
  }

  /** A line of code. One that is indented less than its fence may be text already: the fence's list item is over. */
  #fenceLine(line: string, whole: boolean): Step {
    if (!whole) return 'more'
    const closing = CLOSING_FENCE.exec(line)?.[1]
    const indent = /^ */u.exec(line)?.[0].length ?? 0
    if (line.trim() !== '' && indent < (this.#fence?.indent ?? 0)) {
      this.#fence = null
      return 'on'
    }
    if (closing?.startsWith(this.#fence?.mark ?? '') === true) this.#fence = null
    return this.#giveLine(line)
  }

  #giveLine(line: string): Step {
    const more = this.#at + line.length < this.#buffer.length
    this.#give(line.length + (more ? 1 : 0))
    return more ? 'on' : 'more'
  }

  #inLine(): Step {
    const newline = this.#buffer.indexOf('\n', this.#at)
    SPECIAL.lastIndex = this.#at
    const found = SPECIAL.exec(this.#buffer)?.index ?? this.#buffer.length
    if (newline >= 0 && newline < found) return this.#give(newline + 1 - this.#at)
    if (found > this.#at) this.#give(found - this.#at)
    const c = this.#buffer.charAt(this.#at)
    if (c === '') return 'more'
    if (c === '\\') return this.#escape()
    if (c === '`') return this.#code()
    if (c === '!') return this.#image()
    if (c === '[') return this.#link()
    return c === ']' ? this.#labelEnd() : this.#tag()
  }

  #escape(): Step {
    if (this.#rest.length < 2 && !this.#final) return 'more'
    return this.#give(/^\\[!-/:-@[-`{-~]/u.test(this.#rest) ? 2 : 1)
  }

  /** Inline code, when it closes on its line and no table cell can end inside it. */
  #code(): Step {
    const rest = this.#rest
    const newline = rest.indexOf('\n')
    const line = newline < 0 ? rest : rest.slice(0, newline)
    const run = /^`+/u.exec(line)?.[0].length ?? 1
    if (run === line.length && newline < 0 && !this.#final) return 'more'
    for (const match of line.slice(run).matchAll(/`+/gu)) {
      const end = run + match.index + match[0].length
      if (end === line.length && newline < 0 && !this.#final) return 'more'
      if (match[0].length === run) return this.#give(line.slice(0, end).includes('|') ? run : end)
    }
    return newline < 0 && !this.#final ? 'more' : this.#give(run)
  }

  #image(): Step {
    const rest = this.#rest
    if (rest === '!') return this.#final ? this.#give(1) : 'more'
    if (rest.charAt(1) !== '[') return this.#give(1)
    const label = this.#label(1)
    if (label === 'more') return 'more'
    if (label === null) return this.#give(1, '')
    const next = rest.charAt(label.end)
    if (next === '' && !this.#final) return 'more'
    if (next === '(') return this.#inlineImage(label.text, label.end)
    if (next === '[') return this.#referenceImage(label.text, label.end)
    // `Yes![1]` is a citation: a number is no reference label.
    if (/^\d+$/u.test(label.text)) return this.#give(label.end)
    return this.#give(1, '')
  }

  #inlineImage(alt: string, at: number): Step {
    const destination = this.#destination(at)
    if (destination === 'more') return 'more'
    if (destination === null) return this.#give(1, '')
    if (isAllowedImage(destination.address, this.#prefixes)) return this.#give(destination.end)
    return this.#give(destination.end, this.#describe(alt, destination.address))
  }

  /** An image by reference: its address is elsewhere, so only its description stays. */
  #referenceImage(alt: string, at: number): Step {
    const label = this.#label(at)
    if (label === 'more') return 'more'
    if (label === null) return this.#give(1, '')
    const next = this.#rest.charAt(label.end)
    if (next === '' && !this.#final) return 'more'
    return this.#give(next === '(' ? at : label.end, this.#clean(alt))
  }

  #describe(alt: string, address: string): string {
    const plain = address.replaceAll(/[<>`|\s]/gu, '')
    const shown = /^https?:/iu.test(plain) ? `\`${plain.slice(0, SHOWN_ADDRESS)}\`` : ''
    return [this.#clean(alt).trim(), shown].filter((part) => part !== '').join(' ')
  }

  /** A link whose address is refused becomes its text; every other goes on to be read part by part. */
  #link(): Step {
    const label = this.#label(0)
    if (label === 'more') return 'more'
    if (label === null) return this.#give(1)
    const next = this.#rest.charAt(label.end)
    if (next === '' && !this.#final) return 'more'
    if (next !== '(') return this.#give(1)
    const destination = this.#destination(label.end)
    if (destination === 'more') return 'more'
    if (destination === null || isAllowedLink(destination.address)) return this.#give(1)
    return this.#give(destination.end, this.#clean(label.text))
  }

  /** `](` and `]:` once more, however odd the label: a refused destination goes. */
  #labelEnd(): Step {
    const rest = this.#rest
    const next = rest.charAt(1)
    if (next === '' && !this.#final) return 'more'
    if (next !== '(' && next !== ':') return this.#give(1)
    if (next === ':' && /^[ \t>]*(?:[-*+]|\d{1,3}[.)])?[ \t]*\[\s*\d+\s*$/u.test(this.#line))
      return this.#give(2, ']')
    // White space may split a scheme: everything up to the bracket (or, in a definition, the line's end) is looked at.
    const inside = next === '(' ? /^..([^)]{0,300})/su : /^..[ \t]*(?:\n[ \t]*)?([^\s]{0,300})/su
    const match = inside.exec(rest)
    if (!this.#final && match?.[0].length === rest.length && rest.length < MAX_SCHEME) return 'more'
    const prefix = match?.[1] ?? ''
    if (prefix === '' || isAllowedLink(prefix)) return this.#give(1)
    this.#give(2, ']')
    this.#skipping = true
    return 'on'
  }

  #skip(): Step {
    const end = /[)\n]/u.exec(this.#rest)
    if (end === null) {
      this.#give(this.#rest.length, '')
      return 'more'
    }
    this.#skipping = false
    return this.#give(end.index + (end[0] === ')' ? 1 : 0), '')
  }

  /** `<`: an automatic link, a plain tag in running text, or the start of raw HTML, which loses its bracket. */
  #tag(): Step {
    const rest = this.#rest
    const autolink = AUTOLINK.exec(rest)
    if (autolink !== null) {
      const address = autolink[1] ?? ''
      return isAllowedLink(address)
        ? this.#give(autolink[0].length)
        : this.#give(autolink[0].length, address.replace(/^[^:]*:/u, ''))
    }
    const plain = PLAIN_TAG.exec(rest)
    if (plain !== null) {
      const name = (plain[1] ?? '').toLowerCase()
      const inText = /[\p{L}\p{N}]/u.test(this.#line.replace(/^[ \t>]*(?:\d{1,3}[.)])?/u, ''))
      const kept = name === 'br' || (inText && !LIVE_TAGS.has(name))
      return kept ? this.#give(plain[0].length) : this.#give(1, '&lt;')
    }
    if (!this.#final && (MAYBE_TAG.test(rest) || MAYBE_AUTOLINK.test(rest))) return 'more'
    return /^<[a-z/!?]/iu.test(rest) ? this.#give(1, '&lt;') : this.#give(1)
  }

  /** The bracketed text that starts `offset` characters on; null when it is none. */
  #label(offset: number): { text: string; end: number } | null | 'more' {
    const start = this.#at + offset
    LABEL_AT.lastIndex = start
    const match = LABEL_AT.exec(this.#buffer)
    if (match !== null) return { text: match[1] ?? '', end: offset + match[0].length }
    const tail = this.#buffer.slice(start, start + MAX_LABEL)
    return this.#final || tail.length === MAX_LABEL || /[\n`]/u.test(tail) ? null : 'more'
  }

  #destination(offset: number): { address: string; end: number } | null | 'more' {
    const start = this.#at + offset
    INLINE_AT.lastIndex = start
    const match = INLINE_AT.exec(this.#buffer)
    if (match !== null) return { address: match[1] ?? '', end: offset + match[0].length }
    const tail = this.#buffer.slice(start, start + MAX_DESTINATION)
    return this.#final || tail.length === MAX_DESTINATION || /\n\s*\n/u.test(tail) ? null : 'more'
  }

  /** Sanitises a label on its own. */
  #clean(label: string): string {
    const inner = new Sanitizer(this.#prefixes)
    return inner.push(label) + inner.end()
  }
}
