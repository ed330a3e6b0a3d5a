import { describe, expect, it } from 'vitest'
import { readFixture } from '../../../support/fixture'
import { buildDocx, buildOffice } from '../../../support/office-builder'
import { readBlocks, readRefusal, readWell } from '../../../support/read-blocks'

const p = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

describe('a Word document', () => {
  it('of one program: headings, notes, nested and numbered lists, tables', async () => {
    expect(await readBlocks(readFixture('guide.docx'), 'docx')).toEqual([
      'h1: Returns guide',
      'paragraph: This guide explains how parcels are sent back and when the money is returned.[1]',
      'paragraph: [1] Money is returned within 10 days.',
      'h2: Time limits',
      'paragraph: A parcel can be sent back within 30 days of delivery. Food and made-to-order goods are excluded.',
      'list: - Clothing: 60 days\n- Electronics: 14 days\n  - opened boxes: 7 days',
      'h2: Steps',
      'list: 1. Print the label.\n2. Pack the parcel.\n3. Hand it in at a shop.',
      'h2: Fees',
      'table: Country: Germany | Fee: 0 EUR\nCountry: Spain | Fee: 4 EUR',
      'h2: 中文说明',
      'paragraph: 包裹可以在送达后三十天内退回。食品和定制商品除外。',
    ])
  })

  it('of another program: styles inherited, lists by style, hidden text left out', async () => {
    const document = await readWell(readFixture('handbook.docx'), 'docx')
    expect(document.title).toBe('Employee handbook')
    expect(document.text).toContain('1. Ask your manager first\n2. Enter the days in the calendar')
    expect(document.text).toContain('Years: 3–5 | Days: 30 | Note: from the third birthday')
    expect(document.text).not.toContain('Hidden')
  })

  it('finds headings by outline level, inherited or direct, and by the name of an undefined style', async () => {
    const styles = `<w:style w:styleId="a"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
      <w:style w:styleId="b"><w:name w:val="Sub"/><w:basedOn w:val="a"/></w:style>
      <w:style w:styleId="c"><w:name w:val="toc 1"/></w:style>
      <w:style w:styleId="x"><w:basedOn w:val="y"/></w:style><w:style w:styleId="y"><w:basedOn w:val="x"/></w:style>`
    const body =
      p('One', '<w:pStyle w:val="b"/>') +
      p('Contents line', '<w:pStyle w:val="c"/>') +
      p('Two', '<w:outlineLvl w:val="2"/>') +
      p('Three', '<w:pStyle w:val="Heading4"/>') +
      p('Plain', '<w:pStyle w:val="x"/>')
    expect(await readBlocks(buildDocx(body, { styles }), 'docx')).toEqual([
      'h2: One',
      'h3: Two',
      'h4: Three',
      'paragraph: Plain',
    ])
  })

  it('keeps the lines and the indents of code, by the names that programs give its style', async () => {
    const styles = ['Preformatted Text', 'HTML Preformatted', 'Source Code']
      .map((name, n) => `<w:style w:styleId="s${n}"><w:name w:val="${name}"/></w:style>`)
      .join('')
    const code = (text: string, n: number) => p(text, `<w:pStyle w:val="s${n}"/>`)
    const body =
      p('Write this:') +
      code('/var/log/x {', 0) +
      code('  daily', 0) +
      code('', 0) +
      code('}', 0) +
      p('or') +
      code('x --now', 1) +
      p('Section', '<w:pStyle w:val="Heading1"/>') +
      code('y', 2)
    expect(await readBlocks(buildDocx(body, { styles }), 'docx')).toEqual([
      'paragraph: Write this:',
      'code: ```\n/var/log/x {\n  daily\n\n}\n```',
      'paragraph: or',
      'code: ```\nx --now\n```',
      'h1: Section',
      'code: ```\ny\n```',
    ])
  })

  it('counts multi-level numbers as their labels say', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
        <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
      </w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num>`
    const item = (text: string, level: number) =>
      p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="5"/></w:numPr>`)
    const body = item('a', 0) + item('b', 1) + item('c', 1) + item('d', 0) + item('e', 1)
    expect(await readBlocks(buildDocx(body, { numbering }), 'docx')).toEqual([
      'list: I. a\n  I.a) b\n  I.b) c\nII. d\n  II.a) e',
    ])
  })

  it('keeps what stands above the line behind a number out of it', async () => {
    const run = (text: string, place = 'baseline') =>
      `<w:r><w:rPr><w:vertAlign w:val="${place}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const body = `<w:p>${run('10')}${run('6', 'superscript')}${run(' m')}${run('2', 'superscript')}${run(' in 1')}${run('st', 'superscript')}${run(' place 7')}${run('8')}</w:p>`
    expect(await readBlocks(buildDocx(body), 'docx')).toEqual(['paragraph: 10⁶ m2 in 1st place 78'])
  })

  it('leaves out how a word is read, which stands within it', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr><w:lid w:val="ja-JP"/></w:rubyPr><w:rt><w:r><w:t>へんこう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>変更</w:t></w:r></w:rubyBase></w:ruby></w:r>`
    const body = `<w:p><w:r><w:t>住所を</w:t></w:r>${ruby}<w:r><w:t>する。</w:t></w:r></w:p>`
    expect(await readBlocks(buildDocx(body), 'docx')).toEqual(['paragraph: 住所を変更する。'])
  })

  it('leaves out what was deleted, and the second rendering of a text box', async () => {
    const body = `<w:p><w:r><w:t>Kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>added</w:t></w:r></w:ins></w:p>
      <w:p><w:r><mc:AlternateContent><mc:Choice>${`<w:txbxContent>${p('In a box')}</w:txbxContent>`}</mc:Choice><mc:Fallback>${`<w:txbxContent>${p('In a box')}</w:txbxContent>`}</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Around it</w:t></w:r></w:p>`
    expect(await readBlocks(buildDocx(body), 'docx')).toEqual([
      'paragraph: Kept added',
      'paragraph: In a box',
      'paragraph: Around it',
    ])
  })

  it('says what a merged cell says in each row and column that it covers', async () => {
    const cell = (text: string, merged = '') => `<w:tc><w:tcPr>${merged}</w:tcPr>${p(text)}</w:tc>`
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
    const down = (from = '') => `<w:vMerge${from}/>`
    const body = `<w:tbl>${[
      row(cell('Hall', down(' w:val="restart"')), cell('Price (€)', '<w:gridSpan w:val="2"/>')),
      row(cell('', down()), cell('Members'), cell('Guests')),
      row(cell('Oak', down(' w:val="restart"')), cell('10'), cell('20')),
      row(cell('', down(' w:val="continue"')), cell('free', '<w:gridSpan w:val="2"/>')),
    ].join('')}</w:tbl>`
    expect(await readBlocks(buildDocx(body), 'docx')).toEqual([
      'table: Hall: Oak | Price (€) Members: 10 | Price (€) Guests: 20\nHall: Oak | Price (€) Members: free | Price (€) Guests: free',
    ])
  })

  it('puts a table inside a table on one row', async () => {
    const cell = (content: string) => `<w:tc>${content}</w:tc>`
    const inner = `<w:tbl><w:tr>${cell(p('x'))}${cell(p('y'))}</w:tr></w:tbl>`
    const body = `<w:tbl><w:tr>${cell(p('a') + p('b'))}${cell(inner + p('c | d'))}</w:tr></w:tbl>`
    expect(await readBlocks(buildDocx(body), 'docx')).toEqual(['table: a b | x / y c / d'])
  })
})

