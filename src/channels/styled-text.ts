/** How a stretch of text looks. `block` is preformatted text of its own. */
export interface Style {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  block?: boolean
  quote?: boolean
  href?: string
}

export interface Run {
  text: string
  style: Style
}

const PLAIN: Style = {}
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/
const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** Longer lines stay text, so that the work stays small. */
const MAX_LINE = 8000

/** Markdown as stretches of text with their looks: what a messenger can show of it. Raw HTML stays text. */
export function readStyled(markdown: string): Run[] {
  const lines = markdown.replaceAll(/\r\n?/g, '\n').split('\n')
  const runs: Run[] = []
  const add = (text: string, style: Style) => text && runs.push({ text, style })
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (i > 0) add('\n', PLAIN)
    const fence = FENCE.exec(line)?.[1]
    if (fence) {
      const end = lines.findIndex((other, n) => n > i && closes(other, fence))
      const last = end < 0 ? lines.length : end
      add(lines.slice(i + 1, last).join('\n'), { block: true })
      i = last
      continue
    }
    if (TABLE_ROW.test(line)) {
      let last = i
      while (TABLE_ROW.test(lines[last + 1] ?? '') || TABLE_RULE.test(lines[last + 1] ?? '')) last++
      const rows = lines.slice(i, last + 1).filter((row) => !TABLE_RULE.test(row))
      add(rows.map((row) => row.trim()).join('\n'), { block: true })
      i = last
      continue
    }
    runs.push(...readLine(line))
  }
  return runs
}

const closes = (line: string, fence: string) =>
  line.trimStart().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '`', '') === ''

function readLine(line: string): Run[] {
  if (line.length > MAX_LINE) return [{ text: line, style: PLAIN }]
  if (RULE.test(line)) return [{ text: '———', style: PLAIN }]
  const heading = HEADING.exec(line)
  if (heading) return readInline(heading[1] ?? '', { bold: true })
  const quote = QUOTE.exec(line)
  if (quote) return readInline(quote[1] ?? '', { quote: true })
  const item = ITEM.exec(line)
  if (!item) return readInline(line, PLAIN)
  const [, indent = '', , number, box, text = ''] = item
  const mark =
    box === undefined ? (number === undefined ? '•' : `${number}.`) : box === ' ' ? '☐' : '☑'
  return [{ text: `${indent}${mark} `, style: PLAIN }, ...readInline(text, PLAIN)]
}

const PAIRS: { mark: string; style: Style }[] = [
  { mark: '***', style: { bold: true, italic: true } },
  { mark: '**', style: { bold: true } },
  { mark: '__', style: { bold: true } },
  { mark: '~~', style: { strike: true } },
  { mark: '*', style: { italic: true } },
  { mark: '_', style: { italic: true } },
]
const ESCAPED = /^\\([!-/:-@[-`{-~])/
const CODE = /^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/
const LINK = /^(!?)\[([^\]\n]*)\]\(\s*(<[^>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+"[^"\n]*")?\s*\)/
const AUTO = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/i
const WORD = /[\p{L}\p{N}_]/u
/** Deeper nesting is not read as markup; it also bounds the work. */
const MAX_DEPTH = 4

function readInline(text: string, style: Style, depth = 0): Run[] {
  const runs: Run[] = []
  let plain = ''
  const flush = () => {
    if (plain) runs.push({ text: plain, style })
    plain = ''
  }
  for (let i = 0; i < text.length; ) {
    const found = depth < MAX_DEPTH ? readMarkup(text, i, style, depth) : null
    if (found) {
      flush()
      runs.push(...found.runs)
      i = found.end
      continue
    }
    const escaped = text[i] === '\\' ? ESCAPED.exec(text.slice(i, i + 2))?.[1] : undefined
    plain += escaped ?? text[i]
    i += escaped === undefined ? 1 : 2
  }
  flush()
  return runs
}

function readMarkup(
  text: string,
  i: number,
  style: Style,
  depth: number,
): { runs: Run[]; end: number } | null {
  const char = text[i] ?? ''
  if (char === '`') {
    const match = CODE.exec(text.slice(i))
    if (!match) return null
    return {
      runs: [{ text: match[2] ?? '', style: { ...style, code: true } }],
      end: i + match[0].length,
    }
  }
  if (char === '[' || char === '!') return readLink(text, i, style, depth)
  if (char === '<') {
    const match = AUTO.exec(text.slice(i))
    const address = match?.[1] ?? ''
    if (!match || !isWebAddress(address)) return null
    return {
      runs: [{ text: address, style: { ...style, href: address } }],
      end: i + match[0].length,
    }
  }
  for (const { mark, style: added } of PAIRS) {
    if (!text.startsWith(mark, i)) continue
    const end = closing(text, i, mark)
    if (end < 0) continue
    const inner = text.slice(i + mark.length, end)
    return { runs: readInline(inner, { ...style, ...added }, depth + 1), end: end + mark.length }
  }
  return null
}

/** Where the pair that opens at `i` closes: right behind a word, on the same line; -1 where it does not. */
function closing(text: string, i: number, mark: string): number {
  const first = text[i + mark.length] ?? ' '
  if (/\s/.test(first)) return -1
  const isUnder = mark.startsWith('_')
  if (isUnder && WORD.test(text[i - 1] ?? '')) return -1
  for (let at = text.indexOf(mark, i + mark.length + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    const after = text[at + mark.length] ?? ''
    const isLonger = mark.length === 1 && (after === mark || text[at - 1] === mark)
    if (/\s/.test(text[at - 1] ?? ' ') || isLonger || (isUnder && WORD.test(after))) continue
    return at
  }
  return -1
}

/** A picture becomes a link to it: nothing is loaded that the reader did not open. */
function readLink(
  text: string,
  i: number,
  style: Style,
  depth: number,
): { runs: Run[]; end: number } | null {
  const match = LINK.exec(text.slice(i))
  if (!match) return null
  const [whole, , label = '', target = ''] = match
  const address = target.replace(/^<|>$/g, '')
  const inner = readInline(label || address, style, depth + 1)
  const runs = isWebAddress(address)
    ? inner.map((run) => ({ ...run, style: { ...run.style, href: address } }))
    : inner
  return { runs, end: i + whole.length }
}

/** Absolute, and of a scheme that a reply may link to. */
export function isWebAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && LINK_SCHEMES.has(url.protocol) && url.username === ''
}
