import { convertIndexedToRgb, type DecodedPng } from 'fast-png'
import type { Picture } from './picture'

/** Any of the PNG pixel formats as four bytes a pixel. @throws RangeError for data that does not fit its header. Pure. */
export function toRgba(png: DecodedPng): Picture {
  const { width, height } = png
  const data = new Uint8Array(width * height * 4)
  const { values, channels, max } = readValues(png)
  const hidden = png.palette ? undefined : png.transparency
  if (values.length < width * height * channels) throw new RangeError('Too few pixels')
  const scale = 255 / max
  for (let i = 0; i < width * height; i++) {
    const from = i * channels
    const value = (c: number) => values[from + c] ?? 0
    const isGrey = channels < 3
    const [r, g, b] = isGrey ? [value(0), value(0), value(0)] : [value(0), value(1), value(2)]
    const hasAlpha = channels === 2 || channels === 4
    const isHidden =
      hidden !== undefined &&
      hidden.length > 0 &&
      (isGrey ? r === hidden[0] : r === hidden[0] && g === hidden[1] && b === hidden[2])
    const alpha = hasAlpha ? value(channels - 1) : isHidden ? 0 : max
    data.set([r * scale, g * scale, b * scale, alpha * scale], i * 4)
  }
  return { width, height, data }
}

function readValues(png: DecodedPng): {
  values: ArrayLike<number>
  channels: number
  max: number
} {
  if (png.palette) {
    const channels = png.palette[0]?.length ?? 3
    return { values: convertIndexedToRgb(png), channels, max: 255 }
  }
  const max = 2 ** png.depth - 1
  if (png.depth >= 8) return { values: png.data, channels: png.channels, max }
  return { values: unpackBits(png), channels: 1, max }
}

/** Grey values of 1, 2 or 4 bits; every row begins with a byte of its own. */
function unpackBits({ width, height, depth, data }: DecodedPng): Uint8Array {
  const values = new Uint8Array(width * height)
  const rowBytes = Math.ceil((width * depth) / 8)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = data[y * rowBytes + ((x * depth) >> 3)] ?? 0
      values[y * width + x] = (byte >> (8 - depth - ((x * depth) & 7))) & (2 ** depth - 1)
    }
  }
  return values
}
