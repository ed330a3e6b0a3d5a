import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { type Cell, formatRows, isShort } from './format-rows'
import { OfficePackage } from './office-package'
import { parseXml } from './parse-xml'
import { readCoreTitle } from './read-core-title'
import { checkLength, ReadRefusal } from './read-refusal'
import { type CellFormat, formatCell, readCellFormats } from './xlsx-formats'

/** So much is looked at of what a sheet says of merged cells. */
const MOST_MERGES = 20_000
const MOST_COLUMNS = 200

/** Reads a workbook: a heading a sheet, each row one line that names its columns. Hidden sheets are left out. */
export function readXlsx(bytes: Uint8Array): ParsedDocument {
  const office = new OfficePackage(bytes)
  const main = office.findMain('xl/workbook.xml')
  const relationships = office.relationships(main)
  const related = (type: string) => {
    const found = relationships.find((relationship) => relationship.type === type)
    return found ? office.read(found.target) : null
  }
  const workbook = readWorkbook(office.read(main))
  const context = {
    strings: readSharedStrings(related('sharedStrings')),
    formats: readCellFormats(related('styles')),
    date1904: workbook.date1904,
  }
  const targets = new Map(relationships.map(({ id, target }) => [id, target]))
  const builder = new DocumentBuilder()
  for (const { name, relationshipId } of workbook.sheets) {
    const target = targets.get(relationshipId)
    const part = target ? office.read(target) : null
    const lines = part ? formatRows(readRows(part, context)) : []
    if (lines.length === 0) continue
    builder.heading(1, name)
    builder.table(lines)
  }
  return builder.finish(readCoreTitle(office))
}

interface Workbook {
  sheets: { name: string; relationshipId: string }[]
  date1904: boolean
}

function readWorkbook(part: Uint8Array | null): Workbook {
  if (!part) throw new ReadRefusal('The workbook is damaged: its list of sheets is missing.')
  const workbook: Workbook = { sheets: [], date1904: false }
  parseXml(part, {
    open(name, attributes) {
      if (name === 'workbookPr') workbook.date1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      workbook.sheets.push({
        name: attributes.name ?? '',
        relationshipId: attributes['r:id'] ?? '',
      })
    },
  })
  return workbook
}

/** The strings cells refer to by number; phonetic guides are left out. */
function readSharedStrings(part: Uint8Array | null): string[] {
  const strings: string[] = []
  if (!part) return strings
  let pieces: string[] = []
  let inText = false
  let inGuide = false
  parseXml(part, {
    open(name) {
      if (name === 'si') pieces = []
      else if (name === 'rPh') inGuide = true
      else if (name === 't') inText = true
    },
    close(name) {
      if (name === 'si') strings.push(pieces.join(''))
      else if (name === 'rPh') inGuide = false
      else if (name === 't') inText = false
    },
    text(text) {
      if (inText && !inGuide) pieces.push(text)
    },
  })
  return strings
}

interface SheetContext {
  strings: readonly string[]
  formats: readonly CellFormat[]
  date1904: boolean
}

function readRows(part: Uint8Array, context: SheetContext): Cell[][] {
  const rows: Cell[][] = []
  let length = 0
  let row: Cell[] = []
  let column = -1
  let type = ''
  let format: CellFormat = 'plain'
  let pieces: string[] = []
  let inValue = false
  const byNumber = new Map<number, Cell[]>()
  let number = 0
  const merged: string[] = []
  parseXml(part, {
    open(name, attributes) {
      if (name === 'mergeCell') merged.push(attributes.ref ?? '')
      else if (name === 'row') {
        row = []
        column = -1
        number = Number(attributes.r) || number + 1
      } else if (name === 'c') {
        column = attributes.r ? parseColumn(attributes.r) : column + 1
        type = attributes.t ?? 'n'
        format = context.formats[Number(attributes.s ?? 0)] ?? 'plain'
        pieces = []
      } else if (name === 'v' || name === 't') inValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'row' && row.length > 0) {
        rows.push(row)
        byNumber.set(number, row)
      } else if (name === 'c') {
        const text = readCell(pieces.join(''), type, format, context)
        length += text.length
        checkLength(length)
        if (text) row.push({ column, text })
      }
    },
    text(text) {
      if (inValue) pieces.push(text)
    },
  })
  mergeCells(byNumber, merged)
  return rows
}

function readCell(value: string, type: string, format: CellFormat, context: SheetContext): string {
  if (type === 's') return context.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') return ''
  if (type === 'n' && value !== '') return formatCell(Number(value), format, context.date1904)
  return value
}

/**
 * What a merged cell says stands in the rows that it covers as well, if it is short. The sheet names merged cells below its
 * rows.
 */
function mergeCells(rows: ReadonlyMap<number, Cell[]>, references: readonly string[]): void {
  const found = new Map<number, Map<number, Cell>>()
  const cellsOf = (number: number) => {
    const known = found.get(number)
    if (known) return known
    const near = (rows.get(number) ?? []).filter(({ column }) => column <= MOST_COLUMNS)
    const cells = new Map(near.map((cell) => [cell.column, cell]))
    found.set(number, cells)
    return cells
  }
  let copies = 0
  for (const reference of references.slice(0, MOST_MERGES)) {
    const [from = '', to = ''] = reference.split(':')
    const column = parseColumn(from)
    const first = rowOf(from)
    const cell = cellsOf(first).get(column)
    if (!cell) continue
    cell.columns = Math.min(Math.max(parseColumn(to) - column + 1, 1), MOST_COLUMNS)
    if (!isShort(cell.text)) continue
    for (let number = first + 1; number <= rowOf(to) && copies < MOST_MERGES; number++, copies++) {
      // What a place says already, by a cell or by a merged one, it says once.
      if (cellsOf(number).has(column)) continue
      const copy = { ...cell }
      cellsOf(number).set(column, copy)
      rows.get(number)?.push(copy)
    }
  }
  if (copies > 0) for (const row of rows.values()) row.sort((a, b) => a.column - b.column)
}

const rowOf = (reference: string): number => Number(/(?<!\d)\d+$/.exec(reference)?.[0])

/** `BC12` is column 54, counted from 0. */
function parseColumn(reference: string): number {
  let column = 0
  for (const char of reference.slice(0, 4)) {
    const digit = char.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column - 1
}
