import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ARCHIVE_LIMITS, MIB } from '../../../../src/config/limits'
import { openArchive, walkArchive } from '../../../../src/platform/uploads/read-archive'
import { cpuTime } from '../../../support/cpu-time'
import { readFixture } from '../../../support/fixture'
import { buildZip, type ZipInput } from '../../../support/zip-builder'

/** As Windows of Western, Russian, Chinese and Japanese settings packs them, without saying which. */
const OLD_NAMES = [
  ['Übersicht.pdf', '9a62657273696368742e706466'],
  ['für dich/Größen.csv', '66817220646963682f477294e1656e2e637376'],
  ['château.md', '636883746561752e6d64'],
  ['à la carte.txt', '85206c612063617274652e747874'],
  ['résumé.pdf', '728273756d822e706466'],
  ['Отчёт за март.pdf', '8ee2e7f1e220a7a020aca0e0e22e706466'],
  ['тест', 'e2a5e1e2'],
  ['я и ты.txt', 'ef20a820e2eb2e747874'],
  ['2024 Прайс v2.xlsx', '32303234208fe0a0a9e12076322e786c7378'],
  ['2024年销售报告v2.docx', '32303234c4eacffacadbb1a8b8e676322e646f6378'],
  ['产品说明/常见问题.md', 'b2fac6b7cbb5c3f72fb3a3bcfbcecacce22e6d64'],
  ['テスト.txt', '8365835883672e747874'],
  ['よくある質問.pdf', '82e682ad82a082e98ebf96e22e706466'],
] as const

const good: ZipInput = { name: 'good.txt', data: 'good' }

/** Opens and unpacks a whole archive. */
function readArchive(bytes: Uint8Array) {
  const opened = openArchive(bytes)
  if (!opened.ok) return opened
  const files = [...walkArchive(bytes, opened.entries)]
  return {
    ok: true as const,
    entries: files.flatMap((file) => ('bytes' in file ? [file] : [])),
    skipped: [...opened.skipped, ...files.flatMap((file) => ('reason' in file ? [file] : []))],
  }
}

/** Reads an archive of this entry and a good one; the reason for which the entry was skipped. */
function skip(entry: ZipInput): string | undefined {
  const read = readArchive(buildZip([entry, good]))
  expect(read.ok).toBe(true)
  if (!read.ok) return undefined
  expect(read.entries.map(({ path }) => path)).toEqual(['good.txt'])
  return read.skipped[0]?.reason
}

function refuse(bytes: Uint8Array): string {
  const read = readArchive(bytes)
  expect(read.ok).toBe(false)
  return read.ok ? '' : read.reason
}

function random(length: number): Uint8Array {
  let seed = 1
  return Uint8Array.from({ length }, () => {
    seed = (seed * 48271) % 2147483647
    return seed & 255
  })
}

