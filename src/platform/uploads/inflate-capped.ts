import { type Gunzip, Inflate } from 'fflate'

/** DEFLATE expands at most about 1032 to 1, so one push yields at most some 4 MiB before the limit is looked at. */
const PUSH_BYTES = 4 * 1024
/** A stored block is at most 64 KiB; this many empty answers in a row mean that the stream has ended. */
const EMPTY_PUSHES = 10

export type Inflated = 'complete' | 'over' | 'damaged'

/**
 * Inflates raw DEFLATE data (of a gzip file with `Gunzip`) in small pushes, hands each piece to `take` and stops as soon as more than `maxBytes` came out.
 * 'damaged' when the data is not DEFLATE or ends early; pieces up to there were handed over.
 */
export function inflateCapped(
  data: Uint8Array,
  maxBytes: number,
  take: (piece: Uint8Array) => void,
  Reader: typeof Inflate | typeof Gunzip = Inflate,
): { state: Inflated; bytes: number } {
  let bytes = 0
  let empty = 0
  const inflate = new Reader((piece) => {
    empty = piece.length === 0 ? empty + 1 : 0
    bytes += piece.length
    if (bytes <= maxBytes && piece.length > 0) take(piece)
  })
  try {
    let position = 0
    do {
      const end = Math.min(position + PUSH_BYTES, data.length)
      inflate.push(data.subarray(position, end), end === data.length)
      if (bytes > maxBytes) return { state: 'over', bytes }
      if (empty > EMPTY_PUSHES) break
      position = end
    } while (position < data.length)
  } catch {
    return { state: bytes > maxBytes ? 'over' : 'damaged', bytes }
  }
  return { state: 'complete', bytes }
}
