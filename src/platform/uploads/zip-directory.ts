import { hasBytes, viewOf } from './magic'

/** One record of a ZIP central directory, as written; nothing in it is trusted yet. */
export interface ZipRecord {
  rawName: Uint8Array
  flags: number
  method: number
  crc: number
  compressedSize: number
  size: number
  unixMode: number
  /** UTF-8 name from the Info-ZIP extra field, with the CRC of the raw name it stands for. */
  unicodeName: { crc: number; bytes: Uint8Array } | null
  localOffset: number
}

export type ZipDirectory =
  | { ok: true; records: ZipRecord[]; directoryOffset: number }
  | { ok: false; reason: string }

const END_BYTES = 22
const RECORD_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT = 0xffff
const SIZE_IN_EXTRA = 0xffffffff
const ZIP64_EXTRA = 0x0001
const UNICODE_PATH_EXTRA = 0x7075

/** Reads the central directory of a ZIP file (APPNOTE 6.3.10, section 4.3). At most `maxEntries` records. */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipDirectory {
  const view = viewOf(bytes)
  const end = findEnd(bytes, view)
  if (end < 0) return refuse('The archive is damaged or incomplete: its directory is missing.')
  const count = view.getUint16(end + 10, true)
  const directorySize = view.getUint32(end + 12, true)
  const directoryOffset = view.getUint32(end + 16, true)
  if (view.getUint32(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) {
    return refuse('The archive is split over several files. Pack it as one ZIP file.')
  }
  if (count === 0xffff || directoryOffset === SIZE_IN_EXTRA) {
    return refuse('The archive uses the ZIP64 format. Pack fewer files as a plain ZIP file.')
  }
  if (count > maxEntries) {
    return refuse(`The archive holds ${count} entries; at most ${maxEntries} are allowed.`)
  }
  if (directoryOffset + directorySize > end) {
    return refuse('The archive is damaged: its directory does not fit into the file.')
  }
  const records: ZipRecord[] = []
  let position = directoryOffset
  const limit = directoryOffset + directorySize
  for (let n = 0; n < count; n++) {
    const record = readRecord(bytes, view, position, limit)
    if (!record) return refuse('The archive is damaged: its directory cannot be read.')
    records.push(record.record)
    position = record.next
  }
  if (position !== limit) {
    return refuse('The archive is damaged: its directory holds more than it declares.')
  }
  return { ok: true, records, directoryOffset }
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** The end record's offset: the last signature whose comment reaches exactly to the end of the file, else -1. */
function findEnd(bytes: Uint8Array, view: DataView): number {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT)
  for (let at = bytes.length - END_BYTES; at >= lowest; at--) {
    if (
      hasBytes(bytes, at, [0x50, 0x4b, 5, 6]) &&
      at + END_BYTES + view.getUint16(at + 20, true) === bytes.length
    ) {
      return at
    }
  }
  return -1
}

function readRecord(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  limit: number,
): { record: ZipRecord; next: number } | null {
  if (at + RECORD_BYTES > limit || !hasBytes(bytes, at, [0x50, 0x4b, 1, 2])) return null
  const nameLength = view.getUint16(at + 28, true)
  const extraLength = view.getUint16(at + 30, true)
  const commentLength = view.getUint16(at + 32, true)
  const next = at + RECORD_BYTES + nameLength + extraLength + commentLength
  if (next > limit) return null
  const attributes = view.getUint32(at + 38, true)
  const nameEnd = at + RECORD_BYTES + nameLength
  const extra = readExtra(bytes.subarray(nameEnd, nameEnd + extraLength))
  const record: ZipRecord = {
    rawName: bytes.subarray(at + RECORD_BYTES, nameEnd),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    unixMode: attributes >>> 16,
    unicodeName: extra.unicodeName,
    localOffset: view.getUint32(at + 42, true),
  }
  // A 64-bit extra holds, in this order, just those fields that say "see the extra".
  const wide = [...extra.wide]
  if (record.size === SIZE_IN_EXTRA) record.size = wide.shift() ?? SIZE_IN_EXTRA
  if (record.compressedSize === SIZE_IN_EXTRA) record.compressedSize = wide.shift() ?? SIZE_IN_EXTRA
  if (record.localOffset === SIZE_IN_EXTRA) record.localOffset = wide.shift() ?? SIZE_IN_EXTRA
  return { record, next }
}

function readExtra(extra: Uint8Array): Pick<ZipRecord, 'unicodeName'> & { wide: number[] } {
  const view = viewOf(extra)
  const wide: number[] = []
  let unicodeName: ZipRecord['unicodeName'] = null
  let at = 0
  while (at + 4 <= extra.length) {
    const id = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    const body = at + 4
    if (body + length > extra.length) break
    if (id === ZIP64_EXTRA) {
      for (let i = body; i + 8 <= body + length; i += 8) {
        wide.push(Number(view.getBigUint64(i, true)))
      }
    } else if (id === UNICODE_PATH_EXTRA && length > 5 && extra[body] === 1) {
      unicodeName = {
        crc: view.getUint32(body + 1, true),
        bytes: extra.subarray(body + 5, body + length),
      }
    }
    at = body + length
  }
  return { wide, unicodeName }
}

/** Where an entry's data starts and ends, when its local header is there and says the same as the directory; else null. */
export function locateData(
  bytes: Uint8Array,
  record: ZipRecord,
): { start: number; end: number; agrees: boolean } | null {
  const at = record.localOffset
  if (at + LOCAL_BYTES > bytes.length || !hasBytes(bytes, at, [0x50, 0x4b, 3, 4])) return null
  const view = viewOf(bytes)
  const nameLength = view.getUint16(at + 26, true)
  const extraLength = view.getUint16(at + 28, true)
  const start = at + LOCAL_BYTES + nameLength + extraLength
  const end = start + record.compressedSize
  if (end > bytes.length) return null
  const name = bytes.subarray(at + LOCAL_BYTES, at + LOCAL_BYTES + nameLength)
  // In a local header with 64-bit sizes the extra holds both, the plain size first.
  const extra = readExtra(bytes.subarray(start - extraLength, start)).wide
  const written = {
    crc: view.getUint32(at + 14, true),
    compressedSize: view.getUint32(at + 18, true),
    size: view.getUint32(at + 22, true),
  }
  if (written.size === SIZE_IN_EXTRA) written.size = extra[0] ?? SIZE_IN_EXTRA
  if (written.compressedSize === SIZE_IN_EXTRA) written.compressedSize = extra[1] ?? SIZE_IN_EXTRA
  // A streamed entry may leave its figures to the descriptor that follows the data.
  const streamed = (record.flags & 8) !== 0
  const agree = (local: number, central: number) => local === central || (streamed && local === 0)
  const agrees =
    view.getUint16(at + 6, true) === record.flags &&
    view.getUint16(at + 8, true) === record.method &&
    name.length === record.rawName.length &&
    name.every((byte, i) => byte === record.rawName[i]) &&
    agree(written.crc, record.crc) &&
    agree(written.compressedSize, record.compressedSize) &&
    agree(written.size, record.size)
  return { start, end, agrees }
}
