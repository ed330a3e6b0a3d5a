import type { ListedEntry } from './list-audit'
import { AUDIT_FIELDS, auditCells } from './present-audit'

/** What a spreadsheet may take for a formula, also in full-width form, and what hides one from a check of the first character. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]/

/** One record: RFC 4180 quoting, and a `'` before a cell that a spreadsheet would run (rule AT3). Pure. */
export function csvRecord(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | null): string {
  if (value === null) return ''
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The trail as CSV, one piece at a time as the reader asks for it, so that memory stays flat whatever the trail's length.
 * @param next the entries that come after seq `below`, newest first; none at the end.
 * @param most entries
 */
export function streamAuditCsv(
  next: (below: number | null) => Promise<ListedEntry[]>,
  most = Number.POSITIVE_INFINITY,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let below: number | null = null
  let left = most
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(csvRecord(AUDIT_FIELDS)))
      },
      async pull(controller) {
        const rows = left > 0 ? (await next(below)).slice(0, left) : []
        const last = rows.at(-1)
        if (!last) return controller.close()
        below = last.seq
        left -= rows.length
        controller.enqueue(encoder.encode(rows.map((row) => csvRecord(auditCells(row))).join('')))
      },
    },
    { highWaterMark: 0 },
  )
}
