import { DOCUMENT_LIMITS } from '../../config/limits'
import { isObject } from '../../text/json'
import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { checkLength, ReadRefusal } from './read-refusal'

/** A longer value is a text of its own. */
const CELL = 120

/**
 * Reads JSON as lines `path: value`. A list of records of a few short values is a table, any other gives one paragraph a record;
 * the members of the outermost object that hold more than a value get a heading.
 */
export function readJson(source: string): ParsedDocument {
  let value: unknown
  try {
    value = JSON.parse(source, asWritten as (name: string, value: unknown) => unknown)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw new ReadRefusal(
      'The file is not valid JSON. Check it with a JSON validator and upload it again.',
    )
  }
  const builder = new DocumentBuilder()
  if (isObject(value)) {
    builder.paragraph(flatten(Object.entries(value).filter(([, member]) => !isContainer(member))))
    for (const [name, member] of Object.entries(value)) {
      if (!isContainer(member)) continue
      builder.heading(1, name)
      addContainer(builder, member)
    }
  } else {
    addContainer(builder, value)
  }
  return builder.finish(isObject(value) && typeof value.title === 'string' ? value.title : null)
}

/** A number of ours has 16 digits, and no 0 at its end: an order's number may have more, and 1.10 is a version, or a price. */
const asWritten = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' ? (source ?? value) : value

function addContainer(builder: DocumentBuilder, value: unknown): void {
  if (Array.isArray(value) && value.length > 1 && value.every(isRow)) {
    builder.table(value.map(formatRow))
  } else if (Array.isArray(value) && value.some(isContainer)) {
    for (const record of value) builder.paragraph(flattenAny(record))
  } else {
    builder.paragraph(flattenAny(value))
  }
}

/** A record that reads as a row: nothing in it goes on over several lines. */
function isRow(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const cells = Object.values(value).map((cell) => (isContainer(cell) ? null : formatScalar(cell)))
  return cells.every((cell) => cell !== null && cell.length <= CELL && !cell.includes('\n'))
}

const formatRow = (record: Record<string, unknown>): string =>
  Object.entries(record)
    .map(([name, value]) => [name, formatScalar(value).replaceAll('|', '/').trim()])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(' | ')

function flattenAny(value: unknown): string {
  if (isObject(value)) return flatten(Object.entries(value))
  if (Array.isArray(value)) return flatten(value.map((member, i) => [`[${i}]`, member]))
  return formatScalar(value)
}

function flatten(members: [string, unknown][]): string {
  const lines = new Lines()
  for (const [path, member] of members) collect(path, member, 1, lines)
  return lines.join()
}

/** Long names repeat in every path below them, so what has been collected is counted. */
class Lines {
  readonly #lines: string[] = []
  #length = 0

  add(path: string, value: string): void {
    this.#length += path.length + value.length
    checkLength(this.#length)
    this.#lines.push(`${path}: ${value}`)
  }

  join(): string {
    return this.#lines.join('\n')
  }
}

function collect(path: string, value: unknown, depth: number, lines: Lines): void {
  if (depth > DOCUMENT_LIMITS.jsonDepth) throw tooDeep()
  if (Array.isArray(value)) {
    if (value.some(isContainer)) {
      for (const [i, member] of value.entries()) collect(`${path}[${i}]`, member, depth + 1, lines)
    } else if (value.length > 0) {
      lines.add(path, value.map(formatScalar).join(', '))
    }
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      collect(`${path}.${name}`, member, depth + 1, lines)
    }
  } else if (value !== null && value !== '') {
    lines.add(path, formatScalar(value))
  }
}

const tooDeep = () =>
  new ReadRefusal(`The JSON is nested more than ${DOCUMENT_LIMITS.jsonDepth} levels deep.`)

function formatScalar(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : String(value)
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