describe('a good archive', () => {
  it('may list its files in another order than they lie in', () => {
    const file = { data: 'same', method: 0 }
    const read = readArchive(
      buildZip([
        { ...file, name: 'b.txt', local: { name: 'a.txt' }, offset: 39 },
        { ...file, name: 'a.txt', local: { name: 'b.txt' }, offset: 0 },
      ]),
    )
    expect(read).toMatchObject({ ok: true, skipped: [] })
  })

  it('gives its files with their folders, stored and deflated', () => {
    const read = readArchive(
      buildZip([
        { name: 'docs/', data: '' },
        { name: 'docs/ä 世界.md', data: '# Hello' },
        { name: 'plain.txt', data: 'plain', method: 0 },
        { name: 'empty.txt', data: '' },
      ]),
    )
    expect(read).toMatchObject({ ok: true, skipped: [] })
    const files = read.ok ? read.entries : []
    expect(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual([
      ['docs/ä 世界.md', '# Hello'],
      ['plain.txt', 'plain'],
      ['empty.txt', ''],
    ])
  })

  it('may have a comment, and entries whose sizes follow their data', () => {
    const streamed: ZipInput = {
      name: 'a',
      data: 'aaa',
      flags: 0x0808,
      local: { flags: 0x0808, crc: 0, size: 0 },
    }
    expect(readArchive(buildZip([streamed], { comment: 'packed today' }))).toMatchObject({
      ok: true,
      skipped: [],
    })
  })

  it('leaves out what macOS adds, in silence', () => {
    const read = readArchive(
      buildZip([
        good,
        { name: '__MACOSX/._good.txt', data: 'x' },
        { name: 'a/.DS_Store', data: 'x' },
        { name: 'a/._b', data: 'x' },
      ]),
    )
    expect(read).toMatchObject({ ok: true, skipped: [] })
    expect(read.ok && read.entries.length).toBe(1)
  })

  it('reads names in the encodings of older packers, and in NFC', () => {
    const names = (name: Uint8Array, extra?: Uint8Array) => {
      const read = readArchive(
        buildZip([{ name, data: 'x', flags: 0, ...(extra ? { extra } : {}) }]),
      )
      return read.ok ? read.entries[0]?.path : undefined
    }
    expect(names(Buffer.from('cafe\u0301.txt'))).toBe('café.txt')
    expect(names(Buffer.from([0x63, 0x61, 0x66, 0x82, 0x2e, 0x74, 0x78, 0x74]))).toBe('café.txt')
    expect(names(Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x2e, 0x74, 0x78, 0x74]))).toBe('中文.txt')
    for (const [text, hex] of OLD_NAMES) expect(names(Buffer.from(hex, 'hex'))).toBe(text)
    const raw = Buffer.from([0x82, 0x2e, 0x74, 0x78, 0x74])
    const extra = Buffer.concat([
      Buffer.from([0x75, 0x70, 5 + 6, 0, 1]),
      Buffer.alloc(4),
      Buffer.from('ü.txt'),
    ])
    extra.writeUInt32LE(crc32(raw), 5)
    expect(names(raw, extra)).toBe('ü.txt')
    // Of another name.
    extra.writeUInt32LE(crc32('other'), 5)
    expect(names(raw, extra)).toBe('é.txt')
  })

  it('may be streamed, with 64-bit sizes, as a packer of today writes it', () => {
    const read = readArchive(readFixture('packed.zip'))
    expect(read).toMatchObject({ ok: true, skipped: [] })
    expect(read.ok && read.entries.map(({ path, bytes }) => [path, bytes.length])).toEqual([
      ['sub/long.txt', 25_000],
      ['wide.txt', 4],
    ])
  })
})

describe('a bad entry is skipped with a reason', () => {
  it.each([
    ['../up.txt', 'out of the archive'],
    ['a/../../up.txt', 'out of the archive'],
    ['/etc/passwd', 'absolute'],
    ['C:/x.txt', 'drive'],
    ['a\\b.txt', 'backslash'],
    ['a\nb.txt', 'control'],
    ['a\u202etxt.exe', 'control'],
    ['a//b.txt', 'plain path'],
    [`${'x'.repeat(252)}.txt`, '255 bytes'],
    [`${'ä'.repeat(126)}.txt`, '255 bytes'],
    [`${'d/'.repeat(11)}x.txt`, '10 folders'],
  ])('named %j', (name, reason) => {
    expect(skip({ name, data: 'x' })).toContain(reason)
  })

  it('takes a name of 255 bytes, 10 folders deep', () => {
    const folders = 'd/'.repeat(10)
    const name = `${folders}${'x'.repeat(255 - folders.length)}`
    expect(readArchive(buildZip([{ name, data: 'x' }]))).toMatchObject({ ok: true, skipped: [] })
  })

  it.each([
    ['a symbolic link', { unixMode: 0o120777 }, 'symbolic link'],
    ['a device', { unixMode: 0o060644 }, 'regular file'],
    ['encrypted', { flags: 0x0801 }, 'encrypted'],
    ['strongly encrypted', { flags: 0x0840 }, 'encrypted'],
    ['encrypted by method', { method: 99 }, 'encrypted'],
    ['packed by another method', { method: 12 }, 'method'],
    ['of the wrong checksum', { crc: 1 }, 'checksum'],
    ['larger than it says', { size: 2 }, 'more than it declares'],
    ['smaller than it says', { size: 9 }, 'checksum'],
    ['stored at another size', { method: 0, size: 9 }, 'sizes'],
    ['named otherwise in its own header', { local: { name: 'b' } }, 'headers do not agree'],
    ['packed otherwise in its own header', { local: { method: 0 } }, 'headers do not agree'],
    ['sized otherwise in its own header', { local: { size: 9 } }, 'headers do not agree'],
    ['of another checksum in its own header', { local: { crc: 1 } }, 'headers do not agree'],
    ['flagged otherwise in its own header', { local: { flags: 0 } }, 'headers do not agree'],
    ['not deflated', { packed: new Uint8Array([255, 255, 255]) }, 'damaged'],
    ['of a length beyond the file', { compressedSize: 99_999 }, 'headers do not agree'],
    ['far away', { offset: 5_000_000 }, 'headers do not agree'],
  ] as const)('that is %s', (_, lie, reason) => {
    expect(skip({ name: 'a', data: 'data', ...lie })).toContain(reason)
  })

  it('when its name came before; the first one counts', () => {
    const read = readArchive(buildZip([good, { name: 'good.txt', data: 'other' }]))
    expect(read).toMatchObject({ ok: true, skipped: [{ path: 'good.txt' }] })
    expect(read.ok && new TextDecoder().decode(read.entries[0]?.bytes)).toBe('good')
  })

  it('that is an archive itself, unless it is an office document', () => {
    expect(skip({ name: 'a.zip', data: buildZip([good]) })).toContain('Archives inside')
    expect(skip({ name: 'a.gz', data: gzipSync('x') })).toContain('Archives inside')
    const docx = readFixture('guide.docx')
    expect(readArchive(buildZip([{ name: 'guide.docx', data: docx }]))).toMatchObject({
      ok: true,
      skipped: [],
    })
  })

  it('above 20 MiB', () => {
    const size = ARCHIVE_LIMITS.entryBytes
    expect(skip({ name: 'a', method: 0, data: new Uint8Array(size + 1) })).toContain('20 MiB')
    expect(readArchive(buildZip([{ name: 'a', method: 0, data: random(size) }]))).toMatchObject({
      ok: true,
      skipped: [],
    })
  })
})

