import { crc32, deflateRawSync } from 'node:zlib'

/** One entry; everything but name and data is derived unless given, so that a test can lie about any field. */
export interface ZipInput {
  name: string | Uint8Array
  data?: string | Uint8Array
  method?: number
  flags?: number
  crc?: number
  size?: number
  compressedSize?: number
  /** Packed bytes as they are, instead of `data` deflated. */
  packed?: Uint8Array
  unixMode?: number
  extra?: Uint8Array
  /** What the local header says, where it is to differ from the directory. */
  local?: { name?: string; method?: number; flags?: number; crc?: number; size?: number }
  /** Points the directory at another entry's data. */
  offset?: number
}

interface Placed {
  record: Buffer
  local: Buffer
}

/** Builds a ZIP file byte by byte (APPNOTE 6.3.10). */
export function buildZip(
  entries: readonly ZipInput[],
  options: { comment?: string; count?: number; prefix?: Uint8Array; tail?: Uint8Array } = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = options.prefix ? [Buffer.from(options.prefix)] : []
  let offset = options.prefix?.length ?? 0
  const records: Buffer[] = []
  for (const entry of entries) {
    const { record, local } = buildEntry(entry, entry.offset ?? offset)
    parts.push(local)
    records.push(record)
    offset += local.length
  }
  const directory = Buffer.concat(records)
  const comment = Buffer.from(options.comment ?? '')
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.count ?? entries.length, 8)
  end.writeUInt16LE(options.count ?? entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  const tail = Buffer.from(options.tail ?? new Uint8Array())
  return new Uint8Array(Buffer.concat([...parts, directory, end, comment, tail]))
}

function buildEntry(entry: ZipInput, offset: number): Placed {
  const name = Buffer.from(entry.name)
  const data = Buffer.from(entry.data ?? '')
  const method = entry.method ?? 8
  const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(data) : data))
  const fields = {
    flags: entry.flags ?? 0x0800,
    method,
    crc: entry.crc ?? crc32(data),
    compressedSize: entry.compressedSize ?? packed.length,
    size: entry.size ?? data.length,
  }
  const localName = Buffer.from(entry.local?.name ?? name)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  writeFields(local, 6, { ...fields, ...entry.local })
  local.writeUInt16LE(localName.length, 26)
  const record = Buffer.alloc(46)
  const extra = Buffer.from(entry.extra ?? new Uint8Array())
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(0x031e, 4)
  record.writeUInt16LE(20, 6)
  writeFields(record, 8, fields)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(((entry.unixMode ?? 0o100644) << 16) >>> 0, 38)
  record.writeUInt32LE(offset, 42)
  return {
    local: Buffer.concat([local, localName, packed]),
    record: Buffer.concat([record, name, extra]),
  }
}

/** Flags, method, time, CRC and sizes lie in the same order in both headers. */
function writeFields(
  header: Buffer,
  at: number,
  fields: { flags: number; method: number; crc: number; compressedSize: number; size: number },
): void {
  header.writeUInt16LE(fields.flags, at)
  header.writeUInt16LE(fields.method, at + 2)
  header.writeUInt32LE(fields.crc, at + 8)
  header.writeUInt32LE(fields.compressedSize, at + 12)
  header.writeUInt32LE(fields.size, at + 16)
}
