import decodeQR from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { drawQr } from '../../../src/channels/draw-qr'

const SCALE = 4

describe('a QR code', () => {
  it('reads as the link that it was drawn from', async () => {
    const link = 'https://t.me/help_desk_bot?start=7KQ2-9XMA-0PRS-TV34'
    const url = await drawQr(link)
    expect(url).toMatch(/^data:image\/svg\+xml,%3Csvg/)
    const svg = decodeURIComponent(url.slice(url.indexOf(',') + 1))
    const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
    const size = side * SCALE
    const data = new Uint8Array(size * size * 4).fill(255)
    for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
      for (let dy = 0; dy < SCALE; dy++) {
        const start = ((Number(y) * SCALE + dy) * size + Number(x) * SCALE) * 4
        for (let i = 0; i < SCALE * 4; i++) data[start + i] = i % 4 === 3 ? 255 : 0
      }
    }
    expect(decodeQR({ width: size, height: size, data })).toBe(link)
  })
})
