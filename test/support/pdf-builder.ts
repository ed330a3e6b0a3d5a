import { deflateSync } from 'node:zlib'

export interface PdfText {
  text: string
  x?: number
  y: number
  size?: number
  mono?: boolean
}

export interface PdfObject {
  /** The dictionary or other object as PDF syntax. */
  body: string
  stream?: string | Uint8Array
}

/** Writes objects 1, 2, 3 … with a table of their places; object 1 is the catalogue. */
export function writePdf(objects: readonly PdfObject[], trailer = ''): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const places: number[] = []
  let offset = parts[0]?.length ?? 0
  const push = (data: Buffer) => {
    parts.push(data)
    offset += data.length
  }
  for (const [i, { body, stream }] of objects.entries()) {
    places.push(offset)
    push(Buffer.from(`${i + 1} 0 obj\n${body}\n`, 'latin1'))
    if (stream !== undefined) {
      push(Buffer.from('stream\n'))
      push(Buffer.from(stream as string, 'latin1'))
      push(Buffer.from('\nendstream\n'))
    }
    push(Buffer.from('endobj\n'))
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

export const FONT =
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

const MONO = FONT.replace('Helvetica', 'Courier')

/** A document whose pages hold these lines of text. */
export function buildPdf(pages: readonly (readonly PdfText[])[]): Uint8Array<ArrayBuffer> {
  return buildPdfFromStreams(
    pages.map((lines) => {
      const stream = deflateSync(Buffer.from(drawText(lines), 'latin1'))
      return { body: `<< /Length ${stream.length} /Filter /FlateDecode >>`, stream }
    }),
  )
}

/** A document whose pages have these content streams; `more` are further objects, the first of which has number 3 + 2 × pages. */
export function buildPdfFromStreams(
  streams: readonly PdfObject[],
  more: readonly PdfObject[] = [],
  trailer = '',
  resources = '',
): Uint8Array<ArrayBuffer> {
  const kids = streams.map((_, i) => `${4 + i * 2} 0 R`).join(' ')
  const pages = streams.flatMap((stream, i) => [
    {
      body: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 ${MONO} >> ${resources} >> >>`,
    },
    stream,
  ])
  return writePdf(
    [
      { body: '<< /Type /Catalog /Pages 2 0 R >>' },
      { body: `<< /Type /Pages /Count ${streams.length} /Kids [${kids}] >>` },
      { body: FONT },
      ...pages,
      ...more,
    ],
    trailer,
  )
}

/** Content that shows these lines. */
export function drawText(lines: readonly PdfText[]): string {
  return lines
    .map(({ text, x = 72, y, size = 11, mono = false }) => {
      const escaped = text.replace(/[\\()]/g, '\\$&')
      return `BT /F${mono ? 2 : 1} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET`
    })
    .join('\n')
}

/** A page that shows these codes, in hexadecimal digits, each in a font that names its map of codes and holds none. */
export function buildPdfOfMaps(
  shown: readonly (readonly [map: string, collection: string, codes: string])[],
): Uint8Array<ArrayBuffer> {
  const fonts = shown.map(([map, collection], i) => ({
    body: `<< /Type /Font /Subtype /Type0 /BaseFont /X${i} /Encoding /${map} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X${i} /CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X${i} /Flags 4 >> >>] >>`,
  }))
  const draw = shown.map(
    ([, , codes], i) => `BT /X${i} 11 Tf 1 0 0 1 72 ${760 - 30 * i} Tm <${codes}> Tj ET`,
  )
  const used = shown.map((_, i) => `/X${i} ${6 + i} 0 R`)
  return buildPdfFromStreams(
    [packStream(draw.join('\n'))],
    fonts,
    '',
    `/Font << ${used.join(' ')} >>`,
  )
}

/** A stream packed by DEFLATE, with its dictionary. */
export function packStream(content: string | Uint8Array, entries = ''): PdfObject {
  const stream = deflateSync(Buffer.from(content as string, 'latin1'))
  return { body: `<< /Length ${stream.length} /Filter /FlateDecode ${entries} >>`, stream }
}
