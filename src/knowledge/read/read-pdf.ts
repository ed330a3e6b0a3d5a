import { ARCHIVE_LIMITS, DOCUMENT_LIMITS, MINUTE_MS } from '../../config/limits'
import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { dropRunningLines } from './drop-running-lines'
import { guardPdf } from './guard-pdf'
import { addPdfPages } from './pdf-blocks'
import { findDepths, type PdfBookmark } from './pdf-bookmarks'
import { collectLines, type PdfItem, type PdfLine } from './pdf-lines'
import { cleanTitle } from './read-core-title'
import { ReadRefusal } from './read-refusal'

/** The parser is the caller's to find: this module may itself be one that was loaded late. */
export type LoadPdfLibrary = () => Promise<typeof import('./pdf.lazy')>

/** What we use of the parser's document. */
interface PdfDocument {
  numPages: number
  getPage(number: number): Promise<{
    streamTextContent(): ReadableStream<{
      items: (PdfItem | { type: string })[]
      /** By a font's name; the first piece that uses one brings it. */
      styles: Record<string, { fontFamily: string }>
    }>
    cleanup(): boolean
  }>
  getMetadata(): Promise<{ info: object }>
  getOutline(): Promise<PdfBookmark[] | null>
}

const DAMAGED =
  'The PDF is damaged. Open it in a viewer, print or export it to a new PDF and upload that.'
/** How the parser says that a document used up its budget (`scripts/bounded-pdf.mjs`). */
const OVER_BUDGET = 'too much work'
/** Signs that are as wide as each other in any type. */
const EQUALLY_WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A parser that sits idle over one step for this long has lost its way. */
const STEP_MS = MINUTE_MS

/**
 * Reads a PDF page by page: lines become paragraphs, larger type and what bookmarks name becomes headings, running heads and page numbers go.
 * Takes the bytes over: they are changed, and detached by the parser, because a second copy of a large file would not fit beside it.
 * Streams are measured before the parser sees the file (`guardPdf`), and its output is counted while it works.
 */
export async function readPdf(
  bytes: Uint8Array,
  loadLibrary: LoadPdfLibrary,
): Promise<ParsedDocument> {
  guardPdf(bytes)
  const { getDocument, CidMaps } = await loadLibrary()
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    useSystemFonts: true,
    disableFontFace: true,
    stopAtErrors: false,
    enableXfa: false,
    BinaryDataFactory: CidMaps,
    cMapPacked: false,
    useWorkerFetch: false,
  })
  try {
    const pdf: PdfDocument = await answer(task.promise).catch(refuseDamaged)
    if (pdf.numPages > ARCHIVE_LIMITS.pdfPages) {
      throw new ReadRefusal(
        `The PDF has ${pdf.numPages} pages; at most ${ARCHIVE_LIMITS.pdfPages} are allowed. Split it up.`,
      )
    }
    const pages = dropRunningLines(await readPages(pdf))
    checkText(pages)
    const bookmarks = await answer(pdf.getOutline()).catch(() => null)
    const builder = new DocumentBuilder()
    const firstHeading = addPdfPages(builder, pages, findDepths(bookmarks ?? []))
    return builder.finish((await readTitle(pdf)) ?? firstHeading)
  } finally {
    await task.destroy()
  }
}

/** What is left to spend on a document. */
interface Budget {
  items: number
  reads: number
  characters: number
}

async function readPages(pdf: PdfDocument): Promise<PdfLine[][]> {
  const pages: PdfLine[][] = []
  const budget: Budget = {
    items: DOCUMENT_LIMITS.pdfItems,
    reads: DOCUMENT_LIMITS.pdfReads,
    characters: DOCUMENT_LIMITS.textLength,
  }
  let unreadable = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      pages.push(collectLines(await answer(readItems(pdf, number, budget))))
    } catch (error) {
      if (error instanceof ReadRefusal) throw error
      if (error instanceof Error && error.message === OVER_BUDGET) refuseTooLarge()
      // One broken page does not spoil the others.
      unreadable += 1
      pages.push([])
    }
  }
  if (unreadable === pdf.numPages) refuseDamaged()
  return pages
}

async function readItems(pdf: PdfDocument, number: number, budget: Budget): Promise<PdfItem[]> {
  const page = await pdf.getPage(number)
  const reader = page.streamTextContent().getReader()
  const items: PdfItem[] = []
  const monos = new Set<string | undefined>()
  try {
    for (let reads = 1; ; reads++) {
      const { done, value } = await reader.read()
      if (done) return items
      for (const [name, { fontFamily }] of Object.entries(value.styles))
        if (fontFamily === 'monospace') monos.add(name)
      for (const item of value.items) {
        if (!('str' in item)) continue
        item.mono = monos.has(item.fontName) && !EQUALLY_WIDE.test(item.str)
        items.push(item)
        budget.items -= 1
        budget.characters -= item.str.length
      }
      budget.reads -= 1
      if (Math.min(...Object.values(budget)) < 0 || reads > DOCUMENT_LIMITS.pdfPageReads) {
        const refusal = new ReadRefusal('The PDF holds too much text. Split it into smaller files.')
        // Tells the parser to stop where it is; the next answer would otherwise still be worked out.
        await reader.cancel(refusal)
        throw refusal
      }
    }
  } finally {
    page.cleanup()
  }
}

/** Refuses documents in which nothing can be found: pictures of pages, and fonts that do not say what their glyphs mean. */
function checkText(pages: readonly PdfLine[][]): void {
  let letters = 0
  let unknown = 0
  for (const { text } of pages.flat()) {
    letters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    unknown += text.match(/[\p{Co}\ufffd]/gu)?.length ?? 0
  }
  if (letters === 0 && unknown === 0) {
    throw new ReadRefusal(
      'The PDF holds no text that can be read. If it is a scan, run text recognition (OCR) on it; otherwise export it anew with its fonts embedded.',
    )
  }
  if (unknown > letters) {
    throw new ReadRefusal(
      'The text of the PDF cannot be read: its fonts do not say which characters they show. Export it anew from the original.',
    )
  }
}

async function readTitle(pdf: PdfDocument): Promise<string | null> {
  const { info } = await answer(pdf.getMetadata()).catch(() => ({ info: {} }))
  const title = 'Title' in info ? info.Title : null
  return typeof title === 'string' ? cleanTitle(title) : null
}

function refuseTooLarge(): never {
  throw new ReadRefusal(
    'The PDF asks for more work than can be spent on one file. Split it up, or print or export it to a new PDF.',
  )
}

function refuseDamaged(): never {
  throw new ReadRefusal(DAMAGED)
}

/** What the parser answers. Throws `ReadRefusal` when it never does. */
async function answer<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ReadRefusal(DAMAGED)), STEP_MS)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
