import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { chunkDocument } from '../../src/knowledge/chunk-document'
import { readDocument } from '../../src/knowledge/read/read-document'
import { loadPdf as loadPdfLibrary } from '../../src/lazy'
import { detectType } from '../../src/platform/uploads/detect-type'
import { type DocumentKind, isDocumentKind } from '../../src/platform/uploads/file-kinds'
import { readFixture } from '../support/fixture'
import { buildPdf, buildPdfOfMaps } from '../support/pdf-builder'

const server = createTestHarness({
  workers: [
    {
      config: {
        name: 'readers',
        main: 'test/fakes/readers-worker.ts',
        compatibility_date: '2026-11-01',
        compatibility_flags: ['nodejs_compat'],
      },
    },
  ],
})

beforeAll(async () => {
  await server.listen()
})
afterAll(() => server.close())

async function readInWorkerd(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const response = await server
    .getWorker('readers')
    .fetch(`/${name}`, { method: 'POST', body: bytes })
  return response.json()
}

describe('the readers in workerd, with the whole parser of PDF', () => {
  it.each(['guide.docx', 'handbook.docx', 'slides.pptx', 'prices.xlsx', 'guide.pdf'])(
    'read %s exactly as in Node',
    async (name) => {
      const bytes = readFixture(name)
      const type = detectType(bytes, name)
      if (!type.ok || !isDocumentKind(type.kind)) throw new Error(`${name} is no document`)
      const read = await readDocument(bytes, type.kind, loadPdfLibrary)
      if (!read.ok) throw new Error(read.reason)
      const chunks = chunkDocument(read.document)
      expect(await readInWorkerd(name, readFixture(name))).toEqual({
        type,
        document: read.document,
        chunks,
      })
    },
  )

  it('read a PDF of East Asian maps of codes as in Node', async () => {
    const bytes = buildPdfOfMaps([
      ['GBK-EUC-H', 'GB1', 'cdcbbbf5c6dacfde'],
      ['ETen-B5-H', 'CNS1', 'b068b366b4c1adad'],
      ['90ms-RKSJ-H', 'Japan1', '95d495698afa8cc0'],
      ['H', 'Japan1', '4a56494a347c3842'],
      ['Identity-H', 'Korea1', '086d0c7b05f10d37'],
    ])
    const read = await readDocument(bytes.slice(), 'pdf', loadPdfLibrary)
    if (!read.ok) throw new Error(read.reason)
    expect(read.document.text).toContain('退货期限')
    expect(await readInWorkerd('maps.pdf', bytes)).toMatchObject({ document: read.document })
  })

  it.each([
    ['txt', '\ufeffGrüße. 包裹可以退回。'],
    ['md', '# Head\n\nText.'],
    ['html', '<h1>Head</h1><p>Text &amp; more.'],
    ['csv', 'a,b\n1,2'],
    ['json', '{"a":1}'],
  ] satisfies [DocumentKind, string][])('read %s, too', async (kind, source) => {
    const bytes = new Uint8Array(new TextEncoder().encode(source))
    const read = await readDocument(bytes, kind, loadPdfLibrary)
    const answer = (await readInWorkerd(`x.${kind}`, bytes)) as { document: unknown }
    expect(read.ok && answer.document).toEqual(read.ok && read.document)
  })

  it('read UTF-16 of both byte orders and names in old encodings', async () => {
    const little = new Uint8Array([0xff, 0xfe, 0x41, 0, 0x2d, 0x4e])
    const big = new Uint8Array([0xfe, 0xff, 0, 0x41, 0x4e, 0x2d])
    for (const bytes of [little, big]) {
      expect(await readInWorkerd('x.txt', bytes)).toMatchObject({ document: { text: 'A中' } })
    }
    expect(new TextDecoder('gb18030').decode(new Uint8Array([0xd6, 0xd0]))).toBe('中')
  })

  it('read a PDF of 200 full pages within a few seconds', async () => {
    const pages = Array.from({ length: 200 }, (_, page) =>
      Array.from({ length: 45 }, (_, line) => ({
        text: `Page ${page} line ${line} says something about parcels, labels and shops.`,
        y: 800 - line * 16,
      })),
    )
    const bytes = buildPdf(pages)
    const started = performance.now()
    const answer = (await readInWorkerd('x.pdf', bytes)) as { document: { pageStarts: number[] } }
    expect(answer.document.pageStarts).toHaveLength(200)
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
