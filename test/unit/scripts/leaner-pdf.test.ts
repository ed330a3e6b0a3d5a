import { describe, expect, it } from 'vitest'
import { loadPdf } from '../../../src/lazy'
import { readFixture } from '../../support/fixture'
import { writePdf } from '../../support/pdf-builder'

type Library = Pick<Awaited<ReturnType<typeof loadPdf>>, 'getDocument'>

/** All that is read of a file: texts with their places and sizes, and what the file says of itself. */
async function read({ getDocument }: Library, bytes: Uint8Array): Promise<unknown[]> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0, disableFontFace: true })
  const pdf = await task.promise
  const found: unknown[] = [(await pdf.getMetadata()).info]
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    // Names of fonts are given out as they are loaded.
    found.push(...items.map((item) => ({ ...item, fontName: null })))
  }
  await task.destroy()
  return found
}

const stream = (content: string, entries = '') => ({
  body: `<< /Length ${content.length} ${entries} >>`,
  stream: content,
})

/** Two letters that are drawn, one as a path and one as a picture: how tall they are is in their drawings alone. */
const drawnLetters = () =>
  writePdf([
    { body: '<< /Type /Catalog /Pages 2 0 R >>' },
    { body: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>' },
    {
      body: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /P 8 0 R >> /Shading << /S 9 0 R >> >> >>',
    },
    stream('BT /F1 1 Tf 1 0 0 1 72 700 Tm (abab) Tj 0 -2 Td (ba) Tj ET /P Do /S sh'),
    {
      body: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 98 /Widths [12 10] /Encoding << /Type /Encoding /Differences [97 /a /b] >> /CharProcs << /a 6 0 R /b 7 0 R >> /Resources << >> >>',
    },
    stream('12 0 d0 0 0 10 14 re f'),
    stream('10 0 0 -3 9 11 d1 9 0 0 14 0 -3 cm BI /W 8 /H 8 /IM true /BPC 1 ID 01234567 EI'),
    stream(
      'xxx',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
    ),
    {
      body: '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 1] /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >> >>',
    },
  ])

describe('the bundled PDF parser', () => {
  it.each([
    ['a file of a word processor', () => readFixture('guide.pdf')],
    ['letters that are drawn', drawnLetters],
  ])('reads %s as the whole one does', async (_, make) => {
    const lean = await read(await loadPdf(), make())
    expect(lean.length).toBeGreaterThan(2)
    const whole = (await import('unpdf/pdfjs')) as unknown as Library
    expect(lean).toEqual(await read(whole, make()))
  })
})
