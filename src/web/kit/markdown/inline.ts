import { formulaAt } from './formulas'
import { type Item, type Part, wordsOf } from './parts'
import { dereference } from './references'
import { safeHref, splitBareUrl } from './safe-url'

/** Addresses by the folded labels that stand for them. */
export type Definitions = ReadonlyMap<string, string>

/** What may be a mark of emphasis: a run of one sign. */
interface Run {
  sign: string
  count: number
  opens: boolean
  closes: boolean
}

interface Bracket {
  /** Its place among the items, and behind it in the text. */
  item: number
  from: number
  isImage: boolean
}

type Piece = Item | Run

const isRun = (piece: Piece | undefined): piece is Run =>
  typeof piece === 'object' && 'sign' in piece

const CITATION = /^\d{1,3}$/
const ESCAPED = /[!-/:-@[-`{-~]/
const PLAIN = /(?:(?!https?:\/\/|www\.)[^\\`*_~[\]!<&$\n])+/y
const SPACE = /^\s?$/u
const SIGN = /[\p{P}\p{S}]/u
/** Scripts without blanks, where emphasis begins and ends beside letters and signs alike. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u
/** What a text may end with while it is still coming: the next sign says what it is. */
const UNSURE = /(?:[*_~`\\!$[]+|&[#\da-z]{0,8}|<(?:br[ \t]*\/?|[^\s<>]{0,100}))$/i
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)>/iy
const BREAK = /<br[ \t]*\/?>/iy
const URL_AT = /(?:https?:\/\/|www\.)[^\s<]+/y
const TARGET =
  /\([ \t\n]*(?:<([^<>\n]*)>|((?:\\[!-/:-@[-`{-~]|[^\s\\()]|\\(?![!-/:-@[-`{-~])|\((?:\\.|[^\s\\()]){0,2100}\)){0,2100}))(?:[ \t\n]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t\n]*\)/y
const COMING =
  /^(?:\((?:<[^<>\n]*|(?:<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*(?:\)[^\s()<]*)?)*)(?:\s+(?:"[^"\n]*"?|'[^'\n]*'?|\([^()\n]*\)?))?)|\[(?!\d)[^\]\n]*)$/
const LABEL = /\[([^[\]]{0,200})\]/y
const MAX_UNSURE = 110
const MAX_WORDS = 200
const MAX_ADDRESS = 2100
/** Emphasis that is still open is shown this deep. */
const MAX_OPEN = 8

export const foldLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** The match of a sticky expression at a place. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * The parts of running text. @param open more of it may follow: what is not closed is shown as if it were, and what may
 * become a mark is not shown yet
 */
export function readInline(source: string, definitions: Definitions, open: boolean): Item[] {
  const unsure = open ? (UNSURE.exec(source.slice(-MAX_UNSURE))?.[0].length ?? 0) : 0
  return new Inline(source.slice(0, source.length - unsure), definitions, open).read()
}

class Inline {
  readonly #text: string
  readonly #definitions: Definitions
  readonly #open: boolean
  readonly #brackets: Bracket[] = []
  #pieces: Piece[] = []
  #at = 0

  constructor(text: string, definitions: Definitions, open: boolean) {
    this.#text = text
    this.#definitions = definitions
    this.#open = open
  }

  read(): Item[] {
    const text = this.#text
    while (this.#at < text.length) {
      const plain = matchAt(PLAIN, text, this.#at)?.[0]
      if (plain) this.#take(plain, plain.length)
      else if (!this.#readSign(text[this.#at] ?? '')) this.#take(text[this.#at] ?? '', 1)
    }
    this.#leaveBrackets()
    return joined(emphasised(this.#pieces, this.#open))
  }

  #take(piece: Piece, length: number): true {
    this.#pieces.push(piece)
    this.#at += length
    return true
  }

  /** @returns false where the sign is just one. */
  #readSign(sign: string): boolean {
    const text = this.#text
    const at = this.#at
    switch (sign) {
      case '\\':
      case '$': {
        const formula = formulaAt(text, at, this.#open)
        if (formula) {
          const shown = { tag: 'math', parts: [formula.source] }
          return this.#take(formula.source === '' ? '' : shown, formula.end - at)
        }
        if (sign === '$') {
          const run = /^\$+/.exec(text.slice(at))?.[0] ?? sign
          return this.#take(run, run.length)
        }
        const next = text[at + 1] ?? ''
        if (next === '\n') {
          this.#at += 1
          return this.#readSign(next)
        }
        return ESCAPED.test(next) && this.#take(next, 2)
      }
      case '\n': {
        const last = this.#pieces.at(-1)
        if (typeof last === 'string') this.#pieces[this.#pieces.length - 1] = last.trimEnd()
        const blanks = /^\n[ \t]*/.exec(text.slice(at))?.[0].length ?? 1
        return this.#take({ tag: 'br', parts: [] }, blanks)
      }
      case '`':
        return this.#readCode()
      case '*':
      case '_':
      case '~':
        return this.#readRun(sign)
      case '[':
        this.#brackets.push({ item: this.#pieces.length, from: at + 1, isImage: false })
        return this.#take('', 1)
      case '!':
        if (text[at + 1] !== '[') return false
        this.#brackets.push({ item: this.#pieces.length, from: at + 2, isImage: true })
        return this.#take('', 2)
      case ']':
        return this.#readBracket()
      case '<': {
        const line = matchAt(BREAK, text, at)
        if (line) return this.#take({ tag: 'br', parts: [] }, line[0].length)
        const link = matchAt(AUTOLINK, text, at)
        const target = link?.[1] ?? ''
        const href = link && safeHref(/^[^:]*@/.test(target) ? `mailto:${target}` : target)
        if (!link || !href) return false
        return this.#take(this.#link(href, [target]), link[0].length)
      }
      case '&': {
        const reference = /^&#?[\da-z]{1,8};/i.exec(text.slice(at, at + 11))?.[0]
        return reference !== undefined && this.#take(dereference(reference), reference.length)
      }
      default:
        return this.#readUrl()
    }
  }

  #readCode(): boolean {
    const text = this.#text
    const at = this.#at
    const run = /^`+/.exec(text.slice(at))?.[0] ?? '`'
    let end = text.indexOf(run, at + run.length)
    while (end >= 0 && (text[end + run.length] === '`' || text[end - 1] === '`')) {
      while (text[end] === '`') end++
      end = text.indexOf(run, end)
    }
    if (end < 0 && !this.#open) return this.#take(run, run.length)
    const code = text.slice(at + run.length, end < 0 ? undefined : end).replaceAll('\n', ' ')
    const isPadded = code[0] === ' ' && code.endsWith(' ') && code.trim()
    const inner = isPadded ? code.slice(1, -1) : code
    return this.#take(
      { tag: 'code', parts: [inner] },
      (end < 0 ? text.length : end + run.length) - at,
    )
  }

  #readRun(sign: string): boolean {
    const text = this.#text
    const at = this.#at
    let end = at
    while (text[end] === sign) end++
    const count = end - at
    if (sign === '~' && count !== 2) return this.#take(text.slice(at, end), count)
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = String.fromCodePoint(text.codePointAt(end) ?? 32)
    const [isLeft, isRight] = [flanks(before, after), flanks(after, before)]
    const opens = isLeft && (sign !== '_' || !isRight || SIGN.test(before))
    const closes = isRight && (sign !== '_' || !isLeft || SIGN.test(after))
    return this.#take({ sign, count, opens, closes }, count)
  }

  /** What a closing bracket makes of the text since the opening one. */
  #readBracket(): boolean {
    const bracket = this.#brackets.pop()
    if (!bracket) return false
    const text = this.#text
    const words = text.slice(bracket.from, this.#at)
    const target = matchAt(TARGET, text, this.#at + 1)
    let length = 1 + (target?.[0].length ?? 0)
    let address = target ? unescaped(target[1] ?? target[2] ?? '') : undefined
    if (!target) {
      // An address that is still coming is not shown.
      if (this.#open && COMING.test(text.slice(this.#at + 1, this.#at + MAX_ADDRESS)))
        length = text.length - this.#at
      const label = matchAt(LABEL, text, this.#at + 1)
      const isShort = !label?.[1]
      if (!isShort || !CITATION.test(words))
        address = this.#definitions.get(foldLabel(isShort ? words : (label?.[1] ?? '')))
      const isNamed = label && (address !== undefined || (this.#open && /^\D/.test(label[1] ?? '')))
      if (isNamed) length = 1 + label[0].length
    }
    const parts = joined(emphasised(this.#pieces.splice(bracket.item), false))
    if (address === undefined && length === 1) {
      const isMark = !bracket.isImage && CITATION.test(words)
      if (isMark) return this.#take({ tag: 'cite', value: Number(words), parts: [] }, 1)
      const isPending = this.#open && this.#at + 1 === text.length
      const [opening, closing] = isPending ? ['', ''] : [bracket.isImage ? '![' : '[', ']']
      return this.#take({ tag: '', parts: [opening, ...parts, closing] }, 1)
    }
    if (bracket.isImage) {
      const shown = parts.map(wordsOf).join('').trim()
      return this.#take(
        shown && address ? `${shown} (${address})` : shown || (address ?? ''),
        length,
      )
    }
    const href = address && safeHref(address)
    return this.#take(href ? this.#link(href, parts) : { tag: '', parts }, length)
  }

  /** A link that holds others is no link. */
  #link(href: string, parts: Item[]): Part {
    const holds = (item: Item): boolean =>
      typeof item !== 'string' && (item.tag === 'a' || item.parts.some(holds))
    if (parts.some(holds)) return { tag: '', parts }
    const shown = parts.map(wordsOf).join('').trim()
    return { tag: 'a', value: href, parts: shown ? parts : [href] }
  }

  /** Brackets without their other half; what is still coming shows only what stands in them, and no number of a mark. */
  #leaveBrackets(): void {
    for (const { item, from, isImage } of this.#brackets.splice(0).reverse()) {
      const words = this.#text.slice(from)
      if (this.#open && /^\d{0,3}$/.test(words)) this.#pieces.splice(item)
      else if (!this.#open || words.length > MAX_WORDS || words.includes('\n'))
        this.#pieces[item] = isImage ? '![' : '['
    }
  }

  #readUrl(): boolean {
    const text = this.#text
    const before = text[this.#at - 1] ?? ''
    if (/[\p{L}\p{N}]/u.test(before) && !UNSPACED.test(before)) return false
    const [long] = matchAt(URL_AT, text, this.#at) ?? []
    if (!long) return false
    const [bracket] = this.#brackets
    const { url } = splitBareUrl((bracket && long.split(']')[0]) ?? long)
    const href = safeHref(url[0] === 'w' ? `http://${url}` : url)
    const isText = !href || bracket
    return url !== '' && this.#take(isText ? url : this.#link(href, [url]), url.length)
  }
}

const unescaped = (address: string): string =>
  dereference(address.replace(/\\([!-/:-@[-`{-~])/g, '$1'))

/** Whether a run between two characters leans on the second one. */
const flanks = (before: string, after: string): boolean =>
  !SPACE.test(after) &&
  (!SIGN.test(after) ||
    UNSPACED.test(after) ||
    SPACE.test(before) ||
    SIGN.test(before) ||
    UNSPACED.test(before))

/** Pairs the runs as CommonMark does: each that may close with the nearest that may have opened. */
function emphasised(pieces: readonly Piece[], open: boolean): Item[] {
  const out: Piece[] = []
  /** Below these places no run opens what this kind closes. */
  const bottoms = new Map<string, number>()
  for (const piece of pieces) {
    if (!isRun(piece)) {
      out.push(piece)
      continue
    }
    const run = { ...piece }
    while (run.closes && run.count > 0) {
      const kind = `${run.sign}${run.opens}${run.count % 3}`
      const bottom = bottoms.get(kind) ?? 0
      let at = out.length - 1
      while (at >= bottom && !pairs(out[at], run)) at--
      if (at < bottom) {
        bottoms.set(kind, out.length)
        break
      }
      const opener = out[at] as Run
      const used = Math.min(2, opener.count, run.count)
      const parts = joined(asWords(out.splice(at + 1)))
      for (const [key, value] of bottoms) if (value > at) bottoms.set(key, at)
      opener.count -= used
      run.count -= used
      if (opener.count === 0) out.pop()
      out.push({ tag: tagOf(run.sign, used), parts })
    }
    if (run.count > 0) out.push(run)
  }
  if (open) closeAll(out)
  return asWords(out)
}

const tagOf = (sign: string, used: number): string =>
  sign === '~' ? 's' : used === 2 ? 'strong' : 'em'

/** Runs that could both open and close pair only where their lengths do not add up to a multiple of three. */
function pairs(opener: Piece | undefined, closer: Run): boolean {
  if (!isRun(opener) || !opener.opens || opener.sign !== closer.sign) return false
  if (!opener.closes && !closer.opens) return true
  return (opener.count + closer.count) % 3 !== 0 || opener.count % 3 === 0
}

function closeAll(out: Piece[]): void {
  for (let at = out.length - 1, depth = 0; at >= 0 && depth < MAX_OPEN; at--) {
    const run = out[at]
    if (!isRun(run) || !run.opens || at === out.length - 1) continue
    let parts = joined(asWords(out.splice(at + 1)))
    out.pop()
    for (let left = run.count; left > 0 && depth < MAX_OPEN; depth++) {
      const used = Math.min(2, left)
      parts = [{ tag: tagOf(run.sign, used), parts }]
      left -= used
    }
    out.push(...parts)
  }
}

const asWords = (pieces: readonly Piece[]): Item[] =>
  pieces.map((piece) => (isRun(piece) ? piece.sign.repeat(piece.count) : piece))

/** Texts beside each other as one; parts without a tag are what they hold. */
function joined(items: readonly Item[]): Item[] {
  const out: Item[] = []
  for (const item of items) {
    const inner = typeof item === 'object' && item.tag === '' ? joined(item.parts) : [item]
    for (const one of inner) {
      const last = out.at(-1)
      if (typeof one === 'string' && typeof last === 'string') out[out.length - 1] = last + one
      else if (one !== '') out.push(one)
    }
  }
  return out
}
