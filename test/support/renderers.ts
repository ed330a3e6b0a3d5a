import { Parser } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { Marked } from 'marked'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

const marked = new Marked({ gfm: true })
const markdownIt = new MarkdownIt({ html: true, linkify: true })
// Its own refusals would hide what reaches it.
markdownIt.validateLink = () => true

/** What stands for the renderers of our callers, each as careless as it can be set. */
export const RENDERERS: Record<string, (markdown: string) => string> = {
  micromark: (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  marked: (markdown) => {
    try {
      return marked.parse(markdown, { async: false })
    } catch (error) {
      // It trips over some lists in quotes: then it shows nothing.
      if (error instanceof TypeError) return ''
      throw error
    }
  },
  'markdown-it': (markdown) => markdownIt.render(markdown),
}

/** What Markdown itself makes; anything else was raw HTML. */
const ELEMENTS: Record<string, readonly string[]> = {
  a: [
    'href',
    'title',
    'id',
    'class',
    'data-footnote-ref',
    'data-footnote-backref',
    'aria-label',
    'aria-describedby',
  ],
  blockquote: [],
  br: [],
  code: ['class'],
  del: [],
  em: [],
  h1: [],
  h2: ['id', 'class'],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  img: ['src', 'alt', 'title'],
  input: ['type', 'disabled', 'checked'],
  li: ['id', 'class'],
  ol: ['start'],
  p: [],
  pre: [],
  s: [],
  section: ['data-footnotes', 'class'],
  strong: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['align', 'style'],
  th: ['align', 'style'],
  thead: [],
  tr: [],
  ul: ['class'],
}
const HERE = 'https://here.invalid'

/** What a page shows that PI4 and BR4 forbid: images from elsewhere, links with other schemes, raw HTML. */
export function forbidden(html: string, imagePrefixes: readonly string[]): string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      const allowed = ELEMENTS[name]
      for (const attribute of Object.keys(attributes))
        if (allowed?.includes(attribute) !== true) found.push(`${name} ${attribute}`)
      if (allowed === undefined) found.push(`<${name}>`)
      if (name === 'input' && attributes.type !== 'checkbox') found.push('<input>')
      if (name === 'img' && !isOwnImage(attributes.src ?? '', imagePrefixes))
        found.push(`image ${attributes.src}`)
      if (name === 'a' && attributes.href !== undefined && !isSafeLink(attributes.href))
        found.push(`link ${attributes.href}`)
    },
    oncomment: () => found.push('<!-- -->'),
    onprocessinginstruction: (name) => found.push(`<${name}>`),
  })
  parser.end(html)
  return found
}

function isOwnImage(src: string, prefixes: readonly string[]): boolean {
  const address = URL.parse(src, HERE)
  return (
    address !== null &&
    prefixes.some((prefix) => address.href.startsWith(new URL(prefix, HERE).href))
  )
}

function isSafeLink(href: string): boolean {
  const protocol = URL.parse(href, HERE)?.protocol
  return protocol === undefined || ['http:', 'https:', 'mailto:'].includes(protocol)
}
