import { describe, expect, it } from 'vitest'
import { detectType } from '../../../../src/platform/uploads/detect-type'
import { readFixture } from '../../../support/fixture'
import { makeGif, makeIco, makeJpeg, makePng, makeWebp } from '../../../support/image-bytes'
import { buildZip } from '../../../support/zip-builder'

const text = (value: string) => new TextEncoder().encode(value)
const kindOf = (bytes: Uint8Array, name: string) => {
  const type = detectType(bytes, name)
  return type.ok ? type.kind : type.reason
}
const utf16 = (value: string, littleEndian: boolean) => {
  const bytes = new Uint8Array(2 + value.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [i, char] of [...`\ufeff${value}`].entries()) {
    view.setUint16(i * 2, char.charCodeAt(0), littleEndian)
  }
  return bytes
}

describe('detectType', () => {
  it('knows binary formats by their content, whatever their name says', () => {
    expect(kindOf(readFixture('guide.pdf'), 'image.png')).toBe('pdf')
    expect(kindOf(readFixture('guide.docx'), 'x.zip')).toBe('docx')
    expect(kindOf(readFixture('slides.pptx'), 'x')).toBe('pptx')
    expect(kindOf(readFixture('prices.xlsx'), 'x.docx')).toBe('xlsx')
    expect(kindOf(makePng(2, 2), 'x.txt')).toBe('png')
    expect(kindOf(makeJpeg(2, 2), 'x')).toBe('jpeg')
    expect(kindOf(makeWebp('VP8L', 2, 2), 'x')).toBe('webp')
    expect(kindOf(makeGif(2, 2), 'x')).toBe('gif')
    expect(kindOf(makeIco([makePng(2, 2)]), 'x')).toBe('ico')
    expect(kindOf(buildZip([{ name: 'a.md', data: '# a' }]), 'x.docx')).toBe('zip')
  })

  it('gives the MIME type of what it found', () => {
    expect(detectType(text('a,b'), 'x.csv')).toEqual({ ok: true, kind: 'csv', mime: 'text/csv' })
  })

  it.each([
    ['csv', 'csv'],
    ['HTML', 'html'],
    ['htm', 'html'],
    ['md', 'md'],
    ['markdown', 'md'],
    ['txt', 'txt'],
    ['json', 'json'],
  ])('tells text formats apart by the extension .%s', (extension, kind) => {
    expect(kindOf(text('Grüße, 世界'), `folder.d/name.${extension}`)).toBe(kind)
  })

  it('takes UTF-8 and UTF-16 with a mark, and nothing that is not text', () => {
    expect(kindOf(text('\ufeffmarked'), 'a.txt')).toBe('txt')
    expect(kindOf(utf16('Grüße', true), 'a.txt')).toBe('txt')
    expect(kindOf(utf16('Grüße', false), 'a.txt')).toBe('txt')
    expect(kindOf(new Uint8Array([0x47, 0x72, 0xfc, 0xdf]), 'a.txt')).toMatch(/not valid UTF-8/)
    // "日本" in ISO-2022-JP, which is ASCII byte by byte.
    expect(kindOf(text('\x1b$BF|K\\\x1b(B'), 'a.txt')).toMatch(/not valid UTF-8/)
    expect(kindOf(text('\x1b[31mred\x1b[0m costs $B5'), 'a.txt')).toBe('txt')
    expect(kindOf(text('a\0b'), 'a.txt')).toMatch(/binary/)
  })

  it('refuses what it does not know, with a reason', () => {
    expect(kindOf(new Uint8Array(), 'a.txt')).toMatch(/empty/)
    expect(kindOf(text('MZ'), 'a.exe')).toMatch(/not supported.*pdf, docx/)
    expect(kindOf(text('no extension'), 'README')).toMatch(/not supported/)
    expect(kindOf(text('just text'), 'report.pdf')).toMatch(/not that of a \.pdf/)
    expect(kindOf(new Uint8Array([0x1f, 0x8b, 8, 0]), 'a.tgz')).toMatch(/gzip/)
    expect(
      kindOf(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'a.docx'),
    ).toMatch(/password/)
  })

  it('refuses SVG under any name', () => {
    const svg = '<?xml version="1.0"?><!-- x --><!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="x"/>'
    expect(kindOf(text(svg), 'a.svg')).toMatch(/not supported/)
    expect(kindOf(text(svg), 'a.html')).toMatch(/SVG/)
    expect(kindOf(text('<!DOCTYPE html><p><svg/></p>'), 'a.html')).toBe('html')
  })

  it('refuses office files with macros and other documents that are ZIP files', () => {
    const types = (main: string) =>
      buildZip([
        { name: '[Content_Types].xml', data: `<Types><Override ContentType="${main}"/></Types>` },
      ])
    expect(
      kindOf(types('application/vnd.ms-word.document.macroEnabled.main+xml'), 'a.docm'),
    ).toMatch(/not supported/)
    expect(
      kindOf(buildZip([{ name: 'mimetype', data: 'application/epub+zip', method: 0 }]), 'a.epub'),
    ).toMatch(/not supported/)
  })

  it('reads no more than a mebibyte of what a file says it holds', () => {
    const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
    const types = (blanks: number) =>
      buildZip([{ name: '[Content_Types].xml', data: `${' '.repeat(blanks)}<Types>${main}` }])
    expect(kindOf(types(1000), 'a.docx')).toBe('docx')
    expect(kindOf(types(3 * 2 ** 20), 'a.docx')).toMatch(/not supported/)
  })

  it.each([
    ['deflated', [{ name: 'mimetype', data: 'application/vnd.oasis.opendocument.text' }]],
    [
      'behind other parts',
      [
        { name: 'content.xml', data: '<x/>' },
        { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet' },
      ],
    ],
    [
      'without it',
      [
        { name: 'content.xml', data: '<x/>' },
        { name: 'META-INF/manifest.xml', data: '<manifest/>' },
      ],
    ],
    ['an EPUB without it', [{ name: 'META-INF/container.xml', data: '<container/>' }]],
  ])('knows documents that are ZIP files by their parts: `mimetype` %s', (_, parts) => {
    expect(kindOf(buildZip(parts), 'a.ods')).toMatch(/document format is not supported/)
  })

  it('takes a folder for one in which a file has such a name', () => {
    for (const name of ['mimetype', 'content.xml', 'docs/META-INF/manifest.xml']) {
      const parts = [
        { name: 'a.md', data: '# A' },
        { name, data: 'What a MIME type is.' },
      ]
      expect(kindOf(buildZip(parts), 'a.zip')).toBe('zip')
    }
  })

  it('never throws on bytes cut off anywhere', () => {
    for (const whole of [
      makePng(2, 2),
      makeIco([makePng(2, 2)]),
      buildZip([{ name: 'a', data: 'a' }]),
    ]) {
      for (let length = 0; length < whole.length; length++) {
        expect(detectType(whole.slice(0, length), 'a.bin')).toHaveProperty('ok')
      }
    }
  })
})
