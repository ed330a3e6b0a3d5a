import type { UsageReport, UsageRow } from './types'

const COLUMNS = [
  'key',
  'label',
  'requests',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'total_tokens',
  'estimated_tokens',
  'events',
] as const satisfies readonly (keyof UsageRow)[]

/** What a spreadsheet may take for a formula. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/

/** RFC 4180, under the API's own names; a `'` stands before a name that a spreadsheet would run. */
export function usageCsv({ rows }: Pick<UsageReport, 'rows'>): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])))
  return [COLUMNS, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
