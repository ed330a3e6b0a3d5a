import Papa from 'papaparse'
import { DOCUMENT_LIMITS } from '../../config'
import type { ParsedDocument } from '../types'
import { DocumentBuilder, ReadRefusal } from './document-builder'
import { formatRows } from './format-rows'

/** Reads comma, semicolon, tab or pipe separated values; each row becomes one line that names its columns. */
export function readCsv(source: string): ParsedDocument {
  const { data } = Papa.parse<string[]>(source, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  if (data.some((row) => row.length > DOCUMENT_LIMITS.columns)) {
    throw new ReadRefusal(`The table has more than ${DOCUMENT_LIMITS.columns} columns.`)
  }
  const builder = new DocumentBuilder()
  builder.table(formatRows(data))
  return builder.finish(null)
}
