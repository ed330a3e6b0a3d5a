import { Gunzip } from 'fflate'
import { SITES } from '../../config/limits'
import { joinBytes } from '../../platform/crypto/bytes'
import { decodeText } from '../../platform/uploads/decode-text'
import { inflateCapped } from '../../platform/uploads/inflate-capped'
import { hasBytes } from '../../platform/uploads/magic'
import { parseXml } from './parse-xml'
import { ReadRefusal } from './read-refusal'
import { tokenizeHtml } from './tokenize-html'

const WANTED = new Set(['href', 'rel'])

/** Addresses that a page links to, in their order and each once; links that ask not to be followed are left out. */
export function readLinks(bytes: Uint8Array, pageUrl: URL): URL[] {
  const found = new Map<string, URL>()
  let base = pageUrl
  const wanted = { names: WANTED, maxValue: SITES.urlLength }
  const open = (name: string, attributes: Map<string, string>) => {
    const href = attributes.get('href')
    if (href === undefined || found.size >= SITES.linksPerPage) return
    const url = URL.parse(href.trim(), base)
    if (name === 'base' && url) base = url
    if (name !== 'a' || !url || /\bnofollow\b/i.test(attributes.get('rel') ?? '')) return
    url.hash = ''
    found.set(url.href, url)
  }
  const handler = { open, close() {}, text() {} }
  const decoded = decodeText(bytes)
  if (decoded.ok) tokenizeHtml(decoded.text, handler, wanted)
  return [...found.values()]
}

/** What a site map (sitemaps.org, version 0.9), packed or not, names: pages, or further maps. What cannot be read names nothing. */
export function readSitemap(bytes: Uint8Array): { pages: URL[]; maps: URL[] } {
  const pages: URL[] = []
  const maps: URL[] = []
  const within: string[] = []
  let text = ''
  try {
    parseXml(unpacked(bytes), {
      open(name) {
        within.push(name)
        text = ''
      },
      text(piece) {
        if (within.at(-1) === 'loc') text += piece
      },
      close(name) {
        within.pop()
        const url = name === 'loc' ? URL.parse(text.trim()) : null
        const list = within.at(-1) === 'sitemap' ? maps : pages
        if (url && list.length < SITES.mostPages) list.push(url)
      },
    })
  } catch (error) {
    if (!(error instanceof ReadRefusal)) throw error
  }
  return { pages, maps }
}

/** A file of gzip: what it holds, as far as a map is read. */
function unpacked(bytes: Uint8Array): Uint8Array {
  if (!hasBytes(bytes, 0, [0x1f, 0x8b])) return bytes
  const pieces: Uint8Array[] = []
  inflateCapped(bytes, SITES.mapBytes, (piece) => pieces.push(piece), Gunzip)
  return joinBytes(pieces)
}
