import { deflateSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { MIB } from '../../../../src/config/limits'
import { chunkDocument } from '../../../../src/knowledge/chunk-document'
import { collectLines } from '../../../../src/knowledge/read/pdf-lines'
import { readDocument } from '../../../../src/knowledge/read/read-document'
import { loadPdf as loadPdfLibrary } from '../../../../src/lazy'
import { cpuTime } from '../../../support/cpu-time'
import { readFixture } from '../../../support/fixture'
import {
  buildPdf,
  buildPdfFromStreams,
  buildPdfOfMaps,
  drawText,
  FONT,
  type PdfObject,
  packStream,
  writePdf,
} from '../../../support/pdf-builder'
import { readBlocks } from '../../../support/read-blocks'

async function read(bytes: Uint8Array) {
  const result = await readDocument(bytes, 'pdf', loadPdfLibrary)
  if (!result.ok) throw new Error(result.reason)
  return result.document
}

async function refuse(bytes: Uint8Array): Promise<string> {
  const result = await readDocument(bytes, 'pdf', loadPdfLibrary)
  return result.ok ? `read: ${result.document.text}` : result.reason
}

/** In the encoding of the fonts. */
const DASH = '\u0097'
const line = (y: number, text: string, size = 11) => ({ y, text, size })

describe('the lines of a page', () => {
  it('have quotation marks where TeX drew an accent that stands alone, and keep those of letters', () => {
    const item = { transform: [1, 0, 0, 1, 72, 700], width: 99, height: 11, hasEOL: true }
    const texts = (...all: string[]) => collectLines(all.map((str) => ({ ...item, str })))
    expect(
      texts('the \u0300 stable’ one', 'la citta\u0300 e\u0300 bella').map(({ text }) => text),
    ).toEqual(['the ‘stable’ one', 'la citta\u0300 e\u0300 bella'])
  })

  it('keep what stands above the line behind a number out of it', async () => {
    const stream = packStream(
      'BT /F1 11 Tf 72 700 Td (The reach is 2 x 10) Tj /F1 7 Tf 4 Ts (6) Tj /F1 11 Tf 0 Ts ( km.) Tj ET',
    )
    expect((await read(buildPdfFromStreams([stream]))).text).toBe('The reach is 2 x 10⁶ km.')
  })

  it('have the letters of a sign that its font only has a code for, and no sign at the end of a word', () => {
    const item = { transform: [1, 0, 0, 1, 72, 700], width: 99, height: 11, hasEOL: true }
    const [drawn] = collectLines([
      { ...item, str: 'V\u00e9ri\u001cer les di\u001b\u00e9rents \u001euves \u001dFin\u001c' },
    ])
    expect(drawn?.text).toBe('Vérifier les différents ffiuves \u001dFin\u001c')
  })

  it('have the letters of accents that TeX drew apart, and keep signs that stand for themselves', async () => {
    // Numbers move back by so many thousandths of the type's size, as TeX does to draw a letter below its accent.
    const stream = packStream(
      [
        String.raw`BT /F1 11 Tf 1 0 0 1 72 700 Tm [(F)-20(\250)500(ur die G)-20(\250)520(aste: caf)-20(\264)510(e, cr)-20(\140)510(eme, traduc)-20(\270)510(c)-20(\230)520(ao)] TJ ET`,
        String.raw`BT /F1 11 Tf 1 0 0 1 72 600 Tm [(At example.org/)-20(\230)-20(anna and )-20(\250)520(q)] TJ ET`,
      ].join('\n'),
    )
    const { text } = await read(buildPdfFromStreams([stream]))
    expect(text).toBe(
      'Für die Gäste: café, crème, traducção\n\nAt example.org/\u02dcanna and \u00a8q',
    )
  })
})

describe('a table', () => {
  const rowsOf = (top: number, columns: readonly number[], rows: readonly string[]) =>
    rows.flatMap((row, at) =>
      row
        .split('|')
        .map((text, column) => ({ ...line(top - 20 * at, text.trim()), x: columns[column] ?? 0 }))
        .filter(({ text }) => text !== ''),
    )
  const head = ['Room | Seats | Price', 'Oak | 12 | 40', 'Ash | 8 | 25', ' | evenings | 30']

  it('has the names of its columns in each row, also of those that cover several', async () => {
    const page = [
      line(740, 'Our rooms are let by the day, and the keys are at the desk.'),
      ...rowsOf(700, [72, 200, 300], head),
      line(600, 'Cleaning is part of the price.'),
      ...[line(560, 'Prices ($)')].map((name) => ({ ...name, x: 225 })),
      ...rowsOf(540, [72, 200, 300], [' | Members | Guests', 'Oak | 30 | 40', 'Ash | 20 | 25']),
    ]
    expect(await readBlocks(buildPdf([page]), 'pdf')).toEqual([
      'paragraph: Our rooms are let by the day, and the keys are at the desk.',
      'table: Room: Oak | Seats: 12 | Price: 40\nRoom: Ash | Seats: 8 | Price: 25\nRoom: Ash | Seats: evenings | Price: 30',
      'paragraph: Cleaning is part of the price.',
      'paragraph: Prices ($)',
      'table: Oak | Members: 30 | Guests: 40\nAsh | Members: 20 | Guests: 25',
    ])
  })

  it('goes on over the page with the names that it has, written there again or not', async () => {
    const columns = [72, 200, 300]
    const pages = [
      rowsOf(700, columns, head.slice(0, 3)),
      rowsOf(760, columns, ['Elm | 9 | 27', 'Fir | 10 | 28', 'Yew | 4 | 15']),
      rowsOf(760, columns, ['Room | Seats | Price', 'Box | 3 | 11', 'Bay | 2 | 10']),
    ]
    const { text } = await read(buildPdf(pages))
    expect(text.split('\n').filter((row) => row !== '')).toEqual([
      'Room: Oak | Seats: 12 | Price: 40',
      'Room: Ash | Seats: 8 | Price: 25',
      'Room: Elm | Seats: 9 | Price: 27',
      'Room: Fir | Seats: 10 | Price: 28',
      'Room: Yew | Seats: 4 | Price: 15',
      'Room: Box | Seats: 3 | Price: 11',
      'Room: Bay | Seats: 2 | Price: 10',
    ])
  })

  it('is none of two columns of running text, nor a list behind its numbers', async () => {
    const words = 'the rooms are let by the day and the keys'
    const prose = rowsOf(
      700,
      [72, 320],
      [1, 2, 3, 4].map((at) => `${words} ${at} | ${words}`),
    )
    const list = rowsOf(500, [72, 100], ['1. | Knock', '2. | Wait', '3. | Enter'])
    const { text } = await read(buildPdf([[...prose, ...list]]))
    expect(text).not.toContain('|')
  })

  it('from right to left keeps its columns in the order that they are read in', () => {
    const drawn: [str: string, x: number, dir: string][][] = [
      [
        ['الدورة', 400, 'rtl'],
        ['الساعات', 300, 'rtl'],
        ['الرسوم', 200, 'rtl'],
      ],
      [
        ['الفرنسية', 400, 'rtl'],
        ['60', 300, 'ltr'],
        ['1350', 200, 'ltr'],
      ],
    ]
    const items = drawn.flatMap((row, down) =>
      row.map(([str, x, dir], at) => ({
        ...{ str, dir, width: 40, height: 12, hasEOL: at === 2 },
        transform: [12, 0, 0, 12, x, 700 - 20 * down],
      })),
    )
    expect(collectLines(items).map(({ cells = [] }) => cells.map(({ text }) => text))).toEqual([
      ['الدورة', 'الساعات', 'الرسوم'],
      ['الفرنسية', '60', '1350'],
    ])
  })
})

describe('a line written from right to left', () => {
  type Drawn = [str: string, x: number, width: number, dir?: string]
  const linesOf = (...lines: Drawn[][]) =>
    collectLines(
      lines.flatMap((line, row) =>
        line.map(([str, x, width, dir = 'ltr'], at) => ({
          ...{ str, dir, width, height: 12, hasEOL: at === line.length - 1 },
          transform: [12, 0, 0, 12, x, 700 - 20 * row],
        })),
      ),
    ).map(({ text }) => text)

  it('is put in the order that it is read in, drawn sign by sign from the left', () => {
    const drawn = (signs: string, from = 72): Drawn[] =>
      [...signs].map((sign, i): Drawn => {
        const rtl = /\p{Script=Arabic}/u.test(sign)
        return [sign, from + 6 * i, sign === ' ' ? 4 : 6, rtl ? 'rtl' : 'ltr']
      })
    expect(
      linesOf(
        [...drawn('.(ﻖﺑﺎﻄﻟا) '), ['030', 140, 18], ...drawn(' ﻢﻗر ', 158), ['Berlin', 190, 36]],
        [...drawn('ةﻻد ًﺎﺣﺎﺒﺻ'), ['9:30', 150, 24]],
      ),
    ).toEqual(['Berlin رقم 030 (الطابق).', '9:30 صباحاً دلاة'])
  })

  it('is put in that order, drawn in runs from the right', () => {
    expect(
      linesOf(
        [
          ['•', 300, 4],
          ['المالك (يرمز له بالحرف', 180, 119, 'rtl'],
          ['u', 169, 7],
          ['من كلمة ”', 113, 52, 'rtl'],
          ['user', 93, 20],
          ['“)؛', 78, 15, 'rtl'],
        ],
        [
          ['(الطابق', 77, 38, 'rtl'],
          ['2', 65, 8],
          ['.)', 57, 8],
        ],
        [
          ['نظام', 200, 30, 'rtl'],
          ['Windows', 150, 46],
          ['11', 134, 12],
        ],
      ),
    ).toEqual(['• المالك (يرمز له بالحرف u من كلمة ”user“)؛', '(الطابق 2).', 'نظام 11 Windows'])
  })

  it('is turned round alone among lines that are not', () => {
    expect(
      linesOf(
        [['A long line of English words that is much longer.', 72, 200]],
        [
          ['Called', 72, 30],
          [' ', 102, 4],
          ['ﺎ', 106, 4, 'rtl'],
          ['ﻧ', 110, 4, 'rtl'],
          ['أ', 114, 4, 'rtl'],
          [' ', 118, 4],
          ['(me).', 122, 20],
        ],
      ),
    ).toEqual(['A long line of English words that is much longer.', 'Called أنا (me).'])
  })

  it('keeps the letters of a sign in their order', async () => {
    const font =
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 65 /LastChar 67 /Widths [500 500 500] /ToUnicode 7 0 R >>'
    const pdf = buildPdfFromStreams(
      [packStream('BT /A 12 Tf 1 0 0 1 72 700 Tm (ABC) Tj ET')],
      [
        { body: font },
        packStream(
          'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar <41> <0645> <42> <06440627> <43> <0633> endbfchar endcmap',
        ),
      ],
      '',
      '/Font << /A 6 0 R >>',
    )
    expect((await read(pdf)).text).toBe('سلام')
  })
})

describe('a PDF whose fonts name maps of codes that every reader knows', () => {
  const latin = Buffer.from(' A4').toString('hex')
  const wideLatin = '002000410034'
  it.each<[map: string, collection: string, codes: string, text: string]>([
    ['GBK-EUC-H', 'GB1', `cdcbbbf5c6dacfde${latin}`, '退货期限 A4'],
    ['GBKp-EUC-H', 'GB1', `81408141${latin}`, '丂丄 A4'],
    ['UniGB-UCS2-H', 'GB1', `90008d27671f9650${wideLatin}`, '退货期限 A4'],
    ['Identity-H', 'GB1', '0e7c080a0bf90f4b00220015', '退货期限A4'],
    ['ETen-B5-H', 'CNS1', `b068b366b4c1adad${latin}`, '退貨期限 A4'],
    ['UniCNS-UTF16-H', 'CNS1', `90008ca8671f9650${wideLatin}`, '退貨期限 A4'],
    ['Identity-H', 'CNS1', '09d70bac0c820822', '退貨期限'],
    ['90ms-RKSJ-H', 'Japan1', `95d495698afa8cc0b6c5${latin}`, '返品期限ｶﾅ A4'],
    ['H', 'Japan1', '4a56494a347c3842', '返品期限'],
    ['EUC-H', 'Japan1', `cad6c9cab4fcb8c2${latin}`, '返品期限 A4'],
    ['UniJIS-UTF16-H', 'Japan1', `8fd454c1671f9650${wideLatin}`, '返品期限 A4'],
    ['Identity-H', 'Japan1', '0e260dbc063807760354037303a703c6', '返品期限かなカナ'],
    ['KSCms-UHC-H', 'Korea1', `b9ddc7b0b1e2c7d1${latin}`, '반품기한 A4'],
  ])('is read by %s of %s', async (map, collection, codes, text) => {
    expect((await read(buildPdfOfMaps([[map, collection, codes]]))).text).toBe(text)
  })

  it('is refused when more than a hundred do', async () => {
    const fonts = (count: number) =>
      buildPdfOfMaps(Array.from({ length: count }, () => ['Identity-H', 'GB1', '0e7c'] as const))
    expect(await refuse(fonts(20))).toMatch(/^read: 退/)
    expect(await refuse(fonts(140))).toMatch(/more work/)
  })
})

describe('a PDF', () => {
  it('of a word processor becomes headings, paragraphs and lists', async () => {
    const document = await read(readFixture('guide.pdf'))
    const blocks = document.blocks.map(({ kind, start, end }) => [
      kind,
      document.text.slice(start, end),
    ])
    expect(document.title).toBe('Returns guide')
    expect(blocks.slice(0, 5)).toEqual([
      ['heading', 'Returns guide'],
      [
        'paragraph',
        'This guide explains how parcels are sent back and when the money is returned.1',
      ],
      ['heading', 'Time limits'],
      [
        'paragraph',
        'A parcel can be sent back within 30 days of delivery. Food and made-to-order goods are excluded.',
      ],
      ['list', '• Clothing: 60 days\n• Electronics: 14 days\n• opened boxes: 7 days'],
    ])
    expect(document.text).toContain('包裹可以在送达后三十天内退回。')
  })

  it('joins wrapped lines, undoes hyphens, and keeps paragraphs apart', async () => {
    const { text } = await read(
      buildPdf([
        [
          line(700, 'The quick brown fox jumps over the lazy dog and an exam-'),
          line(687, 'ple follows it home, where both of them rest for a while.'),
          line(660, 'Another paragraph starts after a gap of this size here.'),
        ],
      ]),
    )
    expect(text).toBe(
      'The quick brown fox jumps over the lazy dog and an example follows it home, where both of them rest for a while.\n\nAnother paragraph starts after a gap of this size here.',
    )
  })

  it('takes running heads and page numbers out, and joins sentences over page breaks', async () => {
    const pages = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((word, i) => [
      line(800, `Chapter ${i < 4 ? 'A' : 'B'} of the book`, 9),
      line(700, `${i === 0 ? 'The' : 'ends here. The'} text of page ${word} begins and then`),
      line(40, `${i + 7}`, 9),
    ])
    const document = await read(buildPdf(pages))
    expect(document.text).not.toMatch(/Chapter|\b9\b/)
    expect(document.text).toContain('page one begins and then ends here. The text of page two')
    const starts = document.pageStarts ?? []
    expect(starts).toHaveLength(7)
    expect(starts.slice(1).map((start) => document.text.slice(start, start + 9))).toEqual(
      Array(6).fill('ends here'),
    )
  })

  it('keeps the title in large type that heads the pages behind it in small', async () => {
    const cover = [line(700, 'The pump guide', 24), line(660, 'Version 2')]
    const pages = ['one', 'two', 'three', 'four'].map((word) => [
      line(800, 'The pump guide', 9),
      line(700, `The text of page ${word}.`),
    ])
    const document = await read(buildPdf([cover, ...pages]))
    expect(document.title).toBe('The pump guide')
    expect(document.text.match(/The pump guide/g)).toHaveLength(1)
  })

  it('takes heads out that name each page’s own section, and leaves first lines of text', async () => {
    const words = ['ways', 'prices', 'times', 'people', 'places', 'reasons', 'rules', 'ends']
    const body = (word: string, i: number, top: number) => [
      line(top, `${i === 0 ? 'The' : 'go on here. The'} words about ${word} are told in`),
      line(top - 13, `two lines with ${word} and then`),
    ]
    const headed = words.map((word, i) => [
      line(800, `CHAPTER ${i}. ON ${word.toUpperCase()} AND OTHER THINGS`),
      ...body(word, i, 760),
    ])
    const { text } = await read(buildPdf(headed))
    expect(text).not.toContain('CHAPTER')
    expect(text).toContain('two lines with ways and then go on here. The words about prices')
    // The same without heads: the first lines stand at one height as well.
    const bare = await read(buildPdf(words.map((word, i) => body(word, i, 800))))
    for (const word of words) expect(bare.text).toContain(`words about ${word}`)
    // Sheets of one thing each: their titles stand alone, and begin as they like.
    const sheets = await read(
      buildPdf(words.map((word, i) => [line(800, `${word} of it`), ...body(word, i, 760)])),
    )
    for (const word of words) expect(sheets.text).toContain(`${word} of it`)
  })

  it('reads items behind dashes as items, and a dash at the start of one wrapped line as text', async () => {
    const items = ['milk is cold', 'bread is warm', 'salt is dry']
    const { text } = await read(
      buildPdf([
        [
          line(760, 'These things are sold here:'),
          ...items.map((item, i) => line(730 - i * 30, `${DASH} ${item}`)),
          line(600, 'Whoever comes late finds less of what was there in the morning'),
          line(587, `${DASH} and pays as much for it as all of those who came before them.`),
        ],
      ]),
    )
    expect(text).toContain(`here:\n${items.map((item) => `• ${item}`).join('\n')}\n`)
    expect(text).toContain('in the morning — and pays')
  })

  it('keeps code apart that is set in a type of equally wide letters, with its indents', async () => {
    const mono = (y: number, text: string, x = 72) => ({ y, text, x, mono: true })
    const { text } = await read(
      buildPdf([
        [
          line(760, 'To stop a service from being started with the machine, run the command'),
          mono(730, 'if true; then'),
          mono(717, 'systemctl disable cron', 92),
          mono(687, 'fi'),
          line(657, 'which leaves all of the files of the service where they have been before.'),
          line(644, 'The form of it, set in from the lines around, is'),
          mono(631, 'systemctl disable NAME', 100),
          line(618, 'and nothing more than that has to be typed.'),
        ],
      ]),
    )
    expect(text).toContain(
      'command\n\n```\nif true; then\n   systemctl disable cron\n\nfi\n```\n\nwhich',
    )
    expect(text).toContain('is\n\n```\nsystemctl disable NAME\n```\n\nand')
  })

  it('reads items behind the bullets of slides as items', async () => {
    const item = { transform: [1, 0, 0, 1, 72, 700], width: 99, height: 11, hasEOL: true }
    const texts = (...all: string[]) =>
      collectLines(all.map((str) => ({ ...item, str }))).map(({ text }) => text)
    expect(texts('▶ Quality', '■ Freedom', '○ none', '▶')).toEqual([
      '• Quality',
      '• Freedom',
      '• none',
      '▶',
    ])
  })

  it('takes signs that are always equally wide for text, not for code', async () => {
    const font = (i: number) => ({
      body: `<< /Type /Font /Subtype /Type0 /BaseFont /X${i} /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X${i} /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X${i} /Flags 5 >> >>] >>`,
    })
    const long = '5305'.repeat(30)
    const { blocks } = await read(
      buildPdfFromStreams(
        [
          packStream(
            `${drawText([line(760, 'Plain words stand here, more than there are signs. '.repeat(3))])} BT /X 11 Tf 1 0 0 1 100 700 Tm <${long}> Tj ET`,
          ),
        ],
        [font(0)],
        '',
        '/Font << /F1 3 0 R /X 6 0 R >>',
      ),
    )
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph'])
  })

  it('takes a line with a part’s number for a heading in type that is hardly larger', async () => {
    const text = [line(740, 'The cell stands in the tray.'), line(720, 'It is charged overnight.')]
    const page = [line(760, '1.1.1 Inner connections', 12), ...text, line(690, 'Take care', 12)]
    const { blocks } = await read(buildPdf([[...page, line(670, 'Hold it by the rim.')]]))
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', ...Array(3).fill('paragraph')])
  })

  it('takes what bookmarks name for headings in any type, one below the other, but no list of them', async () => {
    const lines = [
      line(780, 'Garden book', 20),
      line(740, 'Soil'),
      line(728, 'Water'),
      line(716, 'Light'),
      line(690, '1 Soil', 14),
      line(660, 'Dig it over in autumn, and once more in spring.'),
      line(630, 'Clay'),
      line(618, 'Clay wants sand and patience, so that water runs off.'),
      line(588, 'Water', 14),
      line(560, 'Water in the evening, and never the leaves of the'),
      line(548, 'soil.'),
    ]
    const bookmarks = [
      { body: '<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>' },
      { body: '<< /First 8 0 R >>' },
      { body: '<< /Title (Soil) /Next 9 0 R /First 10 0 R >>' },
      { body: '<< /Title (2. Water) /Next 11 0 R /C [1 0 0] >>' },
      { body: '<< /Title (Clay) /Dest (clay) >>' },
      { body: '<< /Title (Light) >>' },
    ]
    const pdf = buildPdfFromStreams([packStream(drawText(lines))], bookmarks, '/Root 6 0 R')
    expect(await readBlocks(pdf, 'pdf')).toEqual([
      'h1: Garden book',
      'paragraph: Soil',
      'paragraph: Water',
      'paragraph: Light',
      'h2: 1 Soil',
      'paragraph: Dig it over in autumn, and once more in spring.',
      'h3: Clay',
      'paragraph: Clay wants sand and patience, so that water runs off.',
      'h2: Water',
      'paragraph: Water in the evening, and never the leaves of the soil.',
    ])
  })

  it('has a heading with a part’s number for no title, and names of code for no larger type', async () => {
    const numbered = [line(760, '1 Start', 18), line(730, 'Plain text follows here.')]
    expect((await read(buildPdf([numbered]))).title).not.toBe('1 Start')
    const item = { transform: [1, 0, 0, 1, 72, 700], width: 99, hasEOL: false }
    const sizes = collectLines([
      { ...item, str: 'Why does ', height: 13 },
      { ...item, str: 'make', height: 14.4, mono: true },
      { ...item, str: ' stop?', height: 13, hasEOL: true },
      { ...item, str: 'make', height: 14, mono: true, hasEOL: true },
    ])
    expect(sizes.map(({ size }) => size)).toEqual([13, 14])
  })

  it('takes cells, names of options and a document that was typed for text, not for code', async () => {
    const mono = (y: number, text: string, x = 72) => ({ y, text, x, mono: true })
    const typed = [mono(760, 'Dear all,'), mono(730, 'we meet on Monday at nine o’clock.')]
    expect((await read(buildPdf([typed]))).text).not.toContain('```')
    const { text } = await read(
      buildPdf([
        [
          line(760, 'These are the options that the command understands today:'),
          mono(747, '-q', 80),
          { ...line(734, 'says nothing at all of what it does while it works'), x: 100 },
          mono(721, 'cron', 80),
          { ...line(721, 'starts what is to be done at a time, day after day'), x: 200 },
        ],
      ]),
    )
    expect(text).not.toContain('```')
  })

  it('takes a question in large type for a heading, however long it is', async () => {
    const asked = [
      'I know that this one is made of the other one,',
      'and that they look alike in many ways. So after',
      'I have put it on my disk at home, may I use all',
      'of the tools of the other one on it, or not?',
    ]
    const { blocks } = await read(
      buildPdf([
        [
          ...asked.map((text, i) => line(760 - i * 18, text, 16)),
          ...asked.map((_, i) =>
            line(660 - i * 13, 'Yes, you may use all of them, and they work as well as there.'),
          ),
        ],
      ]),
    )
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph'])
  })

  it('leaves a table of contents out, also lines of it that have no dots', async () => {
    const { text } = await read(
      buildPdf([
        [
          line(760, 'Contents', 18),
          line(720, '1 Beginning 1'),
          line(700, '1.1 How it is opened . . . . . . . . . . 1'),
          line(680, '1.2 What is to be done by somebody who has lost the key of the'),
          line(660, 'gate in the night . . . . . . . . . . . . 2'),
          line(640, '1.3 How it is shut . . . . . . . . . . . . 3'),
          line(620, '1.4 How it is oiled . . . . . . . . . . . 4'),
          line(560, 'Who reads this has bought a gate.'),
        ],
        [line(760, 'It is opened by hand in 2 turns.'), line(700, '1.1 is its number')],
      ]),
    )
    expect(text).not.toMatch(/lost the key|oiled|Beginning/)
    expect(text).toContain('Who reads this has bought a gate.')
    expect(text).toContain('1.1 is its number')
  })

  it.each([
    ['A message may have at most 32', '768 characters in all.', 'at most 32 768 characters'],
    ['What is said here needs a trans-', 'lation by somebody.', 'a translation by somebody'],
    ['Read more at https://docs.example/', 'limits of today.', 'https://docs.example/limits of'],
  ])('joins what a page break tore apart: %s', async (first, second, whole) => {
    const { text } = await read(buildPdf([[line(700, first)], [line(700, second)]]))
    expect(text).toContain(whole)
  })

  it('gives the page on which a chunk starts', async () => {
    const filler = (word: string) =>
      Array.from({ length: 40 }, (_, i) =>
        line(780 - i * 13, `${word} fills line ${i} of this page with words and more words.`),
      )
    const document = await read(buildPdf([filler('First'), [], filler('Third')]))
    const chunks = chunkDocument(document)
    expect(chunks[0]?.page).toBe(1)
    expect(chunks.at(-1)?.page).toBe(3)
    for (const { page, text } of chunks) expect(text).toContain(page === 1 ? 'First' : 'Third')
  })

  it('is read with the filters old writers use', async () => {
    const content = drawText([line(700, 'Text behind two filters.')])
    const hex = Buffer.from(content).toString('hex')
    const packedHex = deflateSync(Buffer.from(content)).toString('hex')
    for (const [filter, stream] of [
      ['/ASCIIHexDecode', `${hex}>`],
      ['[ /AHx /Fl ]', `${packedHex}>`],
      ['[/ASCII85Decode /FlateDecode]', `${toAscii85(deflateSync(Buffer.from(content)))}~>`],
      [
        '/RL',
        Buffer.concat([
          Buffer.from([content.length - 1]),
          Buffer.from(content),
          Buffer.from([128]),
        ]),
      ],
      ['/LZWDecode', packLzw(Buffer.from(content))],
    ] as const) {
      const object = { body: `<< /Length ${stream.length} /Filter ${filter} >>`, stream }
      expect((await read(buildPdfFromStreams([object]))).text).toBe('Text behind two filters.')
    }
  })

  it('may hold pictures of any size, which are not unpacked', async () => {
    const picture = packStream(
      new Uint8Array(60 * MIB),
      '/Type /XObject /Subtype /Image /Width 20000 /Height 3000 /ColorSpace /DeviceGray /BitsPerComponent 8',
    )
    const page = packStream(
      `q 100 0 0 100 0 0 cm /Im1 Do Q ${drawText([line(700, 'Below a picture.')])}`,
    )
    const bytes = buildPdfFromStreams([page], [picture], '', '/XObject << /Im1 6 0 R >>')
    expect((await read(bytes)).text).toBe('Below a picture.')
  })
})

describe('a PDF that cannot be read is refused with a reason', () => {
  it('when it is a scan', async () => {
    const picture = packStream(
      new Uint8Array(100),
      '/Type /XObject /Subtype /Image /Width 10 /Height 10 /ColorSpace /DeviceGray /BitsPerComponent 8',
    )
    const bytes = buildPdfFromStreams(
      [packStream('q /Im1 Do Q')],
      [picture],
      '',
      '/XObject << /Im1 6 0 R >>',
    )
    expect(await refuse(bytes)).toMatch(/OCR/)
  })

  it('when it is protected', async () => {
    const encrypt = { body: '<< /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P -4 >>' }
    expect(
      await refuse(writePdf([{ body: '<< /Type /Catalog >>' }, encrypt], '/Encrypt 2 0 R')),
    ).toMatch(/protected/)
    // Where the table of places is a stream, its dictionary says so.
    const places = { body: '<< /Type /XRef /Size 3 /Encrypt 2 0 R >>', stream: '' }
    expect(await refuse(writePdf([{ body: '<< /Type /Catalog >>' }, encrypt, places]))).toMatch(
      /protected/,
    )
  })

  it('when it is damaged or empty', async () => {
    const whole = buildPdf([[line(700, 'Text')]])
    expect(await refuse(new TextEncoder().encode('%PDF-1.7\nnothing'))).toMatch(/damaged/)
    expect(await refuse(whole.slice(0, 60))).toMatch(/damaged/)
    expect(await refuse(buildPdf([]))).toMatch(/damaged|no text/)
  })

  it('when it has more than 2,000 pages', async () => {
    const objects = [
      { body: '<< /Type /Catalog /Pages 2 0 R >>' },
      { body: `<< /Type /Pages /Count 2001 /Kids [${'3 0 R '.repeat(2001)}] >>` },
      { body: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>' },
    ]
    expect(await refuse(writePdf(objects))).toMatch(/2001 pages/)
  })
})

describe('a hostile PDF', () => {
  it('with a bomb for a page is refused before it is unpacked', async () => {
    const bytes = buildPdfFromStreams([packStream(new Uint8Array(40 * MIB).fill(32))])
    expect(bytes.length).toBeLessThan(100_000)
    expect(await refuse(bytes)).toMatch(/unpacks to more/)
  })

  it('with many smaller bombs is refused, too', async () => {
    const page = packStream(new Uint8Array(30 * MIB).fill(32))
    expect(await refuse(buildPdfFromStreams(Array(8).fill(page)))).toMatch(/unpacks to more/)
  })

  it.each(['/LZWDecode', '/RunLengthDecode'])(
    'with a bomb packed by %s is refused',
    async (filter) => {
      const stream =
        filter === '/RunLengthDecode'
          ? new Uint8Array(600_000).fill(129)
          : packLzw(Buffer.alloc(40 * MIB, 32))
      const bytes = buildPdfFromStreams([
        { body: `<< /Length ${stream.length} /Filter ${filter} >>`, stream },
      ])
      expect(await refuse(bytes)).toMatch(/unpacks to more/)
    },
  )

  it('cannot hide how a stream is packed', async () => {
    const bomb = deflateSync(deflateSync(new Uint8Array(50 * MIB)))
    const bodies = [
      '/Filter [/FlateDecode /FlateDecode]',
      '/Filter [/F#6cateDecode /Fl]',
      '/Note (endobj) /Filter [ % comment\n /Fl /Fl ]',
      '/Filter 6 0 R',
      '/Filter /BrotliDecode',
    ]
    for (const body of bodies) {
      const page = { body: `<< /Length ${bomb.length} ${body} >>`, stream: bomb }
      expect(
        await refuse(buildPdfFromStreams([page], [{ body: '[/FlateDecode /FlateDecode]' }])),
      ).toMatch(/unusual/)
    }
    const single = deflateSync(new Uint8Array(50 * MIB))
    const escaped = {
      body: `<< /Length ${single.length} /F#69lter % c\n /Flate#44ecode >>`,
      stream: single,
    }
    expect(await refuse(buildPdfFromStreams([escaped]))).toMatch(/unpacks to more/)
    const short = {
      body: `<< /Length ${single.length} /Filter /ASCIIHexDecode /F /FlateDecode >>`,
      stream: single,
    }
    expect(await refuse(buildPdfFromStreams([short]))).toMatch(/unpacks to more/)
  })

  it('whose page tree contains itself ends', async () => {
    const objects = [
      { body: '<< /Type /Catalog /Pages 2 0 R >>' },
      { body: '<< /Type /Pages /Count 3 /Kids [2 0 R 3 0 R 2 0 R] >>' },
      { body: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [2 0 R] >>' },
    ]
    expect(await refuse(writePdf(objects))).toMatch(/damaged|no text/)
  })

  it('whose list of pages names one page again and again is refused', async () => {
    const objects = [
      { body: '<< /Type /Catalog /Pages 2 0 R >>' },
      { body: `<< /Type /Pages /Count 2000 /Kids [${'3 0 R '.repeat(40_000)}] >>` },
      { body: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>' },
    ]
    expect(await refuse(writePdf(objects))).toMatch(/more work/)
  })

  it('is not asked for what stands about it in XML', async () => {
    const xml = `<x:xmpmeta><rdf:RDF>${'<a/>'.repeat(1000)}</rdf:RDF></x:xmpmeta>`
    const bytes = writePdf([
      { body: '<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R >>' },
      { body: '<< /Type /Pages /Count 1 /Kids [4 0 R] >>' },
      { body: FONT },
      {
        body: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
      },
      packStream('BT /F1 12 Tf 9 9 Td (Words) Tj ET'),
      { body: `<< /Type /Metadata /Subtype /XML /Length ${xml.length} >>`, stream: xml },
    ])
    // The parser's tree of XML defines this of each of its nodes.
    const defined = vi.spyOn(Object, 'defineProperty')
    expect((await read(bytes)).text).toBe('Words')
    const nodes = defined.mock.calls.filter(([, name]) => name === 'parentNode')
    defined.mockRestore()
    expect(nodes).toEqual([])
  })

  it('whose forms show each other, or themselves, ends', async () => {
    const form = (content: string, names: string) =>
      packStream(
        content,
        `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /Font << /F1 3 0 R >> /XObject << ${names} >> >>`,
      )
    const self = form(`/X Do ${drawText([line(700, 'Inside.')])}`, '/X 6 0 R')
    const page = packStream('/X Do')
    expect(
      await refuse(buildPdfFromStreams([page], [self], '', '/XObject << /X 6 0 R >>')),
    ).toMatch(/read: Inside\./)
    // Ten levels of ten forms each would be ten thousand million words.
    const levels = Array.from({ length: 10 }, (_, i) =>
      form(i < 9 ? '/X Do '.repeat(10) : drawText([line(700, 'ha')]), `/X ${7 + i} 0 R`),
    )
    const started = cpuTime()
    expect(
      await refuse(buildPdfFromStreams([page], levels, '', '/XObject << /X 6 0 R >>')),
    ).toMatch(/too much text/)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })

  it('of brackets, dictionaries and comments without end takes linear time', async () => {
    const head = '%PDF-1.7\n'
    const started = cpuTime()
    for (const piece of [
      '1 0 obj <<',
      '1 0 obj % ',
      '1 0 obj <</A [',
      '1 0 obj << /A (',
      'trailer <<',
      'obj<',
      '1 0 obj<</Filter[/A85/Fl]>>stream\n',
    ]) {
      const bytes = new TextEncoder().encode(head + piece.repeat(MIB / piece.length))
      expect(await refuse(bytes)).toMatch(/damaged/)
    }
    expect(cpuTime() - started).toBeLessThan(20_000)
  })

  it('that keeps state after state, or unpacks the same content over and over, is refused', async () => {
    expect(await refuse(buildPdfFromStreams([packStream('q '.repeat(2000))]))).toMatch(/more work/)
    const contents = (times: number) =>
      writePdf([
        { body: '<< /Type /Catalog /Pages 2 0 R >>' },
        { body: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>' },
        {
          body: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [${'4 0 R '.repeat(times)}] >>`,
        },
        packStream(' '.repeat(MIB)),
      ])
    expect(await refuse(contents(100))).toMatch(/more work/)
    expect(await refuse(contents(2))).toMatch(/no text/)
  })

  it('is not asked for rows of a gigabyte', async () => {
    const content = packStream(
      drawText([line(700, 'Text')]),
      '/DecodeParms << /Predictor 2 /Colors 1000 /BitsPerComponent 16 /Columns 400000 >>',
    )
    expect(await refuse(buildPdfFromStreams([content]))).toMatch(/no text/)
  })

  describe('with a font', () => {
    const composite = (widths: string, map: string, pages = 1) =>
      withFont(
        '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R >>',
        [
          {
            body: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 6 0 R /W ${widths} >>`,
          },
          packStream(
            `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${map} endcmap`,
          ),
        ],
        '',
        pages,
      )
    const letter = '1 beginbfchar <4142> <0041> endbfchar'

    it('that has a range of millions of codes, or one code in the millions', async () => {
      const range = '<000000> <fffffe> <0041>'
      for (const map of [
        `1 beginbfrange ${range} endbfrange`,
        `100 beginbfrange ${`${range} `.repeat(100)} endbfrange`,
        `1 begincidrange <000000> <fffffe> 0 endcidrange`,
      ]) {
        expect(await refuse(composite('[]', map))).toMatch(/more work/)
      }
      const whole = '1 beginbfrange <0000> <ffff> <0000> endbfrange'
      expect(await refuse(composite('[]', whole))).toBe('read: \u4142')
      const far = `${letter} 1 beginbfchar <fffffe> <0042> endbfchar`
      expect(await refuse(composite('[]', far))).toBe('read: A')
    })

    it('that is as wide for millions of codes', async () => {
      expect(await refuse(composite('[0 100000000 500]', letter))).toMatch(/more work/)
      expect(await refuse(composite(`[${'0 65535 500 '.repeat(600)}]`, letter))).toMatch(
        /more work/,
      )
      expect(await refuse(composite('[0 65535 500]', letter))).toBe('read: A')
    })

    it('and large content on every page, which use up what a document may ask for together', async () => {
      const widths = `[${'0 65535 500 '.repeat(511)}]`
      expect(await refuse(composite(widths, letter, 1))).toBe('read: A')
      expect(await refuse(composite(widths, letter, 3))).toMatch(/more work/)
    })

    it('whose glyph calls subroutines that call subroutines', async () => {
      const subroutines = Array.from({ length: 40 }, (_, i) =>
        i < 39 ? [140 + i, 10, 140 + i, 10, 11] : [11],
      )
      const program = packType1([139, 10, 14], subroutines)
      expect(
        await refuse(
          withFont(
            '<< /Type /Font /Subtype /Type1 /BaseFont /X /FontDescriptor 6 0 R /FirstChar 65 /LastChar 66 /Widths [500 500] >>',
            [program],
            '/FontFile 7 0 R',
          ),
        ),
      ).toBe('read: AB')
    })
  })

  it('whose many fonts share a file, a map or a list does that work once for each of them', {
    timeout: 120_000,
  }, async () => {
    const letters = 500_000
    const shared = {
      widths: { entries: '/Widths 6 0 R', object: { body: `[${'9 '.repeat(letters)}]` } },
      differences: {
        entries: '/Encoding 6 0 R',
        object: { body: `<< /Differences [${'/a '.repeat(letters)}] >>` },
      },
      map: {
        entries: '/ToUnicode 6 0 R',
        object: packStream('% beginbfchar <41> <0041> endbfchar\n'.repeat(letters)),
      },
      file: {
        entries: '',
        object: packStream(`\0\x01\0\0${'\0'.repeat(30 * MIB)}`),
        file: '/FontFile2 6 0 R',
      },
    }
    const wide = (inner: string) =>
      `/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${inner} >>]`
    const composite = {
      glyphs: { entries: '/CIDToGIDMap 6 0 R', object: packStream('\0\x01'.repeat(4 * letters)) },
      'lists of widths': {
        entries: `/W [${'0 6 0 R '.repeat(100)}]`,
        object: { body: `[${'9 '.repeat(letters)}]` },
      },
    }
    const fonts = (count: number, font: (name: string) => string, object: PdfObject) => {
      const numbers = Array.from({ length: count }, (_, i) => i)
      const draw = numbers.map((i) => `BT /G${i} 9 Tf (A) Tj ET`).join(' ')
      const bodies = numbers.map((i) => ({ body: font(`/X${i}`) }))
      const used = `/Font << ${numbers.map((i) => `/G${i} ${7 + i} 0 R`).join(' ')} >>`
      return buildPdfFromStreams([packStream(draw)], [object, ...bodies], '', used)
    }
    const simple = (name: string, entries: string, file = '') =>
      `<< /Type /Font /Subtype /Type1 /BaseFont ${name} /FirstChar 0 /LastChar 255 ${entries} /FontDescriptor << /Type /FontDescriptor /FontName ${name} /Flags 4 ${file} >> >>`
    for (const [name, { entries, object, ...more }] of Object.entries(shared)) {
      const file = 'file' in more ? more.file : ''
      const of = (count: number) => fonts(count, (font) => simple(font, entries, file), object)
      expect(await refuse(of(1)), name).not.toMatch(/more work/)
      expect(await refuse(of(40)), name).toMatch(/more work/)
    }
    for (const [name, { entries, object }] of Object.entries(composite)) {
      const font = () =>
        `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H ${wide(entries)} >>`
      expect(await refuse(fonts(40, font, object)), name).toMatch(/more work/)
    }
  })

  it('whose bookmarks share a title, or never end, is read without them', async () => {
    const page = packStream(
      drawText([
        line(700, 'Shared'),
        line(688, 'All that is said here is said once, and once only.'),
      ]),
    )
    const build = (title: string, count: number) => {
      const bookmarks = Array.from({ length: count }, (_, at) => ({
        body: `<< /Title 8 0 R /Next ${9 + ((at + 1) % count)} 0 R /First 9 0 R >>`,
      }))
      return buildPdfFromStreams(
        [page],
        [
          { body: '<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>' },
          { body: '<< /First 9 0 R >>' },
          { body: `(${title})` },
          ...bookmarks,
        ],
        '/Root 6 0 R',
      )
    }
    const headings = async (bytes: Uint8Array) =>
      (await read(bytes)).blocks.filter(({ kind }) => kind === 'heading').length
    expect(await headings(build('Shared', 3))).toBe(1)
    const started = cpuTime()
    expect(await headings(build('Shared'.repeat(100_000), 5000))).toBe(0)
    expect(await headings(build('Shared', 50_000))).toBe(0)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })

  it('whose pages draw a form with a long dictionary again and again is refused', async () => {
    const form = packStream(
      'BT /F1 9 Tf (A) Tj ET',
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> >> /Long %${'a'.repeat(4 * MIB)}\n1`,
    )
    const drawn = (times: number) =>
      buildPdfFromStreams(
        [packStream('/X Do '.repeat(times))],
        [form],
        '',
        '/XObject << /X 6 0 R >>',
      )
    expect(await refuse(drawn(3))).toBe('read: AAA')
    expect(await refuse(drawn(50))).toMatch(/more work/)
  })

  it('whose fonts are said to be in a stream of objects that holds none of them is refused', async () => {
    const missing = (fonts: number) => {
      const numbers = Array.from({ length: fonts }, (_, i) => 7 + i)
      const draw = numbers.map((n) => `BT /G${n} 9 Tf (A) Tj ET`).join(' ')
      const used = `/Font << ${numbers.map((n) => `/G${n} ${n} 0 R`).join(' ')} >>`
      const packed = packStream(`6 0 ${' '.repeat(16 * MIB)}9`, '/Type /ObjStm /N 1 /First 4')
      const whole = buildPdfFromStreams([packStream(draw)], [packed], '', used)
      const text = Buffer.from(whole).toString('latin1')
      const table = text.lastIndexOf('xref\n0 ')
      const places = [1, 2, 3, 4, 5, 6].map((n) => text.indexOf(`\n${n} 0 obj`) + 1)
      const rows = [[0, 0, 0], ...places.map((at) => [1, at, 0]), ...numbers.map(() => [2, 6, 9])]
      const bytes = rows.flatMap(([kind = 0, at = 0, index = 0]) => [
        kind,
        ...[at >> 16, at >> 8, at].map((part) => part & 255),
        index,
      ])
      const own = rows.length
      const end = `${own} 0 obj\n<< /Type /XRef /Size ${own} /W [1 3 1] /Root 1 0 R /Length ${bytes.length} >>\nstream\n${String.fromCharCode(...bytes)}\nendstream\nendobj\nstartxref\n${table}\n%%EOF\n`
      return new Uint8Array(Buffer.from(text.slice(0, table) + end, 'latin1'))
    }
    expect(await refuse(missing(2))).toBe('read: AA')
    expect(await refuse(missing(20))).toMatch(/more work/)
  })

  it('of millions of lists in one operand or object is refused', async () => {
    const operand = (lists: number) =>
      buildPdfFromStreams([
        packStream(`${drawText([line(700, 'Text')])} [${'[]'.repeat(lists)}] TJ`),
      ])
    expect(await refuse(operand(10_000))).toBe('read: Text')
    expect(await refuse(operand(2 * MIB))).toMatch(/more work/)
  })

  it('cut off or changed anywhere is answered, never thrown', async () => {
    const whole = buildPdfFromStreams([packStream(drawText([line(700, 'Text')]))], [{ body: FONT }])
    for (let at = 0; at < whole.length; at += 23) {
      expect(await readDocument(whole.slice(0, at), 'pdf', loadPdfLibrary)).toHaveProperty('ok')
      const changed = whole.slice()
      changed[at] = 0x3e
      expect(await readDocument(changed, 'pdf', loadPdfLibrary)).toHaveProperty('ok')
    }
  })
})

/** Pages that show `AB` in this font and are otherwise blank, at length; object 6 describes it, further ones follow. */
function withFont(font: string, more: readonly PdfObject[], described = '', pages = 1): Uint8Array {
  return writePdf([
    { body: '<< /Type /Catalog /Pages 2 0 R >>' },
    { body: `<< /Type /Pages /Count ${pages} /Kids [${'4 0 R '.repeat(pages)}] >>` },
    { body: font },
    {
      body: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    },
    packStream(`BT /F1 12 Tf 72 700 Td (AB) Tj ET ${' '.repeat(600_000)}`),
    {
      body: `<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] ${described} >>`,
    },
    ...more,
  ])
}

/** A Type 1 font program with one glyph, A, and these subroutines (Adobe Type 1 Font Format, chapter 7). */
function packType1(glyph: readonly number[], subroutines: readonly number[][]): PdfObject {
  const encrypt = (plain: Buffer, key: number) => {
    let state = key
    return Buffer.from(
      [0, 0, 0, 0, ...plain].map((byte) => {
        const cipher = byte ^ (state >> 8)
        state = ((cipher + state) * 52_845 + 22_719) & 0xffff
        return cipher
      }),
    )
  }
  const code = (bytes: readonly number[]) => encrypt(Buffer.from(bytes), 4330).toString('latin1')
  const named = (name: string, bytes: readonly number[], end: string) =>
    `${name} ${bytes.length + 4} RD ${code(bytes)} ${end}\n`
  const subrs = subroutines.map((bytes, i) => named(`dup ${i}`, bytes, 'NP')).join('')
  const secret = `dup /Private 8 dict dup begin /lenIV 4 def\n/Subrs ${subroutines.length} array\n${subrs}ND\n2 index /CharStrings 1 dict dup begin\n${named('/A', glyph, 'ND')}end\nend\n`
  const head = '%!PS-AdobeFont-1.0: X\n/FontName /X def\n/Encoding StandardEncoding def\neexec\n'
  const body = encrypt(Buffer.from(secret, 'latin1'), 55_665)
  const tail = `\n${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`
  const program = Buffer.concat([Buffer.from(head), body, Buffer.from(tail)])
  return packStream(
    program,
    `/Length1 ${head.length} /Length2 ${body.length} /Length3 ${tail.length}`,
  )
}

function toAscii85(data: Uint8Array): string {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const group = [0, 1, 2, 3].map((i) => data[at + i] ?? 0)
    const value = group.reduce((sum, byte) => sum * 256 + byte, 0)
    const digits = [4, 3, 2, 1, 0].map((power) => Math.floor(value / 85 ** power) % 85)
    const short = data.length - at < 4 ? digits.slice(0, data.length - at + 1) : digits
    text +=
      value === 0 && short.length === 5
        ? 'z'
        : String.fromCharCode(...short.map((digit) => digit + 33))
  }
  return text
}

/** Packs by LZW with the early change of code width that PDF uses. */
function packLzw(data: Uint8Array): Buffer {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  let width = 9
  const write = (code: number) => {
    held = (held << width) | code
    bits += width
    while (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
    }
    held &= (1 << bits) - 1
  }
  let codes = new Map<number, number>()
  let next = 258
  write(256)
  let prefix = data[0] ?? 0
  for (let at = 1; at < data.length; at++) {
    const byte = data[at] ?? 0
    const known = codes.get(prefix * 256 + byte)
    if (known !== undefined) {
      prefix = known
      continue
    }
    write(prefix)
    codes.set(prefix * 256 + byte, next++)
    if (next + 1 > 4095) {
      write(256)
      codes = new Map()
      next = 258
      width = 9
    } else if (next + 1 > 1 << width) width += 1
    prefix = byte
  }
  write(prefix)
  write(257)
  bytes.push((held << (8 - bits)) & 255)
  return Buffer.from(bytes)
}
