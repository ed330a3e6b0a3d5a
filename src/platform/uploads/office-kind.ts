import { ARCHIVE_LIMITS, MIB } from '../../config/limits'
import { joinBytes } from '../crypto/bytes'
import { inflateCapped } from './inflate-capped'
import { hasAscii } from './magic'
import { locateData, readZipDirectory, type ZipRecord } from './zip-directory'

export type OfficeKind = 'docx' | 'pptx' | 'xlsx'

const MAIN_PARTS: readonly [string, OfficeKind][] = [
  ['wordprocessingml.document.main+xml', 'docx'],
  ['presentationml.presentation.main+xml', 'pptx'],
  ['spreadsheetml.sheet.main+xml', 'xlsx'],
]
const MAX_TYPES_BYTES = 1 * MIB

/**
 * Which Office Open XML format a ZIP is, by the content types it declares. 'unsupported' for other document formats that are
 * ZIP files (with macros, templates, OpenDocument, EPUB), null for a plain archive.
 */
export function findOfficeKind(bytes: Uint8Array): OfficeKind | 'unsupported' | null {
  const directory = readZipDirectory(bytes, ARCHIVE_LIMITS.entries)
  if (!directory.ok) return null
  const types = directory.records.find((record) => isNamed(record, '[Content_Types].xml'))
  if (types) {
    const declared = readPart(bytes, types)
    return MAIN_PARTS.find(([type]) => declared.includes(type))?.[1] ?? 'unsupported'
  }
  return isOtherDocument(bytes, directory.records) ? 'unsupported' : null
}

/** OpenDocument and EPUB. By their rules `mimetype` comes first and as it is; not every program keeps to them. */
function isOtherDocument(bytes: Uint8Array, records: readonly ZipRecord[]): boolean {
  const find = (name: string) => records.find((record) => isNamed(record, name))
  const said = find('mimetype')
  if (said && (said === records[0] || /^\s*application\//u.test(readPart(bytes, said)))) return true
  if (find('META-INF/container.xml')) return true
  return find('META-INF/manifest.xml') !== undefined && find('content.xml') !== undefined
}

function isNamed(record: ZipRecord, name: string): boolean {
  return record.rawName.length === name.length && hasAscii(record.rawName, 0, name)
}

function readPart(bytes: Uint8Array, record: ZipRecord): string {
  const place = locateData(bytes, record)
  if (!place) return ''
  const data = bytes.subarray(place.start, Math.min(place.end, place.start + MAX_TYPES_BYTES))
  if (record.method === 0) return new TextDecoder().decode(data)
  const pieces: Uint8Array[] = []
  inflateCapped(data, MAX_TYPES_BYTES, (piece) => pieces.push(piece))
  return new TextDecoder().decode(joinBytes(pieces))
}