describe('bombs', () => {
  it('are refused by what they declare', () => {
    expect(skip({ name: 'a', data: new Uint8Array(5 * MIB) })).toContain('100 to 1')
  })

  it('are cut off at what they declare when they lie', () => {
    const read = (size: number) => {
      const packed = deflateRawSync(new Uint8Array(size))
      const before = cpuTime()
      expect(skip({ name: 'a', packed, size: 60_000 })).toContain('more than it declares')
      return cpuTime() - before
    }
    // Unpacked whole, the large one would be a hundred times the work of the small one.
    const [small, large] = [read(3 * MIB), read(300 * MIB)]
    expect(large).toBeLessThan(small * 20 + 200)
  })

  it('leave short repetitive files alone', () => {
    expect(readArchive(buildZip([{ name: 'a.txt', data: 'a'.repeat(60_000) }]))).toMatchObject({
      ok: true,
      skipped: [],
    })
  })

  it('cannot share data between entries', () => {
    const bytes = buildZip([
      good,
      { name: 'b', data: 'good', offset: 0, local: { name: 'good.txt' } },
    ])
    expect(refuse(bytes)).toContain('overlap')
  })

  it('cannot hide a file inside another one', () => {
    const inner = buildZip([{ name: 'inner.txt', data: 'x', method: 0 }])
    const outer: ZipInput = { name: 'outer.bin', data: inner, method: 0 }
    const bytes = buildZip([
      outer,
      { name: 'inner.txt', data: 'x', method: 0, offset: 30 + 'outer.bin'.length },
    ])
    expect(refuse(bytes)).toContain('overlap')
  })

  it('cannot reach into the directory', () => {
    const lie = { method: 0, size: 24, compressedSize: 24 }
    expect(refuse(buildZip([{ name: 'a', data: 'good', ...lie }]))).toContain('overlap')
  })
})

describe('a bad container is refused', () => {
  it('with more than 1,000 entries', () => {
    const entries = Array.from({ length: 1001 }, (_, i) => ({ name: `${i}.txt`, data: 'x' }))
    expect(refuse(buildZip(entries))).toContain('1001 entries')
    expect(readArchive(buildZip(entries.slice(1)))).toMatchObject({ ok: true, skipped: [] })
  })

  it('above 100 MiB in all', () => {
    const data = random(20 * MIB)
    const entries = Array.from({ length: 6 }, (_, i) => ({ name: `${i}`, data, method: 0 }))
    expect(refuse(buildZip(entries))).toContain('100 MiB')
  })

  it('without a directory, with a damaged one, or with bytes behind it', () => {
    const bytes = buildZip([good])
    expect(refuse(bytes.slice(0, -1))).toContain('damaged')
    expect(refuse(bytes.slice(0, 40))).toContain('damaged')
    expect(refuse(new Uint8Array())).toContain('damaged')
    expect(refuse(buildZip([good], { count: 2 }))).toContain('damaged')
    expect(refuse(buildZip([good, good], { count: 1 }))).toContain('more than it declares')
    expect(refuse(buildZip([good], { tail: new Uint8Array(3) }))).toContain('damaged')
  })

  it('never throws on bytes changed anywhere', () => {
    const whole = buildZip([good, { name: 'b.txt', data: 'bbbb'.repeat(50) }])
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0, 0xff]) {
        const bytes = whole.slice()
        bytes[at] = value
        expect(readArchive(bytes)).toHaveProperty('ok')
      }
    }
  })
})