describe('a hostile Word document is refused', () => {
  it('with a DOCTYPE or entities', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w:document><w:p><w:t>&b;</w:t></w:p></w:document>'
    const docx = (document: string) =>
      buildOffice({ 'word/document.xml': document }, { '': ['r officeDocument word/document.xml'] })
    expect(await readRefusal(docx(bomb), 'docx')).toMatch(/DOCTYPE/)
    expect(
      await readRefusal(docx('<w:document/><!DOCTYPE x SYSTEM "file:///etc/passwd">'), 'docx'),
    ).toMatch(/DOCTYPE/)
  })

  it('with elements more than 100 deep', async () => {
    const nest = (depth: number) => '<w:x>'.repeat(depth) + p('deep') + '</w:x>'.repeat(depth)
    expect(await readRefusal(buildDocx(nest(200)), 'docx')).toMatch(/100 deep/)
    expect(await readBlocks(buildDocx(nest(90)), 'docx')).toEqual(['paragraph: deep'])
  })

  it('with a part that is a bomb, damaged or missing', async () => {
    const main = { '': ['r officeDocument word/document.xml'] }
    const bomb = { name: 'word/document.xml', data: new Uint8Array(10_000_000) }
    expect(await readRefusal(buildOffice({}, main, [bomb]), 'docx')).toMatch(/100 to 1/)
    expect(
      await readRefusal(
        buildOffice({}, main, [{ name: 'word/document.xml', data: 'x', crc: 1 }]),
        'docx',
      ),
    ).toMatch(/damaged/)
    expect(await readRefusal(buildOffice({}, main), 'docx')).toMatch(/missing/)
    expect(await readRefusal('PK', 'docx')).toMatch(/damaged/)
  })

  it('when a small note or label is repeated until it is large', async () => {
    const footnotes = `<w:footnote w:id="1">${p('n'.repeat(100_000))}</w:footnote>`
    const references = '<w:footnoteReference w:id="1"/>'.repeat(1000)
    expect(
      await readRefusal(
        buildDocx(`<w:p><w:r><w:t>x</w:t>${references}</w:r></w:p>`, { footnotes }),
        'docx',
      ),
    ).toMatch(/characters/)
    const table = `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t>${references}</w:r></w:p></w:tc></w:tr></w:tbl>`
    expect(await readRefusal(buildDocx(table, { footnotes }), 'docx')).toMatch(/characters/)
  })

  it('when the labels of its lists make much of little text', async () => {
    // MMMDCCCLXXXVIII, and a label may name a number many times.
    const level = (at: number) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="3888"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="${'%1'.repeat(25)}"/></w:lvl>`
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0)}${level(1)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
    const item =
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'
    // It is refused as it is read, before what would be refused at its end.
    const body = `${item.repeat(25_000)}<!DOCTYPE x>`
    expect(await readRefusal(buildDocx(body, { numbering }), 'docx')).toMatch(/characters/)
  })
})
