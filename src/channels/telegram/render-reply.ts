import { escapeHtml } from '../../platform/html'
import type { ReadMarkdown } from '../../text/markdown'
import type { OutboundReply, Piece } from '../channel'
import { cutRuns } from '../cut-text'
import { isWebAddress, type Run, readStyled, type Style } from '../styled-text'

/** Characters of one message once its markup is read, counted in UTF-16 as the Bot API counts. */
export const MESSAGE_LENGTH = 4096
const MARK = / ?\[\d{1,3}\]/g

/** A reply as messages in the Bot API's own HTML: only its own tags, everything else escaped. */
export function renderReply(reply: OutboundReply, readMarkdown: ReadMarkdown): Piece[] {
  const body = readBody(reply, readMarkdown)
  const pieces = cutRuns([...body, ...listSources(reply)], MESSAGE_LENGTH).map((runs) => ({
    html: runsToHtml(runs),
    plain: runs.map(({ text }) => text).join(''),
  }))
  const { options } = reply
  const last = pieces.length - 1
  return options ? pieces.map((piece, n) => (n < last ? piece : { ...piece, options })) : pieces
}

/** Where no source can be named, the marks that would lead to them say nothing. */
function readBody({ markdown, sources }: OutboundReply, read: ReadMarkdown): Run[] {
  const runs = readStyled(markdown, read)
  if (sources.length > 0) return runs
  return runs.map((run) =>
    run.style.code || run.style.block ? run : { ...run, text: run.text.replaceAll(MARK, '') },
  )
}

function listSources({ sources, sourcesTitle }: OutboundReply): Run[] {
  if (sources.length === 0) return []
  const lines = sources.flatMap(({ n, title, url }): Run[] => [
    { text: `\n[${n}] `, style: {} },
    { text: title, style: url !== null && isWebAddress(url) ? { href: url } : {} },
  ])
  return [{ text: '\n\n', style: {} }, { text: sourcesTitle, style: { bold: true } }, ...lines]
}

function runsToHtml(runs: readonly Run[]): string {
  let html = ''
  for (let i = 0; i < runs.length; ) {
    const quoted: Run[] = []
    while (runs[i]?.style.quote || (quoted.length > 0 && isBreakInQuote(runs, i))) {
      quoted.push(runs[i] as Run)
      i += 1
    }
    if (quoted.length > 0) {
      html += `<blockquote>${quoted.map(runToHtml).join('')}</blockquote>`
      continue
    }
    html += runToHtml(runs[i] as Run)
    i += 1
  }
  return html
}

/** Lines of one quotation stay together. */
const isBreakInQuote = (runs: readonly Run[], i: number) =>
  runs[i]?.text === '\n' && runs[i + 1]?.style.quote === true

function runToHtml({ text, style }: Run): string {
  const escaped = escapeHtml(text)
  if (style.block) return `<pre>${escaped}</pre>`
  if (style.code) return `<code>${escaped}</code>`
  if (text.trim() === '') return escaped
  return wrap(escaped, style)
}

function wrap(html: string, { bold, italic, strike, href }: Style): string {
  let wrapped = html
  if (strike) wrapped = `<s>${wrapped}</s>`
  if (italic) wrapped = `<i>${wrapped}</i>`
  if (bold) wrapped = `<b>${wrapped}</b>`
  return href === undefined ? wrapped : `<a href="${escapeHtml(href)}">${wrapped}</a>`
}
