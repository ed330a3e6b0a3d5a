import { type Bytes, concatBytes, joinBytes, utf8 } from '../platform/crypto/bytes'
import { crc32 } from '../platform/uploads/crc32'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const NEEDS = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
const STORED = 0
const DEFLATED = 8
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Of a file's record in the directory: the length of its name, and where the file is. */
const NAME_LENGTH_AT = 28
const OFFSET_AT = 42

/**
 * Some files of a ZIP archive, which is made part by part: a part carries its files' records for the directory, which comes
 * last in the archive and says where in it each file is.
 */
export class ZipPart {
  readonly #records: Bytes[] = []
  readonly #directory: Bytes[] = []
  #bytes = 0

  /** What is in so far. */
  get bytes(): number {
    return this.#bytes
  }

  get files(): number {
    return this.#records.length
  }

  /** @param pack whether it is worth while: not for pictures and the like. @param at milliseconds since 1970. */
  async add(name: string, bytes: Bytes, at: number, pack: boolean): Promise<void> {
    const packed = pack ? await deflate(bytes) : bytes
    const title = utf8(name)
    const [date, time] = dosTime(at)
    const facts = [
      ['u16', FLAGS],
      ['u16', pack ? DEFLATED : STORED],
      ['u16', time],
      ['u16', date],
      ['u32', crc32(bytes)],
      ['u32', packed.length],
      ['u32', bytes.length],
      ['u16', title.length],
      ['u16', 0],
    ] as const
    const head = numbers([['u32', LOCAL], ['u16', NEEDS], ...facts])
    const entry = numbers([
      ['u32', CENTRAL],
      ['u16', NEEDS],
      ['u16', NEEDS],
      ...facts,
      ['u16', 0],
      ['u16', 0],
      ['u16', 0],
      ['u32', 0],
      ['u32', this.#bytes],
    ])
    const record = concatBytes(head, title, packed)
    this.#records.push(record)
    this.#directory.push(concatBytes(entry, title))
    this.#bytes += record.length
  }

  /** The length of the directory's records, these, and the files. */
  toBytes(): Bytes {
    const directory = joinBytes(this.#directory)
    return joinBytes([numbers([['u32', directory.length]]), directory, ...this.#records])
  }
}

/** The archive of some parts, of which one at a time is in memory. */
export function joinParts(
  count: number,
  read: (n: number) => Promise<Bytes>,
): ReadableStream<Uint8Array> {
  const directory: Bytes[] = []
  let files = 0
  let at = 0
  let n = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (n < count) {
          const part = await read(n)
          n += 1
          const length = viewOf(part).getUint32(0, true)
          const records = part.slice(4, 4 + length)
          files += moveRecords(records, at)
          directory.push(records)
          at += part.length - 4 - length
          return controller.enqueue(part.subarray(4 + length))
        }
        const records = joinBytes(directory)
        const end = numbers([
          ['u32', END],
          ['u16', 0],
          ['u16', 0],
          ['u16', files],
          ['u16', files],
          ['u32', records.length],
          ['u32', at],
          ['u16', 0],
        ])
        controller.enqueue(concatBytes(records, end))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** What a part adds to the archive, once it is joined with others. */
export const archiveBytes = (part: Bytes, isLast: boolean): number =>
  part.length - 4 + (isLast ? END_BYTES : 0)

/** The files of a part are this much further on. @returns how many there are. */
function moveRecords(records: Bytes, by: number): number {
  const view = viewOf(records)
  let files = 0
  for (let at = 0; at < records.length; files++) {
    view.setUint32(at + OFFSET_AT, view.getUint32(at + OFFSET_AT, true) + by, true)
    at += CENTRAL_BYTES + view.getUint16(at + NAME_LENGTH_AT, true)
  }
  return files
}

const viewOf = (bytes: Bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function numbers(values: readonly (readonly ['u16' | 'u32', number])[]): Bytes {
  const bytes = new Uint8Array(values.reduce((sum, [kind]) => sum + (kind === 'u16' ? 2 : 4), 0))
  const view = viewOf(bytes)
  let at = 0
  for (const [kind, value] of values) {
    if (kind === 'u16') view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += kind === 'u16' ? 2 : 4
  }
  return bytes
}

/** Date and time as MS-DOS wrote them, to two seconds. */
function dosTime(at: number): [date: number, time: number] {
  const day = new Date(Math.max(at, Date.UTC(1980, 0, 1)))
  const date =
    ((day.getUTCFullYear() - 1980) << 9) | ((day.getUTCMonth() + 1) << 5) | day.getUTCDate()
  const time = (day.getUTCHours() << 11) | (day.getUTCMinutes() << 5) | (day.getUTCSeconds() >> 1)
  return [date, time]
}

async function deflate(bytes: Bytes): Promise<Bytes> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
