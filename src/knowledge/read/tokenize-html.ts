import { Tokenizer } from 'htmlparser2'

export interface HtmlHandler {
  open(name: string, attributes: Map<string, string>): void
  close(name: string): void
  text(text: string): void
  comment?(text: string): void
}

/** The attributes that are kept, and how many characters of a value: no others, so that a hostile tag costs little. */
interface Wanted {
  names: ReadonlySet<string>
  maxValue: number
}

/** What matters to a reader of text. */
const OF_TEXT: Wanted = {
  names: new Set(['hidden', 'style', 'role', 'aria-hidden', 'colspan', 'rowspan']),
  maxValue: 500,
}

/**
 * Runs through HTML and reports tags and text as they are written. No tree is built and no tag is balanced, so time and
 * memory are linear in the source, however deep or broken it is.
 */
export function tokenizeHtml(
  source: string,
  handler: HtmlHandler,
  { names, maxValue }: Wanted = OF_TEXT,
): void {
  let name = ''
  let attribute = ''
  let value = ''
  let attributes = new Map<string, string>()
  const endTag = (selfClosing: boolean) => {
    handler.open(name, attributes)
    if (selfClosing && FOREIGN.has(name)) handler.close(name)
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname(start, end) {
        name = source.slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onopentagend: () => endTag(false),
      onselfclosingtag: () => endTag(true),
      onclosetag: (start, end) => handler.close(source.slice(start, end).toLowerCase()),
      onattribname(start, end) {
        attribute = end - start < 20 ? source.slice(start, end).toLowerCase() : ''
        value = ''
      },
      onattribdata(start, end) {
        if (names.has(attribute)) value += source.slice(start, Math.min(end, start + maxValue))
      },
      onattribentity(codepoint) {
        if (names.has(attribute)) value += String.fromCodePoint(codepoint)
      },
      onattribend() {
        if (names.has(attribute) && !attributes.has(attribute)) attributes.set(attribute, value)
      },
      ontext: (start, end) => handler.text(source.slice(start, end)),
      ontextentity: (codepoint) => handler.text(String.fromCodePoint(codepoint)),
      oncdata() {},
      oncomment: (start, end, offset) => handler.comment?.(source.slice(start, end - offset)),
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(source)
  tokenizer.end()
}

/** Elements that XML-minded authors close in place; on others HTML ignores the slash. */
const FOREIGN = new Set(['svg', 'math', 'iframe', 'object', 'canvas'])
