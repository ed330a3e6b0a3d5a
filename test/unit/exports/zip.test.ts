import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { archiveBytes, joinParts, ZipPart } from '../../../src/exports/zip'
import { utf8 } from '../../../src/platform/crypto/bytes'
import { crc32 } from '../../../src/platform/uploads/crc32'

const AT = Date.UTC(2026, 10, 22, 20, 15, 30)

async function partOf(files: Record<string, string>, pack: boolean) {
  const part = new ZipPart()
  for (const [name, text] of Object.entries(files)) await part.add(name, utf8(text), AT, pack)
  return part.toBytes()
}

const join = async (parts: Uint8Array<ArrayBuffer>[]) => {
  const read = async (n: number) => parts[n] ?? new Uint8Array()
  return new Uint8Array(await new Response(joinParts(parts.length, read)).arrayBuffer())
}

describe('an archive that is made part by part', () => {
  it('holds the files of all parts, packed and as they are, under their names', async () => {
    const texts = { 'account.json': '{"a":1}\n', 'spaces/1/Größe.json': 'x'.repeat(5000) }
    const stored = { 'spaces/1/files/猫.png': 'not packed' }
    const parts = [await partOf(texts, true), await partOf({}, true), await partOf(stored, false)]
    const archive = await join(parts)
    const files = Object.entries(unzipSync(archive)).map(([name, bytes]) => [
      name,
      new TextDecoder().decode(bytes),
    ])
    expect(Object.fromEntries(files)).toEqual({ ...texts, ...stored })
    const told = parts.map((part, n) => archiveBytes(part, n === parts.length - 1))
    expect(told.reduce((sum, bytes) => sum + bytes, 0)).toBe(archive.length)
    expect(archive.length).toBeLessThan(1000)
  })

  it('says of each file when it is of and what it sums up to, in both places', async () => {
    const archive = await join([
      await partOf({ a: 'one' }, false),
      await partOf({ b: 'two' }, true),
    ])
    const view = new DataView(archive.buffer)
    const end = archive.length - 22
    const starts = [view.getUint32(end + 16, true)]
    starts.push((starts[0] ?? 0) + 46 + 1)
    expect(view.getUint16(end + 10, true)).toBe(2)
    for (const [at, text] of [
      [starts[0] ?? 0, 'one'],
      [starts[1] ?? 0, 'two'],
    ] as const) {
      const local = view.getUint32(at + 42, true)
      expect(view.getUint32(local, true)).toBe(0x04034b50)
      expect(archive.slice(at + 6, at + 28)).toEqual(archive.slice(local + 4, local + 26))
      expect(view.getUint32(at + 16, true)).toBe(crc32(utf8(text)))
      // 20:15:30 on the 22nd of November 2026.
      expect(view.getUint16(at + 12, true)).toBe((20 << 11) | (15 << 5) | 15)
      expect(view.getUint16(at + 14, true)).toBe((46 << 9) | (11 << 5) | 22)
    }
  })
})
