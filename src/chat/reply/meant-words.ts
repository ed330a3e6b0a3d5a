import { isObject, parseJson } from '../../text/json'
import { LETTER_LABELS } from './labels'
import { breakOf, isLayoutTag, LAYOUT_TAG, laysOut } from './layout-tags'
import { preambleOf } from './preamble'

/** What the words are told apart by. */
export interface MeantContext {
  /** Names of the tools that the model may call. */
  tools: readonly string[]
  /** Titles of what was found for the model. */
  titles: readonly string[]
}

/** Where a chat template ends a turn or begins one: the model ran on past its answer. */
const TURN_MARK = String.raw`<\|start_header_id\|>[a-z]*<\|end_header_id\|>|<\|[a-z_]{3,20}\|>(?:assistant\b)?|<\/s>|<eos>|<(?:start|end)_of_turn>(?:model\b)?|\[\/?INST\]`
/** A call that was written down instead of made (Hermes and Qwen, Llama 3, Mistral, Claude). */
const CALL_MARK = String.raw`<tool_call>|<function=[\w.-]+>|<function_calls>|\[TOOL_CALLS\]|<\|python_tag\|>`
/** What stands around an answer, or around what Gemini and Cohere's models cite. */
const WRAPPER = String.raw`<\/?(?:answer|final_answer|response|reply|co(?::[\s\d,]{1,12})?)>|\[cite_start\]`
/** A source's title for its number, perhaps: a longer one is hardly written out. */
const NAMED = String.raw`\[([^[\]\n|]{2,60})\]`
const ENTITY = '&(?:#\\d{2,5}|amp|lt|gt|quot|apos|nbsp);'
const TURNING = new RegExp(
  `${CALL_MARK}|${TURN_MARK}|${WRAPPER}|${NAMED}|${ENTITY}|${LAYOUT_TAG}|\`+|\\n`,
  'giu',
)
/** The beginning of one of these, which may go on in the next piece. */
const UNDECIDED =
  /(?:<(?:[^\s>][^\n>]{0,96})?|<[^\n>]{0,9}start[^\n>]{0,12}>[a-z]{0,12}(?:<[^\n>]{0,16})?|\[[^\]\n|]{0,60}|&#?[a-z\d]{0,5}|`+)$/u
const MAX_MARK = 100
/** What is looked at before a tag. */
const MAX_BEFORE = 20
const MAY_TURN = /[<[&`\n]/u
const IS_TURN = new RegExp(`^(?:${TURN_MARK})$`, 'iu')
const IS_CALL = new RegExp(`^(?:${CALL_MARK})$`, 'iu')
const CALL_ENDS: readonly [RegExp, RegExp | null][] = [
  [/^<tool_call>/iu, /<\/tool_call>/iu],
  [/^<function=/iu, /<\/function>/iu],
  [/^<function_calls>/iu, /<\/function_calls>/iu],
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals read as colours
const TERMINAL = /\u001b\[[0-9;?]{0,16}[A-Za-z]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNDECIDED_SIGN = /(?:\u001b(?:\[[0-9;?]{0,16})?|[\ud800-\udbff])$/
/** Overrides of the direction of writing, and halves of characters. */
const UNSHOWN = /[\u202a-\u202e]|\p{Surrogate}/gu

const ANSWER_LABEL = labelled(LETTER_LABELS.answer, String.raw`\s*[:：]\s*[*_]{0,2}[ \t]*`)
const SOURCES_LABEL = labelled(LETTER_LABELS.sources, String.raw`\s*[:：]?\s*[*_]{0,2}`)
const LABEL_BEGINNING = /^[*_#\s]*(\p{L}[\p{L}\p{M} ]*)?[*_]{0,2}\s*$/u
const MAX_LABEL = 32
const OTHER_SPEAKER = /^\s*[*_]{0,2}(user|human)[*_]{0,2}\s*[:：]/iu
const OWN_TURN = /\n[^\S\n]*[*_]{0,2}(?:assistant|ai|bot|model)[*_]{0,2}\s*[:：]/iu
const MAX_DIALOGUE = 4000
/** A source's line in a list at the end: its sign or mark, and what is said of it. */
const SOURCE_LINE = /^\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+)?(?:[[【]\^?\d{1,2}[\]】]:?\s*)?(.*)$/su

const FENCE = /^```([\w+-]*)[ \t]*\n/u
const PROSE_LINE =
  /^(?=.*\S\s+\S+\s+\S+\s+\S|.*[。！？]).*(?:[.!?:。！？：]|\[\d{1,2}[^\]\n]*\])[*_"”]*\s*$/u
const ANSWER_KEYS = [
  ...LETTER_LABELS.answer,
  'final_answer',
  'content',
  'text',
  'message',
  'output',
  'result',
  'reponse',
]
const CALL_KEYS = ['name', 'tool', 'tool_name', 'function', 'action']
const JSON_BEGINNING = new RegExp(
  String.raw`^\{\s*"(?:${[...ANSWER_KEYS, ...CALL_KEYS].join('|')})"\s*:`,
  'u',
)
const MAX_WHOLE = 32_000

function labelled(words: readonly string[], rest: string): RegExp {
  return new RegExp(
    String.raw`^(?:#{1,6}[ \t]+)?[*_]{0,2}(?:${words.join('|')})[*_]{0,2}${rest}`,
    'iu',
  )
}

/**
 * What of a model's text is meant for who asked: without the marks of its chat template and what it makes up behind them,
 * calls it wrote down instead of making them, and what it wrapped the answer in (a label, a fence, JSON), and without a
 * list of its sources at the end, which are shown anyway. Code stays as it is. The result does not depend on how the text
 * is cut.
 */
export class MeantWords {
  /** Nothing more of the answer comes, whatever the model goes on to write. */
  over = false
  readonly #context: MeantContext
  #unread = ''
  #signs = ''
  #stage: 'opening' | 'text' | 'whole' | 'call' | 'dialogue' | 'sources' = 'opening'
  #callEnd: RegExp | null = null
  #said = false
  /** The answer came in a fence that is no code's. */
  #wrapped = false
  /** Length of the backtick run that will close the code, 0 outside; a fence lasts over lines. */
  #code = 0
  #fence = false
  /** The line from its beginning, as far as it tells a fence from a span. */
  #lineEmpty = true
  /** Whether a word was struck out in HTML, whose end looks like that of a turn. */
  #struck = false
  /** The next line begins what was looked at already. */
  #looked = false
  /** What a tag of HTML puts before the next words. */
  #break = ''
  /** The line as it was said so far. */
  #line = ''
  #out = ''

  constructor(context: MeantContext) {
    this.#context = context
  }

  push(piece: string): string {
    if (this.over) return ''
    const text = (this.#signs + piece).replaceAll(TERMINAL, '')
    const cut = UNDECIDED_SIGN.exec(text)?.index ?? text.length
    this.#signs = text.slice(cut)
    this.#unread += text.slice(0, cut).replaceAll(UNSHOWN, '')
    return this.#run(false)
  }

  /** No more comes of this text; another may follow. */
  end(): string {
    if (this.over) return ''
    this.#signs = ''
    const rest = this.#run(true)
    if (!this.#said) this.#stage = 'opening'
    return rest
  }

  #run(final: boolean): string {
    this.#out = ''
    while (this.#unread !== '' && !this.over && this.#read(final));
    const out = this.#out
    this.#out = ''
    return out
  }

  /** One step. False when more text is needed. */
  #read(final: boolean): boolean {
    switch (this.#stage) {
      case 'opening':
        return this.#open(final)
      case 'text':
        return this.#text(final)
      case 'whole':
        return this.#whole(final)
      case 'call':
        return this.#call(final)
      case 'dialogue':
        return this.#dialogue(final)
      case 'sources':
        return this.#sources(final)
    }
  }

  /** What the answer is wrapped in. */
  #open(final: boolean): boolean {
    this.#unread = this.#unread.trimStart()
    const text = this.#unread
    if (text === '') return false
    this.#stage = 'text'
    if (text.startsWith('{') || /^`{1,3}/u.test(text)) {
      const wrapping = this.#wrapping(text, final)
      if (wrapping === 'more') this.#stage = 'opening'
      else if (wrapping === 'whole') this.#stage = 'whole'
      else if (wrapping > 0) {
        this.#wrapped = true
        this.#unread = text.slice(wrapping)
      }
      return wrapping !== 'more'
    }
    const label = ANSWER_LABEL.exec(text)
    if (label?.[0].length === text.length && !final) {
      this.#stage = 'opening'
      return false
    }
    if (label !== null) {
      this.#unread = text.slice(label[0].length)
      return true
    }
    const preamble = preambleOf(text, final)
    if (preamble === null) {
      this.#stage = 'opening'
      return false
    }
    if (preamble > 0) {
      this.#unread = text.slice(preamble).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
      return true
    }
    if (final || !mayBecome(text, LETTER_LABELS.answer)) return true
    this.#stage = 'opening'
    return false
  }

  /** The length of a fence that wraps prose, or `whole` for what can be told at its end alone. */
  #wrapping(text: string, final: boolean): number | 'whole' | 'more' {
    if (text.startsWith('{')) {
      if (JSON_BEGINNING.test(text)) return 'whole'
      return final || text.length > MAX_LABEL ? 0 : 'more'
    }
    const fence = FENCE.exec(text)
    if (fence === null) return !final && /^`{1,3}[\w+-]*[ \t]*$/u.test(text) ? 'more' : 0
    const [opening, info = ''] = fence
    const body = text.slice(opening.length)
    if (/^(?:markdown|md)$/iu.test(info)) return opening.length
    if (/^tool_(?:code|call)s?$/iu.test(info)) return 'whole'
    const code = body.trimStart()
    if (/^(?:json)?$/iu.test(info) && /^(?:\{|$)/u.test(code)) {
      if (JSON_BEGINNING.test(code)) return 'whole'
      return !final && code.length < MAX_LABEL ? 'more' : 0
    }
    if (!/^(?:text|txt|plaintext)?$/iu.test(info)) return 0
    const line = /^[^\n]*(?=\n)/u.exec(body)?.[0] ?? (final ? body : null)
    if (line === null) return 'more'
    return PROSE_LINE.test(line) ? opening.length : 0
  }

  #text(final: boolean): boolean {
    const text = this.#unread
    if (!MAY_TURN.test(text)) {
      this.#say(text, text.length)
      return true
    }
    const cut = final ? text.length : decidedEnd(text)
    TURNING.lastIndex = 0
    const found = TURNING.exec(text.slice(0, cut))
    if (found === null) {
      this.#say(text.slice(0, cut), cut)
      return cut === text.length
    }
    const [mark, name] = found
    if (found.index > 0) {
      this.#say(text.slice(0, found.index), found.index)
      return true
    }
    if (mark.startsWith('`')) return this.#ticks(mark)
    if (mark === '\n') return this.#lineEnd(final)
    if (this.#code > 0) this.#say(mark, mark.length)
    else if (name) this.#say(`[${this.#context.titles.indexOf(name) + 1 || name}]`, mark.length)
    else if (mark.startsWith('&')) this.#say(signOf(mark).replace(UNSHOWN, ''), mark.length)
    else if (isLayoutTag(mark)) return this.#layOut(mark, final)
    else this.#mark(mark)
    return true
  }

  /** Paragraphs, line breaks and items of HTML become those of the text; a tag that is spoken of stays. */
  #layOut(tag: string, final: boolean): boolean {
    const after = this.#unread.charAt(tag.length)
    if (after === '' && !final) return false
    const isCell = /^\s*\|/u.test(this.#line) && /^<br/iu.test(tag)
    const before = this.#line.slice(-MAX_BEFORE)
    const place = { before: before.trim() === '' ? '' : before, after }
    const isText = this.#break === '' && (isCell || !laysOut(tag, place))
    if (isText) this.#say(tag, tag.length)
    else {
      this.#unread = this.#unread.slice(tag.length)
      const put = breakOf(tag, this.#break)
      if (put !== this.#break) {
        this.#break = put
        this.#lineEmpty = true
      }
    }
    return true
  }

  #mark(mark: string): void {
    this.#unread = this.#unread.slice(mark.length)
    if (mark === '</s>' && this.#struck) this.#say(mark, 0)
    else if (IS_CALL.test(mark)) {
      this.#stage = 'call'
      this.#callEnd = CALL_ENDS.find(([begin]) => begin.test(mark))?.[1] ?? null
    } else if (this.#said && IS_TURN.test(mark)) this.over = true
    else if (!this.#said) this.#stage = 'opening'
  }

  #ticks(run: string): boolean {
    const opensFence = run.length >= 3 && this.#lineEmpty
    const line = /^[^\n]*/u.exec(this.#unread)?.[0] ?? ''
    if (this.#code === 0 && opensFence && this.#wrapped && line.trim() === run) {
      // The fence around the answer closes.
      this.#wrapped = false
      this.#unread = this.#unread.slice(line.length)
      return true
    }
    if (this.#code === 0) {
      this.#code = run.length
      this.#fence = opensFence
    } else if (
      this.#fence ? run.length >= this.#code && this.#lineEmpty : run.length === this.#code
    ) {
      this.#code = 0
      this.#fence = false
    }
    this.#say(run, run.length)
    return true
  }

  /** Before a line begins it is seen what it is. */
  #lineEnd(final: boolean): boolean {
    if (!this.#fence) this.#code = 0
    const breaks = /^\s*\n/u.exec(this.#unread)?.[0] ?? '\n'
    const line = this.#unread.slice(breaks.length)
    if (this.#code === 0 && this.#said && !this.#looked) {
      const kind = this.#kindOf(line, breaks, final)
      if (kind === 'more') return false
      if (kind !== 'text') {
        this.#stage = kind
        return true
      }
    }
    this.#looked = false
    this.#say(breaks, breaks.length)
    return true
  }

  #kindOf(line: string, breaks: string, final: boolean): 'text' | 'dialogue' | 'sources' | 'more' {
    const [first = ''] = line.split('\n', 1)
    const isWhole = final || first.length < line.length
    if (line === '') return final ? 'text' : 'more'
    if (/\n\s*\n/u.test(breaks) && OTHER_SPEAKER.test(first)) return 'dialogue'
    const label = this.#context.titles.length > 0 ? SOURCES_LABEL.exec(first) : null
    if (label !== null) {
      if (!isWhole) return first.length < MAX_DIALOGUE ? 'more' : 'text'
      return this.#isSource(first.slice(label[0].length)) ? 'sources' : 'text'
    }
    return isWhole || !mayBecome(first, LINE_LABELS) ? 'text' : 'more'
  }

  /** Whether a line names what was found, or nothing. */
  #isSource(line: string): boolean {
    const named =
      SOURCE_LINE.exec(line)?.[1]
        ?.replaceAll(/[*_"“”]/gu, '')
        .trim()
        .toLowerCase() ?? ''
    const rest = named.replaceAll(/[[【]\^?\d{1,2}[\]】][,，、]?/gu, '').trim()
    return rest === '' || this.#context.titles.some((title) => rest.startsWith(title.toLowerCase()))
  }

  #sources(final: boolean): boolean {
    const lines = this.#unread.split('\n').slice(1)
    const whole = final ? lines : lines.slice(0, -1)
    const label = whole.findIndex((line) => line.trim() !== '')
    const isOther = whole.some((line, index) => index > label && !this.#isSource(line))
    if (isOther || this.#unread.length > MAX_DIALOGUE) {
      this.#stage = 'text'
      this.#looked = true
      return true
    }
    if (final) this.#unread = ''
    return final
  }

  /** Another's words, made up by the model: a dialogue goes on, or it was a word with a colon. */
  #dialogue(final: boolean): boolean {
    const speaker = OTHER_SPEAKER.exec(this.#unread.trimStart())?.[1]?.toLowerCase()
    if (OWN_TURN.test(this.#unread) || (final && speaker === 'human')) {
      this.over = true
      return true
    }
    if (!final && this.#unread.length < MAX_DIALOGUE) return false
    this.#stage = 'text'
    this.#looked = true
    return true
  }

  #call(final: boolean): boolean {
    const end = this.#callEnd?.exec(this.#unread)
    if (end) {
      this.#unread = this.#unread.slice(end.index + end[0].length)
      this.#stage = this.#said ? 'text' : 'opening'
      return true
    }
    if (final) this.#unread = ''
    return final
  }

  /** JSON, or a fence with a call in it: what it says is said, a call is nothing said. */
  #whole(final: boolean): boolean {
    if (!final && this.#unread.length < MAX_WHOLE) return false
    this.#stage = 'text'
    const fence = FENCE.exec(this.#unread)?.[0] ?? ''
    const body = this.#unread.slice(fence.length)
    const close = fence === '' ? null : /\n```[ \t]*(?:\n|$)/u.exec(body)
    const code = close === null ? body : body.slice(0, close.index)
    const json = fence.includes('tool_') ? code : jsonAt(code.trimStart())
    const said = this.#meant(json)
    if (said === null) return true
    const rest =
      close === null
        ? body.trimStart().slice(json.length)
        : body.slice(close.index + close[0].length)
    this.#unread = said === '' ? rest : said + rest
    if (said === '') this.#stage = 'opening'
    return true
  }

  /** What a piece of JSON or code says; empty for a call, null where it is what was asked for. */
  #meant(code: string): string | null {
    const { tools } = this.#context
    if (tools.some((name) => new RegExp(String.raw`^\s*(?:print\()?${name}\(`, 'u').test(code)))
      return ''
    const value = parseJson(code)
    if (!isObject(value)) return null
    if (CALL_KEYS.some((key) => tools.includes(String(value[key])))) return ''
    const said = ANSWER_KEYS.map((key) => value[key]).find((one) => typeof one === 'string')
    return typeof said === 'string' && Object.keys(value).length <= 4 ? said : null
  }

  #say(words: string, read: number): void {
    this.#unread = this.#unread.slice(read)
    const text = this.#break === '' ? words : this.#broken(words.trimStart())
    if (text === '') return
    this.#out += text
    this.#line = text.includes('\n') ? lastLine(text) : this.#line + text
    this.#said ||= text.trim() !== ''
    this.#struck ||= text.includes('<s>')
    const line = lastLine(text)
    this.#lineEmpty = line.trim() === '' && (line.length < text.length || this.#lineEmpty)
  }

  /** Words behind a tag, on the line that it begins. */
  #broken(words: string): string {
    if (words === '') return ''
    const put = this.#said ? this.#break : this.#break.trimStart()
    this.#break = ''
    // A line that has just ended is ended once.
    return (this.#line === '' ? put.replace(/^\n/u, '') : put) + words
  }
}

/** The sign that an entity of HTML stands for. */
const signOf = (entity: string): string =>
  entity.startsWith('&#')
    ? String.fromCodePoint(Number(entity.slice(2, -1)))
    : ({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }[entity.slice(1, -1)] ?? "'")

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

/** Where what may still become a mark begins: no mark is longer than what is looked at. */
function decidedEnd(text: string): number {
  const from = Math.max(0, text.length - MAX_MARK)
  const undecided = UNDECIDED.exec(text.slice(from))
  return undecided === null ? text.length : from + undecided.index
}

const LINE_LABELS = [...LETTER_LABELS.sources, 'user', 'human']

/** Whether the beginning of a line may still become a label. */
function mayBecome(text: string, labels: readonly string[]): boolean {
  if (text.length > MAX_LABEL) return false
  const begun = LABEL_BEGINNING.exec(text)
  if (begun === null) return false
  const word = (begun[1] ?? '').trimEnd().toLowerCase()
  return labels.some((label) => label.startsWith(word))
}

/** The object that a text begins with, up to the bracket that closes it. */
function jsonAt(text: string): string {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const c = text.charAt(at)
    if (c === '\\') at++
    else if (c === '"') quoted = !quoted
    else if (!quoted && c === '{') depth++
    else if (!quoted && c === '}' && --depth === 0) return text.slice(0, at + 1)
  }
  return text
}
