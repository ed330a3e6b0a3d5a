import Papa from 'papaparse'
import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { formatRows } from './format-rows'

/** Reads comma, semicolon, tab or pipe separated values; each row becomes one line that names its columns. */
export function readCsv(source: string): ParsedDocument {
  const { data } = Papa.parse<string[]>(source, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  const builder = new DocumentBuilder()
  builder.table(formatRows(data.map((row) => row.map((text, column) => ({ column, text })))))
  return builder.finish(null)
}
