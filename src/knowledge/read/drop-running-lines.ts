import type { PdfLine } from './pdf-lines'

const MIN_PAGES = 4
/** Lines looked at, from the top and from the bottom of each page. */
const EDGE_LINES = 2
/** Share of the pages on which a line must return, and on which page numbers must run on. */
const REPEATED_SHARE = 0.4
const NUMBERED_SHARE = 0.3
const MIN_REPEATS = 3

/**
 * Takes out running heads and page numbers: lines at the edge of a page that return on many pages, and those that start or end
 * with a number that counts the pages.
 */
export function dropRunningLines(pages: readonly PdfLine[][]): PdfLine[][] {
  const filled = pages.filter((lines) => lines.length > 0).length
  if (filled < MIN_PAGES) return [...pages]
  const edges = pages.map(findEdges)
  const repeats = countOncePerPage(edges, (_, key) => [key])
  const offsets = countOncePerPage(edges, (line, _, page) => findNumbers(line, page))
  const offset = findMost(offsets)
  const isNumbered = (offsets.get(offset) ?? 0) >= Math.max(MIN_REPEATS, filled * NUMBERED_SHARE)
  const isRunning = (line: PdfLine, page: number): boolean => {
    const key = edges[page]?.get(line)
    if (key === undefined) return false
    if (isNumbered && findNumbers(line, page).includes(offset)) return true
    return (repeats.get(key) ?? 0) >= Math.max(MIN_REPEATS, filled * REPEATED_SHARE)
  }
  return pages.map((lines, page) => lines.filter((line) => !isRunning(line, page)))
}

/** The lines at the edges of a page with the key under which they are counted. */
function findEdges(lines: readonly PdfLine[]): Map<PdfLine, string> {
  const byHeight = lines.toSorted((a, b) => b.y - a.y)
  const edges = new Map<PdfLine, string>()
  for (const line of byHeight.slice(0, EDGE_LINES)) edges.set(line, `top ${makeKey(line)}`)
  for (const line of byHeight.slice(-EDGE_LINES)) {
    if (!edges.has(line)) edges.set(line, `bottom ${makeKey(line)}`)
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
