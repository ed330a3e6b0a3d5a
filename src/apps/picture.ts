/** Pixels in rows from the top, four bytes each: red, green, blue, alpha (not premultiplied). */
export interface Picture {
  width: number
  height: number
  data: Uint8Array | Uint8ClampedArray
}

interface Span {
  from: number
  weights: number[]
}

/**
 * The picture in another, not larger size: every new pixel is the mean of the area that it covers, weighted by opacity, so
 * that no colour of transparent pixels bleeds in. Pure.
 */
export function shrink(picture: Picture, width: number, height: number): Picture {
  const rows = toRows(picture, spansOf(picture.width, width), width)
  const columns = spansOf(picture.height, height)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    const { from, weights } = columns[y] as Span
    for (let x = 0; x < width; x++) {
      let [r, g, b, a] = [0, 0, 0, 0]
      for (let i = 0; i < weights.length; i++) {
        const at = ((from + i) * width + x) * 4
        const weight = weights[i] ?? 0
        r += (rows[at] ?? 0) * weight
        g += (rows[at + 1] ?? 0) * weight
        b += (rows[at + 2] ?? 0) * weight
        a += (rows[at + 3] ?? 0) * weight
      }
      if (a <= 0) continue
      const to = (y * width + x) * 4
      data[to] = r / a
      data[to + 1] = g / a
      data[to + 2] = b / a
      data[to + 3] = a * 255
    }
  }
  return { width, height, data }
}

/** Each row in its new width, premultiplied. */
function toRows(picture: Picture, spans: readonly Span[], width: number): Float32Array {
  const { data } = picture
  const rows = new Float32Array(picture.height * width * 4)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < width; x++) {
      const { from, weights } = spans[x] as Span
      let [r, g, b, a] = [0, 0, 0, 0]
      for (let i = 0; i < weights.length; i++) {
        const at = (y * picture.width + from + i) * 4
        const alpha = ((data[at + 3] ?? 0) / 255) * (weights[i] ?? 0)
        r += (data[at] ?? 0) * alpha
        g += (data[at + 1] ?? 0) * alpha
        b += (data[at + 2] ?? 0) * alpha
        a += alpha
      }
      const to = (y * width + x) * 4
      rows[to] = r
      rows[to + 1] = g
      rows[to + 2] = b
      rows[to + 3] = a
    }
  }
  return rows
}

/** For every new position the old ones that it covers, with their shares; the shares of one sum up to 1. */
function spansOf(before: number, after: number): Span[] {
  const scale = before / after
  return Array.from({ length: after }, (_, i) => {
    const start = i * scale
    const end = Math.min(before, start + scale)
    const from = Math.floor(start)
    const weights: number[] = []
    for (let at = from; at < end; at++) {
      weights.push((Math.min(at + 1, end) - Math.max(at, start)) / (end - start))
    }
    return { from, weights }
  })
}

/** The share of the width that every mask leaves visible is a circle of 80 %. */
const SAFE_SHARE = 0.8

/**
 * The picture for masks of any form: shrunk into the middle of an opaque square of its own edge colour (white where the
 * edge is transparent). Pure.
 */
export function padForMask(picture: Picture): Picture {
  const side = picture.width
  const inner = Math.round(side * SAFE_SHARE)
  const margin = Math.floor((side - inner) / 2)
  const small = shrink(picture, inner, inner)
  const ground = edgeColour(picture)
  const data = new Uint8ClampedArray(side * side * 4)
  for (let at = 0; at < data.length; at += 4) data.set(ground, at)
  for (let y = 0; y < inner; y++) {
    for (let x = 0; x < inner; x++) {
      const from = (y * inner + x) * 4
      const to = ((y + margin) * side + x + margin) * 4
      const alpha = (small.data[from + 3] ?? 0) / 255
      for (let c = 0; c < 3; c++) {
        data[to + c] = (small.data[from + c] ?? 0) * alpha + (ground[c] ?? 0) * (1 - alpha)
      }
    }
  }
  return { width: side, height: side, data }
}

const OPAQUE = 250
const WHITE = [255, 255, 255, 255] as const

function edgeColour({ width, height, data }: Picture): readonly number[] {
  const sum = [0, 0, 0]
  let count = 0
  let opaque = 0
  const add = (x: number, y: number) => {
    const at = (y * width + x) * 4
    count += 1
    if ((data[at + 3] ?? 0) < OPAQUE) return
    opaque += 1
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + (data[at + c] ?? 0)
  }
  for (let x = 0; x < width; x++) {
    add(x, 0)
    add(x, height - 1)
  }
  for (let y = 1; y < height - 1; y++) {
    add(0, y)
    add(width - 1, y)
  }
  if (opaque * 2 < count) return WHITE
  return [...sum.map((value) => Math.round(value / opaque)), 255]
}
