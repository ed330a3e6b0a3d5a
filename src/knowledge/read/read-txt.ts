import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { unwrapLines } from './unwrap-lines'

/** Reads plain text: paragraphs are separated by blank lines, hard-wrapped lines are joined. */
export function readTxt(source: string): ParsedDocument {
  const builder = new DocumentBuilder()
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) builder.paragraph(unwrapLines(lines).join('\n'))
    lines = []
  }
  for (const line of source.split(/\r\n?|\n/)) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed === '\f') flush()
    else lines.push(trimmed)
  }
  flush()
  return builder.finish(null)
}
