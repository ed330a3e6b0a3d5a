import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { once } from './once'

export type { MarkedToken, Token, Tokens }

/** Lists and quotes in each other: what lies deeper is read as text. */
const MAX_DEPTH = 16
/** Blocks, list items and cells: what a text may be made of and still fit into an isolate. */
const MAX_PARTS = 400_000
/** Longer running text is read in pieces: an open mark is looked for up to the end, each time anew. In long texts they are shorter. */
const MAX_RUN = 8000
const MIN_RUN = 1000
const MAX_STEPS = 160_000_000
/** Characters of a heading that is underlined, with its line. */
const MAX_UNDERLINED = 1000

const ENTITIES: Record<string, string> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
}

/** A whole text, read as Markdown. */
export interface Markdown {
  blocks: MarkedToken[]
  /** The running text of a block: links by reference are resolved. Read when it is asked for, so that one block at a time lies in memory. */
  inline(text: string): MarkedToken[]
}

export type ReadMarkdown = (source: string) => Markdown

/** The line of a table's header, and the one below it. */
const TABLE_HEAD = /^[^\n]*\n([ :|-]+)(?=\n|$)/

/** What running text must hold to be anything but text. To look for it is far less than to read it. */
const MEANS_SOMETHING = /[\\`*_~<[&@]|:\/\/|www\.|(?:mailto|xmpp):| {2}\n/iu

/** The one reader of whole Markdown texts. Throws a RangeError where a text has more parts than fit into memory. */
export const readMarkdown: ReadMarkdown = (source) => {
  const tokenizer = new BoundedTokenizer()
  const lexer = new BoundedLexer({ gfm: true, tokenizer })
  tokenizer.rules.block = blockRules()
  // Without the inner tokens, which `lex` would read for all blocks at once.
  const run = Math.min(MAX_RUN, Math.max(MIN_RUN, MAX_STEPS / source.length))
  const blocks = lexer.blockTokens(source.replace(/\r\n?/g, '\n'), lexer.tokens)
  return {
    blocks: blocks as MarkedToken[],
    inline: (text) =>
      MEANS_SOMETHING.test(text)
        ? cutRun(text, run).flatMap((piece) => lexer.readRun(piece))
        : [{ type: 'text', raw: text, text, escaped: false }],
  }
}

/** A paragraph ends above a table. Two lines tell one: marked's expression looks through all below them, anew at each line. */
const blockRules = once(() => {
  const { gfm } = Lexer.rules.block
  const table = gfm.table.source.slice(1)
  const begins = `${table.slice(0, table.indexOf('(?:\\n('))}(?:\\n|$)`
  return { ...gfm, paragraph: new RegExp(gfm.paragraph.source.replace(table, () => begins)) }
})

class BoundedLexer extends Lexer {
  #parts = 0

  /** Called once for the running text of each block, item and cell. */
  override inline(source: string, tokens: Token[] = []): Token[] {
    this.#parts += 1
    if (this.#parts > MAX_PARTS) throw new RangeError('The text has too many parts')
    return super.inline(source, tokens)
  }

  readRun(text: string): MarkedToken[] {
    this.state.inLink = false
    this.state.inRawBlock = false
    return this.inlineTokens(text) as MarkedToken[]
  }
}

class BoundedTokenizer extends Tokenizer {
  #depth = 0

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(source))
  }

  override list(source: string): Tokens.List | undefined {
    return this.#nested(() => super.list(source))
  }

  /** Where the first two lines are no table, its expression has taken all that follow before it is left. */
  override table(source: string): Tokens.Table | undefined {
    const [head, rule = ''] = TABLE_HEAD.exec(source) ?? []
    const isTable = head !== undefined && /[:|]/.test(rule) && super.table(head) !== undefined
    return isTable ? super.table(source) : undefined
  }

  /** Behind a paragraph its expression takes all that follows before the library sees that no tag begins there. */
  override html(source: string): Tokens.HTML | undefined {
    const isText =
      this.lexer.state.lastToken?.type === 'paragraph' &&
      !this.rules.other.htmlBeginRegex(4).test(source)
    return isText ? undefined : super.html(source)
  }

  /** Its expression looks for the underline through all lines below, from each block anew. */
  override lheading(source: string): Tokens.Heading | undefined {
    const isLong = source.length > MAX_UNDERLINED
    const near = isLong ? source.slice(0, source.lastIndexOf('\n', MAX_UNDERLINED) + 1) : source
    return super.lheading(near)
  }

  /** The lexer leaves the names of characters for a renderer of HTML; here they are what they stand for. */
  override inlineText(source: string): Tokens.Text | undefined {
    const token = super.inlineText(source)
    return token && { ...token, text: readEntities(token.text) }
  }

  #nested<T>(read: () => T): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}

/** Pieces that are short enough, cut after a line, else after a space, where there is one. */
function cutRun(text: string, limit: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > limit) {
    const line = rest.lastIndexOf('\n', limit - 1)
    const space = rest.lastIndexOf(' ', limit - 1)
    const end = line >= limit / 2 ? line : space >= limit / 2 ? space : limit - 1
    pieces.push(rest.slice(0, end + 1))
    rest = rest.slice(end + 1)
  }
  pieces.push(rest)
  return pieces
}

const readEntities = (text: string): string =>
  text.replace(/&(?:nbsp|amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
