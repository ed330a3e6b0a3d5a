import { countSizes, type PdfLine } from './pdf-lines'

const MIN_PAGES = 4
/** Lines looked at, from the top and from the bottom of each page. */
const EDGE_LINES = 2
/** Share of the pages on which a line must return, and on which page numbers must run on. */
const REPEATED_SHARE = 0.4
const NUMBERED_SHARE = 0.3
const MIN_REPEATS = 3
/** Heads that name the chapter: share of the pages whose first line stands at their height, and of those that begin like another. */
const PLACED_SHARE = 0.5
const SHARED_SHARE = 0.3
/** Points within which two lines stand at one height. */
const SAME_HEIGHT = 1.5
/** Letters by which the heads of one chapter, or all that begin with its word, are alike. */
const BEGINNING = 10
/** Space below a head as a multiple of its type size: more than between two lines of text. */
const HEAD_GAP = 1.8

/**
 * Takes out running heads and page numbers: lines at the edge of a page that return on many pages, those that start or end
 * with a number that counts the pages, and those that name each page's chapter at the place where the others name theirs.
 */
export function dropRunningLines(pages: readonly PdfLine[][]): PdfLine[][] {
  const filled = pages.filter((lines) => lines.length > 0).length
  if (filled < MIN_PAGES) return [...pages]
  const edges = pages.map(findEdges)
  const repeats = countOncePerPage(edges, (_, key) => [key])
  const offsets = countOncePerPage(edges, (line, _, page) => findNumbers(line, page))
  const offset = findMost(offsets)
  const isNumbered = (offsets.get(offset) ?? 0) >= Math.max(MIN_REPEATS, filled * NUMBERED_SHARE)
  const heads = findChapterHeads(pages, filled)
  const isRunning = (line: PdfLine, page: number): boolean => {
    if (heads.has(line)) return true
    const key = edges[page]?.get(line)
    if (key === undefined) return false
    if (isNumbered && findNumbers(line, page).includes(offset)) return true
    return (repeats.get(key) ?? 0) >= Math.max(MIN_REPEATS, filled * REPEATED_SHARE)
  }
  return pages.map((lines, page) => lines.filter((line) => !isRunning(line, page)))
}

/**
 * First lines that say in which chapter or section a page stands: no larger than the text, at one height on most pages, apart
 * from what follows, and some begin alike. First lines of text stand at one height as well, but close to the next, and each
 * begins as it likes.
 */
function findChapterHeads(pages: readonly PdfLine[][], filled: number): Set<PdfLine> {
  const body = findMost(countSizes(pages))
  const tops = pages.flatMap((lines) => {
    const [first, second] = lines.toSorted((a, b) => b.y - a.y).filter(isApart)
    if (!first || !second || first.size > body || first.y - second.y < first.size * HEAD_GAP)
      return []
    return [
      { height: first.y, lines: lines.filter(({ y }) => Math.abs(y - first.y) <= SAME_HEIGHT) },
    ]
  })
  const height = tops.map(({ height }) => height).sort((a, b) => a - b)[tops.length >> 1] ?? 0
  const heads = tops.filter((top) => Math.abs(top.height - height) <= SAME_HEIGHT)
  if (heads.length < Math.max(MIN_PAGES, filled * PLACED_SHARE)) return new Set()
  const keys = heads.map(({ lines }) => lines.map(makeKey).join(' ').slice(0, BEGINNING))
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const shared = keys.filter((key) => (counts.get(key) ?? 0) > 1).length
  if (shared < heads.length * SHARED_SHARE) return new Set()
  return new Set(heads.flatMap(({ lines }) => lines))
}

/** Of lines from top to bottom, those that do not stand beside the one before. */
const isApart = (line: PdfLine, at: number, all: readonly PdfLine[]): boolean =>
  at === 0 || (all[at - 1]?.y ?? 0) - line.y > SAME_HEIGHT

/** The lines at the edges of a page with the key under which they are counted. */
function findEdges(lines: readonly PdfLine[]): Map<PdfLine, string> {
  const byHeight = lines.toSorted((a, b) => b.y - a.y)
  const edges = new Map<PdfLine, string>()
  // The title in large type is no running head, whatever heads the pages behind it.
  const keyOf = (line: PdfLine) => `${line.size} ${makeKey(line)}`
  for (const line of byHeight.slice(0, EDGE_LINES)) edges.set(line, `top ${keyOf(line)}`)
  for (const line of byHeight.slice(-EDGE_LINES)) {
    if (!edges.has(line)) edges.set(line, `bottom ${keyOf(line)}`)
  }
  return edges
}

function makeKey({ text }: PdfLine): string {
  return text
    .slice(0, 200)
    .toLowerCase()
    .replace(/\d+|\b[ivxl]+\b/g, '#')
}

/** How far the numbers at both ends of a line are from the page's own place in the file. */
function findNumbers({ text }: PdfLine, page: number): number[] {
  const ends = [/^\d{1,4}(?!\S)/.exec(text.slice(0, 5)), /(?<!\S)\d{1,4}$/.exec(text.slice(-5))]
  return ends.filter((match) => match !== null).map((match) => Number(match[0]) - page)
}

function countOncePerPage<T>(
  edges: readonly Map<PdfLine, string>[],
  list: (line: PdfLine, key: string, page: number) => T[],
): Map<T, number> {
  const counts = new Map<T, number>()
  for (const [page, edge] of edges.entries()) {
    const found = new Set([...edge].flatMap(([line, key]) => list(line, key, page)))
    for (const value of found) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function findMost(counts: ReadonlyMap<number, number>): number {
  let most = 0
  for (const [value, count] of counts) if (count > (counts.get(most) ?? 0)) most = value
  return most
}
