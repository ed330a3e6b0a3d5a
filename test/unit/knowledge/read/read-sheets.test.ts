import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../../support/cpu-time'
import { readFixture } from '../../../support/fixture'
import { growsLinearly } from '../../../support/grows'
import { buildXlsx } from '../../../support/office-builder'
import { readBlocks, readRefusal, readWell } from '../../../support/read-blocks'

const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const word = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`

describe('a workbook', () => {
  it('gives a heading a sheet and rows that name their columns; hidden sheets are left out', async () => {
    expect(await readBlocks(readFixture('prices.xlsx'), 'xlsx')).toEqual([
      'h1: Prices',
      'table: Price list 2026\nArticle: Blue lamp | Price: 19.9 | Discount: 25% | Valid from: 2026-03-01\nArticle: Desk "Oslo" | Price: 240 | Discount: 0% | Valid from: 2026-04-15 08:30\nArticle: Sum | Price: 259.9',
      'h1: 店铺',
      'table: 城市: 上海 | 电话: 021-555\n城市: 北京 | 电话: 010-777',
    ])
  })

  it('shows numbers, dates, times and truth values as they are meant', async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="[Red]0.00&quot; days&quot;"/><numFmt numFmtId="165" formatCode="yyyy\\-mm"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>`
    const cells = row(
      number(0.1 + 0.2),
      number(45000, 1),
      number(0.75, 2),
      number(45000.5, 3),
      number(0.125, 4),
      number(3, 5),
      number(45000, 6),
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      '<c t="str"><f>A1</f><v>text</v></c>',
    )
    expect((await readWell(buildXlsx({ S: cells }, { styles }), 'xlsx')).text).toBe(
      'S\n\n0.3 | 2023-03-15 | 18:00 | 2023-03-15 12:00 | 12.5% | 3 | 2023-03-15 | TRUE | text',
    )
    const old = buildXlsx(
      { S: row(number(0, 1)) },
      { styles, workbook: '<workbookPr date1904="1"/>' },
    )
    expect((await readWell(old, 'xlsx')).text).toContain('1904-01-01')
  })

  it('shows hours that were added up as hours, however many days they make', async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="46"/><xf numFmtId="164"/></cellXfs>`
    const cells = row(number(40 / 24, 2), number(7.5 / 24, 2), number(100 / 24 + 61 / 86_400, 1))
    const both = [{}, { workbook: '<workbookPr date1904="1"/>' }]
    for (const options of both)
      expect((await readWell(buildXlsx({ S: cells }, { styles, ...options }), 'xlsx')).text).toBe(
        'S\n\n40:00 | 7:30 | 100:01:01',
      )
  })

  it('takes cells by their reference, and no first row of data for a header', async () => {
    const sparse =
      '<row><c r="C1" t="inlineStr"><is><t>Late</t></is></c><c r="AA1" t="inlineStr"><is><t>Later</t></is></c></row><row><c r="AA2"><v>1</v></c></row>'
    expect((await readWell(buildXlsx({ S: sparse }), 'xlsx')).text).toBe('S\n\nLater: 1')
    const data = row(word('What is it?'), word('A lamp.')) + row(word('Is it new?'), word('Yes.'))
    expect((await readWell(buildXlsx({ S: data }), 'xlsx')).text).toBe(
      'S\n\nWhat is it? | A lamp.\nIs it new? | Yes.',
    )
  })

  it('says what merged cells say in each row and column that they cover', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="str"><v>${text}</v></c>`
    const rows = [
      [cell('A1', 'Winter timetable')],
      [cell('A2', 'Line'), cell('B2', 'Runs on')],
      [cell('B3', 'Weekdays'), cell('C3', 'Sundays')],
      [cell('A4', 'Red'), cell('B4', '✓'), cell('C4', '–')],
      [cell('B5', '–'), cell('C5', '✓')],
    ].map((cells, at) => `<row r="${at + 1}">${cells.join('')}</row>`)
    const merged = ['A1:C1', 'A2:A3', 'B2:C2', 'A4:A5'].map((ref) => `<mergeCell ref="${ref}"/>`)
    expect((await readWell(buildXlsx({ S: [...rows, ...merged].join('') }), 'xlsx')).text).toBe(
      'S\n\nWinter timetable\nLine: Red | Runs on Weekdays: ✓ | Runs on Sundays: –\nLine: Red | Runs on Weekdays: – | Runs on Sundays: ✓',
    )
  })

  it('is read in linear time when its merged cells cover every row', async () => {
    const cells = Array.from(
      { length: 20_000 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c></row>`,
    ).join('')
    const merged = '<mergeCell ref="A1:XFD1048576"/>'.repeat(20_000)
    const started = cpuTime()
    expect((await readWell(buildXlsx({ S: cells + merged }), 'xlsx')).text).toContain('19999')
    expect(cpuTime() - started).toBeLessThan(5000)
  })

  it('is read in linear time when none of its merged cells is in the long row that they name', async () => {
    const read = async (size: number) => {
      const cells = row('<c><v>1</v></c>'.repeat(size))
      const merged = '<mergeCell ref="ZZZZ1:ZZZZ2"/>'.repeat(size / 50)
      const { text } = await readWell(buildXlsx({ S: cells + merged }), 'xlsx')
      expect(text.length).toBe('S\n\n'.length + 4 * size - 3)
    }
    expect(await growsLinearly(400_000, read)).toBe(true)
  })

  it('says once what thousands of merged cells say of one place', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="str"><v>${text}</v></c>`
    const rows = [
      cell('A1', 'Line') + cell('B1', 'Runs'),
      ...Array(12).fill(cell('A2', 'Red') + cell('B2', 'daily')),
      cell('A14', 'Blue'),
      cell('C15', 'late'),
    ].map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
    const merged = '<mergeCell ref="A14:GR15"/>'.repeat(20_000)
    const { text } = await readWell(buildXlsx({ S: rows.join('') + merged }), 'xlsx')
    expect(text.split('\n').slice(-1)).toEqual(['Line: Blue | Runs: Blue | late'])
  })

  it('reads the code of a format once, however many styles have it', async () => {
    const read = async (size: number) => {
      const code = `<numFmt numFmtId="200" formatCode="${'[a'.repeat(size / 40)}"/>`
      const styles = `${code}<cellXfs>${'<xf numFmtId="200"/>'.repeat(size)}</cellXfs>`
      expect((await readWell(buildXlsx({ S: row(number(5)) }, { styles }), 'xlsx')).text).toBe(
        'S\n\n5',
      )
    }
    expect(await growsLinearly(16_000, read)).toBe(true)
  })

  it('leaves phonetic guides out of shared strings', async () => {
    const sharedStrings = '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>'
    expect(
      (await readWell(buildXlsx({ S: row('<c t="s"><v>0</v></c>') }, { sharedStrings }), 'xlsx'))
        .text,
    ).toBe('S\n\n東京')
  })

  it('is refused when one shared string fills every cell', async () => {
    const sharedStrings = `<si><t>${'ab'.repeat(50_000)}</t></si>`
    const cells = row('<c t="s"><v>0</v></c>'.repeat(200))
    expect(await readRefusal(buildXlsx({ S: cells }, { sharedStrings }), 'xlsx')).toMatch(
      /characters/,
    )
  })

  it('is refused when it has one sheet under countless names', async () => {
    const workbook = `<sheet r:id="s0"/>`.repeat(120_000)
    expect(await readRefusal(buildXlsx({ S: '<row/>' }, { workbook }), 'xlsx')).toMatch(
      /unpacks to more/,
    )
  })

  it('is read in linear time when its cells are spread over every column', async () => {
    const read = async (size: number) => {
      const cells = Array.from(
        { length: size },
        (_, i) => `<row><c r="XFD${i + 1}"><v>${i}</v></c></row>`,
      ).join('')
      expect((await readWell(buildXlsx({ S: cells }), 'xlsx')).text).toContain(`\n${size - 1}`)
    }
    expect(await growsLinearly(20_000, read)).toBe(true)
  })
})

describe('separated values', () => {
  it.each([',', ';', '\t', '|'])('are read with %j between them', async (delimiter) => {
    const source = [
      ['City', 'Phone'],
      ['Lyon', '1'],
      ['Porto', '2'],
    ]
      .map((cells) => cells.join(delimiter))
      .join('\r\n')
    expect(await readBlocks(source, 'csv')).toEqual([
      'table: City: Lyon | Phone: 1\nCity: Porto | Phone: 2',
    ])
  })

  it('may be quoted, with breaks inside, and lack a header', async () => {
    expect(await readBlocks('a,"x ""y""\nz"\n1,2', 'csv')).toEqual(['table: a: 1 | x "y" z: 2'])
    expect(await readBlocks('1,2\n3,4', 'csv')).toEqual(['table: 1 | 2\n3 | 4'])
  })
})
