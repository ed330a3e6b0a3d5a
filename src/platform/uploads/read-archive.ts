import { ARCHIVE_LIMITS } from '../../config/limits'
import { joinBytes } from '../crypto/bytes'
import { crc32 } from './crc32'
import { decodeEntryName, findNameFault, isResourceJunk } from './entry-name'
import { inflateCapped } from './inflate-capped'
import { otherArchiveFormat, startsLikeZip } from './magic'
import { findOfficeKind } from './office-kind'
import { locateData, readZipDirectory, type ZipRecord } from './zip-directory'

/** A file inside an archive whose headers were checked; its content is checked when it is read. */
export interface ArchiveEntry {
  path: string
  size: number
  method: 'stored' | 'deflated'
  crc: number
  start: number
  end: number
}

export interface SkippedEntry {
  path: string
  reason: string
}

export type OpenedArchive =
  | { ok: true; entries: ArchiveEntry[]; skipped: SkippedEntry[] }
  | { ok: false; reason: string }

export type EntryContent =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  | { ok: false; reason: string }

const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAGS = 0x2041 // encrypted, strongly encrypted, masked headers
const AES_METHOD = 99
const FILE_TYPE_MASK = 0xf000
const REGULAR = 0x8000
const DIRECTORY = 0x4000
const SYMLINK = 0xa000

/**
 * Opens a ZIP by its central directory and checks every header, inflating nothing.
 * A bad entry is listed in `skipped`; a bad container is refused as a whole.
 */
export function openArchive(bytes: Uint8Array): OpenedArchive {
  const directory = readZipDirectory(bytes, ARCHIVE_LIMITS.entries)
  if (!directory.ok) return directory
  const entries: ArchiveEntry[] = []
  const skipped: SkippedEntry[] = []
  const ranges: { from: number; to: number }[] = []
  const seen = new Set<string>()
  let total = 0
  for (const record of directory.records) {
    const path = decodeEntryName(record)
    const place = locateData(bytes, record)
    if (place) ranges.push({ from: record.localOffset, to: place.end })
    if (isDirectory(record, path) || isResourceJunk(path)) continue
    const fault =
      findNameFault(path, record.rawName.length) ??
      findRecordFault(record) ??
      (seen.has(path) ? 'The archive holds this name more than once.' : null)
    if (fault || !place?.agrees) {
      skipped.push({ path, reason: fault ?? 'The entry is damaged: its two headers do not agree.' })
      continue
    }
    seen.add(path)
    total += record.size
    entries.push({
      path,
      size: record.size,
      method: record.method === STORED ? 'stored' : 'deflated',
      crc: record.crc,
      start: place.start,
      end: place.end,
    })
  }
  if (overlaps(ranges, directory.directoryOffset)) {
    return { ok: false, reason: 'The archive is damaged: its entries overlap.' }
  }
  // What is inflated never exceeds what was declared here (see readEntry), so this bounds the real total, too.
  if (total > ARCHIVE_LIMITS.totalBytes) {
    return {
      ok: false,
      reason: `The archive unpacks to more than ${ARCHIVE_LIMITS.totalBytes / 1024 / 1024} MiB. Split it up.`,
    }
  }
  return { ok: true, entries, skipped }
}

function isDirectory(record: ZipRecord, path: string): boolean {
  return path.endsWith('/') || (record.unixMode & FILE_TYPE_MASK) === DIRECTORY
}

function findRecordFault(record: ZipRecord): string | null {
  const type = record.unixMode & FILE_TYPE_MASK
  if (type === SYMLINK) return 'The entry is a symbolic link.'
  if (type !== 0 && type !== REGULAR) return 'The entry is not a regular file.'
  if ((record.flags & ENCRYPTED_FLAGS) !== 0 || record.method === AES_METHOD) {
    return 'The entry is encrypted. Pack it without a password.'
  }
  if (record.method !== STORED && record.method !== DEFLATED) {
    return 'The entry is compressed with an unsupported method. Pack it as a plain ZIP file.'
  }
  if (record.size > ARCHIVE_LIMITS.entryBytes) {
    return `The file is larger than ${ARCHIVE_LIMITS.entryBytes / 1024 / 1024} MiB.`
  }
  if (record.method === STORED && record.size !== record.compressedSize) {
    return 'The entry is damaged: its sizes do not agree.'
  }
  if (record.size > allowedByRatio(record.compressedSize)) {
    return `The entry is compressed more than ${ARCHIVE_LIMITS.ratio} to 1.`
  }
  return null
}

/** Tiny files may repeat themselves at any ratio: below the floor there is nothing to gain for an attacker. */
function allowedByRatio(compressedSize: number): number {
  return Math.max(compressedSize * ARCHIVE_LIMITS.ratio, ARCHIVE_LIMITS.ratioFloorBytes)
}

function overlaps(ranges: { from: number; to: number }[], directoryOffset: number): boolean {
  ranges.sort((a, b) => a.from - b.from)
  let reached = 0
  for (const range of ranges) {
    if (range.from < reached) return true
    reached = range.to
  }
  return reached > directoryOffset
}

/**
 * Unpacks one entry. Stops inflating at the declared size, which `openArchive` held against every limit, and checks
 * size and CRC of what came out.
 */
export function readEntry(bytes: Uint8Array, entry: ArchiveEntry): EntryContent {
  const data = bytes.subarray(entry.start, entry.end)
  const pieces: Uint8Array[] = []
  if (entry.method === 'stored') {
    pieces.push(data)
  } else {
    const { state } = inflateCapped(data, entry.size, (piece) => pieces.push(piece))
    if (state === 'over') {
      return { ok: false, reason: 'The entry holds more than it declares.' }
    }
    if (state === 'damaged') return { ok: false, reason: 'The entry is damaged.' }
  }
  const content = joinBytes(pieces)
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    return { ok: false, reason: 'The entry is damaged: its checksum does not match.' }
  }
  return { ok: true, bytes: content }
}

/** The reason to skip a file because it is itself an archive, or null. Office documents are ZIP files but documents. */
function findNestedArchive(bytes: Uint8Array): string | null {
  const nested = startsLikeZip(bytes)
    ? findOfficeKind(bytes) === null
    : otherArchiveFormat(bytes) !== null
  return nested ? 'Archives inside an archive are not opened. Upload it on its own.' : null
}

/** Unpacks an opened archive entry by entry, so that a caller holds only one file at a time. */
export function* walkArchive(
  bytes: Uint8Array,
  entries: readonly ArchiveEntry[],
): Generator<{ path: string; bytes: Uint8Array<ArrayBuffer> } | SkippedEntry> {
  for (const entry of entries) {
    const content = readEntry(bytes, entry)
    const reason = content.ok ? findNestedArchive(content.bytes) : content.reason
    if (content.ok && reason === null) yield { path: entry.path, bytes: content.bytes }
    else yield { path: entry.path, reason: reason ?? '' }
  }
}
